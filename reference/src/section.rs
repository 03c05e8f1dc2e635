//! Sections of a file, which have the same groups whatever the lines before and after them are.
//!
//! A question that the lines of one section raise changes nothing in the others. So each section is explored alone: where
//! all of its readings have the same groups for a crawler, as they mostly do, its questions need no further readings.

use std::mem::replace;
use std::ops::{ControlFlow, Range};

use crate::agent::{is_product_token, may_name_in_a_reading};
use crate::answer::LineBetween;
use crate::group::{Group, RuleLine, always_ends_head, groups};
use crate::line::{CountedLine, Lines, Record, Settled};
use crate::question::typed::{BlankBetweenAgents, BlankLine, OtherRecordBetweenAgents};
use crate::reading::{Explorer, Reader, TooManyReadings, common_outcome, explore};
use crate::scan::Field;

/// Lines that may have groups for a crawler, whatever the lines before and after them are.
pub(crate) struct Section<'f, 'r> {
    file: &'f Lines<'r>,
    lines: Range<usize>,
    /// The places of lines that have no effect, in ascending order.
    skipped: Vec<usize>,
}

impl<'f, 'r> Section<'f, 'r> {
    /// Returns the sections of a file that may have groups for the crawler. No size limit cuts the file.
    pub(crate) fn of(file: &'f Lines<'r>, crawler: &[u8], explorer: &mut Explorer) -> Vec<Self> {
        // Lines between user-agent lines have no effect.
        let is_transparent = [OtherRecordBetweenAgents, BlankBetweenAgents, BlankLine]
            .iter()
            .all(|&question| explorer.always(question, LineBetween::Transparent));
        let mut sections: Vec<Section> = Vec::new();
        let mut section = Section { file, lines: 0..0, skipped: Vec::new() };
        // Whether the section may name the crawler, whether its last group is in its head, and whether a user-agent line
        // would start a group: in every reading.
        let (mut is_relevant, mut is_in_head, mut is_ended) = (false, false, true);
        for (place, line) in file.lines().iter().enumerate() {
            match line.settled {
                Some(Settled::Field(Field::UserAgent)) => {
                    let is_certain = is_product_token(line.text) || line.text == b"*";
                    if is_ended && is_certain {
                        section.lines.end = place;
                        let ended =
                            replace(&mut section, Section { file, lines: place..place, skipped: Vec::new() });
                        sections.extend(replace(&mut is_relevant, false).then_some(ended));
                    }
                    let names = may_name_in_a_reading(line.text, crawler, explorer);
                    if is_in_head && !names && !is_certain {
                        section.skipped.push(place);
                    }
                    is_relevant |= names;
                    is_in_head = is_transparent && (is_in_head || is_certain);
                    is_ended = false;
                }
                None if may_be_user_agent(file, place, explorer) => {
                    (is_relevant, is_in_head, is_ended) = (true, false, false);
                }
                Some(Settled::Field(Field::Rule(kind))) => {
                    is_ended |= always_ends_head(kind, line.text, explorer);
                    is_in_head = false;
                }
                None => is_in_head = false,
                Some(Settled::Blank) => is_ended |= explorer.always(BlankLine, LineBetween::EndsRun),
                Some(Settled::Field(Field::Sitemap) | Settled::Other | Settled::Comment) => {}
            }
        }
        section.lines.end = file.lines().len();
        sections.extend(is_relevant.then_some(section));
        sections
    }

    /// Returns its lines, other than those without an effect.
    pub(crate) fn lines(&self) -> impl Iterator<Item = CountedLine<'f, 'r>> {
        let (file, lines) = (self.file, self.lines.clone());
        lines.filter(|place| self.skipped.binary_search(place).is_err()).map(move |place| file.at(place))
    }

    /// Returns the groups, where they are the same in every reading.
    pub(crate) fn settled_groups(&self, crawler: &[u8], explorer: &mut Explorer) -> Option<Vec<Group<'r>>> {
        common_outcome(explorer, |explorer| groups(self.lines(), crawler, explorer))
    }

    /// Returns all rules that a group has in some reading.
    pub(crate) fn possible_rules(
        &self,
        explorer: &mut Explorer,
    ) -> Result<Vec<RuleLine<'r>>, TooManyReadings> {
        let mut rules = Vec::new();
        for line in self.lines() {
            let mut add = |record| {
                if let Record::Rule(kind, path) = record {
                    rules.push(RuleLine::new(line.number(), kind, path));
                }
                ControlFlow::Continue(())
            };
            match explorer.settled_outcome(|explorer| line.record(explorer)) {
                Some(record) => drop(add(record)),
                None => explore(explorer, |explorer| line.record(explorer), |_, record| add(record))?,
            }
        }
        Ok(rules)
    }
}

/// Returns whether some reading finds a user-agent line at this place.
fn may_be_user_agent(file: &Lines, place: usize, explorer: &mut Explorer) -> bool {
    let is_user_agent =
        common_outcome(explorer, |explorer| matches!(file.at(place).record(explorer), Record::UserAgent(_)));
    is_user_agent != Some(false)
}
