//! Markdown for the maintainers of an implementation, to be pasted into an issue: the likely causes, the clauses that it violates,
//! and then what fails for each reason or cause, with a typical input. What fails for no known one is grouped by clause.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use robotspec::event::{CheckFinished, Judgement, Status};
use robotspec::failing::{ClauseFailures, FailingRow, RowCount, by_clause, is_only_in_variants};
use robotspec::failure::failure;
use robotspec::{ImplementationRecord, Incident, RunRecord};
use robotspec_cases::{Clause, Level, Query};
use robotspec_reference::Edition;
use robotspec_text::document::{Block, Line, markdown};
use robotspec_text::visible;

use crate::output::full_name;
use crate::report::summary::{
    by_count, clause_table, incidents, likely_causes, overview, repeat, repeat_inline,
};
use crate::report::{Catalog, by_value};

const ABOUT: &str = "\
A row is one question to the implementation. A row that fails only when its file is rewritten without a change of meaning \
counts for the clause that allows to rewrite it. The expectations of the rows are written from the text of the editions, and \
judge the reference as well. The command below an example repeats it; COMMAND starts the implementation.";

const OBJECTING: &str = "\
Do you read a sentence in another way? `robotspec cases show ID` prints a row with the sentences that it is taken from. Name \
the row and the sentence that decides otherwise in an issue of robotspec: where the text admits two answers, a row accepts \
both.";

/// The number of rows that are named for a reason.
const ROWS_NAMED: usize = 8;

/// The number of clauses that are named for a reason, those with the most rows first.
const CLAUSES_NAMED: usize = 3;

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    let mut blocks = Vec::new();
    for (place, implementation) in record.implementations.iter().enumerate() {
        let again = catalog.again(place).unwrap_or("--adapter 'COMMAND'");
        blocks.extend(Report { record: implementation, catalog, again }.blocks());
    }
    let by = format!(
        "Made by robotspec {}. The chapter “Reports” of its book explains how to read it.",
        record.robotspec
    );
    blocks.push(Block::Paragraph(by.into()));
    out.write_all(markdown(&blocks).as_bytes())?;
    Ok(())
}

