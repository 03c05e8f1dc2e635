//! The summary of a run: the parts of every report for people, in one order and with one way to count.
//!
//! Of each implementation: what happened to it first; errors that many rows end with alike; crashes and broken replies; the likely causes; the clauses, those
//! with the most failing rows first, with examples; time-outs and answers that change. Rows that a likely cause explains are
//! examples of nothing else.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use robotspec::event::{CheckFinished, Judgement, LikelyCause, Status};
use robotspec::failing::{
    ClauseFailures, FailingRow, FailureCounts, RowCount, blamed_clause, by_clause, failing_rows,
    is_only_in_variants,
};
use robotspec::failure::{differences, failure};
use robotspec::{ImplementationRecord, Incident, RunRecord, describe_other_rows};
use robotspec_cases::{CheckId, Clause, Expected, Level, Query};
use robotspec_reference::Edition;
use robotspec_text::document::Tone::{Bad, Faint, Good, Open};
use robotspec_text::document::{Block, Line, Tone, plain_lines};
use robotspec_text::sentences::counted;
use robotspec_text::{brief, visible};

use crate::output::full_name;
use crate::report::clauses::{ClauseCounts, compared_by};
use crate::report::equal_errors::{EqualErrors, equal_errors, names_what_is_missing};
use crate::report::{Catalog, by_value};

/// How much a summary shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail {
    /// The number of clauses with examples.
    pub(crate) clauses: usize,
    /// The number of examples of each.
    pub(crate) rows: usize,
    /// Whether an example has its query, the reasons, and the command that repeats it.
    pub(crate) is_full: bool,
    /// Whether every failure is shown, also those that a likely cause explains.
    pub(crate) is_all: bool,
    /// Whether failures are counted that a list of known failures has.
    pub(crate) has_known: bool,
    /// Whether only rows are shown that pass as they are written.
    pub(crate) is_only_in_variants: bool,
}

/// The statuses that no parser should cause, whatever the file, with their headings.
const BROKEN: [(Status, &str); 2] =
    [(Status::Crash, "crashes"), (Status::ProtocolError, "replies that break the protocol")];

/// Those that a slow machine may cause as well.
const UNSTEADY: [(Status, &str); 2] =
    [(Status::Timeout, "timeouts"), (Status::Flaky, "flaky: two answers to the same query")];

/// The number of different restarts that are shown.
const RESTARTS_SHOWN: usize = 3;

/// Returns the table of the clauses that each implementation keeps: in each edition, or, of several implementations, in the
/// edition by which they are compared.
pub(crate) fn overview(records: &[ImplementationRecord], in_each_edition: bool) -> Block {
    let mut rows = Vec::new();
    for implementation in records {
        let editions: Vec<Edition> = match records {
            [_, _, ..] if !in_each_edition => compared_by(implementation).into_iter().collect(),
            _ => implementation.totals().into_keys().collect(),
        };
        let name = full_name(&implementation.info);
        rows.extend(editions.into_iter().map(|edition| {
            let counts = ClauseCounts::of(implementation, edition);
            let mut judged = implementation.checks.iter().filter_map(|check| check.editions.get(&edition));
            let has_news = judged.any(Judgement::is_new_failure);
            let count = |tone, count: usize| match count {
                count if count == 0 || !has_news => Line::from(count.to_string()),
                count => Line::default().toned(tone, count.to_string()),
            };
            vec![
                Line::from(name.clone()),
                Line::from(edition.id()),
                Line::from(counts.describe_kept()),
                count(Bad, counts.violated),
                count(Open, counts.departed),
                count(Bad, counts.wrong),
                count(Bad, counts.crashed),
            ]
        }));
    }
    let header = vec![
        "implementation",
        "edition",
        "clauses\nkept",
        "clauses\nviolated",
        "with\ndepartures",
        "rows\nwrong",
        "crashes,\ntime-outs",
    ];
    Block::Table { header, rows, numbers: 2..7 }
}

/// Returns whether the run is as expected, in words, and how good that is.
pub(crate) fn verdict(record: &RunRecord) -> (Tone, String) {
    let outcome = record.outcome();
    let mut parts = FailureCounts::of(record, Judgement::is_new_failure).describe("new ");
    if !parts.is_empty() && outcome.failing() == 0 {
        parts.push("which do not fail this run".to_owned());
    }
    if outcome.stale > 0 {
        parts.push(format!("{} out of date on the list", counted(outcome.stale, "known failure")));
    }
    let gaps = record.gaps();
    parts.extend(gaps.iter().map(|gap| visible(&gap.to_string())));
    if !parts.is_empty() {
        return (if outcome.exit_code() == 0 { Open } else { Bad }, parts.join(", "));
    }
    match &FailureCounts::of(record, |judged| judged.status.is_failure()).describe("")[..] {
        [] => (Good, "all as expected".to_owned()),
        known => (Good, format!("all as expected, and all known: {}", known.join(", "))),
    }
}

