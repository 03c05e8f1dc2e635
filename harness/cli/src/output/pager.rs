//! A pager for output that is longer than the terminal, as git starts one.

use std::env;
use std::io::{self, IsTerminal, Stdout, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// The pager, where `PAGER` names none.
const DEFAULT: &str = "less";

/// What `less` does without options of the user: it ends if the output fits, shows colours, and leaves the text there.
const LESS: &str = "FRX";

/// Whether the user wants no pager.
static IS_REFUSED: AtomicBool = AtomicBool::new(false);

/// Whether a pager runs.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);

/// Starts no pager in this process.
pub(crate) fn refuse_pager() {
    IS_REFUSED.store(true, Ordering::Relaxed);
}

/// Returns whether a pager runs, which then has the keyboard.
pub(crate) fn is_paging() -> bool {
    IS_RUNNING.load(Ordering::Relaxed)
}

/// Standard output, or a pager once more is written than the terminal shows.
#[derive(Debug)]
pub(super) enum Paged {
    /// What is written before it is known whether it fits.
    Waiting {
        written: Vec<u8>,
        height: usize,
        pager: Box<Command>,
    },
    Pager(Child),
    Direct(Stdout),
}

impl Paged {
    pub(super) fn new() -> Self {
        let size = terminal_size::terminal_size_of(io::stdout());
        match (size, pager()) {
            (Some((_, height)), Some(pager)) => {
                Paged::Waiting { written: Vec::new(), height: height.0.into(), pager: Box::new(pager) }
            }
            _ => Paged::Direct(io::stdout()),
        }
    }

    /// Stops waiting: what was written goes to the pager, or, where that does not start, to standard output.
    fn decide(&mut self, is_too_long: bool) -> io::Result<()> {
        let Paged::Waiting { written, pager, .. } = self else { return Ok(()) };
        let written = std::mem::take(written);
        let child = if is_too_long { pager.spawn().ok() } else { None };
        IS_RUNNING.store(child.is_some(), Ordering::Relaxed);
        *self = child.map_or_else(|| Paged::Direct(io::stdout()), Paged::Pager);
        self.write_all(&written)
    }
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Paged::Waiting { written, height, .. } => {
                written.extend(bytes);
                if written.iter().filter(|byte| **byte == b'\n').count() >= *height {
                    self.decide(true)?;
                }
                Ok(bytes.len())
            }
            Paged::Pager(child) => child.stdin.as_mut().map_or(Ok(bytes.len()), |input| input.write(bytes)),
            Paged::Direct(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.decide(false)?;
        match self {
            Paged::Direct(out) => out.flush(),
            Paged::Pager(_) | Paged::Waiting { .. } => Ok(()),
        }
    }
}

impl Drop for Paged {
    fn drop(&mut self) {
        if let Paged::Pager(child) = self {
            // The pager ends at the end of its input or when the reader quits it. How it ends changes nothing.
            drop(child.stdin.take());
            let _ = child.wait();
            IS_RUNNING.store(false, Ordering::Relaxed);
        }
    }
}

/// Returns the command of the pager, if the output goes to a terminal that can show one.
fn pager() -> Option<Command> {
    let is_dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    if IS_REFUSED.load(Ordering::Relaxed) || is_dumb || !io::stdout().is_terminal() {
        return None;
    }
    let words = shell_words::split(&env::var("PAGER").unwrap_or_else(|_| DEFAULT.to_owned())).ok()?;
    let (program, arguments) = words.split_first().filter(|(program, _)| *program != "cat")?;
    let mut pager = Command::new(program);
    pager.args(arguments).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        pager.env("LESS", LESS);
    }
    Some(pager)
}
