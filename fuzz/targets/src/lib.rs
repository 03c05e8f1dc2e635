//! What the fuzz targets share: the implementations under test, their panics as findings, and the progress that
//! libFuzzer measures. `robotspec-fuzz` decodes inputs and judges the answers.

mod progress;
mod readings;
mod session;

pub use readings::readings;
pub use session::{examine, judge};

/// Lets a panic of an implementation under test unwind, so that it is a finding. Any other panic is reported and ends the
/// process.
///
/// For the `init:` part of a target. libFuzzer sets a hook before that, which aborts at every panic.
pub fn let_panics_unwind() {
    let _ = std::panic::take_hook();
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(robotspec::SUBJECT_THREAD) {
            report(panic);
            std::process::abort();
        }
    }));
}
