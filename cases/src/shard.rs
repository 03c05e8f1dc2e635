//! Shards: runs that divide the checks among them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::check_id::CheckId;

/// One of several shares of the checks, such as `2/4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    count: u64,
    index: u64,
}

/// The error of a text that is not a shard.
const BAD_SHARD: &str = "write `i/n`, such as `2/4` for the second of four shares";

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let (index, count) = text.split_once('/').ok_or(BAD_SHARD)?;
        let number = |digits: &str| digits.parse::<u32>().map(u64::from).map_err(|_| BAD_SHARD);
        let shard = Shard { index: number(index)?, count: number(count)? };
        if (1..=shard.count).contains(&shard.index) { Ok(shard) } else { Err(BAD_SHARD) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The shards of a run that are available.
#[derive(Debug, Clone, Default)]
pub struct Shards {
    shards: BTreeSet<Shard>,
    is_whole: bool,
}

impl Shards {
    /// Adds a shard, or a run of all checks.
    pub fn take(&mut self, shard: Option<Shard>) {
        self.shards.extend(shard);
        self.is_whole |= shard.is_none();
    }

    /// Returns the shards that are missing. Shards of different sizes do not complete each other.
    pub fn missing(&self) -> Vec<Shard> {
        if self.is_whole {
            return Vec::new();
        }
        let counts: BTreeSet<u64> = self.shards.iter().map(|shard| shard.count).collect();
        let all = counts.into_iter().flat_map(|count| (1..=count).map(move |index| Shard { count, index }));
        all.filter(|shard| !self.shards.contains(shard)).collect()
    }
}

impl Shard {
    /// Returns whether a check is in the shard. This depends on its id only, so that a check stays in its shard when
    /// other checks are added. A variant is in the shard of its row, because a list of known failures needs the result
    /// of the row to judge the variant.
    pub fn has(self, check: &CheckId) -> bool {
        stable_hash(&check.as_written().to_string()) % self.count == self.index - 1
    }
}

/// FNV-1a with its bits mixed once more, because the last letters of ids are similar. It is the same in every version,
/// so that a check never moves to another shard.
pub fn stable_hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash ^ (hash >> 32)
}

#[cfg(feature = "schema")]
crate::schema::texts! {
    Shard: "A share of the checks, such as `2/4`." = "^[1-9][0-9]*/[1-9][0-9]*$",
}
