//! The reference alone, held against itself in an edition: whatever the octets, it does not panic, and what it
//! says in one way it says in every other.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::{Corpus, fuzz_target};
use robotspec::fuzz::rendered::Rendered;
use robotspec_fuzz::other_readings;
use robotspec_reference::grammar::{LineStatus, check_lines, derives};
use robotspec_reference::{Edition, Governs, Reading, RobotsTxt, Ruling, governs, scope, split_lines};

fuzz_target!(|octets: &[u8]| -> Corpus {
    let Some(Rendered { queries, robots: file }) = Rendered::read(octets) else { return Corpus::Reject };
    let robots = RobotsTxt::parse(&file);
    let edition = Edition::ALL[octets.len() % Edition::ALL.len()];
    let readings = other_readings(edition, octets);
    for query in queries.iter().take(4) {
        judge(&robots, edition, &readings, &query.agent, &query.url);
        range(edition, &readings, &queries[0].url, &query.url);
    }
    whole_file(&robots, edition, &file);
    Corpus::Keep
});

/// The ruling, its reasons, and the readings it stands for.
fn judge(robots: &RobotsTxt, edition: Edition, readings: &[Reading], agent: &str, url: &str) {
    let ruling = robots.ruling(edition, agent, url).expect("the input has URLs alone");
    assert_eq!(robots.for_agent(edition, agent).ruling(url), Ok(ruling), "{edition}");
    let detailed = robots.ruling_in_detail(edition, agent, url).expect("a URL");
    assert!(detailed == Ruling::Unspecified || detailed == ruling, "{detailed} in detail, and {ruling}");

    let explanation = robots.explain(edition, agent, url).expect("a URL");
    assert_eq!(explanation.ruling, ruling);
    let plain = Ruling::from(explanation.decision.verdict);
    assert!(ruling == Ruling::Unspecified || plain == ruling, "{plain} is the plainest reading of {ruling}");
    assert!(ruling == Ruling::Unspecified || explanation.doubts.is_empty(), "{:?}", explanation.doubts);
    for line in explanation.decision.lines() {
        assert!(line >= 1, "lines count from 1");
    }
    let _ = explanation.decision.clauses();
    let _ = robots.questions(edition, agent, url);

    for reading in readings {
        let read = Ruling::from(robots.decide(reading, agent, url).expect("a URL").verdict);
        assert!(ruling == Ruling::Unspecified || read == ruling, "{read} in {reading:?}, and {ruling}");
    }
}

/// Where a robots.txt at one URL is valid.
fn range(edition: Edition, readings: &[Reading], robots_url: &str, url: &str) {
    let Ok(ruling) = scope(edition, robots_url, url) else { return };
    for reading in readings {
        let read = governs(reading, robots_url, url).map(Governs::from);
        assert!(ruling == Governs::Unspecified || read == Ok(ruling), "{read:?} in {reading:?}");
    }
}

/// The file without a question: its sitemaps, and what the grammar makes of it.
fn whole_file(robots: &RobotsTxt, edition: Edition, file: &[u8]) {
    for sitemap in robots.sitemaps(edition) {
        assert!(!sitemap.url.contains('\n'), "a sitemap is one line");
    }
    let _ = derives(edition, file);
    for line in check_lines(edition, file) {
        if let LineStatus::NotDerived(error) = line.status {
            assert!((1..=line.text.len() + 1).contains(&error.column), "{error:?} in {:?}", line.text);
        }
    }
    let length: usize = split_lines(file).map(|line| line.text.len()).sum();
    assert!(length <= file.len());
}
