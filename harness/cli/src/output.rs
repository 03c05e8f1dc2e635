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

/// Returns standard output, with colours where it is a terminal that has them.
pub(crate) fn stdout() -> impl Write {
    UntilClosed::new(anstream::AutoStream::auto(io::stdout()).lock())
}

/// An output that accepts everything once its reader has closed it: a reader that has what it needs, such as `head`, does
/// not change what a command does and its exit code.
#[derive(Debug)]
pub(crate) struct UntilClosed<W> {
    /// `None` once the reader has closed it.
    out: Option<W>,
}

impl<W: Write> UntilClosed<W> {
    pub(crate) fn new(out: W) -> Self {
        UntilClosed { out: Some(out) }
    }

    fn unless_closed<T>(
        &mut self,
        if_closed: T,
        write: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.out.as_mut().map(write) {
            Some(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.out = None;
                Ok(if_closed)
            }
            Some(written) => written,
            None => Ok(if_closed),
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |out| out.flush())
    }
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
