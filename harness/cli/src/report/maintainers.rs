//! Markdown for the maintainers of an implementation: each clause that it violates, with the smallest input for each
//! known reason, to be pasted into an issue.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;

use anyhow::Result;
use robotspec::event::{CheckFinished, Judgement, Status};
use robotspec::excerpt::{cut, query_lines};
use robotspec::sentences::{counted, reasons};
use robotspec::{ImplementationRecord, RunRecord};
use robotspec_cases::markup::{code, fenced, prose, text};
use robotspec_cases::{Check, Clause, Level, Query, visible};
use robotspec_reference::Edition;

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::failing::{FailingRow, RowCount, blamed_clause, failing_rows, is_only_in_variants};
use crate::report::playground;
use crate::report::query::explain;

const ABOUT: &str = "\
Each section is about a clause of the specification and shows the smallest input for each known reason. A row is one question
to the implementation. A row that fails only in a variant, which is the same file written in another way, counts for the
clause that says that the two are the same. The last line of an example repeats it.";

const OBJECTING: &str = "\
Do you read a sentence in another way? `robotspec cases show ID` prints a row with the sentences that it is taken from. Name
the row and the sentence that decides otherwise in an issue of robotspec: where the text admits two answers, a row accepts
both.";

/// The number of rows that are named for a reason.
const ROWS_NAMED: usize = 8;

/// The length of the longest file that is shown as it is, in bytes and in lines.
const FILE_SHOWN: usize = 1000;
const LINES_SHOWN: usize = 20;

/// The number of characters that are shown of an answer, a URL or a reason.
const SHOWN: usize = 200;

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    for (place, implementation) in record.implementations.iter().enumerate() {
        let again = catalog.again(place).unwrap_or("--adapter 'COMMAND'");
        Report { record: implementation, catalog, again }.write(out)?;
    }
    writeln!(
        out,
        "robotspec {} made this report. Its book explains how to read it: chapter *Reports*, section *For maintainers*.",
        text(&record.robotspec)
    )?;
    Ok(())
}

/// The report about an implementation.
struct Report<'r> {
    record: &'r ImplementationRecord,
    catalog: &'r Catalog<'r>,
    /// The arguments that run the implementation again.
    again: &'r str,
}

/// The rows that fail under a clause, or in a case that cites none, by the reason that a list of known failures gives.
struct Section<'r> {
    clause: &'r str,
    reasons: Vec<(Option<&'r str>, Vec<FailingRow<'r>>)>,
}

impl Section<'_> {
    fn rows(&self) -> RowCount {
        RowCount::of(self.reasons.iter().flat_map(|(_, rows)| rows))
    }

    /// Returns the editions in which a row fails.
    fn editions(&self) -> BTreeSet<Edition> {
        let rows = self.reasons.iter().flat_map(|(_, rows)| rows);
        rows.flat_map(|row| failing_editions(row.example)).map(|(edition, _)| edition).collect()
    }

    /// Returns the rows that fail in an edition.
    fn failing(&self, edition: Edition) -> impl Iterator<Item = (&FailingRow<'_>, &Judgement)> {
        let rows = self.reasons.iter().flat_map(|(_, rows)| rows);
        rows.filter_map(move |row| {
            let judged = row.example.editions.get(&edition)?;
            judged.status.is_failure().then_some((row, judged))
        })
    }

    /// Returns how strongly an edition requires what the rows expect.
    fn levels(&self, edition: Edition) -> BTreeSet<Level> {
        self.failing(edition).map(|(_, judgement)| judgement.level).collect()
    }
}

