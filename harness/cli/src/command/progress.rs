//! The progress of a command: a line on a terminal, from its start. Elsewhere, such as in the log of a CI job, a line is
//! added now and then.

use std::fmt::Write;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use robotspec_text::visible;

use crate::output;

/// The time after which, and the share from which, an estimate is stable enough to be shown.
const STABLE_AFTER: Duration = Duration::from_secs(5);
const STABLE_FROM: f32 = 0.1;

/// By how much an estimate may exceed the one before it. A greater one shows that the speed changes.
const TOLERANCE: f32 = 1.2;

/// How often the line is drawn while nothing happens: the time shows that the command waits.
const TICK: Duration = Duration::from_millis(200);

/// How often a line is added where there is no terminal.
const LOGGED_EVERY: Duration = Duration::from_secs(30);

/// How often it is looked whether a line is due.
const LOOKED_EVERY: Duration = Duration::from_secs(1);

/// From how many minutes on it is said how many are left, and what to do.
const MANY_MINUTES: u64 = 5;

/// The line of a phase whose length is not known.
const WITHOUT_LENGTH: &str = "{msg}, {elapsed}";

/// The progress of a command, which consists of phases.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The lines that are added where there is no terminal.
    log: Arc<Mutex<Log>>,
    /// Its end stops the thread that adds the lines.
    _logger: Sender<()>,
}

