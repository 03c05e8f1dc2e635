//! Child processes that cannot hang, flood or outlive the harness.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

/// How much of standard error is kept, in octets.
const STDERR_KEPT: usize = 64 << 10;

/// The longest line of standard output, in octets.
pub(crate) const LONGEST_LINE: usize = 16 << 20;

/// How many lines may wait to be read before the child has to wait.
const LINES_WAITING: usize = 256;

/// How long a child that has closed its output may take to exit.
const TIME_TO_EXIT: Duration = Duration::from_secs(2);

/// What a child wrote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The start of a line of more than [`LONGEST_LINE`] octets.
    TooLong(Vec<u8>),
    /// It closed its standard output.
    Closed,
}

/// A child process in a process group of its own, with pipes that are served
/// by threads: whatever it does, nobody waits for it longer than they say.
pub(crate) struct Child {
    child: Box<dyn ChildWrapper>,
    /// What is to be written to its standard input; none once it is closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    errors: Arc<Mutex<Tail>>,
}

/// The last octets of a stream.
#[derive(Default)]
struct Tail {
    octets: VecDeque<u8>,
    is_closed: bool,
}

impl Child {
    /// Starts a command.
    ///
    /// # Errors
    ///
    /// It cannot be started: there is no such program, or it may not be run.
    pub(crate) fn start(words: &[String]) -> io::Result<Self> {
        Child::start_in(words, Path::new("."))
    }

    /// Starts a command in a folder.
    ///
    /// # Errors
    ///
    /// It cannot be started: there is no such program, or it may not be run.
    pub(crate) fn start_in(words: &[String], folder: &Path) -> io::Result<Self> {
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = CommandWrap::from(command).wrap(ProcessGroup::leader()).spawn()?;
        let input = child.stdin().take().map(write_in_background);
        let output = read_in_background(child.stdout().take());
        let errors = keep_in_background(child.stderr().take());
        Ok(Child { child, input, output, errors })
    }

    /// Writes to its standard input, as soon as it reads.
    pub(crate) fn write(&mut self, octets: Vec<u8>) {
        if let Some(input) = &self.input {
            // Nobody listens once the child has closed its end; that shows as
            // the end of its output.
            let _ = input.send(octets);
        }
    }

    /// Closes its standard input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line of its standard output; nothing where none comes in time.
    pub(crate) fn read_line(&self, timeout: Duration) -> Option<Output> {
        match self.output.recv_timeout(timeout) {
            Ok(output) => Some(output),
            Err(RecvTimeoutError::Disconnected) => Some(Output::Closed),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    /// How it ended; nothing where it does not end in time.
    pub(crate) fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + timeout;
        let mut pause = Duration::from_micros(100);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= end {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// How it ended, after it has closed its standard output, with the last
    /// lines of its standard error.
    pub(crate) fn epitaph(&mut self) -> String {
        let ended = match self.wait(TIME_TO_EXIT) {
            Some(status) => status.to_string(),
            None => "it closed its standard output but did not exit".to_owned(),
        };
        self.with_last_errors(ended)
    }

    /// A message with the last lines of its standard error.
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
                let octets: Vec<u8> = tail.octets.iter().copied().collect();
                let text = String::from_utf8_lossy(&octets);
                let lines: Vec<&str> = text.trim_end().lines().collect();
                return lines[lines.len().saturating_sub(LAST_LINES)..].join("\n");
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends it and all that it started.
    pub(crate) fn kill(&mut self) {
        self.close_input();
        // It may have ended by itself; there is nothing else to be done.
        let _ = self.child.start_kill();
        let _ = self.wait(TIME_TO_EXIT);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_in_background(mut pipe: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for octets in receiver {
            if pipe.write_all(&octets).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

fn read_in_background(pipe: Option<impl Read + Send + 'static>) -> Receiver<Output> {
    let (sender, receiver) = mpsc::sync_channel(LINES_WAITING);
    let Some(pipe) = pipe else { return receiver };
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
    receiver
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
            tail.octets.extend(&buffer[..read]);
            let surplus = tail.octets.len().saturating_sub(STDERR_KEPT);
            tail.octets.drain(..surplus);
            tail.is_closed = read == 0;
            if tail.is_closed {
                return;
            }
        }
    });
    tail
}
