//! What a crawler may fetch after any visits to a site: no panic, and every reading of the edition comes to an
//! access that the edition names.
#![no_main]
#![forbid(unsafe_code)]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use robotspec_fuzz::other_readings;
use robotspec_reference::access::{Reply, Visit, access, access_read, max_age};
use robotspec_reference::{Edition, Ruling};

const HOUR: u64 = 60 * 60;

/// Statuses of each class that a text sets apart; now and then it is any number.
const STATUSES: [u16; 16] = [200, 206, 299, 301, 304, 400, 401, 403, 404, 410, 418, 429, 451, 500, 503, 599];

/// How long answers say that they may be kept.
const CACHE_CONTROL: [&str; 4] = ["max-age=60", "public, max-age=172800", "max-age=2592000", "no-store"];

fuzz_target!(|octets: &[u8]| {
    let Ok(visits) = visits(&mut Unstructured::new(octets)) else { return };
    for edition in Edition::ALL {
        let explanation = access(edition, &visits);
        assert!(!explanation.accesses.is_empty(), "an edition says something of any visits");
        for reading in other_readings(edition, octets) {
            let read = access_read(&reading, &visits);
            assert!(explanation.accesses.contains(&read), "{read:?} in {reading:?} of {visits:?}");
        }
        let is_open = explanation.accesses.len() > 1;
        for doubt in &explanation.doubts {
            assert!(is_open, "nothing is open, and {} leaves it open", doubt.question);
            let first = &doubt.answers[0].1;
            assert!(doubt.answers.iter().all(|(answer, _)| !answer.to_string().is_empty()));
            assert!(
                doubt.answers.iter().any(|(_, access)| access != first),
                "nothing turns on {}",
                doubt.question
            );
        }
        let ruling = explanation.ruling(edition, "FooBot", "/private").expect("a path");
        for access in &explanation.accesses {
            let under = access.ruling(edition, "FooBot", "/private").expect("a path");
            assert!(
                ruling == Ruling::Unspecified || under == ruling,
                "{under} with {access:?}, and {ruling}"
            );
        }
    }
});

/// Visits in the order of time.
fn visits(octets: &mut Unstructured) -> Result<Vec<Visit>> {
    let mut at = 0;
    (0..octets.int_in_range(0..=4)?)
        .map(|_| {
            at += HOUR * octets.int_in_range(0..=800)?;
            let replies = (0..octets.int_in_range(0..=8)?).map(|_| reply(octets)).collect::<Result<_>>()?;
            let [site_answers, is_misconfigured] = octets.arbitrary()?;
            Ok(Visit { at, replies, site_answers, is_misconfigured })
        })
        .collect()
}

fn reply(octets: &mut Unstructured) -> Result<Reply> {
    Ok(match octets.int_in_range(0..=5)? {
        0 | 1 => {
            let status = if octets.ratio(1, 8)? { octets.arbitrary()? } else { *octets.choose(&STATUSES)? };
            let lasts =
                if octets.ratio(1, 2)? { octets.arbitrary()? } else { *octets.choose(&CACHE_CONTROL)? };
            Reply::Answer { status, body: body(octets)?, max_age: max_age(lasts) }
        }
        2 | 3 => Reply::Redirect { to_disallowed: octets.arbitrary()? },
        4 => Reply::ClientRedirect { body: body(octets)? },
        _ => Reply::Failure,
    })
}

/// A file that tells, or any octets.
fn body(octets: &mut Unstructured) -> Result<Vec<u8>> {
    Ok(match octets.int_in_range(0..=3)? {
        0 => b"user-agent: *\ndisallow: /private\n".to_vec(),
        1 => b"user-agent: *\nallow: /\n".to_vec(),
        2 => Vec::new(),
        _ => octets.arbitrary::<&[u8]>()?.to_vec(),
    })
}
