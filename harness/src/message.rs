//! Messages of implementations.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The longest message that is kept, in bytes.
pub const LONGEST_MESSAGE: usize = 2 << 10;

/// How much longer a message may be, in bytes: the end of one that was cut is not cut again.
const LONGEST_END: usize = 40;

/// A message of an implementation. Only the start of a long one is kept, with the number of bytes that follow; copies
/// share it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
#[serde(from = "String")]
pub struct Message(Arc<str>);

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        if text.len() <= LONGEST_MESSAGE + LONGEST_END {
            return Message(text.into());
        }
        let (kept, cut) = text.split_at(text.floor_char_boundary(LONGEST_MESSAGE));
        Message(format!("{kept} … ({} bytes more)", cut.len()).into())
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
