//! Child processes that cannot block the harness, use up its memory or outlive it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::ChildWrapper;

use super::guard;
use super::system::{in_own_group, memory_of_group};
use crate::interrupt::{self, Waited};
use crate::message::LONGEST_MESSAGE;

/// How much of the standard error is kept, in bytes.
const STDERR_KEPT: usize = 64 << 10;

/// The longest line of the standard output, in bytes.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

/// The number of unread lines after which the child has to wait: each may be [as long](LONGEST_LINE) as memory allows.
const LINES_WAITING: usize = 4;

/// How often a child that says nothing is looked at.
const INTERVAL: Duration = Duration::from_millis(50);

/// The time in which the last output of a child that has exited arrives.
const TIME_TO_ARRIVE: Duration = Duration::from_millis(100);

/// The time that a child may take to exit after it has closed its output.
const TIME_TO_EXIT: Duration = Duration::from_secs(2);

/// A piece of the standard output of a child.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A line, without its line end.
    Line(Vec<u8>),
    /// The start of a line of more than [`LONGEST_LINE`] bytes.
    TooLong(Vec<u8>),
    /// The child closed its standard output, or ended.
    Closed,
    /// The child used more memory than it may, in bytes, and was killed.
    TooMuchMemory(u64),
    /// The run was interrupted while the child said nothing.
    Interrupted,
}

/// A child process in a process group of its own. Threads read and write its pipes, so that no caller waits longer than
/// its time limit.
pub(crate) struct Child {
    child: Box<dyn ChildWrapper>,
    /// The bytes for its standard input; `None` once the input is closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    errors: Arc<Mutex<Tail>>,
    /// The memory that it may use together with its children, in bytes.
    most_memory: Option<u64>,
    measured: Instant,
}

/// The last bytes of a stream.
#[derive(Default)]
struct Tail {
    bytes: VecDeque<u8>,
    is_closed: bool,
}

impl Child {
    /// Starts a command in a folder. Only a piped standard output can be read.
    ///
    /// # Errors
    ///
    /// The program does not exist, or cannot be run.
    pub(crate) fn start(
        words: &[String],
        folder: &Path,
        stdout: Stdio,
        most_memory: Option<u64>,
    ) -> io::Result<Self> {
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(Stdio::piped());
        guard::mark(&mut command);
        let mut child = in_own_group(command).spawn()?;
        let input = child.stdin().take().map(write_in_background);
        let output = read_in_background(child.stdout().take());
        let errors = keep_in_background(child.stderr().take());
        Ok(Child { child, input, output, errors, most_memory, measured: Instant::now() })
    }

