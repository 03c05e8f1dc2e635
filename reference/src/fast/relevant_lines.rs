//! The lines of a file that may have an effect on what a crawler follows.
//!
//! Most groups name other crawlers in every reading. Without them, few of the questions that a file raises are left.

use std::ops::ControlFlow;

use crate::agent::{is_product_token, may_name_in_a_reading};
use crate::answer::LineBetween;
use crate::fast::line::Settled;
use crate::group::{always_ends_head, are_records_transparent, names};
use crate::line::{Record, is_record};
use crate::lines::{CountedLine, LineRecords, Lines};
use crate::question::typed::{BlankLine, InvalidLineBetweenAgents};
use crate::reading::{Explorer, Reader, common_outcome, explore};
use crate::scan::Field;

/// Returns the places of the lines, in ascending order: those of the groups that some reading lets name the crawler. No
/// size limit cuts the file.
pub(crate) fn relevant_lines<'b>(
    file: &Lines<'b>,
    records: &LineRecords<'b>,
    crawler: &[u8],
    explorer: &mut Explorer,
) -> Vec<usize> {
    let is_transparent = are_records_transparent(explorer);
    let ignores_invalid = explorer.always(InvalidLineBetweenAgents, LineBetween::Transparent);
    // The start of the lines since a group certainly started.
    let (mut relevant, mut start) = (Vec::new(), 0);
    // Whether these may name the crawler, whether their last group is in its head, and whether a user-agent line would
    // start a group: in every reading.
    let (mut is_relevant, mut is_in_head, mut is_ended) = (false, false, true);
    // Where the head of a new group starts, and whether it may name the crawler. Readings may ignore each of its lines, so
    // that rules after it may belong to the group before it.
    let mut head: Option<(usize, bool)> = None;
    for (place, line) in file.lines().iter().enumerate() {
        let ends_head = match line.settled {
            None | Some(Settled::Field(Field::Rule(_)) | Settled::Extension) => true,
            Some(Settled::Field(Field::UserAgent)) => is_ended,
            Some(_) => false,
        };
        if ends_head {
            is_relevant |= head.take().is_some_and(|(_, is_named)| is_named);
        }
        let has_effect = match line.settled {
            Some(Settled::Field(Field::UserAgent)) => {
                let is_certain = is_product_token(line.text) || line.text == b"*";
                let names = may_name(line.text, crawler, explorer);
                let may_be_invalid = line.text.is_empty() && !ignores_invalid;
                let has_effect = !is_in_head || names || may_be_invalid;
                if is_ended {
                    head = Some((relevant.len(), false));
                }
                *head.as_mut().map_or(&mut is_relevant, |(_, is_named)| is_named) |= names;
                if is_certain && let Some((new, is_named)) = head.take() {
                    if is_relevant {
                        start = new;
                    } else {
                        relevant.drain(start..new);
                    }
                    is_relevant = is_named;
                }
                is_in_head = is_transparent && (is_in_head || is_certain) && !may_be_invalid;
                is_ended = false;
                has_effect
            }
            Some(Settled::Field(Field::Rule(kind))) => {
                is_ended = is_ended || always_ends_head(kind, line.text, explorer);
                is_in_head = false;
                true
            }
            Some(Settled::Extension) => true,
            None => {
                is_in_head = false;
                if may_be_agent(&file.at(place).remembering(records), explorer) {
                    (is_relevant, is_ended) = (true, false);
                }
                true
            }
            Some(Settled::Blank) => {
                is_ended |= explorer.always(BlankLine, LineBetween::EndsRun);
                !is_transparent
            }
            Some(Settled::Other) if is_transparent && !ignores_invalid && !is_record(line.text) => {
                is_in_head = false;
                true
            }
            Some(Settled::Field(Field::Sitemap) | Settled::Other | Settled::Comment) => !is_transparent,
        };
        if has_effect {
            relevant.push(place);
        }
    }
    if !is_relevant && head.is_none_or(|(_, is_named)| !is_named) {
        relevant.truncate(start);
    }
    relevant
}

/// Returns whether a line is a user-agent line in some reading.
fn may_be_agent(line: &CountedLine, explorer: &mut Explorer) -> bool {
    let mut is_agent = false;
    let read = explore(
        explorer,
        |explorer| matches!(line.record(explorer), Record::UserAgent(_)),
        |_, is_agent_here| {
            is_agent = is_agent_here;
            if is_agent { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    is_agent || read.is_err()
}

/// Returns whether a user-agent line with this value names the crawler, or every crawler, in some reading.
fn may_name(value: &[u8], crawler: &[u8], explorer: &mut Explorer) -> bool {
    may_name_in_a_reading(value, crawler, explorer)
        && common_outcome(explorer, |explorer| names(value, crawler, explorer)) != Some(false)
}

#[cfg(test)]
#[path = "../../tests/unit/fast_relevant_lines.rs"]
mod tests;
