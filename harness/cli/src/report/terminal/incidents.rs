//! The incidents of an implementation.

use std::io::Write;

use anyhow::Result;
use robotspec::Incident;
use robotspec_cases::visible_lines;

use crate::output::{BAD, counted, styled};

/// The number of different restarts that are shown.
const RESTARTS_SHOWN: usize = 3;

/// Writes the incidents. Equal restarts are written once, with their number.
pub(super) fn write(incidents: &[Incident], show_all: bool, out: &mut dyn Write) -> Result<()> {
    let mut restarts: Vec<(&Incident, usize)> = Vec::new();
    let mut others = Vec::new();
    for incident in incidents {
        match incident {
            Incident::Restarted { .. } => match restarts.iter_mut().find(|(other, _)| *other == incident) {
                Some((_, times)) => *times += 1,
                None => restarts.push((incident, 1)),
            },
            Incident::GaveUp { .. }
            | Incident::NothingJudged
            | Incident::OddStatus { .. }
            | Incident::KeepsState { .. }
            | Incident::ProtocolError { .. }
            | Incident::Interrupted
            | Incident::BadExit { .. } => others.push(incident),
        }
    }
    let shown = if show_all { restarts.len() } else { RESTARTS_SHOWN };
    for (incident, times) in restarts.iter().take(shown) {
        let times = if *times == 1 { String::new() } else { format!("{times} times: ") };
        writeln!(out, "  {times}{}", indented(incident))?;
    }
    if restarts.len() > shown {
        let times: usize = restarts[shown..].iter().map(|(_, times)| times).sum();
        writeln!(out, "  … and {} more; --all shows them", counted(times, "time"))?;
    }
    for incident in others {
        writeln!(out, "  {}", styled(BAD, indented(incident)))?;
    }
    Ok(())
}

/// Returns an incident of several lines, with its further lines indented.
fn indented(incident: &Incident) -> String {
    visible_lines(&incident.to_string()).replace('\n', "\n    ")
}
