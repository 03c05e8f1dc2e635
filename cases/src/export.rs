//! The suite as data, for programs that want its checks without the harness.

use std::collections::{BTreeMap, HashMap};
use std::thread;

use robotspec_reference::Edition;
use robotspec_reference::question::{self, TABLE};
use serde::Serialize;

use crate::check::{Case, Check, Suite};
use crate::check_id::CheckId;
use crate::clause::{Clause, ClauseKind, Level};
use crate::expected::Expected;
use crate::query::Query;
use crate::reasons::{self, Reasons};
#[cfg(feature = "schema")]
use crate::schema::{ClauseId, QuestionId};
use crate::variant::Variant;

/// The version of the format. It is raised when a part is removed or changes its meaning.
const FORMAT: u32 = 1;

/// Checks, with everything that they refer to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Export {
    /// The version of this format. It is raised when a key is removed or changes its meaning.
    #[cfg_attr(feature = "schema", schemars(extend("const" = FORMAT)))]
    pub format: u32,
    /// The version of the program that contains the suite.
    pub robotspec: String,
    /// The editions, oldest first.
    pub editions: Vec<ExportedEdition>,
    /// The kinds of clauses.
    pub kinds: Vec<ExportedKind>,
    /// The clauses, in the order of the specification.
    pub clauses: &'static [Clause],
    /// The questions that a reader of the texts must answer.
    pub questions: Vec<ExportedQuestion>,
    /// The ways in which files are rewritten.
    pub variants: Vec<ExportedVariant>,
    /// The suites.
    pub suites: Vec<ExportedSuite>,
    /// The checks.
    pub checks: Vec<ExportedCheck>,
}

/// An edition of the specification.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct ExportedEdition {
    /// Its permanent name.
    pub id: Edition,
    /// The title of the document.
    pub title: &'static str,
}

/// A kind of clauses: the subject that they are about.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct ExportedKind {
    /// The first letter of the ids of its clauses.
    pub id: ClauseKind,
    /// The subject, for a heading.
    pub title: &'static str,
}

/// A question that a reader of the texts must answer before a verdict exists.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct ExportedQuestion {
    /// Its permanent name.
    #[cfg_attr(feature = "schema", schemars(with = "QuestionId"))]
    pub id: String,
    /// The question, in a sentence.
    pub asks: &'static str,
    /// The passages that decide the question, or do not.
    pub because: &'static str,
    /// The answers that each edition admits, the plainest first.
    pub answers: BTreeMap<Edition, Vec<String>>,
}

/// A way to rewrite a file that changes no answer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct ExportedVariant {
    /// Its permanent name.
    pub id: Variant,
    /// The clause that makes the answers the same.
    #[cfg_attr(feature = "schema", schemars(with = "ClauseId"))]
    pub clause: &'static str,
}

/// A table of the specification.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct ExportedSuite {
    /// The first part of the ids of its checks.
    pub id: String,
    /// The title of the table.
    pub title: String,
    /// The documents and sections that the table comes from.
    pub source: String,
}

/// A query to an implementation, and what each edition expects.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Check"))]
#[serde(rename_all = "kebab-case")]
pub struct ExportedCheck {
    /// `suite/case#row`, and `~variant` where the file is rewritten. Permanent.
    pub id: CheckId,
    /// The suite.
    pub suite: String,
    /// How the file of the row was rewritten, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// A sentence about the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The clauses that the check tests.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ClauseId>", length(min = 1)))]
    pub clauses: Vec<&'static str>,
    /// Whether the text marks the check as specific to Google.
    pub google_specific: bool,
    /// The query.
    #[serde(flatten)]
    pub query: Query,
    /// What each edition that has the clauses expects.
    pub expected: BTreeMap<Edition, Expected>,
    /// The editions that only recommend what they expect, or permit it. In all others the level is `must`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub levels: BTreeMap<Edition, Level>,
    /// The questions that make the check unspecified, where it is: see `robotspec editions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<QuestionId>"))]
    pub questions: Vec<String>,
    /// Why each edition expects what it expects. Variants have the reasons of their row.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<Edition, Reasons>,
}

impl Export {
    /// Exports checks of suites.
    pub fn new(suites: &[Suite], checks: &[Check]) -> Self {
        let cases = suites.iter().flat_map(|suite| &suite.cases);
        let rows: HashMap<&CheckId, (&Case, &Check)> =
            cases.flat_map(|case| case.rows.iter().map(move |row| (&row.id, (case, row)))).collect();
        let is_used = |suite: &&Suite| checks.iter().any(|check| check.id.suite == suite.id);
        let export_suite = |Suite { id, title, source, .. }: &Suite| ExportedSuite {
            id: id.to_string(),
            title: title.clone(),
            source: source.clone(),
        };
        let export_question = |row: &question::Row| {
            let answers = |edition| row.answers(edition).iter().map(ToString::to_string).collect();
            ExportedQuestion {
                id: row.question.to_string(),
                asks: row.asks,
                because: row.because,
                answers: Edition::ALL.into_iter().map(|edition| (edition, answers(edition))).collect(),
            }
        };
        Export {
            format: FORMAT,
            robotspec: env!("CARGO_PKG_VERSION").to_owned(),
            editions: Edition::ALL.map(|id| ExportedEdition { id, title: id.title() }).into(),
            kinds: ClauseKind::ALL.map(|id| ExportedKind { id, title: id.title() }).into(),
            clauses: Clause::all(),
            questions: TABLE.iter().map(export_question).collect(),
            variants: Variant::ALL.map(|id| ExportedVariant { id, clause: id.clause() }).into(),
            suites: suites.iter().filter(is_used).map(export_suite).collect(),
            checks: export_checks(checks, &rows),
        }
    }
}

/// Exports checks on all cores: the reasons of a row take as long as its verdicts in every edition.
fn export_checks(checks: &[Check], rows: &HashMap<&CheckId, (&Case, &Check)>) -> Vec<ExportedCheck> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Checks of one suite resemble each other, so that neighbours go to different cores.
    let export_share = |core| {
        let share = checks.iter().skip(core).step_by(cores);
        share.map(|check| export_check(check, rows)).collect::<Vec<_>>().into_iter()
    };
    thread::scope(|scope| {
        let shares: Vec<_> = (0..cores).map(|core| scope.spawn(move || export_share(core))).collect();
        let mut shares: Vec<_> = shares
            .into_iter()
            .map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        (0..checks.len()).filter_map(|place| shares[place % cores].next()).collect()
    })
}

fn export_check(check: &Check, rows: &HashMap<&CheckId, (&Case, &Check)>) -> ExportedCheck {
    let (case, row) = rows.get(&check.id.as_written()).copied().unzip();
    let as_written = row.filter(|_| check.id.variant.is_none());
    let levels = check.expected.keys().map(|&edition| (edition, check.level(edition)));
    ExportedCheck {
        id: check.id.clone(),
        suite: check.id.suite.to_string(),
        variant: check.id.variant,
        about: case.and_then(|case| case.about.clone()),
        clauses: check.clauses.iter().map(|clause| clause.id.as_str()).collect(),
        google_specific: check.google_specific,
        query: check.query.clone(),
        expected: check.expected.clone(),
        levels: levels.filter(|(_, level)| *level != Level::Must).collect(),
        questions: check.questions.iter().map(ToString::to_string).collect(),
        reasons: as_written.map(reasons::of_row).unwrap_or_default(),
    }
}
