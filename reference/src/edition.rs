//! The documents that have specified robots.txt, one after the other.

use std::fmt;
use std::str::FromStr;

/// One edition of the specification: a column of the [questions
/// table](crate::question).
///
/// A further edition is a further variant here and a further column there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// Google's specification before July 2019.
    GooglePre2019,
    /// Google's specification as of July 2019.
    Google2019,
    /// Google's specification and guides as of January 2021.
    Google2021,
    /// RFC 9309, September 2022.
    Rfc9309,
    /// Google's documentation as of 2026.
    Google2026,
}

impl Edition {
    /// Every edition, oldest first.
    pub const ALL: [Edition; 5] = [
        Edition::GooglePre2019,
        Edition::Google2019,
        Edition::Google2021,
        Edition::Rfc9309,
        Edition::Google2026,
    ];

    /// The permanent identifier, as used on the command line and in cases.
    pub const fn id(self) -> &'static str {
        match self {
            Edition::GooglePre2019 => "google-pre-2019",
            Edition::Google2019 => "google-2019",
            Edition::Google2021 => "google-2021",
            Edition::Rfc9309 => "rfc9309",
            Edition::Google2026 => "google-2026",
        }
    }

    /// What the document is called, for people.
    pub const fn title(self) -> &'static str {
        match self {
            Edition::GooglePre2019 => "Google's specification before July 2019",
            Edition::Google2019 => "Google's specification as of July 2019",
            Edition::Google2021 => "Google's specification and guides as of January 2021",
            Edition::Rfc9309 => "RFC 9309, Robots Exclusion Protocol, September 2022",
            Edition::Google2026 => "Google's documentation as of 2026",
        }
    }

    /// The column of this edition in the tables of this crate.
    pub(crate) const fn column(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A name that is no edition's [identifier](Edition::id).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEdition(pub String);

impl fmt::Display for UnknownEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = Edition::ALL.iter().map(|edition| edition.id()).collect();
        write!(f, "unknown edition `{}`; the editions are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownEdition {}

impl FromStr for Edition {
    type Err = UnknownEdition;

    fn from_str(id: &str) -> Result<Self, UnknownEdition> {
        Edition::ALL
            .into_iter()
            .find(|edition| edition.id() == id)
            .ok_or_else(|| UnknownEdition(id.to_owned()))
    }
}
