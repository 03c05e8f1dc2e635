//! Standard output and standard error.
//!
//! Output for people goes through [`for_people`], so that no text of a foreign program or file can control the terminal.
//! A text that must stay in its line, such as a name, is made [`visible`] where it is written. Lines are wrapped at
//! [`columns`]. Documents, such as reports, go to [`stdout_for_documents`]. Formats for programs go to [`for_programs`],
//! which changes nothing. No line of any output is one that a CI system obeys.

mod document;
mod people;
mod style;
mod table;

use std::error::Error;
use std::io::{self, BufWriter, IsTerminal, Write};

use anyhow::Result;
use clap::error::ContextValue;
use robotspec::Info;
use robotspec_text::inert::{inert_json, inert_line};
use robotspec_text::{visible, visible_lines};
use serde::Serialize;

pub(crate) use self::document::write_document;
use self::people::for_people;
pub(crate) use self::people::wrapped;
pub(crate) use self::style::{BAD, FAINT, GOOD, OPEN, STRONG, columns, styled};
pub(crate) use self::table::table;

pub(crate) use robotspec_text::sentences::counted;

/// Standard output for people, with colours where it is a terminal that has them.
pub(crate) fn stdout() -> impl Write {
    let out = anstream::AutoStream::auto(io::stdout()).lock();
    let columns = columns();
    Lines::new(UntilClosed(out), move |line| for_people(line, columns))
}

/// Standard output for a document for people or programs.
pub(crate) fn stdout_for_documents() -> impl Write {
    Lines::new(UntilClosed(BufWriter::new(io::stdout())), |line| inert_line(line).into_owned())
}

/// Standard output for programs. The bytes arrive as they are written.
pub(crate) fn for_programs() -> impl Write {
    UntilClosed(io::stdout().lock())
}

/// An output that accepts everything once its reader has closed it: a reader that has what it needs, such as `head`, does
/// not change what a command does and its exit code.
struct UntilClosed<W>(W);

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

fn unless_closed<T>(written: io::Result<T>, if_closed: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(if_closed),
        written => written,
    }
}

/// An output that writes what `change` makes of each line, with its line break. A line that has no end yet is kept until the
/// next flush.
struct Lines<W: Write, F: Fn(&str) -> String> {
    out: W,
    change: F,
    line: Vec<u8>,
}

impl<W: Write, F: Fn(&str) -> String> Lines<W, F> {
    fn new(out: W, change: F) -> Self {
        Lines { out, change, line: Vec::new() }
    }
}

impl<W: Write, F: Fn(&str) -> String> Write for Lines<W, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.line.split_off(self.line.len() - bytes.len() + end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            for line in String::from_utf8_lossy(&lines).split_inclusive('\n') {
                self.out.write_all((self.change)(line).as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.out.write_all((self.change)(&String::from_utf8_lossy(&line)).as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write, F: Fn(&str) -> String> Drop for Lines<W, F> {
    fn drop(&mut self) {
        // A caller that needs to know of an error calls `flush`.
        let _ = self.flush();
    }
}

/// Writes a value as one line of JSON.
pub(crate) fn json(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", inert_json(&serde_json::to_string(value)?))?;
    Ok(())
}

/// Writes a value as JSON in lines that are indented.
pub(crate) fn json_in_lines(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", inert_json(&serde_json::to_string_pretty(value)?))?;
    Ok(())
}

/// Returns the name and the version of an implementation.
pub(crate) fn full_name(info: &Info) -> String {
    visible(format!("{} {}", info.name, info.version.as_deref().unwrap_or_default()).trim())
}

/// Reports an error on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    // The message may contain foreign text, which must not have a style.
    write_message(&format!("{} {}", styled(BAD, "error:"), visible_lines(&format!("{error:#}"))));
}

/// Reports a possible problem on standard error.
pub(crate) fn warning(message: &str) {
    write_message(&format!("{} {}", styled(OPEN, "warning:"), visible_lines(message)));
}

/// Says on standard error how far a command is, where there is no terminal to show that.
pub(crate) fn progress(message: &str) {
    write_message(&visible_lines(message));
}

/// Says on standard error what was done, if that is a terminal: elsewhere, a command that succeeds is silent.
pub(crate) fn note(message: &str) {
    if io::stderr().is_terminal() {
        write_message(&visible_lines(message));
    }
}

/// Reports on standard error why a command line is wrong.
pub(crate) fn usage_error(mut error: clap::Error) {
    let arguments = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(visible(text)))),
        _ => None,
    });
    for (kind, argument) in arguments.collect::<Vec<_>>() {
        error.insert(kind, argument);
    }
    let mut message = error.render().ansi().to_string();
    if let Some(reason) = error.source().map(ToString::to_string) {
        message = message.replace(&reason, &visible_lines(&reason));
    }
    write_message(message.trim_end());
}

/// Writes a message with styles to standard error, as it is wrapped already.
fn write_message(message: &str) {
    let out = anstream::AutoStream::auto(io::stderr()).lock();
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(Lines::new(out, |line| for_people(line, usize::MAX)), "{message}");
}
