//! Reads a stream of events that was written as JSON Lines.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::event::{Event, FORMAT};
use robotspec_cases::yaml::FileError;

/// How a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With `run-finished`: it is whole.
    Finished,
    /// Without: the run was stopped, or what wrote the file was.
    CutOff,
}

/// Reads the events of a file, and tells whether they are all there.
///
/// # Errors
///
/// The file cannot be read, or is no stream of events in this [`FORMAT`].
pub fn read_file(file: &Path, on_event: &mut dyn FnMut(Event)) -> Result<End, FileError> {
    let input = File::open(file).map_err(|error| wrong(file, 0, format!("cannot be read: {error}")))?;
    read(file, BufReader::new(input), on_event)
}

/// Reads events, and tells whether they are all there. `file` is what they
/// are called where something is wrong with them.
///
/// # Errors
///
/// They cannot be read, or are no stream of events in this [`FORMAT`].
pub fn read(file: &Path, mut input: impl BufRead, on_event: &mut dyn FnMut(Event)) -> Result<End, FileError> {
    let mut stream = Stream::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let octets = input
            .read_until(b'\n', &mut line)
            .map_err(|error| wrong(file, number, format!("cannot be read: {error}")))?;
        if octets == 0 {
            break;
        }
        if number == 1 {
            check_format(&line).map_err(|message| wrong(file, 1, message))?;
        }
        let event: Event = match serde_json::from_slice(line.trim_ascii_end()) {
            Ok(event) => event,
            // Whoever wrote the line did not come to its end.
            Err(_) if !line.ends_with(b"\n") && !stream.is_finished => return Ok(End::CutOff),
            Err(_) if is_of_a_later_version(&line) => continue,
            Err(error) => {
                let column = error.column();
                let message = format!("this is no event: {}", without_place(&error));
                return Err(FileError { column, ..wrong(file, number, message) });
            }
        };
        stream.take(&event).map_err(|message| wrong(file, number, message))?;
        on_event(event);
    }
    if !stream.is_started {
        return Err(wrong(file, 0, format!("is empty; {HOW_TO_WRITE}")));
    }
    Ok(if stream.is_finished { End::Finished } else { End::CutOff })
}

const HOW_TO_WRITE: &str = "`robotspec run --format jsonl` writes a stream of events";

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

/// Whether the line is an event of which this version knows nothing: they are added without a change of the format.
fn is_of_a_later_version(line: &[u8]) -> bool {
    matches!(serde_json::from_slice(line), Ok(Name::Unknown))
}

/// The first line, whatever its format.
#[derive(Deserialize)]
struct Head {
    event: String,
    format: u32,
    robotspec: String,
}

fn check_format(line: &[u8]) -> Result<(), String> {
    match serde_json::from_slice::<Head>(line) {
        Ok(Head { event, .. }) if event != "run-started" => {
            Err(format!("`{event}` stands where `run-started` should; the beginning is missing"))
        }
        Ok(Head { format, robotspec, .. }) if format != FORMAT => Err(format!(
            "these events are in format {format}, written by robotspec {robotspec}; this version reads format {FORMAT}"
        )),
        Ok(_) => Ok(()),
        Err(_) => match serde_json::from_slice::<Event>(line) {
            Ok(_) => Err("`run-started` is missing, and with it the beginning of the run".to_owned()),
            Err(_) => Err(format!("this is no stream of events; {HOW_TO_WRITE}")),
        },
    }
}

/// What has been read of a stream.
#[derive(Default)]
struct Stream {
    is_started: bool,
    is_finished: bool,
    implementation: Option<Arc<str>>,
}

impl Stream {
    /// Takes the next event, if it may come next.
    fn take(&mut self, event: &Event) -> Result<(), String> {
        if self.is_finished {
            return Err("the run is finished, but its events go on; keep one run in a file".to_owned());
        }
        match event {
            Event::RunStarted { .. } if std::mem::replace(&mut self.is_started, true) => {
                Err("another run starts in the middle of this one; keep one run in a file".to_owned())
            }
            Event::ImplementationStarted { info } => {
                self.implementation = Some(info.name.as_str().into());
                Ok(())
            }
            Event::CheckFinished(check) => self.is_about(&check.implementation),
            Event::Incident { implementation, .. }
            | Event::LikelyCause { implementation, .. }
            | Event::ImplementationFinished { implementation, .. } => self.is_about(implementation),
            Event::RunFinished { .. } => {
                self.is_finished = true;
                Ok(())
            }
            Event::RunStarted { .. } => Ok(()),
        }
    }

    fn is_about(&self, implementation: &str) -> Result<(), String> {
        if self.implementation.as_deref() == Some(implementation) {
            return Ok(());
        }
        Err(format!("`{implementation}` has not been started here; lines are missing or out of order"))
    }
}

fn wrong(file: &Path, line: usize, message: String) -> FileError {
    FileError { file: file.to_owned(), line, column: 0, message }
}