impl Progress {
    /// Starts with a phase whose length is not known, such as `reading the cases`.
    pub(super) fn of(phase: &str) -> Self {
        let (bar, log) = (ProgressBar::new_spinner(), Arc::default());
        let (logger, stopped) = mpsc::channel();
        if bar.is_hidden() {
            let (bar, log) = (bar.clone(), Arc::clone(&log));
            thread::spawn(move || {
                while stopped.recv_timeout(LOOKED_EVERY) == Err(RecvTimeoutError::Timeout) {
                    add_due_line(&bar, &log);
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
        self.set_template(WITHOUT_LENGTH, None);
        self.say(phase);
    }

    /// Starts to count steps, such as `checks`. The time that is left is estimated only where each step takes about the
    /// same time.
    pub(super) fn count(&self, length: u64, steps: &str, are_alike: bool) {
        self.bar.set_length(length);
        self.bar.set_position(0);
        self.bar.reset_elapsed();
        if let Ok(mut log) = self.log.lock() {
            *log = Log { steps: steps.to_owned(), lines: 0, advice: log.advice };
        }
        let left = if are_alike { "{left}" } else { "" };
        self.set_template(
            &format!("{{msg:20}} {{wide_bar}} {{pos}}/{{len}} {steps}, {{elapsed}}{left}"),
            Some(Estimate::default()),
        );
    }

    /// Starts to show a share, of which the message says more.
    pub(super) fn measure(&self, length: u64) {
        self.bar.set_length(length);
        self.set_template("{wide_bar} {msg}", None);
    }

    /// Says what to do if the phase takes many minutes.
    pub(super) fn advise(&self, advice: &'static str) {
        if let Ok(mut log) = self.log.lock() {
            log.advice = Some(advice);
        }
    }

    fn set_template(&self, template: &str, estimate: Option<Estimate>) {
        let Ok(style) = ProgressStyle::with_template(template) else { return };
        let estimate = Arc::new(Mutex::new(estimate));
        self.bar.set_style(style.with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
            let Ok(mut estimate) = estimate.lock() else { return };
            let left = estimate.as_mut().and_then(|before| before.next(state.elapsed(), state.fraction()));
            if let Some(left) = left {
                // An output that cannot be written has no reader.
                let _ = write!(out, ", about {} left", indicatif::HumanDuration(left));
            }
        }));
    }

    /// Sets the number of steps that are done.
    pub(super) fn set_position(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Reports that another step is done.
    pub(super) fn advance(&self) {
        self.bar.inc(1);
    }

    /// Says what the command does.
    pub(super) fn say(&self, message: &str) {
        self.bar.set_message(visible(message));
    }

    /// Returns the time since the start of the phase.
    pub(super) fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }

    /// Writes something else while the line is hidden.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Adds the next line of a log, if it is due.
fn add_due_line(bar: &ProgressBar, log: &Mutex<Log>) {
    if let Ok(mut log) = log.lock()
        && let Some(line) = log.next(bar.elapsed(), bar.position(), bar.length().unwrap_or_default())
    {
        output::progress(&format!("{}: {line}", bar.message()));
    }
}

/// The lines that say how far a phase is where there is no terminal.
#[derive(Debug, Default)]
struct Log {
    steps: String,
    /// The number of lines that were due so far.
    lines: u32,
    /// What to do where many minutes are left.
    advice: Option<&'static str>,
}

impl Log {
    /// Returns the next line, if it is due.
    fn next(&mut self, elapsed: Duration, done: u64, length: u64) -> Option<String> {
        if self.steps.is_empty() || elapsed < LOGGED_EVERY * (self.lines + 1) {
            return None;
        }
        self.lines = elapsed.div_duration_f32(LOGGED_EVERY) as u32;
        let left = elapsed.mul_f64((length as f64 / done.max(1) as f64 - 1.0).clamp(0.0, 1e6));
        let about = match left.as_secs() / 60 {
            _ if done == 0 => String::new(),
            minutes @ MANY_MINUTES.. => {
                let advice = self.advice.map(|advice| format!("; {advice}")).unwrap_or_default();
                format!(", about {minutes} minutes left{advice}")
            }
            _ => String::new(),
        };
        Some(format!("{done} of {length} {} after {} s{about}", self.steps, elapsed.as_secs()))
    }
}

/// The end of a phase as it was estimated last, in time since its start.
#[derive(Debug, Default)]
struct Estimate {
    end: Option<Duration>,
    /// When the estimate may be shown again after the speed has changed.
    hidden_until: Duration,
}

impl Estimate {
    /// Returns how much time is left, if that can be said.
    fn next(&mut self, elapsed: Duration, done: f32) -> Option<Duration> {
        if elapsed < STABLE_AFTER || done < STABLE_FROM {
            return None;
        }
        let end = elapsed.div_f32(done);
        let left = end.saturating_sub(elapsed);
        let expected = self.end.replace(end).map(|end| end.saturating_sub(elapsed));
        if expected.is_some_and(|expected| left > expected.mul_f32(TOLERANCE) + Duration::from_secs(1)) {
            self.hidden_until = elapsed + STABLE_AFTER;
        }
        (elapsed >= self.hidden_until).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_every_half_minute_and_says_how_many_minutes_are_left() {
        let mut log = Log { steps: "checks".to_owned(), advice: Some("leave some out"), ..Log::default() };
        let mut next = |seconds, done| log.next(Duration::from_secs(seconds), done, 1000);
        assert_eq!(next(29, 0), None);
        assert_eq!(next(31, 0).as_deref(), Some("0 of 1000 checks after 31 s"));
        assert_eq!(next(59, 100), None);
        let long = "100 of 1000 checks after 95 s, about 14 minutes left; leave some out";
        assert_eq!(next(95, 100).as_deref(), Some(long));
        assert_eq!(next(119, 900), None);
        assert_eq!(next(120, 900).as_deref(), Some("900 of 1000 checks after 120 s"));
    }

    #[test]
    fn an_estimate_is_shown_only_while_the_speed_is_known() {
        let too_early = [(1, 0.5, None), (6, 0.05, None), (6, 0.5, Some(6))];
        let jumps =
            [(10, 0.4, Some(15)), (15, 0.6, Some(9)), (20, 0.62, None), (24, 0.7, None), (30, 0.85, Some(5))];
        for points in [&too_early[..], &jumps] {
            let mut estimate = Estimate::default();
            for &(seconds, done, expected) in points {
                let left = estimate.next(Duration::from_secs(seconds), done).map(|left| left.as_secs());
                assert_eq!(left, expected, "{done} after {seconds} s");
            }
        }
    }
}
