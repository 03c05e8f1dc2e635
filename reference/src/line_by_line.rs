//! What each line of a file counts as, for the author of the file.

use std::ops::ControlFlow;

use crate::agent::{Token, token};
use crate::edition::Edition;
use crate::group::{GroupLines, lines_of_groups};
use crate::line::Record;
use crate::lines::Lines;
use crate::reading::{Explorer, Reading, SingleReader, explore};
use crate::ruling::RobotsTxt;

/// Returns what each line of a file is in the different readings of an edition, the plainest first.
pub fn records(edition: Edition, file: &[u8]) -> Vec<Vec<Record<'_>>> {
    let lines = Lines::all(file);
    let lines = lines.before(usize::MAX);
    lines.map(|line| outcomes(edition, |explorer| line.record(explorer))).collect()
}

/// Returns the crawlers that the value of a user-agent line names in the different readings of an edition, the plainest
/// first: `None` where a reading ignores the line.
pub fn tokens(edition: Edition, value: &[u8]) -> Vec<Option<Token<'_>>> {
    outcomes(edition, |explorer| token(value, value, explorer))
}

impl RobotsTxt<'_> {
    /// Returns the groups of the file in one reading.
    pub fn groups(&self, reading: &Reading) -> Vec<GroupLines> {
        let mut reader = SingleReader::new(reading);
        lines_of_groups(&self.lines(&mut reader), &mut reader)
    }
}

fn outcomes<T: PartialEq>(edition: Edition, evaluate: impl FnMut(&mut Explorer) -> T) -> Vec<T> {
    let mut outcomes = Vec::new();
    // Of too many readings, those that were evaluated count.
    let _ = explore(&mut Explorer::new(edition), evaluate, |_, outcome| {
        if !outcomes.contains(&outcome) {
            outcomes.push(outcome);
        }
        ControlFlow::Continue(())
    });
    outcomes
}
