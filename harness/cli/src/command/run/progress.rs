//! The progress bar of a run.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use robotspec::event::Event;
use robotspec_cases::visible;

/// A run that is shorter does not need a bar.
const DELAY: Duration = Duration::from_secs(2);

/// A progress bar on a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    pub(super) fn new(checks: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(checks as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg:20} {wide_bar} {pos}/{len} checks, {eta} left")
        {
            bar.set_style(style);
        }
        Progress { bar, started: Instant::now() }
    }

    pub(super) fn take(&self, event: &Event) {
        match event {
            Event::ImplementationStarted { info } => self.bar.set_message(visible(&info.name)),
            Event::CheckFinished(_) => self.bar.inc(1),
            _ => {}
        }
        if self.bar.is_hidden() && self.started.elapsed() > DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