/// Why a row fails.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why<'r> {
    /// For this reason, as a list of known failures says.
    Known(&'r str),
    /// For this likely cause.
    LikelyCause(&'r str),
    /// It is not known, so that the clause stands for it.
    Unknown(&'r str),
}

/// The report about an implementation.
struct Report<'r> {
    record: &'r ImplementationRecord,
    catalog: &'r Catalog<'r>,
    /// The arguments that run the implementation again.
    again: &'r str,
}

impl<'r> Report<'r> {
    fn blocks(&self) -> Vec<Block> {
        let record = self.record;
        // A variant of a row that fails as it is written adds nothing.
        let adds =
            |failure: &&CheckFinished| failure.id.variant.is_none() || is_only_in_variants(failure, record);
        let clauses = by_count(by_clause(record, record.failures().filter(adds)));
        let name = full_name(&record.info);
        let mut blocks = vec![Block::Heading(1, format!("{name} and the robots.txt specification").into())];
        let first = record.incidents.partition_point(Incident::comes_first);
        blocks.extend(incidents(&record.incidents[..first], true));
        let package = record.info.package.iter().map(|package| format!("Package: {}. ", visible(package)));
        let date = record.source.date.iter().map(|date| format!("Date of the run: {}. ", visible(date)));
        let about: String = package.chain(date).chain([ABOUT.to_owned()]).collect();
        blocks.extend([Block::Paragraph(about.into()), overview(std::slice::from_ref(record), true)]);
        blocks.extend(likely_causes(record, self.catalog, true));
        if !clauses.is_empty() {
            blocks.push(clause_table(&clauses));
        }
        blocks.push(Block::Paragraph(Line::default().prose(OBJECTING)));
        let mut sections: BTreeMap<Why, Vec<(&ClauseFailures, &FailingRow)>> = BTreeMap::new();
        for (of, row) in clauses.iter().flat_map(|of| of.rows().map(move |row| (of, row))) {
            sections.entry(self.why(of, row)).or_default().push((of, row));
        }
        let mut sections: Vec<_> = sections.into_iter().collect();
        sections.sort_by_key(|(_, rows)| Reverse(rows.len()));
        blocks.extend(sections.iter().flat_map(|(why, rows)| self.section(why, rows)));
        blocks
    }

    /// Returns why a row fails: the reason in a list of known failures, or else the first likely cause that explains it.
    fn why(&self, of: &ClauseFailures<'r>, row: &FailingRow<'r>) -> Why<'r> {
        if let Some(reason) = failing(row.example).first().and_then(|(_, judged)| judged.known.as_deref()) {
            return Why::Known(reason);
        }
        match self.catalog.cause_of(row.example, self.record) {
            Some(likely) => Why::LikelyCause(&likely.observed),
            None => Why::Unknown(of.clause),
        }
    }

    /// Returns the rows that fail for one reason, with the words of their clauses in the editions in which they fail.
    fn section(&self, why: &Why, rows: &[(&ClauseFailures<'r>, &FailingRow<'r>)]) -> Vec<Block> {
        let mut of_clauses: BTreeMap<&str, Vec<&FailingRow>> = BTreeMap::new();
        for (of, row) in rows {
            of_clauses.entry(of.clause).or_default().push(row);
        }
        let mut of_clauses: Vec<_> = of_clauses.into_iter().collect();
        of_clauses.sort_by_key(|(_, rows)| Reverse(rows.len()));
        let rows: Vec<&FailingRow> = rows.iter().map(|(_, row)| *row).collect();
        let count = RowCount::of(rows.iter().copied());
        let mut title: Vec<&str> = of_clauses.iter().map(|(clause, _)| *clause).collect();
        if title.len() > CLAUSES_NAMED {
            title.splice(CLAUSES_NAMED.., ["and others"]);
        }
        let mut blocks = vec![Block::Heading(2, format!("{}: {count}", title.join(", ")).into())];
        match why {
            Why::Known(reason) => blocks.push(Block::Paragraph(Line::default().prose(*reason))),
            Why::LikelyCause(observed) => {
                blocks.push(Block::Paragraph(Line::from("Likely cause: ").prose(*observed)));
            }
            Why::Unknown(_) => {}
        }
        let mut names = Line::from("The rows: ");
        for (place, row) in rows.iter().take(ROWS_NAMED).enumerate() {
            names = names.text(if place > 0 { ", " } else { "" }).code(row.example.id.to_string());
        }
        let end = match rows.len().saturating_sub(ROWS_NAMED) {
            0 => ".".to_owned(),
            more => format!(", {more} more."),
        };
        let mut folded = vec![Block::Paragraph(names.text(end))];
        for (clause, rows) in of_clauses.iter().take(CLAUSES_NAMED) {
            if let Some(clause) = Clause::find(clause) {
                folded.push(Block::Quote(Line::from(format!("{}: ", clause.id)).prose(&clause.statement)));
                folded.extend(self.words(rows, clause));
            }
        }
        folded.push(Block::Paragraph("A typical input:".into()));
        folded.extend(self.example(&rows));
        blocks.push(Block::Folded("The rows, the words, and a typical input", folded));
        blocks
    }

    /// Returns the words of a clause in the editions in which rows fail. Where an edition does not have the clause, or only
    /// permits what it states, these are the words of the clause that a row breaks there.
    fn words(&self, rows: &[&FailingRow], clause: &'static Clause) -> Vec<Block> {
        let mut broken: BTreeMap<Edition, (&Clause, Level)> = BTreeMap::new();
        for row in rows {
            for (edition, judgement) in failing(row.example) {
                let is_binding = matches!(clause.level(edition), Some(Level::Must | Level::Should));
                let check = self.catalog.find(&row.example.id).filter(|_| !is_binding);
                let of_row = check.and_then(|check| check.broken_clause(edition)).unwrap_or(clause);
                let known = broken.entry(edition).or_insert((of_row, judgement.level));
                known.1 = known.1.min(judgement.level);
            }
        }
        let mut blocks = Vec::new();
        for (edition, (broken, level)) in broken {
            let Some(place) = broken.section(edition) else { continue };
            let id = if broken.id == clause.id { String::new() } else { format!("{}, ", broken.id) };
            blocks.push(Block::Item(0, format!("{edition} ({level}): {id}{place}").into()));
            let quote = broken.quotes.get(&edition);
            blocks.extend(quote.map(|quote| Block::Item(1, format!("“{quote}”").into())));
        }
        blocks
    }

    /// Returns an example of some rows, and the command that repeats it: the smallest of those that fail in the most frequent
    /// way. An answer shows more than the lack of one.
    fn example(&self, rows: &[&FailingRow]) -> Vec<Block> {
        let way = |row: &FailingRow| {
            let (_, judged) = *failing(row.example).first()?;
            Some((judged.status == Status::Fail, judged.expected.clone(), judged.got.clone()))
        };
        let frequent = by_value(rows.iter().map(|row| (*row, way(row))))
            .into_iter()
            .max_by_key(|(way, rows)| (way.as_ref().is_some_and(|(is_answer, ..)| *is_answer), rows.len()));
        let rows = frequent.map(|(_, rows)| rows).unwrap_or_default().into_iter();
        let examples = rows.filter_map(|row| Some((row.example, self.catalog.find(&row.example.id)?)));
        let Some((example, check)) = examples.min_by_key(|(_, check)| check.query.size()) else {
            return Vec::new();
        };
        let judged = failing(example);
        let Some((edition, _)) = judged.first().copied() else { return Vec::new() };
        let mut blocks = failure(0, &check.id, &judged, Some(check));
        if let Query::Match { .. } = check.query {
            let link = robotspec_web::link(&check.query, edition);
            let line = |link| Line::default().link("every edition about this input", link);
            blocks.extend(link.map(|link| Block::Item(1, line(link))));
        }
        // The reporter's paths are of no use to the maintainers.
        let how = self.again.split(' ').next().unwrap_or_default();
        let how = if how.starts_with("--") { format!("{how} 'COMMAND'") } else { how.to_owned() };
        let inline = repeat_inline(&check.query, edition, &how);
        let command = inline.unwrap_or_else(|| repeat(&how, &check.id, edition));
        blocks.push(Block::Command(1, "again", command));
        blocks
    }
}

/// Returns the editions in which a check fails, RFC 9309 first.
fn failing(failure: &CheckFinished) -> Vec<(Edition, &Judgement)> {
    let judged = failure.editions.iter().filter(|(_, judged)| judged.status.is_failure());
    let mut failing: Vec<(Edition, &Judgement)> =
        judged.map(|(&edition, judged)| (edition, judged)).collect();
    failing.sort_by_key(|(edition, _)| *edition != Edition::Rfc9309);
    failing
}
