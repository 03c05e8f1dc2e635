//! Plots of the violations of each implementation over time, as data of SVG elements that the template writes. All plots
//! have one axis, so that they can be compared.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::Date;
use robotspec_cases::visible;
use robotspec_reference::Edition;
use serde::Serialize;

use crate::report::clauses::ClauseTally;
use crate::report::history::{EditionSummary, ImplementationSummary, Summary};
use crate::report::share::share;

/// The size of the area in which the lines are, and its distance to the edges of the picture.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 64.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 20.0;
/// The longest version that is written above the line, in characters.
const LONGEST_VERSION: usize = 18;

/// The ends that the axis may have, in per cent.
const ENDS: [usize; 7] = [1, 2, 5, 10, 20, 50, 100];

/// The plots of all implementations, and their axis.
#[derive(Debug, Serialize)]
pub(super) struct Plots {
    first_day: String,
    last_day: String,
    /// The end of the axis, in per cent.
    end: usize,
    plots: Vec<Plot>,
}

/// The plot of an implementation.
#[derive(Debug, Serialize)]
struct Plot {
    name: String,
    edition: Edition,
    /// The points of the line, as in the attribute `points`.
    line: String,
    points: Vec<Point>,
}

#[derive(Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    day: String,
    /// The share of rows that violate the edition, in words.
    share: String,
    violations: usize,
    judged: usize,
    version: Option<String>,
    /// Whether the point before is of another version.
    is_new_version: bool,
}

/// The result of a run: its rows under the clauses that all runs of the implementation judged.
struct Measured<'h> {
    date: Date,
    version: Option<&'h str>,
    violations: usize,
    judged: usize,
}

/// Returns a plot for each implementation of the last run. There are none without a history.
pub(super) fn plots(history: &[Summary]) -> Option<Plots> {
    let (first, last) = (history.first()?, history.last()?);
    let names: BTreeMap<&str, Edition> =
        last.implementations.iter().filter_map(|of| Some((of.name.as_str(), of.compared_by()?))).collect();
    let measured: Vec<_> =
        names.into_iter().map(|(name, edition)| (name, edition, measure(history, name, edition))).collect();
    let all = || measured.iter().flat_map(|(_, _, runs)| runs);
    let fits = |end: &usize| all().all(|run| run.violations * 100 <= run.judged * end);
    let end = ENDS.into_iter().find(fits).unwrap_or(100);
    let span = (last.date.0 - first.date.0).max(1) as f64;
    let plot = |(name, edition, runs): (&str, Edition, Vec<Measured>)| {
        let mut before = None;
        let points = runs.iter().filter_map(|run| {
            let is_new_version = before.replace(run.version).is_none_or(|before| before != run.version);
            let round = |value: f64| (value * 10.0).round() / 10.0;
            let part = run.violations as f64 * 100.0 / (run.judged * end).max(1) as f64;
            Some(Point {
                x: round(LEFT + WIDTH * (run.date.0 - first.date.0) as f64 / span),
                y: round(TOP + HEIGHT * (1.0 - part)),
                day: run.date.day(),
                share: share(run.violations, run.judged)?,
                violations: run.violations,
                judged: run.judged,
                version: run.version.map(|version| shorten(&visible(version))),
                is_new_version,
            })
        });
        let points: Vec<Point> = points.collect();
        let line: Vec<String> = points.iter().map(|Point { x, y, .. }| format!("{x},{y}")).collect();
        Plot { name: visible(name), edition, line: line.join(" "), points }
    };
    let plots = measured.into_iter().map(plot).collect();
    Some(Plots { first_day: first.date.day(), last_day: last.date.day(), end, plots })
}

/// Returns the results of all runs of an implementation in an edition. Suites grow, so only the clauses count that every
/// run judged.
fn measure<'h>(history: &'h [Summary], name: &str, edition: Edition) -> Vec<Measured<'h>> {
    let runs: Vec<(Date, &ImplementationSummary, &EditionSummary)> = history
        .iter()
        .flat_map(|summary| {
            summary.implementations.iter().map(|implementation| (summary.date, implementation))
        })
        .filter(|(_, implementation)| implementation.name == name)
        .filter_map(|(date, implementation)| {
            Some((date, implementation, implementation.editions.get(&edition)?))
        })
        .collect();
    let judged = |of: &'h EditionSummary| -> BTreeSet<&str> {
        of.clauses.iter().filter(|(_, tally)| tally.judged() > 0).map(|(clause, _)| clause.as_str()).collect()
    };
    let common = runs.iter().map(|(_, _, of)| judged(of)).reduce(|a, b| &a & &b).unwrap_or_default();
    let measure = |(date, implementation, of): (Date, &'h ImplementationSummary, &'h EditionSummary)| {
        let tallies = || common.iter().map(|clause| &of.clauses[*clause]);
        Measured {
            date,
            version: implementation.version.as_deref(),
            violations: tallies().map(|tally| tally.violations).sum(),
            judged: tallies().map(ClauseTally::judged).sum(),
        }
    };
    runs.into_iter().map(measure).collect()
}

/// Shortens a version that the picture has no room for.
fn shorten(version: &str) -> String {
    match version.char_indices().nth(LONGEST_VERSION) {
        Some((end, _)) => format!("{}…", &version[..end]),
        None => version.to_owned(),
    }
}
