//! The documents that specify robots.txt, in the order of their publication.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// An edition of the specification. Its content is a column of the [table of questions](crate::question).
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

    /// The permanent name, as used on the command line and in cases.
    pub const fn id(self) -> &'static str {
        match self {
            Edition::GooglePre2019 => "google-pre-2019",
            Edition::Google2019 => "google-2019",
            Edition::Google2021 => "google-2021",
            Edition::Rfc9309 => "rfc9309",
            Edition::Google2026 => "google-2026",
        }
    }

    /// The title of the document.
    pub const fn title(self) -> &'static str {
        match self {
            Edition::GooglePre2019 => "Google's specification before July 2019",
            Edition::Google2019 => "Google's specification as of July 2019",
            Edition::Google2021 => "Google's specification and guides as of January 2021",
            Edition::Rfc9309 => "RFC 9309, Robots Exclusion Protocol, September 2022",
            Edition::Google2026 => "Google's documentation as of 2026",
        }
    }

    /// The place of this edition in [`Edition::ALL`].
    pub(crate) const fn column(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The error of a name that is not the [id](Edition::id) of an edition.
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

/// An edition is serialised as its [id](Edition::id), also as the key of a map.
impl Serialize for Edition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Edition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Id;

        impl Visitor<'_> for Id {
            type Value = Edition;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the id of an edition")
            }

            fn visit_str<E: de::Error>(self, id: &str) -> Result<Edition, E> {
                id.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Id)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_edition_is_serialised_as_its_id() {
        let json = r#"{"google-2019":["rfc9309"]}"#;
        let editions: BTreeMap<Edition, Vec<Edition>> = serde_json::from_str(json).expect("ids of editions");
        assert_eq!(editions, BTreeMap::from([(Edition::Google2019, vec![Edition::Rfc9309])]));
        assert_eq!(serde_json::to_string(&editions).expect("JSON"), json);
    }

    #[test]
    fn an_unknown_edition_is_an_error_that_lists_the_editions() {
        let error = serde_json::from_str::<Edition>(r#""rfc1""#).expect_err("unknown").to_string();
        assert!(error.contains("unknown edition `rfc1`; the editions are google-pre-2019, "), "{error}");
    }
}
