//! The recorded profiles of parsers: how they read values that no edition specifies.

use std::collections::BTreeMap;

use robotspec::Info;
use robotspec_built_in::PROFILES;
use robotspec_fuzz::values::find_traits;
use serde::{Deserialize, Serialize};

/// The profiles of parsers at one time.
#[derive(Deserialize)]
pub(crate) struct Profiles {
    date: String,
    /// The name and the version of each parser.
    parsers: BTreeMap<String, String>,
    /// The parsers with each reading, by field and trait.
    values: BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>,
}

/// How a parser reads values of a field.
#[derive(Serialize)]
pub(crate) struct RecordedTrait<'r> {
    field: &'static str,
    name: &'static str,
    asks: &'static str,
    reading: &'r str,
}

impl Profiles {
    /// Reads the embedded record.
    ///
    /// # Errors
    ///
    /// It is not a record.
    pub(crate) fn read() -> serde_json::Result<Profiles> {
        serde_json::from_str(PROFILES)
    }

    /// Returns the date of the profiles.
    pub(crate) fn date(&self) -> &str {
        &self.date
    }

    /// Returns how each of these implementations reads values. An implementation in another version has no record.
    pub(crate) fn values<'i>(
        &self,
        implementations: impl IntoIterator<Item = &'i Info>,
    ) -> Vec<Vec<RecordedTrait<'_>>> {
        let traits = find_traits();
        let of_implementation = |info: &Info| {
            let name = format!("{} {}", info.name, info.version.as_deref().unwrap_or_default());
            let Some((key, _)) = self.parsers.iter().find(|(_, other)| **other == name) else {
                return Vec::new();
            };
            let of_trait = traits.iter().filter_map(|one| {
                let readings = self.values.get(one.field.id())?.get(one.name)?;
                let (reading, _) = readings.iter().find(|(_, parsers)| parsers.contains(key))?;
                Some(RecordedTrait { field: one.field.id(), name: one.name, asks: one.asks, reading })
            });
            of_trait.collect()
        };
        implementations.into_iter().map(of_implementation).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_reading_is_of_a_trait_and_belongs_to_a_version() {
        let recorded = Profiles::read().expect("a record");
        let traits = find_traits();
        for (field, of_field) in &recorded.values {
            for (name, readings) in of_field {
                let is_known = traits.iter().any(|one| one.field.id() == field && one.name == name);
                assert!(is_known, "{field} {name} is unknown");
                let mut parsers = readings.values().flatten();
                assert!(parsers.all(|parser| recorded.parsers.contains_key(parser)), "{field} {name}");
            }
        }
        let info = |version: &str| Info { version: Some(version.to_owned()), ..Info::named("robots_txt") };
        let [of_version, of_other] =
            <[_; 2]>::try_from(recorded.values(&[info("0.7.0"), info("0.6.0")])).ok().expect("two lists");
        let of_two = of_version.iter().find(|one| one.field == "host" && one.name == "two-lines");
        assert_eq!(of_two.map(|one| one.reading), Some("first"));
        assert!(of_other.is_empty());
    }
}
