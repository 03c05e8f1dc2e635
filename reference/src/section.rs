//! Sections of a file, which have the same groups whatever the lines before and after them are.
//!
//! A question that the lines of one section raise changes nothing in the others. So each section is read alone, once for
//! each of its readings: where all of them have the same groups for a crawler, as they mostly do, its questions need no
//! further readings.

use std::mem::replace;
use std::ops::{ControlFlow, Range};

use crate::agent::{is_product_token, may_name_in_a_reading};
use crate::answer::LineBetween;
use crate::group::{Group, RuleLine, always_ends_head, groups, is_transparent_between_agents, names};
use crate::line::{CountedLine, Lines, Record};
use crate::outcomes::Outcomes;
use crate::plain_line::Settled;
use crate::question::typed::BlankLine;
use crate::reading::{Explorer, Reader, TooManyReadings, common_outcome, explore};
use crate::scan::Field;

/// Lines that may have groups for a crawler, whatever the lines before and after them are.
pub(crate) struct Section<'f, 'r> {
    file: &'f Lines<'r>,
    lines: Range<usize>,
    /// The places of lines that have no effect, in ascending order.
    skipped: Vec<usize>,
    /// The records of lines that raise questions, by their places in ascending order.
    records: Vec<(usize, Outcomes<Record<'r>>)>,
}

impl<'f, 'r> Section<'f, 'r> {
    /// Returns the sections of a file that may have groups for the crawler. No size limit cuts the file.
    pub(crate) fn of(file: &'f Lines<'r>, crawler: &[u8], explorer: &mut Explorer) -> Vec<Self> {
        let is_transparent = is_transparent_between_agents(explorer);
        let mut sections: Vec<Section> = Vec::new();
        let starting_at =
            |place| Section { file, lines: place..place, skipped: Vec::new(), records: Vec::new() };
        let mut section = starting_at(0);
        // Whether the section may name the crawler, whether its last group is in its head, and whether a user-agent line
        // would start a group: in every reading.
        let (mut is_relevant, mut is_in_head, mut is_ended) = (false, false, true);
        for (place, line) in file.lines().iter().enumerate() {
            match line.settled {
                Some(Settled::Field(Field::UserAgent)) => {
                    let is_certain = is_product_token(line.text) || line.text == b"*";
                    if is_ended && is_certain {
                        section.lines.end = place;
                        let ended = replace(&mut section, starting_at(place));
                        sections.extend(replace(&mut is_relevant, false).then_some(ended));
                    }
                    let names = may_name(line.text, crawler, explorer);
                    if is_in_head && !names && !is_certain {
                        section.skipped.push(place);
                    }
                    is_relevant |= names;
                    is_in_head = is_transparent && (is_in_head || is_certain);
                    is_ended = false;
                }
                Some(Settled::Field(Field::Rule(kind))) => {
                    is_ended |= always_ends_head(kind, line.text, explorer);
                    is_in_head = false;
                }
                None => {
                    is_in_head = false;
                    let records = Outcomes::of(explorer, |explorer| file.at(place).record(explorer));
                    let is_agent = |record: &Record| matches!(record, Record::UserAgent(_));
                    if records.as_ref().map_or(true, |records| records.all().iter().any(is_agent)) {
                        (is_relevant, is_ended) = (true, false);
                    }
                    section.records.extend(records.ok().map(|records| (place, records)));
                }
                Some(Settled::Blank) => is_ended |= explorer.always(BlankLine, LineBetween::EndsRun),
                Some(Settled::Field(Field::Sitemap) | Settled::Other | Settled::Comment) => {}
            }
        }
        section.lines.end = file.lines().len();
        sections.extend(is_relevant.then_some(section));
        sections
    }

    /// Returns its lines, other than those without an effect.
    pub(crate) fn lines(&self) -> impl Iterator<Item = CountedLine<'_, 'r>> {
        let places = self.lines.clone().filter(|place| self.skipped.binary_search(place).is_err());
        places.map(|place| self.file.at(place).with_records(self.records(place)))
    }

    /// Returns the record of a line in each reading, where it raises questions.
    fn records(&self, place: usize) -> Option<&Outcomes<Record<'r>>> {
        let known = self.records.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        Some(&self.records[known].1)
    }

    /// Returns the groups that it has in each reading.
    pub(crate) fn readings(
        &self,
        crawler: &[u8],
        explorer: &mut Explorer,
    ) -> Result<Outcomes<Vec<Group<'r>>>, TooManyReadings> {
        Outcomes::of(explorer, |explorer| groups(self.lines(), crawler, explorer))
    }

    /// Returns all rules that a group has in some reading.
    pub(crate) fn possible_rules(
        &self,
        explorer: &mut Explorer,
    ) -> Result<Vec<RuleLine<'r>>, TooManyReadings> {
        let mut rules = Vec::new();
        for line in self.lines() {
            explore(
                explorer,
                |explorer| line.record(explorer),
                |_, record| {
                    if let Record::Rule(kind, path) = record {
                        rules.push(RuleLine::new(line.number(), kind, path));
                    }
                    ControlFlow::Continue(())
                },
            )?;
        }
        Ok(rules)
    }
}

/// Returns whether a user-agent line with this value names the crawler, or every crawler, in some reading.
fn may_name(value: &[u8], crawler: &[u8], explorer: &mut Explorer) -> bool {
    may_name_in_a_reading(value, crawler, explorer)
        && common_outcome(explorer, |explorer| names(value, crawler, explorer)) != Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::Edition;

    const VALUES: [&[u8]; 14] = [
        b"*",
        b"**",
        b"*bot*",
        b"foo*",
        b"foobot*",
        b"foobot* x",
        b"other*",
        b"FooBot/1.0",
        b"other/1.0 (foobot)",
        b"foobot, other",
        b"foo",
        b"foobot-news",
        b"xfoobot",
        b"",
    ];

    #[test]
    fn a_line_that_is_skipped_names_the_crawler_in_no_reading() {
        for (value, edition) in VALUES.iter().flat_map(|value| Edition::ALL.map(|edition| (value, edition))) {
            let explorer = &mut Explorer::new(edition);
            let is_named =
                common_outcome(explorer, |explorer| names(value, b"foobot", explorer)) != Some(false);
            let may_be_named = may_name_in_a_reading(value, b"foobot", explorer);
            assert!(may_be_named || !is_named, "{edition} {:?}", String::from_utf8_lossy(value));
            assert_eq!(may_name(value, b"foobot", explorer), is_named);
        }
    }

    #[test]
    fn a_name_with_a_star_at_its_end_names_no_other_crawler() {
        let explorer = &Explorer::new(Edition::Rfc9309);
        assert!(!may_name_in_a_reading(b"other*", b"foobot", explorer));
        assert!(may_name_in_a_reading(b"foobot*", b"foobot", explorer));
    }
}
