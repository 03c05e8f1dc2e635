//! Cost: whether the time for an answer grows faster than necessary.
//!
//! No edition limits the time, but matching takes at most the product of pattern and path. A robots.txt can stop an
//! implementation that takes far longer. Machines are noisy, so only a growth that noise does not explain counts.

use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec::{Endpoint, Fault};
use robotspec_cases::Query;
use robotspec_reference::Edition;

use crate::deadline::Deadline;
use crate::oracle::divergence::{Divergence, Growth, Observed};
use crate::oracle::expectation::expect;
use crate::oracle::kind::FindingKind;
use crate::send::ask;

/// How much longer a query of twice the size may take: the product of pattern and path grows fourfold.
const GROWTH_PER_DOUBLING: u32 = 4;

/// How much longer than that noise may make a query, however often the size was doubled.
const NOISE: u32 = 3;

/// Shorter times are ignored.
const SHORT: Duration = Duration::from_millis(150);

/// How often a time is measured. The shortest one counts.
const REPETITIONS: usize = 3;

/// How often the size is doubled again to find a query that has no answer in time.
const DOUBLINGS: usize = 4;

/// The time that the measurement of an implementation may take. A family that is not finished by then shows nothing.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(60);

/// A query for a size.
type Family = fn(usize) -> Query;

/// Queries that grow. Each size is twice the one before.
const FAMILIES: &[(Family, &[usize])] = &[
    (|size| query(&format!("/{}*b", "*a".repeat(size)), &"a".repeat(2 * size)), &[4, 8, 16, 32, 64]),
    (|size| query(&format!("/{}$", "*".repeat(size)), &"a".repeat(size)), &[4, 8, 16, 32, 64, 128]),
    (
        |size| query(&format!("/*{}", "ab".repeat(size)), &"ab".repeat(2 * size)),
        &[16, 32, 64, 128, 256, 512, 1024],
    ),
];

fn query(path: &str, rest_of_url: &str) -> Query {
    Query::Match {
        robots: Arc::from(format!("user-agent: *\ndisallow: {path}\n").into_bytes()),
        agent: "a".to_owned(),
        url: format!("http://example.com/{rest_of_url}"),
    }
}

/// Measures how the time for an answer grows. Returns the smallest query of each family whose time grows too fast.
pub(crate) fn measure_cost(
    endpoint: &mut dyn Endpoint,
    edition: Edition,
    deadline: Deadline,
) -> Vec<Divergence> {
    let mut clock = Clock { endpoint, deadline: deadline.within(MOST_TIME) };
    FAMILIES
        .iter()
        .filter_map(|(family, sizes)| {
            let (query, growth) = find_growth(&mut clock, *family, sizes)?;
            Some(Divergence {
                edition,
                kind: FindingKind::Cost,
                relation: None,
                expected: expect(edition, &query),
                query,
                got: Observed::Growth(growth),
            })
        })
        .collect()
}

/// An implementation, and when the measurement of its times ends.
struct Clock<'c> {
    endpoint: &'c mut dyn Endpoint,
    deadline: Deadline<'c>,
}

fn find_growth(clock: &mut Clock, family: Family, sizes: &[usize]) -> Option<(Query, Growth)> {
    let mut before: Vec<Duration> = Vec::new();
    for &size in sizes {
        let mut time = clock.measure(&family(size))?;
        if !time.is_answered || smaller_that_took_too_little(&before, time.took).is_some() {
            // A short disturbance of the machine does not occur again.
            let again = clock.measure(&family(size))?;
            time =
                Time { took: time.took.min(again.took), is_answered: time.is_answered || again.is_answered };
        }
        let Time { took, is_answered } = time;
        if let Some((times, smaller_took)) = smaller_that_took_too_little(&before, took) {
            let unanswered = find_unanswered(clock, family, size, is_answered);
            let growth = Growth { took, times, smaller_took, has_no_answer: unanswered.is_some() };
            return Some((unanswered.unwrap_or_else(|| family(size)), growth));
        }
        if !is_answered {
            return None;
        }
        before.push(took);
    }
    None
}

/// Returns the nearest smaller query compared with which a query took too long: how many times smaller it is, and its
/// time.
///
/// `before` has the times of the smaller queries. Each is half the size of the next, and the last is half the size of
/// the query that took `took`.
fn smaller_that_took_too_little(before: &[Duration], took: Duration) -> Option<(u32, Duration)> {
    if took <= SHORT {
        return None;
    }
    let mut may_grow = NOISE;
    let mut times = 1;
    before.iter().rev().find_map(|&smaller| {
        may_grow *= GROWTH_PER_DOUBLING;
        times *= 2;
        (took > smaller * may_grow).then_some((times, smaller))
    })
}

