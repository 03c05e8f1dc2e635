//! What the fuzz targets share: who is judged, how a panic becomes a finding, and how libFuzzer learns what was
//! said. What an input is and what becomes of it is for `robotspec::fuzz`.

mod progress;
mod readings;
mod session;

pub use readings::other_readings;
pub use session::{between_inputs, judge};

use robotspec::fuzz::guided;

/// Lets a panic of an implementation under test unwind, to be a finding. Any other is told, and ends the process.
///
/// For the `init:` part of a target: libFuzzer's own hook, set before that, aborts at once.
pub fn let_panics_unwind() {
    let _ = std::panic::take_hook();
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !guided::is_asking() {
            tell(panic);
            std::process::abort();
        }
    }));
}