/// Returns the parts of the summary about implementations, where there is anything to say.
pub(crate) fn implementations(record: &RunRecord, catalog: &Catalog, detail: Detail) -> Vec<Block> {
    let part = |(place, record): (usize, &ImplementationRecord)| {
        let section = Section { record, catalog, again: catalog.again(place), detail };
        let mut blocks = section.blocks();
        if !blocks.is_empty() {
            blocks.insert(0, Block::Heading(3, Line::from(full_name(&record.info))));
        }
        blocks
    };
    record.implementations.iter().enumerate().flat_map(part).collect()
}

/// Returns the likely causes, each with the number of rows that it explains and one of them, and the number of rows that fail
/// for other reasons.
pub(crate) fn likely_causes(
    record: &ImplementationRecord,
    catalog: &Catalog,
    shows_example: bool,
) -> Vec<Block> {
    let mut blocks = Vec::new();
    for likely in &record.likely_causes {
        let LikelyCause { observed, advice, evidence, of, rows, example, .. } = likely;
        blocks.push(Block::Item(0, Line::default().toned(Bad, "likely cause:").text(" ").prose(observed)));
        let evidence = format!("evidence: {}. ", counted(*evidence, of.id()));
        blocks.push(Block::Item(1, Line::from(evidence).prose(advice)));
        if let Some(example) = example {
            let explains = format!("explains {}, such as ", counted(*rows, "row"));
            blocks.push(Block::Item(1, Line::from(explains).code(example.to_string())));
            if let (true, Some(finished)) = (shows_example, record.find(example)) {
                blocks.extend(failure(1, example, &new_failures(finished), catalog.find(example)));
            }
        }
    }
    let others = describe_other_rows(&record.likely_causes, record, &catalog.checks);
    blocks.extend(others.map(|others| Block::Item(0, others.into())));
    blocks
}

/// Returns the incidents; equal restarts once, with their number.
pub(crate) fn incidents(incidents: &[Incident], shows_all: bool) -> Vec<Block> {
    let counts = by_value(incidents.iter().enumerate()).into_iter();
    let counts = counts.map(|(incident, places)| (incident, places.len()));
    let is_restart = |(incident, _): &(&Incident, usize)| matches!(incident, Incident::Restarted { .. });
    let (restarts, others): (Vec<_>, Vec<_>) = counts.partition(is_restart);
    let shown = if shows_all { restarts.len() } else { RESTARTS_SHOWN };
    let times = |times| if times == 1 { String::new() } else { format!("{times} times: ") };
    let item = |tone, (incident, count): (&Incident, usize)| {
        let text = incident.to_string();
        let (first, more) = text.split_once('\n').unwrap_or((&text, ""));
        let item = Block::Item(0, Line::from(times(count)).toned(tone, first));
        let more = (!more.is_empty()).then(|| Block::Lines(1, more.lines().map(str::to_owned).collect()));
        std::iter::once(item).chain(more).collect::<Vec<_>>()
    };
    let hidden: usize = restarts.iter().skip(shown).map(|(_, times)| times).sum();
    let mut blocks: Vec<Block> =
        restarts.into_iter().take(shown).flat_map(|restart| item(Faint, restart)).collect();
    if hidden > 0 {
        blocks.push(Block::Item(0, format!("… and {} more", counted(hidden, "restart")).into()));
    }
    blocks.extend(others.into_iter().flat_map(|other| item(Bad, other)));
    blocks
}

