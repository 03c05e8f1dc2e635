//! The progress of a command: a bar on a terminal, from its start, and nothing elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use robotspec_cases::visible;

/// The time after which, and the share from which, an estimate is stable enough to be shown.
const STABLE_AFTER: Duration = Duration::from_secs(5);
const STABLE_FROM: f32 = 0.1;

/// How often the bar is drawn while nothing happens: the time shows that the command waits.
const TICK: Duration = Duration::from_millis(200);

/// The progress of a command.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Shows the progress of so many steps, such as `checks`.
    pub(super) fn of(length: u64, steps: &str) -> Self {
        Progress::with_template(
            length,
            &format!("{{msg:20}} {{wide_bar}} {{pos}}/{{len}} {steps}, {{elapsed}}{{left}}"),
        )
    }

    /// Shows the progress of a command whose steps have no name; the message says more.
    pub(super) fn with_message(length: u64) -> Self {
        Progress::with_template(length, "{wide_bar} {msg}")
    }

    fn with_template(length: u64, template: &str) -> Self {
        let bar = ProgressBar::new(length);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("left", write_left));
        }
        bar.enable_steady_tick(TICK);
        Progress(bar)
    }

    /// Sets the number of steps.
    pub(super) fn set_length(&self, length: u64) {
        self.0.set_length(length);
    }

    /// Sets the number of steps that are done.
    pub(super) fn set_position(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Reports that another step is done.
    pub(super) fn advance(&self) {
        self.0.inc(1);
    }

    /// Says what the command does.
    pub(super) fn say(&self, message: &str) {
        self.0.set_message(visible(message));
    }

    /// Returns the time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Writes something else while the bar is hidden.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Writes how much time is left, once the estimate is stable.
fn write_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let (elapsed, done) = (state.elapsed(), state.fraction());
    if elapsed >= STABLE_AFTER && done >= STABLE_FROM {
        let left = elapsed.mul_f32((1.0 - done) / done);
        // An output that cannot be written has no reader.
        let _ = write!(out, ", about {} left", indicatif::HumanDuration(left));
    }
}
