//! The normative statements that cases cite.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use robotspec_reference::{Edition, named_enum};
use serde::{Deserialize, Serialize};

use crate::yaml::{Document, FileError};

named_enum! {
    /// The kind of a clause: the subject that it is about. The id of a clause starts with it.
    pub enum Kind: "kind" {
        /// Lines: the file format.
        Lines = "L",
        /// Groups.
        Groups = "G",
        /// Agents.
        Agents = "A",
        /// Matching of paths.
        Matching = "M",
        /// Order of precedence.
        Precedence = "O",
        /// Scope: the URLs that a file governs; sitemaps.
        Scope = "S",
        /// Access: HTTP and FTP.
        Access = "H",
        /// Caching.
        Caching = "C",
        /// Formal syntax.
        Syntax = "X",
        /// Not testable, with a reason.
        NotTestable = "N",
    }
}

impl Kind {
    /// Returns the subject, for a heading.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Lines => "Lines",
            Kind::Groups => "Groups",
            Kind::Agents => "Agents",
            Kind::Matching => "Matching of paths",
            Kind::Precedence => "Order of precedence",
            Kind::Scope => "Scope and sitemaps",
            Kind::Access => "Access: HTTP and FTP",
            Kind::Caching => "Caching",
            Kind::Syntax => "Formal syntax",
            Kind::NotTestable => "Not testable",
        }
    }
}

/// A normative statement of the specification.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Clause {
    /// The permanent name, such as `M-prefix`.
    pub id: String,
    /// The subject.
    pub kind: Kind,
    /// The statement, in a sentence.
    pub statement: String,
    /// The editions that have the clause, each with the section that says so.
    #[serde(rename(serialize = "sections"))]
    pub editions: BTreeMap<Edition, String>,
    /// Whether the text marks the clause as specific to Google.
    #[serde(default)]
    pub google_specific: bool,
    /// The reason why no case can test the clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untestable: Option<String>,
}

impl Clause {
    /// Returns the section of an edition that makes the statement.
    pub fn section(&self, edition: Edition) -> Option<&str> {
        self.editions.get(&edition).map(String::as_str)
    }

    /// Returns every clause, in the order of the specification.
    ///
    /// # Panics
    ///
    /// The embedded `clauses.yaml` is broken, which any test of this crate shows.
    pub fn all() -> &'static [Clause] {
        static CLAUSES: OnceLock<Vec<Clause>> = OnceLock::new();
        CLAUSES.get_or_init(|| match read(crate::CLAUSES) {
            Ok(clauses) => clauses,
            Err(error) => panic!("{error}"),
        })
    }

    /// Returns the clause with this id.
    pub fn find(id: &str) -> Option<&'static Clause> {
        Clause::all().iter().find(|clause| clause.id == id)
    }

    /// Returns the clause whose id is the most similar to this one, which may be misspelt.
    pub fn nearest(id: &str) -> Option<&'static Clause> {
        Clause::all().iter().min_by_key(|clause| strsim::levenshtein(&clause.id, id))
    }
}

/// Reads a list of clauses.
///
/// # Errors
///
/// The text is not a list of clauses, or two clauses have the same id.
fn read(text: &str) -> Result<Vec<Clause>, FileError> {
    let (clauses, document): (Vec<Clause>, Document) = Document::read("cases/clauses.yaml", text)?;
    for (index, clause) in clauses.iter().enumerate() {
        if clauses[..index].iter().any(|earlier| earlier.id == clause.id) {
            let part = format!("[{index}].id");
            return Err(document
                .error(&part, format!("another clause has the id `{}`; choose another id", clause.id)));
        }
    }
    Ok(clauses)
}
