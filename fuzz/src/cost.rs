//! Cost: whether the time for an answer grows faster than it may.
//!
//! No text speaks of time, but matching is at most the product of pattern and path. An implementation that
//! takes far longer can be stopped by whoever writes a robots.txt. Machines are noisy, so only a growth that no
//! noise explains counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec_reference::{Edition, Ruling};

use crate::examine::{Divergence, answers, batch_request};
use crate::judge::{self, Kind};
use robotspec::implementation::{Fault, Implementation};
use robotspec_cases::suite::{Expected, Request};

/// How much longer an input of twice the size may take: the product of pattern and path grows fourfold.
const DOUBLED_GROWTH: u32 = 4;

/// How much more than that is put down to noise, however often the size was doubled.
const NOISE: u32 = 3;

/// What takes less is not looked at.
const SHORT: Duration = Duration::from_millis(150);

/// How often the time is taken; the shortest counts.
const REPETITIONS: usize = 3;

/// How often the size is doubled once more, to find what is not answered in time.
const DOUBLED: usize = 4;

/// What is said of a request that is not answered in time.
pub(crate) const NO_ANSWER: &str = "no answer in time";

/// A request for a size.
type Family = fn(usize) -> Request;

/// Requests that grow, each twice the size of the one before.
const FAMILIES: &[(Family, &[usize])] = &[
    (|size| request(&format!("/{}*b", "*a".repeat(size)), &"a".repeat(2 * size)), &[4, 8, 16, 32, 64]),
    (|size| request(&format!("/{}$", "*".repeat(size)), &"a".repeat(size)), &[4, 8, 16, 32, 64, 128]),
    (
        |size| request(&format!("/*{}", "ab".repeat(size)), &"ab".repeat(2 * size)),
        &[16, 32, 64, 128, 256, 512, 1024],
    ),
];

fn request(path: &str, rest_of_url: &str) -> Request {
    Request::Match {
        robots: Arc::from(format!("user-agent: *\ndisallow: {path}\n").into_bytes()),
        agent: "a".to_owned(),
        url: format!("http://example.com/{rest_of_url}"),
    }
}

/// The smallest request of each family whose time has grown too fast.
pub(crate) fn cost(implementation: &mut dyn Implementation, edition: Edition) -> Vec<Divergence> {
    implementation.read_as(edition);
    FAMILIES
        .iter()
        .filter_map(|(family, sizes)| grows_too_fast(implementation, edition, *family, sizes))
        .collect()
}

fn grows_too_fast(
    implementation: &mut dyn Implementation,
    edition: Edition,
    family: Family,
    sizes: &[usize],
) -> Option<Divergence> {
    let mut before: Vec<Duration> = Vec::new();
    for &size in sizes {
        let mut took = time(implementation, &family(size))?;
        if !took.is_answer || smaller_that_took_too_little(&before, took.took).is_some() {
            // What held up the machine for a moment does not do so again.
            let again = time(implementation, &family(size))?;
            took = Took { took: took.took.min(again.took), is_answer: took.is_answer || again.is_answer };
        }
        if let Some((times, smaller)) = smaller_that_took_too_little(&before, took.took) {
            let grown =
                format!("after {:.1?}, while one of 1/{times} of the size took {smaller:.1?}", took.took);
            return match time_out(implementation, family, size, took) {
                Some(request) => {
                    divergence(edition, request, format!("{NO_ANSWER}; of a smaller one, {grown}"))
                }
                None => divergence(edition, family(size), grown),
            };
        }
        if !took.is_answer {
            return None;
        }
        before.push(took.took);
    }
    None
}

/// Of the requests before, each half the size of the next and the last half the size of the one that took `took`, the
/// nearest that took so little that `took` is too much: how many times smaller it is, and how long it took.
fn smaller_that_took_too_little(before: &[Duration], took: Duration) -> Option<(u32, Duration)> {
    if took <= SHORT {
        return None;
    }
    let mut may_grow = NOISE;
    let mut times = 1;
    before.iter().rev().find_map(|&smaller| {
        may_grow *= DOUBLED_GROWTH;
        times *= 2;
        (took > smaller * may_grow).then_some((times, smaller))
    })
}

