//! Minimising: the smallest request that still shows the same divergence.
//!
//! A step takes something away or writes it the plain way, and is kept where the divergence is still there, and
//! nothing [new](super::feature) comes into play but what is more ordinary than the clause that it is about. So a reduction never slides from one
//! divergence to another, as one that works on octets does: nearly every input ends there as a misspelt field.
//! It ends at a local minimum, where no line, token or character can go.

mod matching;
mod other;

use std::time::Instant;

use crate::divergence::Divergence;
use crate::examine::Examiner;
use crate::feature::features;
use crate::kind::Kind;
use robotspec_cases::Query;

/// How many requests are tried at a time: many are on their way before the first is answered.
const AT_A_TIME: usize = 32;

/// How large they may be together, in octets.
const MOST_OCTETS: usize = 1 << 20;

/// How many requests are tried for one divergence, and how large they may be together, in octets: what
/// shows in large files alone does not get much smaller.
const MOST_TRIED: usize = 20_000;
const MOST_OCTETS_TRIED: usize = 8 << 20;

/// How many are tried, and how many at a time, where each costs a restart.
const MOST_DEADLY: usize = 200;
const DEADLY_AT_A_TIME: usize = 4;

/// How many are tried where each may take as long as the time-out.
const MOST_SLOW: usize = 24;

/// One way to make a request smaller: the requests it could become, the smallest first.
type Pass = fn(&Query) -> Vec<Query>;

const PASSES: &[Pass] = &[
    matching::without_lines,
    matching::plain_lines,
    matching::without_pairs_of_lines,
    matching::plain_names,
    matching::short_url,
    matching::short_paths,
    matching::short_names,
    matching::without_common_text,
    matching::plain_letters,
    matching::short_noise,
    other::plain_urls,
    other::fewer_visits,
];

/// The smallest request that still shows the divergence, and is about something that came into play in it.
pub(crate) fn reduce(examiner: &mut Examiner, divergence: Divergence) -> Divergence {
    let edition = divergence.edition;
    let seen = features(edition, &divergence.query);
    let smallest = reduced(examiner, divergence.clone(), false);
    let clause = features(edition, &smallest.query).clause(edition);
    // What is new was more ordinary than the clause at hand, and that clause has gone since.
    if seen.clauses().any(|seen| seen == clause) { smallest } else { reduced(examiner, divergence, true) }
}

fn reduced(examiner: &mut Examiner, divergence: Divergence, is_strict: bool) -> Divergence {
    let (left, at_a_time) = match divergence.kind {
        Kind::Timeout | Kind::Cost => (MOST_SLOW, 1),
        Kind::Crash | Kind::ProtocolError => (MOST_DEADLY, DEADLY_AT_A_TIME),
        _ => (MOST_TRIED, AT_A_TIME),
    };
    let mut reduction =
        Reduction { is_strict, left, at_a_time, octets_left: MOST_OCTETS_TRIED, current: divergence };
    loop {
        let mut is_smaller = false;
        for pass in PASSES {
            while reduction.step(examiner, *pass) {
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
    /// Whether nothing at all may come into play that was not.
    is_strict: bool,
    /// How many requests may still be tried.
    left: usize,
    /// How many are tried together.
    at_a_time: usize,
    /// How large they may be together.
    octets_left: usize,
}

impl Reduction {
    fn is_over(&self, examiner: &Examiner) -> bool {
        let is_late = examiner.until.is_some_and(|until| Instant::now() >= until);
        self.left == 0 || self.octets_left == 0 || is_late
    }

    /// Goes on with the first request of a pass that still shows the divergence.
    fn step(&mut self, examiner: &mut Examiner, pass: Pass) -> bool {
        let edition = self.current.edition;
        let before = features(edition, &self.current.query);
        let mut smaller = pass(&self.current.query);
        smaller.retain(|request| {
            // What takes long to match takes long to look at, too.
            if self.is_over(examiner) {
                return false;
            }
            let after = features(edition, request);
            *request != self.current.query
                && (after.is_within(before)
                    || !self.is_strict && after.clause(edition) == before.clause(edition))
        });
        let mut rest = &smaller[..];
        while !rest.is_empty() && !self.is_over(examiner) {
            let mut octets = 0;
            let fits = |request: &&Query| {
                octets += size(request);
                octets <= MOST_OCTETS
            };
            let count = rest.iter().take(self.at_a_time.min(self.left)).take_while(fits).count().max(1);
            let (tried, later) = rest.split_at(count);
            self.left -= count;
            self.octets_left = self.octets_left.saturating_sub(tried.iter().map(size).sum());
            if let Some(seen) = examiner.first_like(&self.current, tried) {
                self.current = seen;
                return true;
            }
            rest = later;
        }
        false
    }
}

/// How large a request is, in octets, as far as that differs.
pub(crate) fn size(request: &Query) -> usize {
    match request {
        Query::Match { robots, .. } | Query::Sitemaps { robots } => robots.len() + 100,
        _ => 100,
    }
}
