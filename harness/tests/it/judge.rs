//! The judge: which answers an edition accepts.

use robotspec::event::Status;
use robotspec::{AccessAnswer, Answer, Fault, Level, Verdict, judge, status};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Clause, Expected, ExpectedSitemaps, Query, checks};
use robotspec_reference::{Edition, RobotsTxt};

use crate::support;

/// Returns a row of the embedded suites.
fn row(id: &str) -> Check {
    let mut checks = checks(built_in().expect("the embedded suites are sound"), false);
    checks.retain(|check| check.id.to_string() == id);
    checks.pop().expect("a row")
}

#[test]
fn to_follow_a_redirect_is_recommended_and_to_obey_the_file_that_is_reached_is_required() {
    let judge_in = |edition: Edition, check: &Check, followed| {
        let Query::Access { paths, .. } = &check.query else { panic!("an access row") };
        let verdicts = paths.iter().map(|path| (path.clone(), Verdict::Allow)).collect();
        let got = Ok(Answer::Access(AccessAnswer { verdicts, followed, ..AccessAnswer::default() }));
        let judgement = judge(check, edition, &check.expected[&edition], &got);
        (judgement.status, judgement.level)
    };
    let judged = |id: &str, followed| judge_in(Edition::Rfc9309, &row(id), followed);
    for id in ["access/redirect-to-another-origin#other-port", "access/redirects#once-301"] {
        assert_eq!(judged(id, false), (Status::Fail, Level::Should), "{id}");
        assert_eq!(judged(id, true), (Status::Fail, Level::Must), "{id}");
    }
    // The level of another edition is that of its own words.
    let mut check = row("access/redirects#once-301");
    check.clauses = Vec::from_iter(Clause::find("H-3xx-disallowed"));
    assert_eq!(judge_in(Edition::GooglePre2019, &check, true), (Status::Unspecified, Level::May));
    // The redirect leads to no file.
    assert_eq!(judged("access/redirects#to-server-error", true), (Status::Fail, Level::Should));
}

#[test]
fn no_implementation_fails_where_an_edition_leaves_the_answer_open_however_it_ends() {
    let check = row("answers/markup#rule");
    let faults = [Fault::Crash, Fault::Timeout].map(|fault| fault("x".into()));
    for fault in faults {
        let judged = |edition| judge(&check, edition, &check.expected[&edition], &Err(fault.clone()));
        let open = judged(Edition::Rfc9309);
        assert_eq!((open.status, open.is_new_failure()), (Status::Unanswered, false));
        assert!(judged(Edition::Google2026).is_new_failure());
    }
}

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
fn no_implementation_breaks_anything_by_the_line_that_it_names() {
    let judged = |file: &str, verdict: Verdict, line: Option<usize>| {
        let ruling = RobotsTxt::parse(file.as_bytes()).ruling(Edition::Rfc9309, "FooBot", "/page");
        let ruling = ruling.expect("a path");
        let expected = Expected::Ruling(ruling);
        let clauses = Vec::from_iter(Clause::find("O-longest"));
        let check = Check { clauses, ..support::check("a/b#c", &file.as_bytes().into(), "/page", ruling) };
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
    assert_eq!(wrong.status, Status::Unspecified);
    assert_eq!(wrong.describe_difference(), "expected disallow by line 3 or 4, got disallow by line 5");
    assert_eq!(judged(file, Verdict::Allow, Some(2)).describe_difference(), "expected disallow, got allow");
    // No rule matches, and no reading but those that take a misspelling as a field has one that does.
    let by_default = "user-agent: *\ndisallow: /other\n";
    assert_eq!(judged(by_default, Verdict::Allow, Some(2)).status, Status::Unspecified);
    // A rule without a path of a group that the agent follows states the default.
    let without_path = "user-agent: *\ndisallow:\n\nuser-agent: OtherBot\nAllow : # all\n";
    assert_eq!(judged(without_path, Verdict::Allow, Some(2)).status, Status::Pass);
    assert_eq!(judged(without_path, Verdict::Allow, Some(5)).status, Status::Unspecified);
    // A parser in Rust may count from 0.
    assert_eq!(judged(without_path, Verdict::Allow, Some(0)).status, Status::Unspecified);
    let next_to_a_match = "user-agent: *\ndisallow:\nallow: /page\n";
    assert_eq!(judged(next_to_a_match, Verdict::Allow, Some(2)).status, Status::Unspecified);
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
