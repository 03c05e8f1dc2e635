//! The judge: which answers an edition accepts.

use robotspec::event::Status;
use robotspec::{Answer, Level, Verdict, judge, status};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Clause, Expected, ExpectedSitemaps, Query, checks};
use robotspec_reference::{Edition, RobotsTxt};

#[test]
fn nothing_fails_where_an_edition_only_permits() {
    let suites = built_in().expect("the embedded suites are sound");
    let checks = checks(suites, false);
    let check = checks.iter().find(|check| check.id.to_string() == "sitemaps/usage").expect("a row");
    let judged = |edition, urls: &[&str]| {
        let got = Ok(Answer::Sitemaps(urls.iter().map(|url| (*url).to_owned()).collect()));
        let judgement = judge(check, edition, &check.expected[&edition], &got);
        (judgement.status, judgement.level)
    };
    let right = ["https://example.com/sitemap.xml"];
    assert_eq!(judged(Edition::Google2026, &[]), (Status::Fail, Level::Must));
    assert_eq!(judged(Edition::Rfc9309, &[]), (Status::Unspecified, Level::May));
    assert_eq!(judged(Edition::Rfc9309, &right), (Status::Pass, Level::May));
}

#[test]
fn an_implementation_that_names_the_line_that_decided_has_to_name_the_right_one() {
    let judged = |file: &str, verdict: Verdict, line: Option<usize>| {
        let ruling = RobotsTxt::parse(file.as_bytes()).ruling(Edition::Rfc9309, "FooBot", "/page");
        let ruling = ruling.expect("a path");
        let expected = Expected::Ruling(ruling);
        let check = Check {
            id: "a/b#c".parse().expect("an id"),
            clauses: Vec::from_iter(Clause::find("O-longest")),
            google_specific: false,
            query: Query::Match {
                robots: file.as_bytes().into(),
                agent: "FooBot".to_owned(),
                url: "/page".to_owned(),
            },
            expected: [(Edition::Rfc9309, expected.clone())].into(),
            questions: Vec::new(),
        };
        let got = match line {
            Some(line) => Answer::Decided { verdict, line },
            None => Answer::Match(verdict),
        };
        judge(&check, Edition::Rfc9309, &expected, &Ok(got))
    };
    let file = "user-agent: *\nallow: /p\ndisallow: /page\ndisallow: /page\ndisallow: /pa\n";
    let status = |verdict, line| judged(file, verdict, line).status;
    assert_eq!(status(Verdict::Disallow, Some(3)), Status::Pass);
    assert_eq!(status(Verdict::Disallow, Some(4)), Status::Pass);
    assert_eq!(status(Verdict::Disallow, None), Status::Pass);
    let wrong = judged(file, Verdict::Disallow, Some(5));
    assert_eq!(wrong.status, Status::Fail);
    assert_eq!(wrong.describe_difference(), "expected disallow by line 3 or 4, got disallow by line 5");
    assert_eq!(judged(file, Verdict::Allow, Some(2)).describe_difference(), "expected disallow, got allow");
    // No rule matches, and no reading but those that take a misspelling as a field has one that does.
    let by_default = "user-agent: *\ndisallow: /other\n";
    assert_eq!(judged(by_default, Verdict::Allow, Some(2)).status, Status::Fail);
    // A rule without a path of a group that the agent follows states the default.
    let without_path = "user-agent: *\ndisallow:\n\nuser-agent: OtherBot\nAllow : # all\n";
    assert_eq!(judged(without_path, Verdict::Allow, Some(2)).status, Status::Pass);
    assert_eq!(judged(without_path, Verdict::Allow, Some(5)).status, Status::Fail);
    // A parser in Rust may count from 0.
    assert_eq!(judged(without_path, Verdict::Allow, Some(0)).status, Status::Fail);
    let next_to_a_match = "user-agent: *\ndisallow:\nallow: /page\n";
    assert_eq!(judged(next_to_a_match, Verdict::Allow, Some(2)).status, Status::Fail);
    let open = "user-agent: *\ndissallow: /pa\ndisallow: /p\n";
    assert_eq!(judged(open, Verdict::Disallow, Some(2)).status, Status::Pass);
}

#[test]
fn preferences_are_compared_by_their_members() {
    let required = |preferences: &[&str]| {
        Expected::Usage(Some(preferences.iter().map(|member| (*member).to_owned()).collect()))
    };
    let is_right = |expected: &Expected, statements: &[&str]| {
        let got = Answer::Usage(Some(statements.iter().map(|text| (*text).to_owned()).collect()));
        status(expected, &Ok(got)) == Status::Pass
    };
    let both = required(&["search=y", "train-ai=n"]);
    assert!(is_right(&both, &["train-ai=n", "search=y"]));
    assert!(is_right(&both, &["train-ai=n , search=y"]));
    assert!(!is_right(&both, &["train-ai=n"]));
    assert!(!is_right(&both, &["train-ai=y", "search=y"]));
    assert!(is_right(&required(&[]), &[]));
    assert!(!is_right(&required(&[]), &["train-ai=n"]));
}

#[test]
fn a_sitemap_may_be_reported_in_a_normal_form_and_no_other_may() {
    let required = vec!["https://Example.com:443/добро".to_owned()];
    let expected = Expected::Sitemaps(ExpectedSitemaps { required, optional: Vec::new() });
    let has = |url: &str| status(&expected, &Ok(Answer::Sitemaps(vec![url.to_owned()]))) == Status::Pass;
    assert!(has("https://Example.com:443/добро"));
    assert!(has("https://example.com/добро"));
    assert!(has("https://example.com/%D0%B4%D0%BE%D0%B1%D1%80%D0%BE"));
    assert!(!has("https://example.com/%D0%B4%D0%BE%D0%B1%D1%80%D0%B0"));
    assert!(!has("https://example.com/добро\r"));
    assert!(!has("https://example.com/добра"));
    assert!(!has("https://example.com:444/добро"));
    assert!(!has("http://example.com/добро"));
}
