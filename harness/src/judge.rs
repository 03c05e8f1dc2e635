//! The judge: compares an answer with what an edition expects.

use std::collections::{BTreeMap, HashMap};

use percent_encoding::{AsciiSet, utf8_percent_encode};
use robotspec_cases::{Check, Expected, ExpectedSitemaps, Level, Query};
use robotspec_reference::{Edition, Governs, RobotsTxt, Ruling, preferences, split_lines};
use url::Url;

use crate::answer::{AccessAnswer, Answer, Fault, Verdict};
use crate::event::{Judgement, Status};

/// Judges the answer to a check by what this edition expects.
///
/// How a client requests the robots.txt counts only in the checks that are about it (Google, "File location and range
/// of validity"): in all others the violations are left out.
pub fn judge(check: &Check, edition: Edition, expected: &Expected, got: &Result<Answer, Fault>) -> Judgement {
    let mut got = got.clone();
    if let Ok(Answer::Access(answer)) = &mut got
        && !check.clauses.iter().any(|clause| clause.id == "H-get")
    {
        answer.violations.clear();
    }
    let level = check.level(edition);
    let decided = expect_line(check, edition, expected, &got);
    let expected = decided.as_ref().unwrap_or(expected);
    if let (Ok(answer @ Answer::Decided { .. }), Expected::Ruling(_)) = (&mut got, expected) {
        *answer = answer.clone().without_line();
    }
    let status = match status(expected, &got) {
        // What an edition only permits, nothing breaks.
        Status::Fail | Status::Error if level == Level::May => Status::Unspecified,
        status => status,
    };
    Judgement { status, level, expected: expected.clone(), got, known: None }
}

/// Returns what is expected of an answer that names the line of the rule that decided. The result is `None` where the
/// verdict is wrong, where readings do not agree on the rule, so that no line is, and where the line is that of a rule
/// without a path, which states what applies by default.
fn expect_line(
    check: &Check,
    edition: Edition,
    expected: &Expected,
    got: &Result<Answer, Fault>,
) -> Option<Expected> {
    let (Expected::Ruling(ruling), Ok(Answer::Decided { verdict, line })) = (expected, got) else {
        return None;
    };
    let Query::Match { robots, agent, url } = &check.query else { return None };
    if Verdict::from(*ruling) != *verdict || *ruling == Ruling::Unspecified {
        return None;
    }
    let deciding = |file: &[u8]| RobotsTxt::parse(file).deciding_rules(edition, agent, url).ok().flatten();
    let lines = deciding(robots)?;
    // With a path that matches, a rule of a group that the agent follows decides.
    if lines.is_empty()
        && let Some(file) = with_root_path(robots, *line)
        && deciding(&file).is_none_or(|lines| lines.contains(line))
    {
        return None;
    }
    Some(Expected::Decided { ruling: *ruling, lines })
}

/// Returns the file with the path `/` in this line, if the line is a rule without a path.
fn with_root_path(robots: &[u8], line: usize) -> Option<Vec<u8>> {
    let line = split_lines(robots).nth(line.checked_sub(1)?)?;
    let parts = line.parts();
    let colon = parts.colon.filter(|_| parts.value.is_empty() && is_rule(&parts.field))?;
    Some([&robots[..=colon], b"/", &robots[colon + 1..]].concat())
}

/// Returns whether a field is that of a rule.
fn is_rule(field: &[u8]) -> bool {
    field.eq_ignore_ascii_case(b"allow") || field.eq_ignore_ascii_case(b"disallow")
}

