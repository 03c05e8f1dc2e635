//! The judge: compares an answer with what an edition expects.

use std::collections::{BTreeMap, HashMap};

use percent_encoding::{AsciiSet, utf8_percent_encode};
use robotspec_cases::{Check, Expected, ExpectedSitemaps, Level};
use robotspec_reference::{Edition, Governs, Ruling};
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
    let status = match status(expected, &got) {
        // What an edition only permits, nothing breaks.
        Status::Fail | Status::Error if level == Level::May => Status::Unspecified,
        status => status,
    };
    Judgement { status, level, expected: expected.clone(), got, known: None }
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
        (Expected::Ruling(_), Answer::Match(Verdict::Error(_)))
        | (
            Expected::Alike,
            Answer::Alike { file: Verdict::Error(_), .. } | Answer::Alike { twin: Verdict::Error(_), .. },
        ) => Status::Error,
        (Expected::Ruling(ruling), Answer::Match(verdict)) => pass_if(Verdict::from(*ruling) == *verdict),
        (Expected::Alike, Answer::Alike { file, twin }) => pass_if(file == twin),
        (Expected::Governs(expected), Answer::Scope(got)) => pass_if(expected == got),
        (Expected::Sitemaps(expected), Answer::Sitemaps(got)) => pass_if(has_sitemaps(expected, got)),
        (Expected::Access(rulings), Answer::Access(answer)) => judge_access(rulings, answer),
        (Expected::Derived(expected), Answer::Grammar(got)) => pass_if(expected == got),
        _ => Status::ProtocolError,
    }
}

/// Returns whether the answer says itself that the edition does not decide.
fn knows_that_unspecified(answer: &Answer) -> bool {
    match answer {
        Answer::Match(verdict) => *verdict == Verdict::Unspecified,
        Answer::Scope(governs) => *governs == Governs::Unspecified,
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
