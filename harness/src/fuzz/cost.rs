//! Cost: whether the time for an answer grows faster than it may.
//!
//! No text speaks of time, but matching is at most the product of pattern and path. An implementation that
//! takes far longer can be stopped by whoever writes a robots.txt. Machines are noisy, so only a growth that no
//! noise explains counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use robotspec_reference::{Edition, Ruling};

use crate::fuzz::examine::{Divergence, answers, batch_request};
use crate::fuzz::judge::{self, Kind};
use crate::implementation::{Fault, Implementation};
use crate::suite::{Expected, Request};

/// How much longer an input of twice the size may take: the product of pattern and path grows fourfold.
const MOST_GROWTH: u32 = 12;

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

/// Requests that grow.
const FAMILIES: &[(Family, &[usize])] = &[
    (|size| request(&format!("/{}*b", "*a".repeat(size)), &"a".repeat(2 * size)), &[4, 8, 16, 32, 64]),
    (|size| request(&format!("/{}$", "*".repeat(size)), &"a".repeat(size)), &[4, 8, 16, 32, 64, 128]),
    (|size| request(&format!("/*{}", "ab".repeat(size)), &"ab".repeat(2 * size)), &[64, 128, 256, 512, 1024]),
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
    let mut before: Option<Duration> = None;
    for &size in sizes {
        let took = time(implementation, &family(size))?;
        if let Some(before) = before
            && took.took > SHORT
            && took.took > before * MOST_GROWTH
        {
            let grown = format!("after {:.1?}, while half the size took {before:.1?}", took.took);
            return match time_out(implementation, family, size, took) {
                Some(request) => {
                    divergence(edition, request, format!("{NO_ANSWER}; of a smaller one, {grown}"))
                }
                None => divergence(edition, family(size), grown),
            };
        }
        before = Some(took.took);
    }
    None
}

/// The smallest request from this size on, doubled, that is not answered in time: what shows in any run.
fn time_out(
    implementation: &mut dyn Implementation,
    family: Family,
    mut size: usize,
    mut took: Took,
) -> Option<Request> {
    for _ in 0..DOUBLED {
        if !took.is_answer {
            return Some(family(size));
        }
        size *= 2;
        took = time(implementation, &family(size))?;
    }
    (!took.is_answer).then(|| family(size))
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
            Ok(_) if took < SHORT => break,
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
