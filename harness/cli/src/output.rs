//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use robotspec::Info;
use serde::Serialize;

pub(crate) use robotspec::sentences::counted;

/// A good result.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A bad result.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A result that is unspecified, or deserves attention.
pub(crate) const OPEN: Style = AnsiColor::Yellow.on_default();
/// Text that stands out.
pub(crate) const STRONG: Style = Style::new().bold();
/// Text in the background.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Standard output, with colours where it is a terminal that has them.
pub(crate) fn stdout() -> impl Write {
    anstream::AutoStream::auto(io::stdout()).lock()
}

/// Writes a value as one line of JSON.
pub(crate) fn json(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// Returns a text in a style.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns the name and the version of an implementation.
pub(crate) fn full_name(info: &Info) -> String {
    format!("{} {}", info.name, info.version.as_deref().unwrap_or_default()).trim().to_owned()
}

/// Reports an error on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    write_message(&format!("{} {error:#}", styled(BAD, "error:")));
}

/// Reports a possible problem on standard error.
pub(crate) fn warning(message: &str) {
    write_message(&format!("{} {message}", styled(OPEN, "warning:")));
}

/// Reports what was done on standard error.
pub(crate) fn note(message: &str) {
    write_message(message);
}

fn write_message(message: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()).lock(), "{message}");
}

/// Returns whether an error says that the reader of the output closed it.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}
