//! Standard output and standard error.
//!
//! Output for people goes through [`ForPeople`], so that no text of a foreign program or file can control the terminal.
//! A text that must stay in its line, such as a name, is made [`visible`] where it is written. Lines are wrapped at
//! [`columns`]. Formats for programs go to [`for_programs`], which changes nothing.

mod people;
mod style;
mod table;
mod width;

use std::io::{self, Write};

use anyhow::Result;
use robotspec::Info;
use robotspec_cases::{visible, visible_lines};
use serde::Serialize;

use self::people::ForPeople;
pub(crate) use self::people::command_line;
pub(crate) use self::style::{BAD, FAINT, GOOD, OPEN, STRONG, styled};
pub(crate) use self::table::{narrow, table};
pub(crate) use self::width::columns;
pub(crate) use robotspec::sentences::counted;

/// Standard output for people, with colours where it is a terminal that has them.
pub(crate) fn stdout() -> impl Write {
    let out = anstream::AutoStream::auto(io::stdout()).lock();
    ForPeople::new(UntilClosed::new(out), columns())
}

/// Standard output for programs. The bytes arrive as they are written.
pub(crate) fn for_programs() -> impl Write {
    UntilClosed::new(io::stdout().lock())
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

/// Returns the name and the version of an implementation.
pub(crate) fn full_name(info: &Info) -> String {
    visible(format!("{} {}", info.name, info.version.as_deref().unwrap_or_default()).trim())
}

/// Reports an error on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    write_message(&styled(BAD, "error:"), &format!("{error:#}"));
}

/// Reports a possible problem on standard error.
pub(crate) fn warning(message: &str) {
    write_message(&styled(OPEN, "warning:"), message);
}

fn write_message(label: &str, message: &str) {
    // The message may contain foreign text, which must not have a style.
    let message = visible_lines(message);
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()).lock(), "{label} {message}");
}