    /// Writes to its standard input, in the background.
    pub(crate) fn write(&mut self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // The receiver is gone once the child has closed its input; the end of its output shows this.
            let _ = input.send(bytes);
        }
    }

    /// Closes its standard input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the next line of its standard output; the result is `None` where no line arrives before `end`.
    pub(crate) fn read_line(&mut self, end: Instant) -> Option<Output> {
        loop {
            if let Some(used) = self.too_much_memory() {
                self.kill();
                return Some(Output::TooMuchMemory(used));
            }
            let left = end.saturating_duration_since(Instant::now());
            match interrupt::receive(&self.output, left.min(INTERVAL)) {
                Waited::Received(output) => return Some(output),
                Waited::Closed => return Some(Output::Closed),
                Waited::Interrupted => return Some(Output::Interrupted),
                // A child of it may hold its output open.
                Waited::Late if matches!(self.child.try_wait(), Ok(Some(_))) => {
                    return Some(match interrupt::receive(&self.output, TIME_TO_ARRIVE) {
                        Waited::Received(output) => output,
                        _ => Output::Closed,
                    });
                }
                Waited::Late if left <= INTERVAL => return None,
                Waited::Late => {}
            }
        }
    }

    /// Returns why it was killed, after it used this much memory.
    pub(crate) fn describe_memory(&self, used: u64) -> String {
        let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
        format!(
            "killed: its processes used {} MiB of memory, and --memory-limit is {} MiB",
            mebibytes(used),
            mebibytes(self.most_memory.unwrap_or_default())
        )
    }

    /// Returns the memory that it uses, if that is more than it may use. It is not measured each time.
    fn too_much_memory(&mut self) -> Option<u64> {
        let most = self.most_memory?;
        if self.measured.elapsed() < INTERVAL {
            return None;
        }
        self.measured = Instant::now();
        memory_of_group(self.child.id()).filter(|used| *used > most)
    }

    /// Returns its exit status; `None` where it does not exit before `end`, or where the run was interrupted.
    pub(crate) fn wait(&mut self, end: Instant) -> Option<ExitStatus> {
        self.wait_unless(end, interrupt::is_requested)
    }

    fn wait_unless(&mut self, end: Instant, is_over: impl Fn() -> bool) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(100);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= end || is_over() {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Returns how the child ended, after it has closed its standard output, with the last lines of its standard error.
    pub(crate) fn describe_end(&mut self) -> String {
        let ended = match self.wait(Instant::now() + TIME_TO_EXIT) {
            Some(status) => status.to_string(),
            None => "it closed its standard output but did not exit".to_owned(),
        };
        self.with_last_errors(ended)
    }

    /// Returns a message with the last lines of its standard error.
    pub(crate) fn with_last_errors(&self, message: String) -> String {
        let errors = self.last_errors();
        if errors.is_empty() { message } else { format!("{message}; its standard error ends:\n{errors}") }
    }

    fn last_errors(&self) -> String {
        const LAST_LINES: usize = 10;
        let end = Instant::now() + Duration::from_millis(200);
        loop {
            if let Ok(tail) = self.errors.lock()
                && (tail.is_closed || Instant::now() >= end)
            {
                let bytes: Vec<u8> = tail.bytes.iter().copied().collect();
                let text = String::from_utf8_lossy(&bytes);
                let lines: Vec<&str> = text.trim_end().lines().collect();
                return last_bytes(&lines[lines.len().saturating_sub(LAST_LINES)..].join("\n"));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the child and the processes that it started.
    pub(crate) fn kill(&mut self) {
        self.close_input();
        // The child may have exited already.
        let _ = self.child.start_kill();
        let _ = self.wait_unless(Instant::now() + TIME_TO_EXIT, || false);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the end of a text, and how much is missing. It is short enough to be a part of a message that is not cut.
fn last_bytes(text: &str) -> String {
    const LAST_BYTES: usize = LONGEST_MESSAGE - 512;
    let cut = text.ceil_char_boundary(text.len().saturating_sub(LAST_BYTES));
    if cut == 0 { text.to_owned() } else { format!("({cut} bytes more) … {}", &text[cut..]) }
}

fn write_in_background(mut pipe: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

fn read_in_background(pipe: Option<impl Read + Send + 'static>) -> Receiver<Output> {
    let (sender, lines) = mpsc::sync_channel(LINES_WAITING);
    let Some(pipe) = pipe else { return lines };
    thread::spawn(move || {
        let mut pipe = BufReader::with_capacity(64 << 10, pipe);
        loop {
            let output = next_line(&mut pipe);
            let is_last = !matches!(output, Output::Line(_));
            if sender.send(output).is_err() || is_last {
                return;
            }
        }
    });
    lines
}

fn next_line(pipe: &mut impl BufRead) -> Output {
    let mut line = Vec::new();
    let limit = LONGEST_LINE as u64 + 1;
    match pipe.take(limit).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => Output::Closed,
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            Output::Line(line)
        }
        Ok(length) if length > LONGEST_LINE => Output::TooLong(line),
        Ok(_) => Output::Line(line),
    }
}

fn keep_in_background(pipe: Option<impl Read + Send + 'static>) -> Arc<Mutex<Tail>> {
    let tail = Arc::new(Mutex::new(Tail::default()));
    let Some(mut pipe) = pipe else { return tail };
    let kept = Arc::clone(&tail);
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        loop {
            let read = pipe.read(&mut buffer).unwrap_or_default();
            let Ok(mut tail) = kept.lock() else { return };
            tail.bytes.extend(&buffer[..read]);
            let surplus = tail.bytes.len().saturating_sub(STDERR_KEPT);
            tail.bytes.drain(..surplus);
            tail.is_closed = read == 0;
            if tail.is_closed {
                return;
            }
        }
    });
    tail
}
