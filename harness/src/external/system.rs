//! What depends on the operating system: groups of processes, and the bytes of a path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use process_wrap::std::CommandWrap;

#[cfg(unix)]
pub(super) use unix::{kill_marked, limit_with_mark};

/// Returns a command whose process, and those that it starts, are killed together: a process group, or a job object of
/// Windows. A Ctrl-C does not reach a process group of its own.
pub(super) fn in_own_group(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
}

/// Returns a path as bytes without a zero.
pub(super) fn path_to_bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(windows)]
    return path.to_string_lossy().into_owned().into_bytes();
}

/// Returns the path of [`path_to_bytes`].
pub(super) fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    #[cfg(windows)]
    return PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
}

/// Kills the processes with a mark. Returns how many there were. Windows does not show the environment of a process.
#[cfg(windows)]
pub(super) fn kill_marked(_: &str, _: Option<u64>) -> usize {
    0
}

/// Marks this process and those that it starts. Windows has no such limit.
#[cfg(windows)]
pub(super) fn limit_with_mark(_: u64) {}

/// Returns the memory that the processes of a group use, in bytes; `None` where the system does not show it as Linux does.
pub(super) fn memory_of_group(group: u32) -> Option<u64> {
    let mut used = None;
    for entry in fs::read_dir("/proc").ok()?.filter_map(Result::ok) {
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name of the program, in parentheses, may contain spaces; the state, the parent and the group follow.
        let Some((_, fields)) = stat.rsplit_once(')') else { continue };
        if fields.split_whitespace().nth(2).and_then(|id| id.parse().ok()) == Some(group) {
            *used.get_or_insert(0) += resident(&entry.path().join("status")).unwrap_or_default();
        }
    }
    used
}

fn resident(status: &Path) -> Option<u64> {
    let status = fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}

#[cfg(unix)]
mod unix {
    use std::fs;

    use rustix::process::{Pid, Signal, kill_process};

    /// Kills the processes with a mark in their environment, or with a number as their [limit](limit_with_mark). Returns how
    /// many there were. Only Linux shows both as files.
    pub(crate) fn kill_marked(mark: &str, number: Option<u64>) -> usize {
        let variable = format!("{mark}=1");
        let read =
            |id: &Pid, file| fs::read(format!("/proc/{}/{file}", id.as_raw_nonzero())).unwrap_or_default();
        let is_marked = |id: &Pid| {
            read(id, "environ").split(|byte| *byte == 0).any(|other| other == variable.as_bytes())
                || number.is_some() && limit(&read(id, "limits")) == number
        };
        let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
        let ids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
        ids.filter(is_marked).filter(|id| kill_process(*id, Signal::KILL).is_ok()).count()
    }

    /// Returns the limit of [`limit_with_mark`] in the table of the limits of a process.
    fn limit(table: &[u8]) -> Option<u64> {
        let table = std::str::from_utf8(table).ok()?;
        let limit = table.lines().find_map(|line| line.strip_prefix("Max realtime timeout"))?;
        limit.split_whitespace().next()?.parse().ok()
    }

    /// Gives this process and those that it starts a limit by which they can be found: on the time that a real-time process
    /// computes without a pause, in microseconds. The number is one of many years.
    #[cfg(target_os = "linux")]
    pub(crate) fn limit_with_mark(number: u64) {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Rttime);
        // If the system refuses the limit, the mark in the environment remains.
        let _ = setrlimit(Resource::Rttime, Rlimit { current: Some(number), ..limit });
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn limit_with_mark(_: u64) {}
}
