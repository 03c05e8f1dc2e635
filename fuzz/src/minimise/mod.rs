//! The minimiser: finds the smallest query that still shows a divergence.
//!
//! A step removes a part of the query or writes it in the plain way. A step is kept where the divergence is still
//! there and no [feature](crate::feature) is new that is more unusual than the clause of the query. So a query does not
//! slide from one divergence to another; a minimiser of bytes turns nearly every input into a misspelt field. The result
//! is a local minimum: no line, token or character can be removed.

pub(crate) mod again;
pub(crate) mod draft;
mod line;
mod other;
mod request;

use robotspec_cases::Query;

use crate::feature::features;
use crate::minimise::again::Examiner;
use crate::oracle::divergence::{Divergence, FindingKind};
use draft::Draft;

/// How many queries are sent at once, so that an adapter need not wait for the next one.
const PORTION: usize = 32;

/// The size in bytes of the queries that are sent at once. The first that shows the divergence is often half of a large file.
const PORTION_BYTES: usize = 1 << 16;

/// How many queries are sent for one divergence, and their size in bytes. A divergence that large files alone show does
/// not get much smaller.
const MAX_SENT: usize = 20_000;
const MAX_SENT_BYTES: usize = 8 << 20;

/// How many queries are sent, and at once, where each costs a restart.
const MAX_CRASHES: usize = 60;
const CRASH_PORTION: usize = 4;

/// How many queries are sent where each may take as long as the time-out.
const MAX_SLOW: usize = 24;

/// A way to make a query smaller: the queries that it may be replaced by, the smallest first.
type Pass = fn(&Query) -> Vec<Query>;

const PASSES: &[Pass] = &[
    |query| replace_parts(query, line::remove_lines),
    |query| replace_parts(query, line::write_plainly),
    |query| replace_parts(query, line::correct_records),
    |query| replace_parts(query, line::remove_pairs_of_lines),
    |query| replace_parts(query, request::write_plain_names),
    |query| replace_parts(query, request::shorten_query),
    |query| replace_parts(query, line::shorten_lines),
    |query| replace_parts(query, request::remove_common_text),
    |query| replace_parts(query, request::write_plain_letters),
    other::write_plain_urls,
    other::simplify_visits,
];

/// Applies a pass to a query about a file.
fn replace_parts(query: &Query, pass: fn(&Draft) -> Vec<Query>) -> Vec<Query> {
    Draft::new(query).map(|draft| pass(&draft)).unwrap_or_default()
}

/// Returns the queries that a single step of each pass makes of a query.
pub(crate) fn steps(query: &Query) -> impl Iterator<Item = Vec<Query>> {
    PASSES.iter().map(move |pass| pass(query))
}

/// Returns the smallest query that still shows the divergence. The clause that it is about is one of those that the
/// divergence brought into play.
pub(crate) fn reduce(examiner: &mut Examiner, divergence: Divergence) -> Divergence {
    let edition = divergence.edition;
    let seen = features(edition, &divergence.query);
    let smallest = reduce_with(examiner, divergence.clone(), false);
    let clause = features(edition, &smallest.query).clause(edition);
    // Otherwise a new feature was more ordinary than the clause at that time, and that clause is gone since.
    if seen.clauses().any(|seen| seen == clause) { smallest } else { reduce_with(examiner, divergence, true) }
}

fn reduce_with(examiner: &mut Examiner, divergence: Divergence, is_strict: bool) -> Divergence {
    let (left, portion) = match divergence.kind {
        FindingKind::Timeout => (MAX_SLOW, 1),
        FindingKind::Crash | FindingKind::ProtocolError => (MAX_CRASHES, CRASH_PORTION),
        _ => (MAX_SENT, PORTION),
    };
    let mut reduction =
        Reduction { is_strict, left, portion, bytes_left: MAX_SENT_BYTES, current: divergence };
    loop {
        let mut is_smaller = false;
        for pass in PASSES {
            while reduction.step(examiner, pass) {
                is_smaller = true;
            }
        }
        if !is_smaller || reduction.is_over(examiner) {
            return reduction.current;
        }
    }
}

struct Reduction {
    current: Divergence,
    /// Whether no feature at all may be new.
    is_strict: bool,
    /// How many queries may still be sent.
    left: usize,
    /// How many queries are sent at once.
    portion: usize,
    /// The size of the queries that may still be sent.
    bytes_left: usize,
}

impl Reduction {
    fn is_over(&self, examiner: &Examiner) -> bool {
        self.left == 0 || self.bytes_left == 0 || examiner.deadline.is_over()
    }

    /// Continues with the first query of a pass that still shows the divergence. Returns whether there is one.
    fn step(&mut self, examiner: &mut Examiner, pass: &Pass) -> bool {
        let edition = self.current.edition;
        let before = features(edition, &self.current.query);
        let mut smaller = pass(&self.current.query).into_iter();
        while !self.is_over(examiner) {
            let mut sent = Vec::new();
            let mut bytes = 0;
            // The features of a query cost about as much as its answer, so that only those of the next portion are made.
            while sent.len() < self.portion.min(self.left) && bytes < PORTION_BYTES && !self.is_over(examiner)
            {
                let Some(query) = smaller.next() else { break };
                let after = features(edition, &query);
                if query != self.current.query
                    && (after.is_within(before)
                        || !self.is_strict && after.adds_only_ordinary(before, edition))
                {
                    bytes += size(&query);
                    sent.push(query);
                }
            }
            if sent.is_empty() {
                return false;
            }
            self.left -= sent.len();
            self.bytes_left = self.bytes_left.saturating_sub(bytes);
            if let Some(seen) = examiner.first_like(&self.current, &sent) {
                self.current = seen;
                return true;
            }
        }
        false
    }
}

/// Returns the approximate size of a query, in bytes.
pub(crate) fn size(query: &Query) -> usize {
    const REST: usize = 100;
    query.file().map_or(0, |file| file.len()) + REST
}
