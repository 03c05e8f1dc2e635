//! The normative statements that cases cite.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use robotspec_reference::{Edition, named_enum};
use serde::{Deserialize, Serialize};

named_enum! {
    /// The kind of a clause: the subject that it is about. The id of a clause starts with it.
    pub enum ClauseKind: "kind" {
        Lines = "L": "Lines: the file format.",
        Groups = "G": "Groups.",
        Agents = "A": "Agents.",
        Matching = "M": "Matching of paths.",
        Precedence = "O": "Order of precedence.",
        Scope = "S": "Scope: the URLs that a file governs; sitemaps.",
        Access = "H": "Access: HTTP and FTP.",
        Caching = "C": "Caching.",
        Syntax = "X": "Formal syntax.",
        NotTestable = "N": "Not testable, with a reason.",
    }
}

impl ClauseKind {
    /// Returns the subject, for a heading.
    pub fn title(self) -> &'static str {
        match self {
            ClauseKind::Lines => "Lines",
            ClauseKind::Groups => "Groups",
            ClauseKind::Agents => "Agents",
            ClauseKind::Matching => "Matching of paths",
            ClauseKind::Precedence => "Order of precedence",
            ClauseKind::Scope => "Scope and sitemaps",
            ClauseKind::Access => "Access: HTTP and FTP",
            ClauseKind::Caching => "Caching",
            ClauseKind::Syntax => "Formal syntax",
            ClauseKind::NotTestable => "Not testable",
        }
    }
}

/// A normative statement of the specification.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Clause {
    /// The permanent name, such as `M-prefix`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::ClauseId"))]
    pub id: String,
    /// The subject.
    pub kind: ClauseKind,
    /// The statement, in a sentence.
    pub statement: String,
    /// The editions that have the clause, each with the section that says so.
    #[serde(rename(serialize = "sections"))]
    pub editions: BTreeMap<Edition, String>,
    /// The editions that do not require what the clause states, but recommend or permit it. In all others the level is
    /// `must`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub levels: BTreeMap<Edition, Level>,
    /// The words of the documents that may be quoted.
    #[serde(default, skip_serializing)]
    pub quotes: BTreeMap<Edition, String>,
    /// Whether the text marks the clause as specific to Google.
    #[serde(default)]
    pub google_specific: bool,
    /// The reason why no case can test the clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untestable: Option<String>,
}

impl Clause {
    /// Returns the section of an edition that makes the statement, or the section of the edition that it updates.
    pub fn section(&self, edition: Edition) -> Option<&str> {
        self.editions.get(&edition).map(String::as_str).or_else(|| self.section(edition.base()?))
    }

    /// Returns how strongly an edition requires what the clause states. The result is `None` where the edition does not
    /// have the clause.
    pub fn level(&self, edition: Edition) -> Option<Level> {
        let written = |edition| self.levels.get(&edition).copied();
        let level = written(edition).or_else(|| written(edition.base()?)).unwrap_or(Level::Must);
        self.section(edition).map(|_| level)
    }

    /// Returns how strongly an edition requires what several clauses state together: as the weakest of them.
    pub fn weakest_level(clauses: &[&Clause], edition: Edition) -> Level {
        Level::weakest(clauses.iter().filter_map(|clause| clause.level(edition)))
    }

    /// Returns every clause, in the order of the specification.
    ///
    /// # Panics
    ///
    /// The embedded `clauses.yaml` is broken, which any test of this crate shows.
    pub fn all() -> &'static [Clause] {
        static CLAUSES: OnceLock<Vec<Clause>> = OnceLock::new();
        CLAUSES.get_or_init(|| match serde_yaml::from_str(crate::CLAUSES) {
            Ok(clauses) => clauses,
            Err(error) => panic!("cases/clauses.yaml: {error}"),
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

named_enum! {
    /// How strongly an edition requires what a clause states, the strongest first, in the words of BCP 14 (RFC 2119).
    ///
    /// A judgement has the weakest level of the clauses that it depends on, which is the greatest in this order.
    pub enum Level: "level" {
        Must = "must": "Required: MUST, REQUIRED, or a plain statement. An implementation that does \
            otherwise violates the edition.",
        Should = "should": "Recommended: SHOULD, RECOMMENDED. An implementation that does otherwise departs \
            from a recommendation.",
        May = "may": "Permitted: MAY, OPTIONAL, \"can\", \"for example\". An implementation may do \
            otherwise.",
    }
}

impl Level {
    /// Returns the level of a check that depends on clauses with these levels: the weakest, without permissions. A
    /// permission changes no answer that other clauses require, so it counts only where there is nothing else.
    pub fn weakest(levels: impl IntoIterator<Item = Level>) -> Level {
        let binding = levels.into_iter().filter(|level| *level != Level::May);
        binding.max().unwrap_or(Level::May)
    }

    /// The weakest level of failures that fail a run, unless the caller chooses another.
    pub fn of_runs() -> Level {
        Level::Should
    }
}
