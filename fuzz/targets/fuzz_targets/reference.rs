//! Compares the functions of the reference with each other in an edition. There is no panic for any bytes, and the functions
//! agree.
#![no_main]
#![forbid(unsafe_code)]

use std::borrow::Cow;

use libfuzzer_sys::{Corpus, fuzz_target};
use robotspec_cases::Clause;
use robotspec_fuzz::generate::rendered;
use robotspec_fuzz_targets::readings;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::grammar::{LineStatus, check_lines, derives};
use robotspec_reference::{
    DecidedBy, Edition, Governs, Question, Reading, RobotsTxt, Ruling, UrlParts, governs, scope, split_lines,
};

/// The size limits of the editions, in bytes.
const LIMITS: [usize; 2] = [500_000, 512_000];

/// About one input in this many is moved to a size limit. Such a file takes long.
const AT_LIMIT: usize = 256;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some(input) = rendered::read(bytes) else { return Corpus::Reject };
    let edition = Edition::ALL[bytes.len() % Edition::ALL.len()];
    let robots = input.first().file().map_or(&[][..], |file| file);
    let file = match bytes.len().is_multiple_of(AT_LIMIT) {
        true => Cow::Owned(move_to_limit(robots, LIMITS[bytes.len() / AT_LIMIT % LIMITS.len()])),
        false => Cow::Borrowed(robots),
    };
    let robots = RobotsTxt::parse(&file);
    let readings = readings(edition, bytes);
    let queries = input.match_queries();
    for query in queries.iter().take(4) {
        check_ruling(&robots, edition, &readings, query.agent, query.url);
        check_scope(edition, &readings, queries[0].url, query.url);
    }
    for robots_url in robots_urls(queries[0].url) {
        check_scope(edition, &readings, &robots_url, queries[0].url);
    }
    check_file(&robots, edition, &file);
    Corpus::Keep
});

/// The file after a comment that is so long that the size limit is in the middle of the file.
fn move_to_limit(file: &[u8], limit: usize) -> Vec<u8> {
    let mut comment = vec![b'#'; limit - 1 - file.len().min(limit - 1) / 2];
    comment.push(b'\n');
    [&comment, file].concat()
}

/// Checks the ruling, its reasons, and the readings that it stands for.
fn check_ruling(robots: &RobotsTxt, edition: Edition, readings: &[Reading], agent: &str, url: &str) {
    let ruling = robots.ruling(edition, agent, url).expect("an absolute URL");
    assert_eq!(robots.for_agent(edition, agent).ruling(url), Ok(ruling), "{edition}");
    let detailed = robots.ruling_in_detail(edition, agent, url).expect("a URL");
    assert!(detailed == Ruling::Unspecified || detailed == ruling, "{detailed} in detail, but {ruling}");

    let explanation = robots.explain(edition, agent, url).expect("a URL");
    assert_eq!(explanation.ruling, ruling);
    let plain = Ruling::from(explanation.decision.verdict);
    assert!(
        ruling == Ruling::Unspecified || plain == ruling,
        "{plain} in the plainest reading, but {ruling}"
    );
    assert!(ruling == Ruling::Unspecified || explanation.doubts.is_empty(), "{:?}", explanation.doubts);
    for line in explanation.decision.lines() {
        assert!(line >= 1, "lines count from 1");
    }
    assert!(explanation.decision.clauses().iter().all(|clause| Clause::find(clause).is_some()));
    let questions = robots.for_agent(edition, agent).questions(url).expect("a URL");
    check_names(&explanation, &questions);

    let not_a_url = format!("0{url}");
    let error = robots.ruling(edition, agent, &not_a_url).expect_err("a scheme starts with a letter");
    assert_eq!(error.text, not_a_url);

    for reading in readings {
        let read = Ruling::from(robots.decide(reading, agent, url).expect("a URL").verdict);
        assert!(ruling == Ruling::Unspecified || read == ruling, "{read} in {reading:?}, but {ruling}");
    }
}

/// Checks that names lead to their values.
fn check_names(explanation: &Explanation, questions: &[Question]) {
    assert!(!explanation.ruling.to_string().is_empty());
    assert_eq!(
        Ruling::from(explanation.decision.verdict).to_string(),
        explanation.decision.verdict.to_string()
    );
    if let DecidedBy::Rule { rule, .. } = &explanation.decision.by {
        assert_eq!(
            rule.kind.field(),
            explanation.decision.verdict.to_string(),
            "the verdict of a rule is its field"
        );
    }
    for question in questions {
        assert_eq!(Question::from_id(&question.to_string()), Some(*question));
    }
}

/// URLs on the site of a URL, where a robots.txt may be or not. One has a host that ends in a dot.
fn robots_urls(url: &str) -> [String; 5] {
    let site = UrlParts::split(url).before_path();
    let paths = ["/robots.txt", "./robots.txt", "/a/../robots.txt", "/robots.txt?", "/a/robots.txt"];
    paths.map(|path| format!("{site}{path}"))
}

/// Checks whether the robots.txt at one URL governs another URL.
fn check_scope(edition: Edition, readings: &[Reading], robots_url: &str, url: &str) {
    let ruling = match scope(edition, robots_url, url) {
        Ok(ruling) => ruling,
        Err(error) => {
            assert!([robots_url, url].contains(&error.text.as_str()), "{error} is about another URL");
            assert!(error.to_string().contains(&error.reason));
            return;
        }
    };
    assert!(!ruling.id().is_empty());
    for reading in readings {
        let read = governs(reading, robots_url, url).map(Governs::from);
        assert!(ruling == Governs::Unspecified || read == Ok(ruling), "{read:?} in {reading:?}");
    }
}

/// Checks the sitemaps of a file, and its derivation by the grammar.
fn check_file(robots: &RobotsTxt, edition: Edition, file: &[u8]) {
    for sitemap in robots.sitemaps(edition) {
        assert!(!sitemap.url.contains('\n'), "a sitemap is one line");
    }
    let _ = derives(edition, file);
    for line in check_lines(edition, file) {
        match line.status {
            LineStatus::NotDerived(error) => {
                assert!((1..=line.text.len() + 1).contains(&error.column), "{error:?} in {:?}", line.text);
                assert!(!error.expected.id().is_empty() && !error.expected.to_string().is_empty());
            }
            LineStatus::Derived(production) => assert!(!production.id().is_empty()),
            LineStatus::Additional(field) => assert!(!field.is_empty()),
        }
    }
    let length: usize = split_lines(file).map(|line| line.text.len()).sum();
    assert!(length <= file.len());
}
