//! The suite as data, for who wants the vectors without the harness.

use std::collections::BTreeMap;

use robotspec_reference::Edition;
use serde::Serialize;

use crate::check::Check;
use crate::check_id::CheckId;
use crate::clause::Clause;
use crate::expected::Expected;
use crate::query::Query;
use crate::variant::Variant;

/// The version of the format of an export: raised when something that stood
/// there is gone or means something else.
const FORMAT: u32 = 1;

/// The suite, flattened: every check with all that it needs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Export {
    /// The version of this format.
    pub format: u32,
    /// The version of the program that has the suite inside.
    pub robotspec: String,
    /// The editions, in the order of time.
    pub editions: Vec<ExportedEdition>,
    /// The clauses that checks cite.
    pub clauses: Vec<ExportedClause>,
    /// The checks.
    pub checks: Vec<ExportedCheck>,
}

/// An edition of the specification.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedEdition {
    /// What it is called here.
    pub id: Edition,
    /// What it is.
    pub title: String,
}

/// A normative statement of the specification.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedClause {
    /// Permanent.
    pub id: String,
    /// What it says.
    pub statement: String,
    /// The editions that have it, with the section that says so.
    pub sections: BTreeMap<Edition, String>,
}

/// A question to an implementation, and its answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ExportedCheck {
    /// `suite/case#row`, and `~variant` where it is derived. Permanent.
    pub id: CheckId,
    /// How the file of the row was rewritten, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// The clauses it tests.
    pub clauses: Vec<String>,
    /// Whether the text marks it as one operator's own.
    pub google_specific: bool,
    /// What is asked.
    #[serde(flatten)]
    pub query: Query,
    /// What each edition expects that has the clauses.
    pub expected: BTreeMap<Edition, Expected>,
    /// Which questions make it unspecified where it is: see `robotspec editions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
}

impl Export {
    /// Exports checks.
    pub fn new(checks: &[Check]) -> Self {
        let is_cited = |clause: &&Clause| {
            checks.iter().any(|check| check.clauses.iter().any(|cited| cited.id == clause.id))
        };
        let edition = |edition: Edition| ExportedEdition { id: edition, title: edition.title().to_owned() };
        Export {
            format: FORMAT,
            robotspec: env!("CARGO_PKG_VERSION").to_owned(),
            editions: Edition::ALL.into_iter().map(edition).collect(),
            clauses: Clause::all().iter().filter(is_cited).map(clause).collect(),
            checks: checks.iter().map(check).collect(),
        }
    }
}

fn clause(clause: &Clause) -> ExportedClause {
    let sections = clause.editions.iter();
    ExportedClause {
        id: clause.id.clone(),
        statement: clause.statement.clone(),
        sections: sections.map(|(&edition, section)| (edition, section.clone())).collect(),
    }
}

fn check(check: &Check) -> ExportedCheck {
    ExportedCheck {
        id: check.id.clone(),
        variant: check.id.variant,
        clauses: check.clauses.iter().map(|clause| clause.id.clone()).collect(),
        google_specific: check.google_specific,
        query: check.query.clone(),
        expected: check.expected.clone(),
        questions: check.questions.iter().map(|question| question.id().to_owned()).collect(),
    }
}
