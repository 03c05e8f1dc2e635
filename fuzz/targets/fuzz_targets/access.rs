//! Evaluates what a crawler may fetch after any visits to a site. There is no panic, and the access of every reading of an
//! edition is one of those that the edition lists.
#![no_main]
#![forbid(unsafe_code)]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use robotspec_fuzz_targets::readings;
use robotspec_reference::access::{Fetch, Reply, access, access_read, max_age};
use robotspec_reference::{Edition, Ruling};

const HOUR: u64 = 60 * 60;

/// Statuses of each class that an edition distinguishes. One status in eight is any number.
const STATUSES: [u16; 16] = [200, 206, 299, 301, 304, 400, 401, 403, 404, 410, 418, 429, 451, 500, 503, 599];

/// Headers that say how long a response may be kept.
const CACHE_CONTROL: [&str; 4] = ["max-age=60", "public, max-age=172800", "max-age=2592000", "no-store"];

fuzz_target!(|bytes: &[u8]| {
    let Ok(visits) = make_visits(&mut Unstructured::new(bytes)) else { return };
    for edition in Edition::ALL {
        let explanation = access(edition, &visits);
        assert!(!explanation.accesses.is_empty(), "there is an access after any visits");
        for reading in readings(edition, bytes) {
            let read = access_read(&reading, &visits);
            assert!(explanation.accesses.contains(&read), "{read:?} in {reading:?} of {visits:?}");
        }
        let is_unspecified = explanation.accesses.len() > 1;
        for doubt in &explanation.doubts {
            assert!(is_unspecified, "{} matters, and there is one access", doubt.question);
            let first = &doubt.answers[0].1;
            assert!(doubt.answers.iter().all(|(answer, _)| !answer.to_string().is_empty()));
            assert!(
                doubt.answers.iter().any(|(_, access)| access != first),
                "{} does not matter",
                doubt.question
            );
        }
        let ruling = explanation.ruling(edition, "FooBot", "/private").expect("a path");
        for access in &explanation.accesses {
            let under = access.ruling(edition, "FooBot", "/private").expect("a path");
            assert!(
                ruling == Ruling::Unspecified || under == ruling,
                "{under} with {access:?}, but {ruling}"
            );
        }
    }
});

/// Makes visits in the order of time.
fn make_visits(bytes: &mut Unstructured) -> Result<Vec<Fetch>> {
    let mut at = 0;
    (0..bytes.int_in_range(0..=4)?)
        .map(|_| {
            at += HOUR * bytes.int_in_range(0..=800)?;
            let replies =
                (0..bytes.int_in_range(0..=8)?).map(|_| make_reply(bytes)).collect::<Result<_>>()?;
            let [site_answers, is_misconfigured] = bytes.arbitrary()?;
            Ok(Fetch { at, replies, site_answers, is_misconfigured })
        })
        .collect()
}

fn make_reply(bytes: &mut Unstructured) -> Result<Reply> {
    Ok(match bytes.int_in_range(0..=5)? {
        0 | 1 => {
            let status = if bytes.ratio(1, 8)? { bytes.arbitrary()? } else { *bytes.choose(&STATUSES)? };
            let header =
                if bytes.ratio(1, 2)? { bytes.arbitrary()? } else { *bytes.choose(&CACHE_CONTROL)? };
            let body = make_body(bytes)?;
            Reply::Answer { status, body, max_age: max_age(header), is_plain_text: bytes.ratio(7, 8)? }
        }
        2 | 3 => Reply::Redirect { to_disallowed: bytes.arbitrary()? },
        4 => Reply::ClientRedirect { body: make_body(bytes)? },
        _ => Reply::Failure,
    })
}

/// A file with a known meaning, or any bytes.
fn make_body(bytes: &mut Unstructured) -> Result<Vec<u8>> {
    Ok(match bytes.int_in_range(0..=3)? {
        0 => b"user-agent: *\ndisallow: /private\n".to_vec(),
        1 => b"user-agent: *\nallow: /\n".to_vec(),
        2 => Vec::new(),
        _ => bytes.arbitrary::<&[u8]>()?.to_vec(),
    })
}
