//! Evaluates what a crawler may fetch after any visits to a site. There is no panic, and the access of every reading of an
//! edition is one of those that the edition lists.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{Corpus, fuzz_target};
use robotspec_cases::{Query, TimedVisit};
use robotspec_fuzz::generate::{self, Shares};
use robotspec_fuzz_targets::readings;
use robotspec_reference::access::{access, access_read, max_age};
use robotspec_reference::{Edition, Ruling};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let _ = max_age(&String::from_utf8_lossy(bytes));
    let input = generate::input(bytes, Shares { access: 1000, ..Shares::NONE });
    let Query::Access { visits, .. } = input.first() else { return Corpus::Reject };
    let visits: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
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
    Corpus::Keep
});