impl<'r> Report<'r> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let sections = self.sections();
        writeln!(out, "# {} and the robots.txt specification\n", text(&full_name(&self.record.info)))?;
        writeln!(out, "{ABOUT}\n")?;
        for incident in self.record.incidents.iter().take_while(|incident| incident.comes_first()) {
            writeln!(out, "**This implementation {}.**\n", text(&incident.to_string()))?;
        }
        self.write_totals(out)?;
        write_index(&sections, out)?;
        writeln!(out, "{OBJECTING}\n")?;
        for section in &sections {
            self.write_section(section, out)?;
        }
        Ok(())
    }

    fn write_totals(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "| edition | rows that pass | violations | departures from recommendations |")?;
        writeln!(out, "| --- | ---: | ---: | ---: |")?;
        for (edition, totals) in self.record.row_totals() {
            let passed = totals.of(Status::Pass);
            let all = passed + totals.failures();
            writeln!(
                out,
                "| {edition} | {passed} of {all} | {} | {} |",
                totals.violations(),
                totals.departures
            )?;
        }
        writeln!(out)?;
        Ok(())
    }

    /// Returns the failures by clause and reason, the clauses with the most rows first. No clause is to blame for flaky
    /// answers. A variant of a row that fails as it is written adds nothing.
    fn sections(&self) -> Vec<Section<'r>> {
        let mut clauses: HashMap<&str, BTreeMap<Option<&str>, Vec<&'r CheckFinished>>> = HashMap::new();
        let adds = |failure: &&CheckFinished| {
            let is_new = failure.id.variant.is_none() || is_only_in_variants(failure, self.record);
            is_new && !failure.is_flaky()
        };
        for failure in self.record.failures().filter(adds) {
            let reasons = clauses.entry(blamed_clause(failure, self.record)).or_default();
            reasons
                .entry(first_failure(failure).and_then(|(_, judged)| judged.known.as_deref()))
                .or_default()
                .push(failure);
        }
        let section = |(clause, reasons): (&'r str, BTreeMap<Option<&'r str>, Vec<&'r CheckFinished>>)| {
            let rows = reasons.into_iter().map(|(reason, failures)| (reason, failing_rows(failures)));
            let mut reasons: Vec<_> = rows.collect();
            reasons.sort_by_key(|(_, rows)| Reverse(rows.len()));
            Section { clause, reasons }
        };
        let mut sections: Vec<Section> = clauses.into_iter().map(section).collect();
        sections.sort_by_key(|section| (Reverse(section.rows()), section.clause));
        sections
    }

    fn write_section(&self, section: &Section, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "## {}: {}\n", text(section.clause), section.rows())?;
        match Clause::find(section.clause) {
            Some(clause) => self.write_words(section, clause, out)?,
            None => writeln!(out, "<details><summary>The smallest inputs</summary>\n")?,
        }
        for (reason, rows) in &section.reasons {
            let reason = reason.map_or_else(|| "No reason is known.".to_owned(), prose);
            writeln!(out, "**{}.** {reason} {}.\n", counted(rows.len(), "row"), names(rows))?;
            if let Some((failure, check)) = self.smallest(rows) {
                self.write_example(failure, check, out)?;
            }
        }
        writeln!(out, "</details>\n")?;
        Ok(())
    }

    /// Writes the statement of a clause, and its words in the editions in which the rows fail.
    fn write_words(&self, section: &Section, clause: &'static Clause, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "> {}\n", prose(&clause.statement))?;
        writeln!(out, "<details><summary>The words, and the smallest inputs</summary>\n")?;
        for edition in section.editions() {
            let broken = self.broken_clause(section, clause, edition);
            let Some(place) = broken.section(edition) else { continue };
            let id = if broken.id == clause.id { String::new() } else { format!("{}, ", text(&broken.id)) };
            writeln!(
                out,
                "- {edition} ({}): {id}{}",
                describe_levels(&section.levels(edition)),
                text(place)
            )?;
            if let Some(quote) = broken.quotes.get(&edition) {
                writeln!(out, "  > {}", text(quote))?;
            }
        }
        writeln!(out)?;
        Ok(())
    }

    /// Returns the clause that the rows break in an edition: that of the section, unless the edition does not have it or
    /// only permits what it states.
    fn broken_clause(&self, section: &Section, clause: &'static Clause, edition: Edition) -> &'static Clause {
        if matches!(clause.level(edition), Some(Level::Must | Level::Should)) {
            return clause;
        }
        let checks = section.failing(edition).filter_map(|(row, _)| self.catalog.find(&row.example.id));
        checks.filter_map(|check| check.broken_clause(edition)).next().unwrap_or(clause)
    }

    /// Returns the row with the smallest input.
    fn smallest(&self, rows: &[FailingRow<'r>]) -> Option<(&'r CheckFinished, &'r Check)> {
        let examples = rows.iter().filter_map(|row| Some((row.example, self.catalog.find(&row.example.id)?)));
        examples.min_by_key(|(_, check)| size(&check.query))
    }

    fn write_example(&self, failure: &CheckFinished, check: &Check, out: &mut dyn Write) -> Result<()> {
        let Some((edition, judgement)) = first_failure(failure) else { return Ok(()) };
        let editions: Vec<&str> = failing_editions(failure).map(|(edition, _)| edition.id()).collect();
        writeln!(out, "{}", fenced("text", &input(&check.query)))?;
        writeln!(out, "- expected: {} (in {})", code(&judgement.expected.to_string()), editions.join(", "))?;
        writeln!(out, "- got: {}", code(&shortened(&judgement.describe_got())))?;
        if let Query::Match { robots, .. } = &check.query {
            for reason in explain(&check.query, robots, edition).iter().flat_map(reasons) {
                writeln!(out, "- {edition}: {}", prose(&cut(&reason, SHOWN)))?;
            }
        }
        if let Some(link) = playground::link(&check.query, edition) {
            writeln!(out, "- [every edition about this input]({link})")?;
        }
        // A filter for a row also matches its variants.
        let alone = if check.id.variant.is_none() { "--no-variants " } else { "" };
        let (again, id) = (visible(self.again), &check.id);
        let command = format!("robotspec run {again} --edition {edition} {alone}--filter 'id:{id}'\n");
        writeln!(out, "\n{}", fenced("sh", &command))?;
        Ok(())
    }
}

/// Writes a line for each section.
fn write_index(sections: &[Section], out: &mut dyn Write) -> Result<()> {
    if sections.is_empty() {
        return Ok(());
    }
    writeln!(out, "| clause | level | rows | what it states |\n| --- | --- | ---: | --- |")?;
    for section in sections {
        let statement = Clause::find(section.clause).map(|clause| prose(&clause.statement));
        let levels: BTreeSet<Level> =
            section.editions().into_iter().flat_map(|edition| section.levels(edition)).collect();
        writeln!(
            out,
            "| {} | {} | {} | {} |",
            text(section.clause),
            describe_levels(&levels),
            section.rows(),
            statement.unwrap_or_default()
        )?;
    }
    writeln!(out)?;
    Ok(())
}

/// Returns levels in words, the strongest first.
fn describe_levels(levels: &BTreeSet<Level>) -> String {
    levels.iter().map(|level| level.id()).collect::<Vec<_>>().join(", ")
}

/// Returns the editions in which a check fails, RFC 9309 first.
fn failing_editions(failure: &CheckFinished) -> impl Iterator<Item = (Edition, &Judgement)> {
    let mut failing: Vec<(Edition, &Judgement)> = failure
        .editions
        .iter()
        .filter(|(_, judged)| judged.status.is_failure())
        .map(|(&edition, judged)| (edition, judged))
        .collect();
    failing.sort_by_key(|(edition, _)| *edition != Edition::Rfc9309);
    failing.into_iter()
}

fn first_failure(failure: &CheckFinished) -> Option<(Edition, &Judgement)> {
    failing_editions(failure).next()
}

/// Returns how much there is to read in a query.
fn size(query: &Query) -> usize {
    match query {
        Query::Match { robots, agent, url } => robots.len() + agent.len() + url.len(),
        Query::Alike { robots, twin, agent, url } => robots.len() + twin.len() + agent.len() + url.len(),
        Query::Scope { robots_url, url } => robots_url.len() + url.len(),
        Query::Sitemaps { robots } | Query::Usage { robots, .. } | Query::Values { robots, .. } => {
            robots.len()
        }
        Query::Access { visits, paths, .. } => visits.len() + paths.len(),
        Query::Grammar { text } => text.len(),
    }
}

/// Returns a query: its file as it is, where a person can copy it, else an excerpt with line numbers and escapes.
fn input(query: &Query) -> String {
    if let Query::Match { robots, agent, url } = query
        && url.len() <= SHOWN
        && let Some(file) = plain(robots)
    {
        return format!("{file}\nagent: {}\nURL:   {}\n", visible(agent), visible(url));
    }
    query_lines(query, |_| Vec::new(), " ").iter().map(|line| cut(line, SHOWN) + "\n").collect()
}

/// Returns a file that a person can copy from a text.
fn plain(file: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(file).ok()?;
    let is_shown =
        |c: char| c == '\n' || !c.is_control() && visible(c.encode_utf8(&mut [0; 4])).chars().eq([c]);
    let is_plain = text.ends_with('\n') && text.chars().all(is_shown);
    let is_short = text.len() <= FILE_SHOWN && text.lines().count() <= LINES_SHOWN;
    let has_trailing_space = text.lines().any(|line| line.ends_with(' '));
    (is_plain && is_short && !has_trailing_space).then_some(text)
}

fn shortened(answer: &str) -> String {
    cut(answer.lines().next().unwrap_or_default(), SHOWN)
}

/// Returns the ids of the first rows.
fn names(rows: &[FailingRow]) -> String {
    let shown = rows.iter().take(ROWS_NAMED).map(|row| code(&row.example.id.to_string()));
    let more = rows.len().saturating_sub(ROWS_NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}
