//! The permanent names of checks.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::variant::Variant;
use robotspec_text::visible;

/// The permanent name of a check: `suite/case#row~variant`.
///
/// A case about sitemaps is one row, which has no name of its own: `suite/case`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckId {
    /// The suite.
    pub suite: Arc<str>,
    /// The case in the suite.
    pub case: Arc<str>,
    /// The row of the case.
    pub row: Option<Arc<str>>,
    /// How the file of the row was rewritten; `None` for the row as it is written.
    pub variant: Option<Variant>,
}

impl CheckId {
    /// Returns the id of the row as it is written.
    #[must_use]
    pub fn as_written(&self) -> CheckId {
        CheckId { variant: None, ..self.clone() }
    }

    /// Returns the id of a variant of the row.
    #[must_use]
    pub fn with_variant(&self, variant: Variant) -> CheckId {
        CheckId { variant: Some(variant), ..self.clone() }
    }

    /// Returns the name of the case: `suite/case`.
    pub fn case_name(&self) -> String {
        format!("{}/{}", self.suite, self.case)
    }
}

impl fmt::Display for CheckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.suite, self.case)?;
        if let Some(row) = &self.row {
            write!(f, "#{row}")?;
        }
        if let Some(variant) = self.variant {
            write!(f, "~{variant}")?;
        }
        Ok(())
    }
}

/// A text that is not the name of a check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not the id of a check: {}", visible(.text), visible(.reason))]
pub struct BadCheckId {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl FromStr for CheckId {
    type Err = BadCheckId;

    fn from_str(text: &str) -> Result<Self, BadCheckId> {
        let bad = |reason: String| BadCheckId { text: text.to_owned(), reason };
        let (row, variant) = match text.split_once('~') {
            Some((row, variant)) => (row, Some(variant.parse().map_err(|error| bad(format!("{error}")))?)),
            None => (text, None),
        };
        let (case, row) = match row.split_once('#') {
            Some((case, row)) => (case, Some(row)),
            None => (row, None),
        };
        let parts = case.split_once('/').filter(|(suite, case)| is_part(suite) && is_part(case));
        match parts.filter(|_| row.is_none_or(is_part)) {
            Some((suite, case)) => {
                Ok(CheckId { suite: suite.into(), case: case.into(), row: row.map(Arc::from), variant })
            }
            None => Err(bad("write `suite/case#row` in lower-case letters, digits and hyphens".to_owned())),
        }
    }
}

/// Returns whether a text may be a part of an id.
pub(crate) fn is_part(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

impl Serialize for CheckId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CheckId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
crate::schema::texts! {
    CheckId: "The permanent name of a check: `suite/case#row`, with `~variant` for a rewritten file. A case about sitemaps \
              is one row without a name: `suite/case`."
        = format!("^[a-z0-9-]+/[a-z0-9-]+(#[a-z0-9-]+)?(~({}))?$", Variant::ALL.map(Variant::id).join("|")),
}