/// Returns a table of clauses with the numbers of rows that fail under each.
pub(crate) fn clause_table(clauses: &[ClauseFailures]) -> Block {
    let row = |of: &ClauseFailures| {
        let judged = of.rows().flat_map(|row| row.example.editions.values());
        let judged = judged.filter(|judged| judged.status.is_failure());
        // How strongly editions require what fails, the strongest first.
        let levels: BTreeSet<Level> = judged.map(|judged| judged.level).collect();
        let levels: Vec<&str> = levels.into_iter().map(Level::id).collect();
        let count = |tone, rows: &[FailingRow]| match rows {
            [] => Line::default(),
            rows => Line::default().toned(tone, RowCount::of(rows).to_string()),
        };
        let statement = Clause::find(of.clause).map_or("", |clause| &clause.statement);
        vec![
            Line::from(of.clause),
            Line::from(levels.join(", ")),
            count(Bad, &of.new),
            count(Faint, &of.known),
            Line::default().prose(statement),
        ]
    };
    let header = vec!["clause", "level", "new", "known", "what it states"];
    Block::Table { header, rows: clauses.iter().map(row).collect(), numbers: 0..0 }
}

/// Returns the clauses, those with the most rows that newly fail first.
pub(crate) fn by_count(mut clauses: Vec<ClauseFailures>) -> Vec<ClauseFailures> {
    clauses.sort_by_key(|clause| Reverse((clause.new.len(), clause.known.len())));
    clauses
}

/// Returns a failure of a check with the sentence of its clause and the command that repeats it, in plain lines.
pub(crate) fn failure_lines(
    failed: &CheckFinished,
    judged: (Edition, &Judgement),
    catalog: &Catalog,
    place: usize,
) -> Vec<String> {
    const LONGEST: usize = 1000;
    let clause =
        Clause::find(&failed.clause).map(|clause| Block::Quote(Line::default().prose(&clause.statement)));
    let mut blocks: Vec<Block> = clause.into_iter().collect();
    blocks.extend(failure(0, &failed.id, &[judged], catalog.find(&failed.id)));
    let again = catalog.again(place).map(|again| repeat(again, &failed.id, judged.0));
    blocks.extend(again.map(|command| Block::Command(1, "again", command)));
    plain_lines(&blocks, LONGEST)
}

/// Returns the command that repeats a row in an edition.
pub(crate) fn repeat(again: &str, id: &CheckId, edition: Edition) -> String {
    // A filter for a row also matches its variants.
    let alone = if id.variant.is_none() { "--no-variants " } else { "" };
    format!("robotspec run {again} --edition {edition} {alone}--filter 'id:{id}'")
}

/// Returns the command with which anyone repeats a query without files: what editions answer to it, and what the
/// implementation does that these arguments name. The result is `None` where `robotspec check` has no such query.
pub(crate) fn repeat_inline(query: &Query, edition: Edition, implementation: &str) -> Option<String> {
    let Query::Match { robots, agent, url } = query else { return None };
    let [agent, url] = [agent, url].map(|text| shell_words::quote(text));
    let implementation = if implementation.is_empty() { String::new() } else { format!(" {implementation}") };
    let check = format!(
        "robotspec check --edition {edition} --agent {agent} --url {url} --explain -{implementation}"
    );
    let printed: String = robots.iter().map(|&byte| printed(byte)).collect();
    // A format that starts with a hyphen would be an option.
    let printed = printed.strip_prefix('-').map_or(printed.clone(), |rest| format!("\\055{rest}"));
    (printed.len() <= LONGEST_INLINE).then(|| format!("printf '{printed}' | {check}"))
}

/// The number of characters of a file in a command, at most.
const LONGEST_INLINE: usize = 2000;

/// Returns a byte as the format of `printf` in single quotes has it, and no bar, which has a meaning between words.
fn printed(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'%' => "%%".to_owned(),
        b' '..=b'~' if !b"\\'|".contains(&byte) => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

/// The failures of an implementation.
struct Section<'r> {
    record: &'r ImplementationRecord,
    catalog: &'r Catalog<'r>,
    /// The arguments that run the implementation again, where they are known.
    again: Option<&'r str>,
    detail: Detail,
}

