//! What an edition requires of the answer to a query.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use robotspec_reference::{Governs, Preferences, Ruling};
use serde::{Deserialize, Serialize};

use robotspec_text::brief_list;

/// What an edition requires of the answer to a query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// The ruling about a match query.
    Ruling(Ruling),
    /// The ruling about a match query, and the numbers of the lines of which an implementation that names one has to name
    /// one. There are none where no rule decides.
    Decided {
        /// The ruling.
        ruling: Ruling,
        /// The numbers of the lines, from 1.
        lines: Vec<usize>,
    },
    /// The same verdict for both files of a query about two files, whichever it is.
    Alike,
    /// The answer to a scope query.
    Governs(Governs),
    /// The URLs for a sitemaps query, in any order.
    Sitemaps(ExpectedSitemaps),
    /// The preferences for a usage query, in any order; nothing where the edition does not specify them.
    Usage(Option<Preferences>),
    /// The ruling for each path of an access query.
    Access(BTreeMap<String, Ruling>),
    /// Whether the grammar derives the file of a grammar query.
    Derived(bool),
}

/// The sitemaps that an implementation has to report, in any order, because no text specifies an order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, inline))]
pub struct ExpectedSitemaps {
    /// Those that every reading finds.
    pub required: Vec<String>,
    /// Those that some readings find.
    pub optional: Vec<String>,
}

impl Expected {
    /// Returns whether the edition does not specify the answer.
    pub fn is_unspecified(&self) -> bool {
        match self {
            Expected::Ruling(ruling) | Expected::Decided { ruling, .. } => *ruling == Ruling::Unspecified,
            Expected::Governs(governs) => *governs == Governs::Unspecified,
            Expected::Usage(preferences) => preferences.is_none(),
            Expected::Access(rulings) => rulings.values().any(|ruling| *ruling == Ruling::Unspecified),
            Expected::Alike | Expected::Sitemaps(_) | Expected::Derived(_) => false,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Ruling(ruling) => ruling.fmt(f),
            Expected::Decided { ruling, lines } if lines.is_empty() => write!(f, "{ruling} by no rule"),
            Expected::Decided { ruling, lines } => {
                let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                write!(f, "{ruling} by line {}", lines.join(" or "))
            }
            Expected::Alike => f.write_str("the same for both"),
            Expected::Governs(governs) => governs.fmt(f),
            Expected::Sitemaps(ExpectedSitemaps { required, optional }) if optional.is_empty() => {
                f.write_str(&brief_list(required))
            }
            Expected::Sitemaps(ExpectedSitemaps { required, optional }) => {
                write!(f, "{}, optionally with {}", brief_list(required), brief_list(optional))
            }
            Expected::Usage(None) => Ruling::Unspecified.fmt(f),
            Expected::Usage(Some(preferences)) if preferences.is_empty() => f.write_str("no preference"),
            Expected::Usage(Some(preferences)) => {
                f.write_str(&Vec::from_iter(preferences.clone()).join(", "))
            }
            Expected::Access(rulings) => f.write_str(&describe_access(rulings)),
            Expected::Derived(true) => f.write_str("valid"),
            Expected::Derived(false) => f.write_str("not valid"),
        }
    }
}

fn describe_access(rulings: &BTreeMap<String, Ruling>) -> String {
    match Vec::from_iter(rulings.values().collect::<BTreeSet<_>>())[..] {
        [] | [Ruling::Allow] => "full-allow".to_owned(),
        [Ruling::Disallow] => "full-disallow".to_owned(),
        [Ruling::Unspecified] => Ruling::Unspecified.to_string(),
        _ => {
            let disallowed = rulings.iter().filter(|(_, ruling)| **ruling == Ruling::Disallow);
            let paths: Vec<&str> = disallowed.map(|(path, _)| path.as_str()).collect();
            format!("conditional ({} disallowed)", paths.join(", "))
        }
    }
}
