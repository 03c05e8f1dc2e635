//! The progress of a command: a line on a terminal, from its start. Elsewhere, such as in the log of a CI job, a line is
//! added now and then.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use robotspec_text::visible;

use crate::output;

/// How often the line is drawn while nothing happens: the time shows that the command waits.
const TICK: Duration = Duration::from_millis(200);

/// How often a line is added where there is no terminal.
const LOGGED_EVERY: Duration = Duration::from_secs(30);

/// How often it is looked whether a line is due.
const LOOKED_EVERY: Duration = Duration::from_secs(1);

/// The progress of a command, which consists of phases.
pub(super) struct Progress {
    /// The line. It counts the steps, and hides itself while something else is written.
    pub(super) bar: ProgressBar,
    /// The lines that are added where there is no terminal.
    log: Arc<Mutex<Log>>,
    /// Its end stops the thread that adds the lines.
    _logger: Sender<()>,
}

impl Progress {
    /// Starts with a phase whose length is not known, such as `reading the cases`.
    pub(super) fn of(phase: &str) -> Self {
        let (bar, log): (_, Arc<Mutex<Log>>) = (ProgressBar::new_spinner(), Arc::default());
        let (logger, stopped) = mpsc::channel();
        if bar.is_hidden() {
            let (bar, log) = (bar.clone(), Arc::clone(&log));
            thread::spawn(move || {
                while stopped.recv_timeout(LOOKED_EVERY) == Err(RecvTimeoutError::Timeout) {
                    if let Ok(mut log) = log.lock()
                        && let Some(line) =
                            log.next(bar.elapsed(), bar.position(), bar.length().unwrap_or_default())
                    {
                        output::progress(&format!("{}: {line}", bar.message()));
                    }
                }
            });
        }
        let progress = Progress { bar, log, _logger: logger };
        progress.start(phase);
        progress.bar.enable_steady_tick(TICK);
        progress
    }

    /// Starts another phase whose length is not known.
    pub(super) fn start(&self, phase: &str) {
        self.set_template("{msg}, {elapsed}");
        self.say(phase);
    }

    /// Starts to count steps, such as `checks`.
    pub(super) fn count(&self, length: u64, steps: &str) {
        self.bar.set_length(length);
        self.bar.set_position(0);
        self.bar.reset_elapsed();
        if let Ok(mut log) = self.log.lock() {
            *log = Log { steps: steps.to_owned(), lines: 0 };
        }
        self.set_template(&format!("{{msg:20}} {{wide_bar}} {{pos}}/{{len}} {steps}, {{elapsed}}"));
    }

    /// Starts to show a share, of which the message says more.
    pub(super) fn measure(&self, length: u64) {
        self.bar.set_length(length);
        self.set_template("{wide_bar} {msg}");
    }

    fn set_template(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    /// Says what the command does.
    pub(super) fn say(&self, message: &str) {
        self.bar.set_message(visible(message));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The lines that say how far a phase is where there is no terminal.
#[derive(Debug, Default)]
struct Log {
    steps: String,
    /// The number of lines that were due so far.
    lines: u32,
}

impl Log {
    /// Returns the next line, if it is due.
    fn next(&mut self, elapsed: Duration, done: u64, length: u64) -> Option<String> {
        if self.steps.is_empty() || elapsed < LOGGED_EVERY * (self.lines + 1) {
            return None;
        }
        self.lines = elapsed.div_duration_f32(LOGGED_EVERY) as u32;
        Some(format!("{done} of {length} {} after {} s", self.steps, elapsed.as_secs()))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/progress.rs"]
mod tests;
