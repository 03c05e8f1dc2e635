//! Reads events that were written as JSON Lines.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use robotspec_cases::read::read_line;
use robotspec_cases::yaml::FileError;
use serde::Deserialize;

use crate::event::{CheckFinished, Event, FORMAT};

/// Reads the events of a file. Returns whether they are complete: otherwise the run, or the program that wrote the file, was
/// stopped.
///
/// # Errors
///
/// The file cannot be read, or does not contain events in this [`FORMAT`].
pub fn read_file(file: &Path, on_event: &mut dyn FnMut(Event)) -> Result<bool, FileError> {
    let input =
        File::open(file).map_err(|error| FileError::new(file, (0, 0), format!("cannot be read: {error}")))?;
    read(file, BufReader::new(input), on_event)
}

/// Reads events. Returns whether they are complete. `file` is the name of the input in errors.
///
/// # Errors
///
/// The input cannot be read, or does not contain events in this [`FORMAT`].
pub fn read(
    file: &Path,
    mut input: impl BufRead,
    on_event: &mut dyn FnMut(Event),
) -> Result<bool, FileError> {
    let mut reader = Reader { file, line: 0, is_started: false, is_finished: false, implementation: None };
    let mut line = Vec::new();
    for number in 1.. {
        reader.line = number;
        let is_read = read_line(&mut input, &mut line);
        if !is_read.map_err(|error| reader.error(format!("cannot be read: {error}")))? {
            break;
        }
        if number == 1 {
            reader.check_format(&line)?;
        }
        let event: Event = match serde_json::from_slice(line.trim_ascii_end()) {
            Ok(event) => event,
            // The program that wrote the line did not write its end.
            Err(_) if !line.ends_with(b"\n") && !reader.is_finished => return Ok(false),
            // A later version added the event. The format stays the same when an event is added.
            Err(_) if matches!(serde_json::from_slice(&line), Ok(Name::Unknown)) => continue,
            Err(error) => {
                // The place in the message is relative to the line.
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or_default();
                let error_of_line = reader.error(format!("the line is not an event: {message}"));
                return Err(FileError { column: error.column(), ..error_of_line });
            }
        };
        reader.check_order(&event)?;
        on_event(event);
    }
    if !reader.is_started {
        reader.line = 0;
        return Err(reader.error(format!("the file is empty; {HOW_TO_WRITE}")));
    }
    Ok(reader.is_finished)
}

const HOW_TO_WRITE: &str = "`robotspec run --format jsonl` writes events";

/// The name of an event.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Name {
    RunStarted,
    ImplementationStarted,
    CheckFinished,
    Incident,
    LikelyCause,
    ImplementationFinished,
    RunFinished,
    #[serde(other)]
    Unknown,
}

/// The parts of the first line that every format has.
#[derive(Deserialize)]
struct Head {
    event: String,
    format: u32,
    robotspec: String,
}

/// The state of the reader: what it has read so far.
struct Reader<'f> {
    file: &'f Path,
    /// The number of the current line, from 1; 0 before the first one.
    line: usize,
    is_started: bool,
    is_finished: bool,
    implementation: Option<Arc<str>>,
}

impl Reader<'_> {
    /// Returns an error at the current line.
    fn error(&self, message: impl Into<String>) -> FileError {
        FileError::new(self.file, (self.line, 0), message)
    }

    /// Checks the first line.
    fn check_format(&self, line: &[u8]) -> Result<(), FileError> {
        match serde_json::from_slice::<Head>(line) {
            Ok(Head { event, .. }) if event != "run-started" => {
                Err(self.error(format!("the first event is `{event}`, not `run-started`; the start of the file is missing")))
            }
            Ok(Head { format, robotspec, .. }) if format != FORMAT => Err(self.error(format!(
                "the events have format {format}, written by robotspec {robotspec}; this version reads format {FORMAT}"
            ))),
            Ok(_) => Ok(()),
            Err(_) => Err(self.error(match serde_json::from_slice::<Event>(line) {
                Ok(_) => "`run-started` is missing; the start of the file is missing".to_owned(),
                Err(_) => format!("the file does not contain events; {HOW_TO_WRITE}"),
            })),
        }
    }

    /// Checks whether an event may be the next one.
    fn check_order(&mut self, event: &Event) -> Result<(), FileError> {
        if self.is_finished {
            return Err(self.error("an event follows `run-finished`; write each run to a file of its own"));
        }
        match event {
            Event::RunStarted { .. } => {
                if std::mem::replace(&mut self.is_started, true) {
                    let message =
                        "another run starts before this one ends; write each run to a file of its own";
                    return Err(self.error(message));
                }
            }
            Event::ImplementationStarted { info, .. } => {
                self.implementation = Some(info.name.as_str().into())
            }
            Event::CheckFinished(CheckFinished { implementation, .. })
            | Event::Incident { implementation, .. }
            | Event::LikelyCause { implementation, .. }
            | Event::ImplementationFinished { implementation, .. } => {
                if self.implementation.as_ref() != Some(implementation) {
                    return Err(self.error(format!(
                        "`{implementation}` is not the current implementation; lines are missing or out of order"
                    )));
                }
            }
            Event::RunFinished { .. } => self.is_finished = true,
        }
        Ok(())
    }
}
