//! Reports: functions of the [record](RunRecord) of a run. A format is a file here and an entry in the declaration of
//! [`Format`].

mod badge;
mod catalog;
mod clauses;
mod equal_errors;
mod github;
mod html;
mod jsonl;
mod junit;
mod maintainers;
mod markdown;
pub(crate) mod reading;
pub(crate) mod summary;
mod tap;
pub(crate) mod terminal;
mod test_result;

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;
use robotspec::event::Event;
use robotspec_reference::named_enum;

pub(crate) use catalog::{Catalog, Origin};

use crate::schema;

/// Declares the formats: the text for `--help`, the name, and the module whose function `write` writes the report.
macro_rules! formats {
    ($($Name:ident = $id:literal: $help:literal in $module:ident,)+) => {
        named_enum! {
            /// The format of a report.
            pub enum Format: "report format" {
                $($Name = $id: $help,)+
            }
        }

        impl Format {
            /// Returns the text for `--help`.
            pub(crate) fn help(self) -> &'static str {
                match self {
                    $(Format::$Name => $help,)+
                }
            }

            /// Writes a report of a run in this format.
            pub(crate) fn write(self, record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
                match self {
                    $(Format::$Name => $module::write(record, catalog, out),)+
                }
            }
        }
    };
}

formats! {
    Jsonl = "jsonl": "The events of the run, one per line, the last of them `run-finished`" in jsonl,
    Junit = "junit": "JUnit XML, with a test suite for each implementation, edition and clause" in junit,
    Tap = "tap": "Test Anything Protocol, version 14" in tap,
    Markdown = "markdown": "Markdown, for the summary of a CI job" in markdown,
    Github = "github": "Annotations of a GitHub job: likely causes and clauses, at most ten" in github,
    Maintainers = "maintainers": "Markdown for the maintainers of an implementation: each violated clause with the smallest example" in maintainers,
    Html = "html": "A web page in one file; `robotspec report` makes one from several runs" in html,
    Badge = "badge": "The JSON of a shields.io badge" in badge,
}

impl Format {
    /// Returns the function that makes the JSON Schema of the format, if the format is JSON.
    pub(crate) fn schema(self) -> Option<fn() -> String> {
        match self {
            Format::Jsonl => Some(schema::of_output::<Event>),
            Format::Badge => Some(schema::of_output::<badge::Badge>),
            _ => None,
        }
    }
}

/// Returns a share in per cent, which every report rounds in one way: down to one decimal, so that only a whole is 100 %.
/// `None` of nothing.
pub(crate) fn share(part: usize, whole: usize) -> Option<String> {
    let per_mille = (part * 1000).checked_div(whole)?;
    Some(if per_mille == 1000 {
        "100 %".to_owned()
    } else {
        format!("{}.{} %", per_mille / 10, per_mille % 10)
    })
}

/// Returns the different values, each with the keys that have it, in the order of the first of them.
pub(crate) fn by_value<K, V: PartialEq>(items: impl IntoIterator<Item = (K, V)>) -> Vec<(V, Vec<K>)> {
    let mut by_value: Vec<(V, Vec<K>)> = Vec::new();
    for (key, value) in items {
        match by_value.iter_mut().find(|(other, _)| *other == value) {
            Some((_, keys)) => keys.push(key),
            None => by_value.push((value, vec![key])),
        }
    }
    by_value
}
