//! The normative statements that cases cite.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use robotspec_reference::Edition;
use serde::{Deserialize, Serialize};

use crate::yaml::{Document, FileError};

/// The kinds of clauses, by what they are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Lines: the file format.
    L,
    /// Groups.
    G,
    /// Agents.
    A,
    /// Matching of paths.
    M,
    /// Order of precedence.
    O,
    /// Scope: which URLs a file governs, and sitemaps.
    S,
    /// Access: HTTP and FTP.
    H,
    /// Caching.
    C,
    /// Formal syntax.
    X,
    /// Not testable, with a reason.
    N,
}

impl Kind {
    /// All kinds, in the order in which reports show them.
    pub const ALL: [Kind; 10] =
        [Kind::L, Kind::G, Kind::A, Kind::M, Kind::O, Kind::S, Kind::H, Kind::C, Kind::X, Kind::N];

    /// What its clauses are about, in a word.
    pub fn title(self) -> &'static str {
        match self {
            Kind::L => "lines",
            Kind::G => "groups",
            Kind::A => "agents",
            Kind::M => "matching",
            Kind::O => "precedence",
            Kind::S => "scope",
            Kind::H => "access",
            Kind::C => "caching",
            Kind::X => "syntax",
            Kind::N => "not testable",
        }
    }

    /// The kind with this letter.
    pub fn from_letter(letter: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| format!("{kind:?}") == letter)
    }
}

/// A normative statement of the specification.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Clause {
    /// Permanent, such as `M-prefix`.
    pub id: String,
    /// What it is about.
    pub kind: Kind,
    /// What it says.
    pub statement: String,
    /// The editions that have it, with the section that says so.
    #[serde(deserialize_with = "editions")]
    pub editions: BTreeMap<Edition, String>,
    /// Whether the text marks it as one operator's own.
    #[serde(default)]
    pub google_specific: bool,
    /// Why no case can test it.
    pub untestable: Option<String>,
}

fn editions<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<Edition, String>, D::Error> {
    let sections = BTreeMap::<String, String>::deserialize(deserializer)?;
    sections
        .into_iter()
        .map(|(edition, section)| Ok((edition.parse().map_err(serde::de::Error::custom)?, section)))
        .collect()
}

impl Clause {
    /// The section of an edition that makes the statement.
    pub fn section(&self, edition: Edition) -> Option<&str> {
        self.editions.get(&edition).map(String::as_str)
    }

    /// Every clause, in the order of the specification.
    ///
    /// # Panics
    ///
    /// The embedded `clauses.yaml` is broken, which the tests of this crate
    /// would have shown.
    pub fn all() -> &'static [Clause] {
        static CLAUSES: OnceLock<Vec<Clause>> = OnceLock::new();
        CLAUSES.get_or_init(|| match read(crate::CLAUSES) {
            Ok(clauses) => clauses,
            Err(error) => panic!("{error}"),
        })
    }

    /// The clause with this id.
    pub fn find(id: &str) -> Option<&'static Clause> {
        Clause::all().iter().find(|clause| clause.id == id)
    }

    /// The clause whose id is the most similar to this one, which may be misspelt.
    pub fn nearest(id: &str) -> Option<&'static Clause> {
        Clause::all().iter().min_by_key(|clause| strsim::levenshtein(&clause.id, id))
    }
}

/// Reads a list of clauses.
///
/// # Errors
///
/// It is not one, or gives an id twice.
fn read(text: &str) -> Result<Vec<Clause>, FileError> {
    let (clauses, document): (Vec<Clause>, Document) = Document::read("cases/clauses.yaml", text)?;
    for (index, clause) in clauses.iter().enumerate() {
        if clauses[..index].iter().any(|earlier| earlier.id == clause.id) {
            let part = format!("[{index}].id");
            return Err(document.error(&part, format!("the id `{}` is taken; choose another", clause.id)));
        }
    }
    Ok(clauses)
}