impl<'r> Section<'r> {
    fn blocks(&self) -> Vec<Block> {
        let all = &self.record.incidents;
        let (first, later) = all.split_at(all.partition_point(Incident::comes_first));
        let shows_all = self.detail.is_all;
        // A failure that a likely cause explains is an example of nothing else.
        let is_shown = |failure: &&CheckFinished| match self.detail.is_only_in_variants {
            true => is_only_in_variants(failure, self.record),
            false => shows_all || self.catalog.cause_of(failure, self.record).is_none(),
        };
        let shown: Vec<&CheckFinished> = self.record.failures().filter(is_shown).collect();
        let (equal_errors, failures) = equal_errors(&shown);
        let mut blocks = incidents(first, shows_all);
        blocks.extend(equal_errors.iter().flat_map(|equal| self.equal_errors(equal)));
        blocks.extend(self.broken(&BROKEN, &failures));
        if !self.detail.is_only_in_variants {
            // Where all failures are shown, those that a cause explains are among them.
            let shows_example = self.detail.is_full && !shows_all;
            blocks.extend(likely_causes(self.record, self.catalog, shows_example));
        }
        // A crash or a time-out is the fault of no clause.
        let (others, _): (Vec<_>, Vec<_>) =
            failures.iter().copied().partition(|failure| broken_status(failure).is_none());
        blocks.extend(self.clauses(&others));
        blocks.extend(self.broken(&UNSTEADY, &failures));
        blocks.extend(self.no_failures());
        if !later.is_empty() {
            blocks.push(Block::Heading(4, "what happened".into()));
        }
        blocks.extend(incidents(later, shows_all));
        for entry in &self.record.stale_known_failures {
            let line = Line::default().toned(Bad, "known failures are out of date:").text(" ");
            blocks.push(Block::Item(0, line.text(entry).text("; take it off the list")));
        }
        blocks
    }

    /// Returns failures that end alike.
    fn equal_errors(&self, equal: &EqualErrors) -> Vec<Block> {
        let rows = self.shown_rows(&equal.failures);
        let heading = Line::from(format!("the same {}, {}: ", equal.what, RowCount::of(&rows)));
        let question = names_what_is_missing(&equal.message).then_some("Is the installation complete?");
        self.group(heading.value(Bad, brief(&equal.message)), question.map(Line::from), &rows)
    }

    /// Returns the rows with each of these statuses, whatever their clauses.
    fn broken(&self, statuses: &[(Status, &'static str)], failures: &[&CheckFinished]) -> Vec<Block> {
        let of_status = |(status, heading): &(Status, &str)| {
            let failures = failures.iter().copied();
            let failures: Vec<_> =
                failures.filter(|failure| broken_status(failure) == Some(*status)).collect();
            let rows = self.shown_rows(&failures);
            let slow = slow_suite(rows.iter().map(|row| &row.example.id));
            let advice = slow.filter(|_| *status == Status::Timeout).map(|(suite, count)| {
                Line::default().prose(format!(
                    "{count} of them in the suite {suite}: `--skip 'id:{suite}/*'` leaves it out, `--timeout` allows more time"
                ))
            });
            self.group(format!("{heading}: {}", RowCount::of(&rows)).into(), advice, &rows)
        };
        statuses.iter().flat_map(of_status).collect()
    }

    /// Returns the rows of failures, without those that a list of known failures has where these are not counted.
    fn shown_rows<'f>(&self, failures: &[&'f CheckFinished]) -> Vec<FailingRow<'f>> {
        let is_shown = |failure: &&CheckFinished| self.detail.has_known || failure.has_new_failure();
        failing_rows(failures.iter().copied().filter(is_shown))
    }

    /// Returns examples of some rows below a heading, if there are any.
    fn group(&self, heading: Line, advice: Option<Line>, rows: &[FailingRow]) -> Vec<Block> {
        if rows.is_empty() {
            return Vec::new();
        }
        let heading = std::iter::once(Block::Heading(4, heading)).chain(advice.map(Block::Paragraph));
        heading.chain(self.examples(rows)).collect()
    }

    /// Returns what is worth a look although it breaks nothing: no answer where the edition specifies none, and the right
    /// verdict with another line.
    fn no_failures(&self) -> Vec<Block> {
        let of = |what: &str, is_counted: &dyn Fn(&Judgement) -> bool| {
            let judged = |row: &'r CheckFinished| row.editions.iter().find(|(_, judged)| is_counted(judged));
            let mut rows = self.record.rows().filter_map(|row| Some((row, judged(row)?)));
            let (row, (edition, judged)) = rows.next()?;
            let line = Line::from(format!("{} {what}, such as ", counted(1 + rows.count(), "row")));
            let got = judged.describe_got();
            let (got, _) = got.split_once(':').unwrap_or((&got, ""));
            Some(Block::Item(0, line.code(row.id.to_string()).text(format!(" ({edition}: {got})"))))
        };
        let unanswered =
            of("without an answer where an edition specifies none, no failure there", &|judged| {
                judged.status == Status::Unanswered
            });
        let other_line = of("with the right verdict by another line, no failure there", &|judged| {
            judged.status == Status::Unspecified && matches!(judged.expected, Expected::Decided { .. })
        });
        unanswered.into_iter().chain(other_line).collect()
    }

    /// Returns the clauses with their numbers of failures, and examples of the first ones.
    fn clauses(&self, failures: &[&CheckFinished]) -> Vec<Block> {
        let mut clauses = by_count(by_clause(self.record, failures.iter().copied()));
        clauses.retain(|clause| self.detail.has_known || !clause.new.is_empty());
        if clauses.is_empty() {
            return Vec::new();
        }
        let has_causes = !self.record.likely_causes.is_empty() && !self.detail.is_all;
        let by = if clauses.iter().any(|of| Clause::find(of.clause).is_some()) { "clause" } else { "case" };
        let which = match (self.detail.is_only_in_variants, has_causes) {
            (true, _) => format!("rows that fail only in a variant, by {by}"),
            (false, true) => format!("rows that fail and that no likely cause explains, by {by}"),
            (false, false) => format!("rows that fail, by {by}"),
        };
        let mut blocks = vec![Block::Heading(4, which.into()), clause_table(&clauses)];
        let is_moved = |failure: &&CheckFinished| {
            !failure.is_flaky() && blamed_clause(failure, self.record) != &*failure.clause
        };
        if failures.iter().any(is_moved) {
            let note = "a row that fails only when its file is rewritten counts for the clause that allows to rewrite it";
            blocks.push(Block::Paragraph(Line::default().toned(Faint, note)));
        }
        let mut shown = 0;
        for clause in &clauses {
            if shown < self.detail.clauses {
                shown += usize::from(!clause.new.is_empty());
                blocks.extend(self.group(clause.clause.into(), None, &clause.new));
            } else if !clause.new.is_empty() {
                let more = "--all shows every failure, --filter clause:ID those of a clause";
                blocks.push(Block::Heading(4, Line::default().toned(Faint, more)));
                break;
            }
        }
        blocks
    }

    /// Returns the first of some rows.
    fn examples(&self, rows: &[FailingRow]) -> Vec<Block> {
        let shown = self.detail.rows.min(rows.len());
        let mut blocks: Vec<Block> = rows[..shown].iter().flat_map(|row| self.example(row)).collect();
        if rows.len() > shown {
            blocks.push(Block::Item(0, format!("… and {} more", rows.len() - shown).into()));
        }
        blocks
    }

    fn example(&self, row: &FailingRow) -> Vec<Block> {
        let FailingRow { example, .. } = row;
        let judged = new_failures(example);
        let check = self.catalog.find(&example.id);
        let mut blocks = if self.detail.is_full {
            failure(0, &example.id, &judged, check)
        } else {
            let id = Block::Item(0, Line::default().code(example.id.to_string()));
            std::iter::once(id).chain(differences(1, &judged, check, false)).collect()
        };
        blocks.extend(row.describe_others().map(|others| Block::Item(1, others.into())));
        if let (true, Some(again), Some((edition, _))) = (self.detail.is_full, self.again, judged.first()) {
            blocks.push(Block::Command(1, "again", repeat(again, &example.id, *edition)));
        }
        blocks
    }
}

