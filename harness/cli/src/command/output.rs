//! Standard output and standard error.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use serde::Serialize;

pub(super) use robotspec::sentences::counted;

/// What went well.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// What did not.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What may go either way.
pub(super) const OPEN: Style = AnsiColor::Yellow.on_default();
/// What stands out.
pub(super) const STRONG: Style = Style::new().bold();
/// What stands back.
pub(super) const FAINT: Style = Style::new().dimmed();

/// Standard output, with colours where it is a terminal that has them.
pub(super) fn stdout() -> impl Write {
    anstream::AutoStream::auto(io::stdout()).lock()
}

/// Writes a value as one line of JSON.
pub(super) fn json(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// A text in a style.
pub(super) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Tells what is wrong, on standard error.
pub(super) fn error(error: &anyhow::Error) {
    let mut out = anstream::AutoStream::auto(io::stderr()).lock();
    // There is nowhere left to tell that this failed.
    let _ = writeln!(out, "{} {error:#}", styled(BAD, "error:"));
}

/// Tells what may be amiss, on standard error.
pub(super) fn warning(message: &str) {
    let mut out = anstream::AutoStream::auto(io::stderr()).lock();
    let _ = writeln!(out, "{} {message}", styled(OPEN, "warning:"));
}

/// Tells what was done, on standard error.
pub(super) fn note(message: &str) {
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()).lock(), "{message}");
}

pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}
