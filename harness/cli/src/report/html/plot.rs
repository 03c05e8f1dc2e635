//! Plots of the violations of each implementation over time, as data of SVG elements that the template writes.

use std::collections::BTreeMap;

use robotspec_cases::visible;
use robotspec_reference::Edition;
use serde::Serialize;

use crate::report::history::{ImplementationSummary, Summary};

/// The size of the area in which the lines are, and its distance to the edges of the picture.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 64.0;
const LEFT: f64 = 40.0;
const TOP: f64 = 20.0;
/// The longest version that is written above the line, in characters.
const LONGEST_VERSION: usize = 18;

/// The plot of an implementation.
#[derive(Debug, Serialize)]
pub(super) struct Plot {
    name: String,
    edition: Edition,
    most: usize,
    first_day: String,
    last_day: String,
    /// The points of the line, as in the attribute `points`.
    line: String,
    points: Vec<Point>,
}

#[derive(Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    day: String,
    violations: usize,
    version: Option<String>,
    /// Whether the point before is of another version.
    is_new_version: bool,
}

/// Returns a plot for each implementation of the last run.
pub(super) fn plots(history: &[Summary]) -> Vec<Plot> {
    let (Some(first), Some(last)) = (history.first(), history.last()) else { return Vec::new() };
    let span = (last.date.0 - first.date.0).max(1) as f64;
    let mut names: BTreeMap<&str, Edition> = BTreeMap::new();
    for implementation in &last.implementations {
        if let Some(edition) = edition_of(implementation) {
            names.insert(&implementation.name, edition);
        }
    }
    let plot = |(name, edition): (&str, Edition)| {
        let found = history.iter().flat_map(|summary| {
            let of_name = summary.implementations.iter().filter(|implementation| implementation.name == name);
            of_name.filter_map(|implementation| {
                Some((summary.date, implementation, implementation.editions.get(&edition)?.violations))
            })
        });
        let found: Vec<_> = found.collect();
        let most = found.iter().map(|(_, _, violations)| *violations).max().unwrap_or_default();
        let mut before = None;
        let points = found.iter().map(|(date, implementation, violations)| {
            let version = implementation.version.as_deref();
            let is_new_version = before.replace(version).is_none_or(|before| before != version);
            let round = |value: f64| (value * 10.0).round() / 10.0;
            Point {
                x: round(LEFT + WIDTH * (date.0 - first.date.0) as f64 / span),
                y: round(TOP + HEIGHT * (1.0 - *violations as f64 / most.max(1) as f64)),
                day: date.day(),
                violations: *violations,
                version: version.map(|version| shorten(&visible(version))),
                is_new_version,
            }
        });
        let points: Vec<Point> = points.collect();
        let line: Vec<String> = points.iter().map(|Point { x, y, .. }| format!("{x},{y}")).collect();
        Plot {
            name: visible(name),
            edition,
            most,
            first_day: first.date.day(),
            last_day: last.date.day(),
            line: line.join(" "),
            points,
        }
    };
    names.into_iter().map(plot).collect()
}

/// Shortens a version that the picture has no room for.
fn shorten(version: &str) -> String {
    match version.char_indices().nth(LONGEST_VERSION) {
        Some((end, _)) => format!("{}…", &version[..end]),
        None => version.to_owned(),
    }
}

/// Returns the edition whose violations are plotted: the RFC, or the first that judges the implementation.
fn edition_of(implementation: &ImplementationSummary) -> Option<Edition> {
    let editions = &implementation.editions;
    let rfc = editions.keys().find(|edition| edition.id() == "rfc9309");
    rfc.or_else(|| editions.keys().next()).copied()
}