/// The smallest request from this size on, doubled, that is not answered in time, doubled once more: what shows in any
/// run, also where less held up the machine, or on one that is a few times as fast.
fn time_out(
    implementation: &mut dyn Implementation,
    family: Family,
    mut size: usize,
    mut took: Took,
) -> Option<Request> {
    for _ in 0..DOUBLED {
        if !took.is_answer {
            break;
        }
        size *= 2;
        took = time(implementation, &family(size))?;
    }
    (!took.is_answer).then(|| family(2 * size))
}

fn divergence(edition: Edition, request: Request, got: String) -> Option<Divergence> {
    let expected = judge::expectations(edition, &batch_request(&request)).pop()?;
    let expected = match expected {
        Expected::Ruling(ruling) => Expected::Ruling(ruling),
        _ => Expected::Ruling(Ruling::Unspecified),
    };
    Some(Divergence { edition, kind: Kind::Cost, request, expected, got })
}

/// How long a request took.
struct Took {
    took: Duration,
    /// Whether an answer came then, and not the time-out.
    is_answer: bool,
}

/// The shortest time for an answer; the time-out where it does not come, none where it fails in another way.
fn time(implementation: &mut dyn Implementation, request: &Request) -> Option<Took> {
    let batch = [batch_request(request)];
    let mut shortest: Option<Duration> = None;
    let mut is_answer = true;
    for _ in 0..REPETITIONS {
        let started = Instant::now();
        let answered = answers(implementation, &batch).pop()?;
        let took = started.elapsed();
        shortest = Some(shortest.map_or(took, |shortest| shortest.min(took)));
        match answered {
            Ok(_) => {}
            Err(Fault::Timeout(_)) => {
                is_answer = false;
                break;
            }
            Err(_) => return None,
        }
    }
    shortest.map(|took| Took { took, is_answer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec::implementation::{Info, Query, Verdict};

    /// The times of requests whose size doubles, the first of which takes 1 ms.
    fn times(growth: u32, doubled: u32) -> Vec<Duration> {
        (0..=doubled).map(|power| Duration::from_millis(growth.pow(power).into())).collect()
    }

    fn is_too_much(times: &[Duration]) -> Option<u32> {
        let (&last, before) = times.split_last().expect("times");
        smaller_that_took_too_little(before, last).map(|(times, _)| times)
    }

    #[test]
    fn the_product_of_pattern_and_path_is_not_too_much() {
        assert_eq!(is_too_much(&times(4, 9)), None);
    }

    #[test]
    fn more_than_the_product_shows_in_the_end() {
        assert_eq!(is_too_much(&times(16, 2)), Some(2));
        assert_eq!(is_too_much(&times(8, 3)), Some(4));
        assert_eq!(is_too_much(&times(6, 4)), Some(8));
    }

    #[test]
    fn no_noise_explains_a_leap() {
        let milliseconds =
            |times: &[u64]| times.iter().copied().map(Duration::from_millis).collect::<Vec<_>>();
        assert_eq!(is_too_much(&milliseconds(&[1, 4, 16, 300])), Some(2));
        assert_eq!(is_too_much(&milliseconds(&[1, 4, 16, 190])), None);
        // What is over at once is not looked at.
        assert_eq!(is_too_much(&milliseconds(&[1, 1, 1, 150])), None);
        // A small one that was held up hides nothing: those before it tell.
        assert_eq!(is_too_much(&milliseconds(&[1, 4, 90, 500])), Some(4));
    }
    /// Answers a robots.txt of up to so many octets, and no larger one.
    struct UpTo(usize);

    impl Implementation for UpTo {
        fn info(&self) -> Info {
            Info::named("up-to")
        }

        fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
            if robots.len() > self.0 {
                return Err(Fault::Timeout("after a while".to_owned()));
            }
            Ok(vec![Verdict::Allow; queries.len()])
        }
    }

    #[test]
    fn a_machine_that_is_faster_does_not_answer_it_either() {
        let family: Family = |size| request(&format!("/{}", "a".repeat(size)), "a");
        let octets = |size| match family(size) {
            Request::Match { robots, .. } => robots.len(),
            _ => unreachable!(),
        };
        let took = |is_answer| Took { took: SHORT, is_answer };
        let found = |up_to, is_answer| time_out(&mut UpTo(octets(up_to)), family, 8, took(is_answer));
        assert_eq!(found(4, false), Some(family(16)));
        assert_eq!(found(31, true), Some(family(64)));
        assert_eq!(found(127, true), Some(family(256)));
        // Nobody waits for ever for what may be answered in the end.
        assert_eq!(found(128, true), None);
    }
}