/// Returns the status of an answer, given what an edition expects.
pub fn status(expected: &Expected, got: &Result<Answer, Fault>) -> Status {
    let answer = match got {
        Ok(answer) => answer,
        Err(Fault::NotSupported) => return Status::NotSupported,
        Err(Fault::Crash(_)) => return Status::Crash,
        Err(Fault::Timeout(_)) => return Status::Timeout,
        Err(Fault::Protocol(_)) => return Status::ProtocolError,
        Err(Fault::Flaky(_) | Fault::Dependent(_)) => return Status::Flaky,
        Err(Fault::NotRun(_)) => return Status::NotRun,
        Err(Fault::Error(_)) if expected.is_unspecified() => return Status::Unspecified,
        Err(Fault::Error(_)) => return Status::Error,
    };
    let pass_if = |is_as_expected: bool| if is_as_expected { Status::Pass } else { Status::Fail };
    match (expected, answer) {
        (expected, answer) if expected.is_unspecified() => {
            if knows_that_unspecified(answer) {
                Status::Pass
            } else {
                Status::Unspecified
            }
        }
        (
            Expected::Ruling(_),
            Answer::Match(Verdict::Error(_)) | Answer::Decided { verdict: Verdict::Error(_), .. },
        )
        | (
            Expected::Alike,
            Answer::Alike { file: Verdict::Error(_), .. } | Answer::Alike { twin: Verdict::Error(_), .. },
        ) => Status::Error,
        (Expected::Decided { ruling, lines }, Answer::Decided { verdict, line }) => {
            pass_if(Verdict::from(*ruling) == *verdict && lines.contains(line))
        }
        (Expected::Ruling(ruling), Answer::Match(verdict) | Answer::Decided { verdict, .. }) => {
            pass_if(Verdict::from(*ruling) == *verdict)
        }
        (Expected::Alike, Answer::Alike { file, twin }) => pass_if(file == twin),
        (Expected::Governs(expected), Answer::Scope(got)) => pass_if(expected == got),
        (Expected::Sitemaps(expected), Answer::Sitemaps(got)) => pass_if(has_sitemaps(expected, got)),
        (Expected::Usage(Some(expected)), Answer::Usage(Some(got))) => {
            pass_if(*expected == preferences(got.iter().map(String::as_str)))
        }
        (Expected::Usage(Some(_)), Answer::Usage(None)) => Status::Fail,
        (Expected::Access(rulings), Answer::Access(answer)) => judge_access(rulings, answer),
        (Expected::Derived(expected), Answer::Grammar(got)) => pass_if(expected == got),
        _ => Status::ProtocolError,
    }
}

/// Returns whether the answer says itself that the edition does not decide.
fn knows_that_unspecified(answer: &Answer) -> bool {
    match answer {
        Answer::Match(verdict) => *verdict == Verdict::Unspecified,
        Answer::Decided { .. } => false,
        Answer::Scope(governs) => *governs == Governs::Unspecified,
        Answer::Usage(statements) => statements.is_none(),
        Answer::Access(answer) => answer.verdicts.values().any(|verdict| *verdict == Verdict::Unspecified),
        _ => false,
    }
}

fn judge_access(rulings: &BTreeMap<String, Ruling>, answer: &AccessAnswer) -> Status {
    if answer.verdicts.values().any(|verdict| matches!(verdict, Verdict::Error(_))) {
        return Status::Error;
    }
    let is_as_expected = |(path, verdict): (&String, &Verdict)| {
        rulings.get(path).is_some_and(|ruling| Verdict::from(*ruling) == *verdict)
    };
    let all_right = rulings.len() == answer.verdicts.len() && answer.verdicts.iter().all(is_as_expected);
    if all_right && answer.violations.is_empty() { Status::Pass } else { Status::Fail }
}

/// Returns whether the URLs are the required ones and any of the optional ones, in any order. A parser may report a URL as
/// it is written or in a normal form, such as with its host in small letters (RFC 3986, 6.2): both name one resource.
fn has_sitemaps(expected: &ExpectedSitemaps, got: &[String]) -> bool {
    let mut others: HashMap<String, usize> = HashMap::new();
    for url in got {
        *others.entry(normal_form(url)).or_default() += 1;
    }
    let mut take = |url: &String| match others.get_mut(&normal_form(url)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let has_required = expected.required.iter().all(&mut take);
    for url in &expected.optional {
        take(url);
    }
    has_required && others.values().all(|count| *count == 0)
}

/// Returns what all forms of a URL have in common; of another text, the form without characters outside ASCII.
fn normal_form(url: &str) -> String {
    // A browser removes white space and control characters, which no URL contains.
    let has_space = url.bytes().any(|byte| byte.is_ascii_control() || byte == b' ');
    match Url::parse(url) {
        Ok(url) if !has_space => url.into(),
        _ => utf8_percent_encode(url, &AsciiSet::EMPTY).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_fails_where_an_edition_only_permits() {
        let suites = robotspec_cases::suite::built_in().expect("the embedded suites are sound");
        let checks = robotspec_cases::checks(&suites, false);
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
                clauses: Vec::from_iter(robotspec_cases::Clause::find("O-longest")),
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
        assert_eq!(
            judged(file, Verdict::Allow, Some(2)).describe_difference(),
            "expected disallow, got allow"
        );
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
        let expected = ExpectedSitemaps { required, optional: Vec::new() };
        let has = |url: &str| has_sitemaps(&expected, &[url.to_owned()]);
        assert!(has("https://Example.com:443/добро"));
        assert!(has("https://example.com/добро"));
        assert!(has("https://example.com/%D0%B4%D0%BE%D0%B1%D1%80%D0%BE"));
        assert!(!has("https://example.com/%D0%B4%D0%BE%D0%B1%D1%80%D0%B0"));
        assert!(!has("https://example.com/добро\r"));
        assert!(!has("https://example.com/добра"));
        assert!(!has("https://example.com:444/добро"));
        assert!(!has("http://example.com/добро"));
    }
}
