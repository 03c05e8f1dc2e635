//! The reference alone, held against itself in an edition: whatever the octets, it does not panic, and what it
//! says in one way it says in every other.
#![no_main]
#![forbid(unsafe_code)]

use std::borrow::Cow;

use libfuzzer_sys::{Corpus, fuzz_target};
use robotspec::fuzz::rendered::Rendered;
use robotspec_fuzz::other_readings;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::grammar::{LineStatus, check_lines, derives};
use robotspec_reference::question::TABLE;
use robotspec_reference::{
    DecidedBy, Edition, Governs, Question, Reading, RobotsTxt, Ruling, governs, scope, split_lines,
};

/// How much of a file counts, where an edition sets a limit, in octets.
const LIMITS: [usize; 2] = [500_000, 512_000];

/// One input in about so many is moved to a size limit, as such a file takes long.
const AT_LIMIT: usize = 256;

fuzz_target!(|octets: &[u8]| -> Corpus {
    let Some(Rendered { queries, robots: written }) = Rendered::read(octets) else { return Corpus::Reject };
    let edition = Edition::ALL[octets.len() % Edition::ALL.len()];
    let file = match octets.len().is_multiple_of(AT_LIMIT) {
        true => Cow::Owned(at_limit(&written, LIMITS[octets.len() / AT_LIMIT % LIMITS.len()])),
        false => Cow::Borrowed(&*written),
    };
    let robots = RobotsTxt::parse(&file);
    let readings = other_readings(edition, octets);
    for query in queries.iter().take(4) {
        judge(&robots, edition, &readings, &query.agent, &query.url);
        range(edition, &readings, &queries[0].url, &query.url);
    }
    for robots_url in robots_urls(&queries[0].url) {
        range(edition, &readings, &robots_url, &queries[0].url);
    }
    whole_file(&robots, edition, &file);
    Corpus::Keep
});

/// The file behind a comment that is so long that a size limit cuts the file in the middle.
fn at_limit(file: &[u8], limit: usize) -> Vec<u8> {
    let mut comment = vec![b'#'; limit - 1 - file.len().min(limit - 1) / 2];
    comment.push(b'\n');
    [&comment, file].concat()
}

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
    assert!(explanation.decision.clauses().iter().all(|clause| robotspec::Clause::find(clause).is_some()));
    let questions = robots.questions(edition, agent, url).expect("a URL");
    names(&explanation, &questions);

    let no_url = format!("0{url}");
    let error = robots.ruling(edition, agent, &no_url).expect_err("a scheme starts with a letter");
    assert_eq!(error.text, no_url);

    for reading in readings {
        let read = Ruling::from(robots.decide(reading, agent, url).expect("a URL").verdict);
        assert!(ruling == Ruling::Unspecified || read == ruling, "{read} in {reading:?}, and {ruling}");
    }
}

/// What has a name is found by it, and an answer is taken just where the edition admits it.
fn names(explanation: &Explanation, questions: &[Question]) {
    let edition = explanation.edition;
    assert_eq!(edition.to_string().parse(), Ok(edition));
    let unknown = format!("{}?", edition.title()).parse::<Edition>().expect_err("a title is no name");
    assert!(unknown.to_string().contains(edition.title()));
    assert!(!explanation.ruling.to_string().is_empty());
    assert_eq!(
        Ruling::from(explanation.decision.verdict).to_string(),
        explanation.decision.verdict.to_string()
    );
    if let DecidedBy::Rule { rule, .. } = &explanation.decision.by {
        assert_eq!(
            rule.kind.field(),
            explanation.decision.verdict.to_string(),
            "a rule says what it is called"
        );
    }
    for question in questions {
        assert_eq!(Question::from_id(&question.to_string()), Some(*question));
    }
    let answers = TABLE.iter().flat_map(|row| Edition::ALL.iter().flat_map(|&edition| row.answers(edition)));
    for answer in answers {
        let is_admitted = answer.question.row().answers(edition).contains(answer);
        match Reading::plainest(edition).with(*answer) {
            Ok(reading) => assert!(is_admitted && reading.choice(answer.question) == *answer),
            Err(refusal) => {
                assert!(!is_admitted && refusal.to_string().contains(&answer.to_string()), "{refusal}");
            }
        }
    }
}

/// Places on the site of a URL where a robots.txt may be or not; one on a host that ends in a dot.
fn robots_urls(url: &str) -> [String; 5] {
    let host = url.match_indices('/').nth(1).map_or(0, |(slash, _)| slash + 1);
    let (site, _) = url.split_at(url[host..].find(['/', '?', '#']).map_or(url.len(), |end| host + end));
    let paths = ["/robots.txt", "./robots.txt", "/a/../robots.txt", "/robots.txt?", "/a/robots.txt"];
    paths.map(|path| format!("{site}{path}"))
}

/// Where a robots.txt at one URL is valid.
fn range(edition: Edition, readings: &[Reading], robots_url: &str, url: &str) {
    let ruling = match scope(edition, robots_url, url) {
        Ok(ruling) => ruling,
        Err(error) => {
            assert!([robots_url, url].contains(&error.text.as_str()), "{error} is about another");
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

/// The file without a question: its sitemaps, and what the grammar makes of it.
fn whole_file(robots: &RobotsTxt, edition: Edition, file: &[u8]) {
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