/// Doubles the size until there is no answer in time, and then once more: so the query shows the growth in any run, and
/// on a machine that is a few times as fast.
fn find_unanswered(
    clock: &mut Clock,
    family: Family,
    mut size: usize,
    mut is_answered: bool,
) -> Option<Query> {
    for _ in 0..DOUBLINGS {
        if !is_answered {
            break;
        }
        size *= 2;
        is_answered = clock.measure(&family(size))?.is_answered;
    }
    (!is_answered).then(|| family(2 * size))
}

/// The time for a query.
struct Time {
    took: Duration,
    /// Whether there was an answer after that time, and not the time-out.
    is_answered: bool,
}

impl Clock<'_> {
    /// Returns the shortest time for an answer, or the time-out. The result is `None` where the implementation fails in
    /// another way, or the measurement is over.
    fn measure(&mut self, query: &Query) -> Option<Time> {
        let mut shortest: Option<Duration> = None;
        let mut is_answered = true;
        for _ in 0..REPETITIONS {
            if self.deadline.is_over() {
                return None;
            }
            let started = Instant::now();
            let answer = ask(self.endpoint, slice::from_ref(query), self.deadline)?.pop()?;
            let took = started.elapsed();
            shortest = Some(shortest.map_or(took, |shortest| shortest.min(took)));
            match answer {
                Ok(_) => {}
                Err(Fault::Timeout(_)) => {
                    is_answered = false;
                    break;
                }
                Err(_) => return None,
            }
        }
        shortest.map(|took| Time { took, is_answered })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec::{Info, MatchQuery, Parser, Verdict};

    /// Returns the times of queries whose size doubles. The first takes 1 ms.
    fn times(growth: u32, doublings: u32) -> Vec<Duration> {
        (0..=doublings).map(|power| Duration::from_millis(growth.pow(power).into())).collect()
    }

    fn too_much(times: &[Duration]) -> Option<u32> {
        let (&last, before) = times.split_last().expect("times");
        smaller_that_took_too_little(before, last).map(|(times, _)| times)
    }

    #[test]
    fn the_product_of_pattern_and_path_is_not_too_much() {
        assert_eq!(too_much(&times(4, 9)), None);
    }

    #[test]
    fn more_than_the_product_is_found_in_the_end() {
        assert_eq!(too_much(&times(16, 2)), Some(2));
        assert_eq!(too_much(&times(8, 3)), Some(4));
        assert_eq!(too_much(&times(6, 4)), Some(8));
    }

    #[test]
    fn noise_does_not_explain_a_leap() {
        let milliseconds =
            |times: &[u64]| times.iter().copied().map(Duration::from_millis).collect::<Vec<_>>();
        assert_eq!(too_much(&milliseconds(&[1, 4, 16, 300])), Some(2));
        assert_eq!(too_much(&milliseconds(&[1, 4, 16, 190])), None);
        // A short time is ignored.
        assert_eq!(too_much(&milliseconds(&[1, 1, 1, 150])), None);
        // A disturbance of a small query does not hide the growth since an earlier one.
        assert_eq!(too_much(&milliseconds(&[1, 4, 90, 500])), Some(4));
    }

    /// Answers on a robots.txt of up to this many bytes.
    struct UpTo(usize);

    impl Parser for UpTo {
        fn info(&self) -> Info {
            Info::named("up-to")
        }

        fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
            if robots.len() > self.0 {
                return Err(Fault::Timeout("after a while".into()));
            }
            Ok(vec![Verdict::Allow; queries.len()])
        }
    }

    #[test]
    fn the_query_has_no_answer_on_a_faster_machine_either() {
        let family: Family = |size| query(&format!("/{}", "a".repeat(size)), "a");
        let bytes = |size| family(size).file().expect("a file").len();
        let found = |up_to, is_answered| {
            let endpoint = &mut UpTo(bytes(up_to));
            let mut clock = Clock { endpoint, deadline: Deadline::at_stop(&|| false) };
            find_unanswered(&mut clock, family, 8, is_answered)
        };
        assert_eq!(found(4, false), Some(family(16)));
        assert_eq!(found(31, true), Some(family(64)));
        assert_eq!(found(127, true), Some(family(256)));
        // The number of doublings is limited.
        assert_eq!(found(128, true), None);
    }
}
