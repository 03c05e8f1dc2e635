//! What is in a page, as its script reads it. What occurs often stands once
//! in a list, and is named by its place there; so a page of all cases and many
//! implementations stays small.

use robotspec_reference::Edition;
use robotspec_reference::question::TABLE;
use serde::Serialize;

use crate::report::html::file::ShownFile;
use crate::report::html::intern::Interner;
use crate::report::html::readings::Inferred;
use crate::report::html::results::{ByEdition, EDITIONS, Verdict};
use crate::report::html::why::{Why, place_of_clause};
use robotspec::event::{LikelyCause, Status};
use robotspec_cases::clause::{Clause, Kind};
use robotspec_cases::suite::Variant;

/// Everything.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Data {
    pub(super) editions: Vec<EditionData>,
    pub(super) statuses: Vec<StatusData>,
    pub(super) kinds: Vec<(String, &'static str)>,
    pub(super) clauses: Vec<ClauseData>,
    pub(super) questions: Vec<QuestionData>,
    pub(super) variants: Vec<VariantData>,
    pub(super) differences: Vec<Difference>,
    pub(super) suites: Vec<SuiteData>,
    pub(super) cases: Vec<CaseData>,
    pub(super) files: Vec<ShownFile>,
    pub(super) rows: Vec<RowData>,
    /// What rows expect.
    pub(super) expected: Interner<ByEdition<u32>>,
    /// The places of the reasons of rows.
    pub(super) reasons: Interner<ByEdition<u32>>,
    pub(super) why: Interner<Why>,
    pub(super) outcomes: Interner<ByEdition<Verdict>>,
    pub(super) implementations: Vec<ImplementationData>,
    pub(super) texts: Interner<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct EditionData {
    id: &'static str,
    title: &'static str,
    /// Whether it judged.
    judged: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct StatusData {
    id: &'static str,
    failure: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct ClauseData {
    id: &'static str,
    kind: String,
    statement: &'static str,
    sections: ByEdition<&'static str>,
    google: bool,
    untestable: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct QuestionData {
    id: String,
    asks: &'static str,
    because: &'static str,
    answers: Vec<Vec<&'static str>>,
    /// The rows that tell how an implementation answers it.
    pub(super) rows: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub(super) struct VariantData {
    id: &'static str,
    clause: Option<usize>,
}

/// The questions that two editions answer differently, each with a row that
/// comes out differently for it.
#[derive(Debug, Serialize)]
pub(super) struct Difference {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) questions: Vec<(usize, Option<u32>)>,
}

#[derive(Debug, Serialize)]
pub(super) struct SuiteData {
    pub(super) title: String,
    pub(super) source: String,
}

#[derive(Debug, Serialize)]
pub(super) struct CaseData {
    pub(super) id: String,
    pub(super) suite: usize,
    pub(super) about: Option<String>,
    pub(super) clauses: Vec<usize>,
    pub(super) google: bool,
}

/// A row, written as a list to be short.
#[derive(Debug, Serialize)]
pub(super) struct RowData(
    /// Its case, if it is one of the suite inside this program.
    pub(super) Option<usize>,
    /// What its id adds to that of its case; all of it, where there is none.
    pub(super) String,
    /// The id of the clause that it is reported under.
    pub(super) u32,
    /// What kind of request it is.
    pub(super) &'static str,
    /// Its file.
    pub(super) Option<usize>,
    /// What is asked, part by part: a label and a text.
    pub(super) Vec<(&'static str, u32)>,
    /// What is expected.
    pub(super) u32,
    /// Why.
    pub(super) u32,
);

/// For each edition: how many rows it passes as they are written, and how many
/// of them when they are rewritten.
pub(super) type Counts = [(usize, usize); EDITIONS];

/// A row of which it makes something else when it is rewritten: the row, the
/// variant, the outcome.
pub(super) type Parted = (u32, usize, u32);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImplementationData {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) language: Option<String>,
    pub(super) homepage: Option<String>,
    /// Whether its name is enough for this program to run it.
    pub(super) built_in: bool,
    pub(super) finished: bool,
    pub(super) incidents: Vec<String>,
    pub(super) likely: Vec<LikelyCause>,
    pub(super) stale: Vec<String>,
    /// The outcome of each row, -1 where there is none.
    pub(super) rows: Vec<i64>,
    /// For each variant.
    pub(super) rewritten: Vec<Counts>,
    pub(super) parted: Vec<Parted>,
    pub(super) readings: Vec<Inferred>,
}

pub(super) fn editions(judged: impl Fn(Edition) -> bool) -> Vec<EditionData> {
    let data =
        |edition: Edition| EditionData { id: edition.id(), title: edition.title(), judged: judged(edition) };
    Edition::ALL.into_iter().map(data).collect()
}

pub(super) fn statuses() -> Vec<StatusData> {
    Status::ALL
        .into_iter()
        .map(|status| StatusData { id: status.id(), failure: status.is_failure() })
        .collect()
}

pub(super) fn kinds() -> Vec<(String, &'static str)> {
    let title = |kind| match kind {
        Kind::L => "Lines",
        Kind::G => "Groups",
        Kind::A => "Agents",
        Kind::M => "Matching of paths",
        Kind::O => "Order of precedence",
        Kind::S => "Scope and sitemaps",
        Kind::H => "Access: HTTP and FTP",
        Kind::C => "Caching",
        Kind::X => "Formal syntax",
        Kind::N => "Not testable",
    };
    Kind::ALL.into_iter().map(|kind| (format!("{kind:?}"), title(kind))).collect()
}

pub(super) fn clauses() -> Vec<ClauseData> {
    let data = |clause: &'static Clause| ClauseData {
        id: &clause.id,
        kind: format!("{:?}", clause.kind),
        statement: &clause.statement,
        sections: Edition::ALL.map(|edition| clause.section(edition)),
        google: clause.google_specific,
        untestable: clause.untestable.as_deref(),
    };
    Clause::all().iter().map(data).collect()
}

pub(super) fn questions() -> Vec<QuestionData> {
    let answers = |row: &robotspec_reference::question::Row, edition| {
        row.answers(edition).iter().map(|answer| answer.id()).collect()
    };
    let data = |row: &robotspec_reference::question::Row| QuestionData {
        id: row.question.id(),
        asks: row.asks,
        because: row.because,
        answers: Edition::ALL.map(|edition| answers(row, edition)).to_vec(),
        rows: Vec::new(),
    };
    TABLE.iter().map(data).collect()
}

pub(super) fn variants() -> Vec<VariantData> {
    let data = |variant: Variant| VariantData { id: variant.id(), clause: place_of_clause(variant.clause()) };
    Variant::ALL.into_iter().map(data).collect()
}

impl Data {
    /// How many rows an implementation passes in an edition, of how many that
    /// it was judged by.
    pub(super) fn score(&self, implementation: &ImplementationData, column: usize) -> (usize, usize) {
        let mut score = (0, 0);
        for outcome in implementation.rows.iter().filter_map(|&outcome| u32::try_from(outcome).ok()) {
            let Some((status, ..)) = self.outcomes.get(outcome).and_then(|outcome| outcome[column]) else {
                continue;
            };
            let status = Status::ALL[status as usize];
            score.0 += usize::from(status == Status::Pass);
            score.1 += usize::from(status == Status::Pass || status.is_failure());
        }
        score
    }
}
