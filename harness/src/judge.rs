//! The judge: compares an answer with what an edition expects.

use std::collections::{BTreeMap, HashMap};

use percent_encoding::{AsciiSet, utf8_percent_encode};
use robotspec_cases::{Check, Expected, ExpectedSitemaps, Level, Query, TimedVisit};
use robotspec_reference::scan::Field;
use robotspec_reference::{Edition, Governs, RobotsTxt, Ruling, preferences, split_lines};
use url::Url;

use crate::answer::{AccessAnswer, Answer, Fault, Got, Verdict};
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
    let level = if has_reached_file(check, edition, &got) { Level::Must } else { check.level(edition) };
    let decided = expect_line(check, edition, expected, &got);
    let expected = decided.as_ref().unwrap_or(expected);
    if let (Ok(answer @ Answer::Decided { .. }), Expected::Ruling(_)) = (&mut got, expected) {
        *answer = answer.clone().without_line();
    }
    let status = match status(expected, &got) {
        // An implementation that refuses another scheme has no function for it.
        Status::Error if check.query.has_other_scheme() => Status::NotSupported,
        // What an edition only permits, nothing breaks.
        status if level == Level::May => where_open(status),
        status => status,
    };
    Judgement { status, level, expected: expected.clone(), got, known: None }
}

/// Returns whether a crawler followed the redirects to a file. To follow them is recommended, but "if a robots.txt file is
/// reached within five consecutive redirects, […] its rules [MUST be] followed" (RFC 9309, 2.3.1.2).
fn has_reached_file(check: &Check, edition: Edition, got: &Got) -> bool {
    const MUST_REACH: usize = 5;
    let Query::Access { visits, .. } = &check.query else { return false };
    let is_file = |visit: &TimedVisit| {
        visit.visit.hops.len() <= MUST_REACH
            && visit.visit.response.status == 200
            && visit.visit.response.fault.is_none()
    };
    matches!(edition, Edition::Rfc9309 | Edition::Rfc9309Aipref)
        && matches!(got, Ok(Answer::Access(answer)) if answer.followed)
        && visits.last().is_some_and(is_file)
        && check.clauses.iter().all(|clause| clause.id.starts_with("H-3xx"))
}

/// Returns what is expected of an answer that names the line of the rule that decided. The result is `None` where the
/// verdict is wrong, where readings do not agree on the rule, so that no line is, and where the line is that of a rule
/// without a path, which states what applies by default.
fn expect_line(check: &Check, edition: Edition, expected: &Expected, got: &Got) -> Option<Expected> {
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
    let is_rule = matches!(parts.known_field(), Some(Field::Rule(_)));
    let colon = parts.colon.filter(|_| parts.value.is_empty() && is_rule)?;
    Some([&robots[..=colon], b"/", &robots[colon + 1..]].concat())
}

/// Returns the status of an answer, given what an edition expects.
pub fn status(expected: &Expected, got: &Result<Answer, Fault>) -> Status {
    if expected.is_unspecified() {
        return match got {
            Ok(answer) if knows_that_unspecified(answer) => Status::Pass,
            Ok(_) => Status::Unspecified,
            Err(fault) => where_open(fault_status(fault)),
        };
    }
    let answer = match got {
        Ok(answer) => answer,
        Err(fault) => return fault_status(fault),
    };
    let pass_if = |is_as_expected: bool| if is_as_expected { Status::Pass } else { Status::Fail };
    match (expected, answer) {
        (
            Expected::Ruling(_),
            Answer::Match(Verdict::Error(_)) | Answer::Decided { verdict: Verdict::Error(_), .. },
        )
        | (
            Expected::Alike,
            Answer::Alike { file: Verdict::Error(_), .. } | Answer::Alike { twin: Verdict::Error(_), .. },
        ) => Status::Error,
        (Expected::Decided { ruling, lines }, Answer::Decided { verdict, line }) => {
            match (Verdict::from(*ruling) == *verdict, lines.contains(line)) {
                (false, _) => Status::Fail,
                (true, true) => Status::Pass,
                // No sentence requires to name the line that decides.
                (true, false) => Status::Unspecified,
            }
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

/// Returns the status of a query without an answer that an edition specifies.
pub fn fault_status(fault: &Fault) -> Status {
    match fault {
        Fault::NotSupported => Status::NotSupported,
        Fault::Crash(_) => Status::Crash,
        Fault::Timeout(_) => Status::Timeout,
        Fault::Protocol(_) => Status::ProtocolError,
        Fault::Flaky(_) | Fault::Dependent(_) => Status::Flaky,
        Fault::NotRun(_) => Status::NotRun,
        Fault::Error(_) => Status::Error,
    }
}

/// Returns what a status becomes where the edition leaves the answer open: an implementation cannot fail there.
fn where_open(status: Status) -> Status {
    match status {
        Status::Fail | Status::Error => Status::Unspecified,
        Status::Crash | Status::Timeout | Status::ProtocolError | Status::Flaky => Status::Unanswered,
        status => status,
    }
}

/// Returns whether the answer says itself that the edition does not decide.
fn knows_that_unspecified(answer: &Answer) -> bool {
    match answer {
        Answer::Match(verdict) => *verdict == Verdict::Unspecified,
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
    // Usually, and without a parser of URLs.
    if expected.required == got {
        return true;
    }
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
