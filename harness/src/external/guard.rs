//! The guard: a process that cleans up after this one.
//!
//! A process that is killed cannot end what it started, or remove its temporary files. The guard reads from a pipe what
//! files there are. The pipe closes when this process ends, in whatever way, and then the guard removes the files that are
//! left, and kills the processes that are left. They have two marks, which Linux shows of each process: a variable in the
//! environment, and a resource limit that limits nothing. A process inherits both, also if it leaves its session and its
//! parent; one that clears its environment still has the limit.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{LazyLock, Mutex, OnceLock};
use std::time::SystemTime;

use super::system::{in_own_group, kill_marked, limit_with_mark, path_from_bytes, path_to_bytes};

/// How the guard is started.
static COMMAND: OnceLock<fn() -> Command> = OnceLock::new();

/// The variable in the environment of every process that this one starts. Its name is different in each run, so that a run
/// inside another one does not hide it. The number at its end is also a [limit](limit_with_mark).
static MARK: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("ROBOTSPEC_{}_{}", std::process::id(), since.as_nanos())
});

/// The pipe to the guard; `None` where there is no guard.
static PIPE: LazyLock<Option<Mutex<ChildStdin>>> = LazyLock::new(|| start().map(Mutex::new));

/// Sets the command of a process that calls [`run`]. The guard is started when the first process or file needs it; without
/// a command there is none.
pub fn use_command(command: fn() -> Command) {
    // A second command would be for the same guard.
    let _ = COMMAND.set(command);
}

/// Starts the guard in a process group of its own, so that a Ctrl-C does not end it with this process. It does not hold
/// the output of this process open.
fn start() -> Option<ChildStdin> {
    let mut command = COMMAND.get()?();
    command.arg(&*MARK).current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut guard = in_own_group(command).spawn().ok()?;
    // Only now, because the guard does not end itself.
    number_of(&MARK).into_iter().for_each(limit_with_mark);
    guard.stdin().take()
}

/// Returns the number at the end of a mark.
fn number_of(mark: &str) -> Option<u64> {
    mark.rsplit('_').next()?.parse().ok()
}

/// Marks a command, so that its process does not outlive this one.
pub(super) fn mark(command: &mut Command) {
    // The guard must exist before the process that it is for.
    LazyLock::force(&PIPE);
    command.env(&*MARK, "1");
}

/// A temporary file or folder, which the guard removes if this process ends before this value is dropped.
#[must_use = "the guard forgets what is no longer watched"]
pub struct Watch(Vec<u8>);

impl Watch {
    /// Returns a watch of a path.
    pub fn new(path: &Path) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let path = path_to_bytes(&path);
        send(b'+', &path);
        Watch(path)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        send(b'-', &self.0);
    }
}

/// Sends the guard a path to watch (`+`), or to forget (`-`).
fn send(what: u8, path: &[u8]) {
    if let Some(Ok(mut pipe)) = PIPE.as_ref().map(Mutex::lock) {
        // Without its guard, this process still cleans up unless it is killed.
        let _ = pipe.write_all(&[&[what], path, &[0]].concat());
    }
}

/// Is the guard of a process with this mark: reads what to watch until the input ends, and then cleans up.
pub fn run(mark: &str, input: impl BufRead) {
    let mut watched: BTreeSet<Vec<u8>> = BTreeSet::new();
    for message in input.split(0).map_while(Result::ok) {
        match message.split_first() {
            Some((b'+', path)) => drop(watched.insert(path.to_vec())),
            Some((b'-', path)) => drop(watched.remove(path)),
            _ => {}
        }
    }
    // Processes come first: they could write into a folder that is removed. One may start another one meanwhile.
    const MOST_ROUNDS: usize = 100;
    let _ = (0..MOST_ROUNDS).take_while(|_| kill_marked(mark, number_of(mark)) > 0).count();
    for path in watched.into_iter().map(path_from_bytes) {
        // What is already gone needs nothing more.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}