/// Returns the editions in which a check newly fails, or where a list of known failures has all, those in which it fails.
fn new_failures(failure: &CheckFinished) -> Vec<(Edition, &Judgement)> {
    let is_new = failure.has_new_failure();
    let is_shown =
        |judged: &Judgement| if is_new { judged.is_new_failure() } else { judged.status.is_failure() };
    let judged = failure.editions.iter().filter(|(_, judged)| is_shown(judged));
    judged.map(|(&edition, judged)| (edition, judged)).collect()
}

/// The number of timeouts from which on it is said how to do without them.
const MANY_TIMEOUTS: usize = 4;

/// Returns the suite of most of these rows, and the number of its rows, where it has many.
fn slow_suite<'a>(rows: impl Iterator<Item = &'a CheckId> + Clone) -> Option<(&'a str, usize)> {
    let count = |suite: &str| rows.clone().filter(|id| &*id.suite == suite).count();
    let (suite, count) =
        rows.clone().map(|id| (&*id.suite, count(&id.suite))).max_by_key(|(_, count)| *count)?;
    (count >= MANY_TIMEOUTS).then_some((suite, count))
}

/// Returns the first of [`BROKEN`] and [`UNSTEADY`] that is the status of the check.
fn broken_status(failure: &CheckFinished) -> Option<Status> {
    let has = |status: Status| failure.editions.values().any(|judged| judged.status == status);
    BROKEN.into_iter().chain(UNSTEADY).map(|(status, _)| status).find(|&status| has(status))
}
