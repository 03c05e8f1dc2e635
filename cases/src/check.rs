//! Suites, their rows, and the checks that are derived from them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use robotspec_reference::grammar::LineStatus;
use robotspec_reference::{Choice, Edition, Question, RobotsTxt};

use crate::check_id::CheckId;
use crate::clause::{Clause, Level};
use crate::expected::Expected;
use crate::query::Query;
use crate::variant::{Original, Rewriting, Variant};

/// A table of the specification, or expectations of one's own.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The first part of every id in the suite.
    pub id: Arc<str>,
    /// The title of the table.
    pub title: String,
    /// The documents and sections that the table comes from, or the file of the suite.
    pub source: String,
    /// The file of the suite, where it was read from one.
    pub file: Option<PathBuf>,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// A file or a URL, and the queries about it.
#[derive(Debug, Clone)]
pub struct Case {
    /// `suite/case`.
    pub name: String,
    /// The clauses that its rows test, where a row names none.
    pub clauses: Vec<&'static Clause>,
    /// A sentence for the reader.
    pub about: Option<String>,
    /// The editions that the case runs in.
    pub editions: Vec<Edition>,
    /// The rows, in the order of the file.
    pub rows: Vec<Check>,
    /// Whether variants of its file are derived.
    pub has_variants: bool,
    /// The path of its robots.txt, where it names a file.
    pub robots_file: Option<PathBuf>,
}

/// A single check: a row of a table, which is a query and what each edition expects, or a variant of it.
#[derive(Debug, Clone)]
pub struct Check {
    /// The permanent name.
    pub id: CheckId,
    /// The clauses that the check tests. A failure is reported under the first, or else under the case.
    pub clauses: Vec<&'static Clause>,
    /// Whether the text marks the check as specific to Google.
    pub google_specific: bool,
    /// The query.
    pub query: Query,
    /// What each edition expects.
    pub expected: BTreeMap<Edition, Expected>,
    /// The questions that make the check unspecified, where it is.
    pub questions: Vec<Question>,
    /// How an edition comes to its answer about the row.
    pub reasons: Arc<Reasons>,
    /// The line of the row in the file of the suite, from 1, where the suite was read from a file.
    pub line: Option<usize>,
}

/// The reasons that a row states, for all its editions.
///
/// An implementation reports an answer but no reasons, so these test the explanations of the reference only, which can
/// be wrong although the ruling is right.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// The result of each answer to the question of the row, where the row is unspecified.
    pub gives: Vec<(Choice, Expected)>,
    /// What decides, where the row is definite.
    pub decided_by: Option<Deciding>,
    /// The status of each line in the grammar.
    pub lines: Option<Vec<LineStatus>>,
}

/// What decides in the plainest reading.
#[derive(Debug, Clone)]
pub struct Deciding {
    /// The numbers of the lines, from 1, in order.
    pub lines: Vec<usize>,
    /// The clauses that apply.
    pub clauses: Vec<&'static Clause>,
    /// The number of readings that the reference has to distinguish, where the row states it.
    pub readings: Option<usize>,
}

/// Returns every check of the suites, those that share a file next to each other.
pub fn checks(suites: &[Suite], with_variants: bool) -> Vec<Check> {
    select_checks(suites, with_variants, &Edition::ALL, |_| true)
}

/// Returns the checks of the suites in these editions that are selected by their ids and clauses, in the same order. No file
/// is rewritten for a variant that is not selected, so that few checks take little time.
pub fn select_checks(
    suites: &[Suite],
    with_variants: bool,
    editions: &[Edition],
    is_selected: impl Fn(&Check) -> bool,
) -> Vec<Check> {
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    cases.flat_map(|case| case.checks(with_variants, editions, &is_selected)).collect()
}

impl Case {
    /// Returns the selected checks of the case in these editions: its rows, then each variant of all rows.
    pub fn checks(
        &self,
        with_variants: bool,
        editions: &[Edition],
        is_selected: &impl Fn(&Check) -> bool,
    ) -> Vec<Check> {
        let mut rows = self.rows.clone();
        rows.iter_mut().for_each(|row| row.expected.retain(|edition, _| editions.contains(edition)));
        rows.retain(|row| !row.expected.is_empty());
        let mut checks: Vec<Check> = rows.iter().filter(|row| is_selected(row)).cloned().collect();
        if with_variants && self.has_variants {
            // Each file is rewritten once for all its rows.
            let is_same_file = |a: &Check, b: &Check| {
                a.query.file().zip(b.query.file()).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
            };
            let files: Vec<(&Arc<[u8]>, &[Check])> =
                rows.chunk_by(is_same_file).filter_map(|rows| Some((rows[0].query.file()?, rows))).collect();
            let read: Vec<RobotsTxt> = files.iter().map(|(file, _)| RobotsTxt::parse(file)).collect();
            let originals = files.iter().zip(&read).map(|((file, _), robots)| Original::new(file, robots));
            let mut originals: Vec<Original> = originals.collect();
            for variant in Variant::ALL {
                for ((file, rows), original) in files.iter().zip(&mut originals) {
                    let named =
                        rows.iter().map(|row| Check { id: row.id.with_variant(variant), ..row.clone() });
                    let selected: Vec<Check> = named.filter(|check| is_selected(check)).collect();
                    if selected.is_empty() {
                        continue;
                    }
                    let Some(twin) = variant.rewrite(file) else { continue };
                    let mut rewriting = Rewriting::new(original, &twin);
                    let rewritten = selected.into_iter();
                    checks.extend(
                        rewritten.filter_map(|check| check.rewritten(variant, &twin, &mut rewriting)),
                    );
                }
            }
        }
        checks
    }
}

impl Check {
    /// Returns the name that a failure is reported under: that of the first clause, or else of the case.
    pub fn reported_under(&self) -> Arc<str> {
        match self.clauses.first() {
            Some(clause) => clause.id.as_str().into(),
            None => self.id.case_name().into(),
        }
    }

    /// Returns the clause that a failure in an edition breaks: the first one that has the level of the check.
    pub fn broken_clause(&self, edition: Edition) -> Option<&'static Clause> {
        let level = self.level(edition);
        self.clauses.iter().copied().find(|clause| clause.level(edition) == Some(level))
    }

    /// Returns how strongly an edition requires what it expects: with the weakest level of the clauses of the check. Where
    /// there are none, the author of the row requires the answer.
    pub fn level(&self, edition: Edition) -> Level {
        match self.query.is_optional_in(edition) {
            true => Level::May,
            false if self.clauses.is_empty() => Level::Must,
            false => Clause::weakest_level(&self.clauses, edition),
        }
    }

    /// Returns a check that is named after a variant with its file rewritten, in the editions that have the clause of the
    /// variant, on which it depends too. The result is `None` where no edition has it, or where the answer to the query may change.
    fn rewritten(mut self, variant: Variant, file: &Arc<[u8]>, rewriting: &mut Rewriting) -> Option<Check> {
        // Reversed groups would change the order of the sitemap lines.
        if matches!(self.query, Query::Sitemaps { .. }) && variant == Variant::ReversedGroups {
            return None;
        }
        let clause = Clause::find(variant.clause())?;
        let rewritten = self.query.with_robots(Arc::clone(file))?;
        let original = std::mem::replace(&mut self.query, rewritten);
        self.expected
            .retain(|&edition, _| clause.section(edition).is_some() && rewriting.is_safe(edition, &original));
        if !self.clauses.iter().any(|cited| cited.id == clause.id) {
            self.clauses.push(clause);
        }
        (!self.expected.is_empty()).then_some(self)
    }
}
