//! A query about a file in parts that can be replaced one by one.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use robotspec_cases::Query;
use robotspec_reference::scan::{Field, Line, Parts};
use robotspec_reference::split_lines;

use super::MAX_SENT_BYTES;

/// A match, usage or sitemaps query in parts.
pub(crate) struct Draft {
    /// The lines of the file with their ends.
    pub(super) lines: Vec<Vec<u8>>,
    /// The agent and the URL. `None` in a sitemaps query.
    pub(super) query: Option<(String, String)>,
    /// Whether it is a usage query.
    is_usage: bool,
    /// The size of the queries that were made of it, in bytes.
    made: Cell<usize>,
}

impl Draft {
    pub(crate) fn new(query: &Query) -> Option<Self> {
        let is_usage = matches!(query, Query::Usage { .. });
        let (robots, query) = match query {
            Query::Match { robots, agent, url } | Query::Usage { robots, agent, url } => {
                (robots, Some((agent.clone(), url.clone())))
            }
            Query::Sitemaps { robots } => (robots, None),
            _ => return None,
        };
        let lines = split_lines(robots).map(|line| robots[line.span()].to_vec()).collect();
        Some(Draft { lines, query, is_usage, made: Cell::new(0) })
    }

    /// Returns whether a pass has made as many queries as are sent: those of a large file would take long to make.
    pub(super) fn is_exhausted(&self) -> bool {
        self.made.get() >= MAX_SENT_BYTES
    }

    /// Returns the query with another file, agent and URL.
    fn with(&self, robots: Vec<u8>, query: Option<(String, String)>) -> Query {
        self.made.set(self.made.get() + robots.len());
        let robots = Arc::from(robots);
        match query {
            Some((agent, url)) if self.is_usage => Query::Usage { robots, agent, url },
            Some((agent, url)) => Query::Match { robots, agent, url },
            None => Query::Sitemaps { robots },
        }
    }

    /// Returns the query about other lines.
    pub(super) fn with_lines(&self, lines: &[Vec<u8>]) -> Query {
        self.with(lines.concat(), self.query.clone())
    }

    /// Returns the query with one line replaced.
    pub(super) fn with_line(&self, index: usize, line: Vec<u8>) -> Query {
        let (before, after) = (&self.lines[..index], &self.lines[index + 1..]);
        self.with([before.concat(), line, after.concat()].concat(), self.query.clone())
    }

    /// Returns the query about other lines, for another agent and URL.
    pub(crate) fn with_all(
        &self,
        lines: &[Vec<u8>],
        agent: impl Into<String>,
        url: impl Into<String>,
    ) -> Query {
        self.with(lines.concat(), Some((agent.into(), url.into())))
    }

    /// Returns the lines, where the values of some known fields are rewritten.
    pub(crate) fn rewrite_values(
        &self,
        rewrite: impl Fn(Option<Field>, &[u8]) -> Option<Vec<u8>>,
    ) -> Vec<Vec<u8>> {
        let rewritten = |line: &Vec<u8>| {
            let parts = parts(line);
            rewrite(parts.known_field(), &parts.value)
                .map_or_else(|| line.clone(), |value| with_value(line, &value))
        };
        self.lines.iter().map(rewritten).collect()
    }
}

/// Returns the parts of a line, with places in the line.
pub(super) fn parts(line: &[u8]) -> Parts<'_> {
    let line = split_lines(line).next().unwrap_or(Line { number: 1, start: 0, text: b"", end: b"" });
    line.parts()
}

/// Returns the value of a line with a colon, where `has` accepts its known field.
pub(super) fn value_of(line: &[u8], has: impl Fn(Option<Field>) -> bool) -> Option<&[u8]> {
    let parts = parts(line);
    (parts.colon.is_some() && has(parts.known_field())).then_some(parts.value.text)
}

pub(super) fn is_agent(field: Option<Field>) -> bool {
    field == Some(Field::UserAgent)
}

pub(super) fn is_rule(field: Option<Field>) -> bool {
    matches!(field, Some(Field::Rule(_)))
}

/// Returns the line with another value. A line without a value stays the same.
pub(super) fn with_value(line: &[u8], value: &[u8]) -> Vec<u8> {
    let span = parts(line).value.span();
    if span.is_empty() {
        return line.to_vec();
    }
    [&line[..span.start], value, &line[span.end..]].concat()
}

/// Into how many pieces a long text is divided.
const MAX_PIECES: usize = 64;

/// Returns the ranges of a text that may be removed: halves, quarters, and so on down to single elements.
pub(super) fn ranges(length: usize) -> impl Iterator<Item = Range<usize>> {
    let sizes =
        std::iter::successors((length > 0).then_some(length), |size| (*size > 1).then(|| size.div_ceil(2)));
    sizes
        .filter(move |size| *size * MAX_PIECES >= length)
        .flat_map(move |size| (0..length).step_by(size).map(move |start| start..(start + size).min(length)))
}

/// Returns the elements outside the range.
pub(super) fn without<T: Clone>(text: &[T], range: Range<usize>) -> Vec<T> {
    [&text[..range.start], &text[range.end..]].concat()
}