/// The place is told in front, and is that of the file.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str =
        r#"{"event":"run-started","format":2,"robotspec":"0.1.0","editions":["rfc9309"],"checks":1}"#;
    const IMPLEMENTATION: &str = r#"{"event":"implementation-started","name":"a","version":"1"}"#;
    const CHECK: &str = r#"{"event":"check-finished","implementation":"a","id":"a/b#c","clause":"M-prefix","editions":{"rfc9309":{"status":"fail","expected":{"ruling":"allow"},"got":{"answer":{"match":"disallow"}},"known":"A reason."}}}"#;
    const RESTART: &str =
        r#"{"event":"incident","implementation":"a","incident":"restarted","reason":{"crash":"signal: 9"}}"#;
    const LIKELY: &str = r#"{"event":"likely-cause","implementation":"a","cause":"inverted","observed":"the verdicts are inverted","advice":"What does true mean?","evidence":50,"of":"check","rows":40,"example":"a/b#c"}"#;
    const END: &str = r#"{"event":"implementation-finished","implementation":"a","totals":{"rfc9309":{"pass":0,"fail":1,"crash":0,"timeout":0,"protocol-error":0,"error":0,"not-supported":0,"unspecified":0,"not-run":0,"known-failures":1}},"stale-known-failures":["x"]}"#;
    const FINISH: &str = r#"{"event":"run-finished","totals":{"pass":0,"fail":1,"crash":0,"timeout":0,"protocol-error":0,"error":0,"not-supported":0,"unspecified":0,"not-run":0,"known-failures":1},"unexpected":0,"stale":1,"exit-code":1}"#;
    const WHOLE: [&str; 7] = [START, IMPLEMENTATION, CHECK, RESTART, LIKELY, END, FINISH];

    fn text(lines: &[&str]) -> String {
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn read_text(text: &str) -> Result<(Vec<Event>, End), FileError> {
        let mut events = Vec::new();
        let end = read(Path::new("run.jsonl"), text.as_bytes(), &mut |event| events.push(event))?;
        Ok((events, end))
    }

    fn error(lines: &[&str]) -> String {
        read_text(&text(lines)).expect_err("it is no stream").to_string()
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let (events, end) = read_text(&text(&WHOLE)).expect("a stream");
        let lines: Vec<String> =
            events.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
        assert_eq!(lines, WHOLE);
        assert_eq!(end, End::Finished);
    }

    #[test]
    fn a_stream_that_was_cut_off_is_told_from_a_whole_one() {
        let whole = text(&WHOLE);
        let started = START.len() + 1;
        for length in started..whole.len() {
            let (_, end) = read_text(&whole[..length]).expect("a stream");
            // Only the line end of the last line may be missing.
            assert_eq!(end == End::Finished, length == whole.len() - 1, "{}", &whole[..length]);
        }
    }

    #[test]
    fn what_a_later_version_adds_is_let_pass() {
        let check = CHECK.replace(r#""id""#, r#""since":"0.2.0","id""#);
        assert_eq!(read_text(&text(&[START, IMPLEMENTATION, &check])).expect("a stream").0.len(), 3);
        let unknown = r#"{"event":"weather","implementation":"a","temperature":21}"#;
        assert_eq!(read_text(&text(&[START, IMPLEMENTATION, unknown, CHECK])).expect("a stream").0.len(), 3);
    }

    #[test]
    fn what_this_version_writes_is_not_let_pass_when_it_is_broken() {
        for line in &WHOLE[1..] {
            let name = line.split('"').nth(3).expect("a name");
            let broken = format!(r#"{{"event":"{name}"}}"#);
            assert!(error(&[START, IMPLEMENTATION, &broken]).starts_with("run.jsonl:3:"), "{broken}");
        }
    }

    #[test]
    fn another_format_is_refused() {
        let start = START.replace(r#""format":2"#, r#""format":3"#).replace("0.1.0", "9.9.9");
        let told = "run.jsonl:1: these events are in format 3, written by robotspec 9.9.9; this version reads format 2";
        assert_eq!(error(&[&start, IMPLEMENTATION]), told);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let unknown_edition = CHECK.replace("rfc9309", "rfc9310");
        for (lines, told) in [
            (vec![], "run.jsonl: is empty; "),
            (vec!["[]"], "run.jsonl:1: this is no stream of events; "),
            (vec![r#"{"format":2,"robotspec":"0.1.0"}"#], "run.jsonl:1: this is no stream of events; "),
            (vec![IMPLEMENTATION], "run.jsonl:1: `run-started` is missing"),
            (vec![START, START], "run.jsonl:2: another run starts in the middle"),
            (vec![START, CHECK], "run.jsonl:2: `a` has not been started here"),
            (vec![START, IMPLEMENTATION, "{", END], "run.jsonl:3:1: this is no event: EOF"),
            (vec![START, IMPLEMENTATION, &unknown_edition], "run.jsonl:3:"),
            (vec![START, r#"{"name":"nonesuch"}"#], "run.jsonl:2:"),
            (vec![START, FINISH, IMPLEMENTATION], "run.jsonl:3: the run is finished, but"),
        ] {
            let error = error(&lines);
            assert!(error.starts_with(told), "{lines:?}: {error}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error =
            read_file(Path::new("nowhere.jsonl"), &mut |_| {}).expect_err("there is none").to_string();
        assert!(error.starts_with("nowhere.jsonl: cannot be read: "), "{error}");
    }
}
