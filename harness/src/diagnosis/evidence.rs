//! The evidence for each cause that is not a mistake of the parser.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use robotspec_cases::{CheckId, Variant};
use robotspec_reference::scan::{Field, split_lines};

use super::mistakes::stand_in;
use super::{AnsweredCheck, Got, same};
use crate::answer::{Breach, Fault};
use crate::cause::{AdapterMistake, Cause, Evidence};
use crate::endpoint::Incident;
use crate::event::LikelyCause;

/// The number of cases that the evidence must come from. A filter may select only cases of one feature, which a parser may
/// lack.
const CASES: usize = 20;

/// The number of clauses that the evidence must come from.
const CLAUSES: usize = 10;

/// The number of failures that must be the same, where every check fails.
const CHECKS: usize = 50;

/// The number of characters of the first failure that are shown.
const FIRST_SHOWN: usize = 160;

fn is_broad(evidence: &[&AnsweredCheck]) -> bool {
    let cases: BTreeSet<_> = evidence.iter().map(|answered| answered.case()).collect();
    let clauses: BTreeSet<&str> = evidence.iter().filter_map(|answered| answered.first_clause()).collect();
    cases.len() >= CASES && clauses.len() >= CLAUSES
}

/// The number of trivial rows, and of cases that they must come from, that are evidence in a small selection of checks.
const TRIVIAL_ROWS: usize = 4;
const TRIVIAL_CASES: usize = 2;

/// Returns whether a row is about a group with one rule, for the agent as it is written or for all, and a path of letters.
fn is_trivial(answered: &AnsweredCheck) -> bool {
    let is_plain =
        |path: &str| path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.-:".contains(&byte));
    let lines = answered.robots.strip_suffix(b"\n").and_then(|file| std::str::from_utf8(file).ok());
    let Some((agent, rule)) = lines.and_then(|lines| lines.split_once('\n')) else { return false };
    let names = agent.strip_prefix("user-agent: ").is_some_and(|name| name == answered.agent || name == "*");
    let path = rule.strip_prefix("disallow: /").or_else(|| rule.strip_prefix("allow: /"));
    names && path.is_some_and(is_plain) && is_plain(answered.url)
}

/// Returns whether the URL is that of a robots.txt. Many parsers allow it whatever the file contains.
fn is_about_robots_txt(answered: &AnsweredCheck) -> bool {
    answered.url.ends_with("/robots.txt")
}

/// Returns the cause, if these checks are sufficient evidence.
fn from_checks<'a, 'c: 'a>(
    mistake: AdapterMistake,
    evidence: impl IntoIterator<Item = &'a AnsweredCheck<'c>>,
) -> Option<LikelyCause> {
    let evidence: Vec<&AnsweredCheck> = evidence.into_iter().collect();
    // No parser lacks a feature that trivial rows need, whatever a filter selects.
    let trivial: Vec<_> = evidence.iter().filter(|answered| is_trivial(answered)).collect();
    let cases: BTreeSet<_> = trivial.iter().map(|answered| answered.case()).collect();
    (is_broad(&evidence) || trivial.len() >= TRIVIAL_ROWS && cases.len() >= TRIVIAL_CASES)
        .then(|| LikelyCause::new(Cause::Adapter(mistake), evidence.len(), Evidence::Check))
}

pub(super) fn always_fails(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let decided = || answers.iter().filter(|answered| answered.expected.is_some());
    let failure = |answered: &AnsweredCheck| match &answered.got {
        Got::Failed(status, _) => Some(*status),
        _ => None,
    };
    same(decided().map(failure))??;
    let Got::Failed(_, first) = &decided().next()?.got else { return None };
    let evidence = decided().count();
    let first = first.to_string();
    let first: String = first.lines().next().unwrap_or_default().chars().take(FIRST_SHOWN).collect();
    (evidence >= CHECKS).then(|| {
        let likely = LikelyCause::new(Cause::Adapter(AdapterMistake::AlwaysFails), evidence, Evidence::Check);
        LikelyCause { observed: format!("{}, the first with {first}", likely.observed), ..likely }
    })
}

/// Most verdicts are wrong, both where allow is expected and where disallow is: even a guess is right more often.
pub(super) fn inverted(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let decided = |expected: bool| {
        let of_kind = answers.iter().filter(move |answered| answered.expected == Some(expected));
        of_kind.filter(|answered| answered.allowed().is_some())
    };
    let is_wrong = |answered: &&AnsweredCheck| answered.allowed() != answered.expected;
    for expected in [true, false] {
        let (all, wrong) = (decided(expected).count(), decided(expected).filter(is_wrong).count());
        if all == 0 || wrong * 5 < all * 3 {
            return None;
        }
    }
    let (wrong, right): (Vec<&AnsweredCheck>, Vec<&AnsweredCheck>) =
        decided(true).chain(decided(false)).partition(is_wrong);
    // A parser may have most rows of a small selection wrong, but not each of the trivial ones.
    if !is_broad(&wrong) && right.into_iter().any(is_trivial) {
        return None;
    }
    from_checks(AdapterMistake::Inverted, wrong)
}

pub(super) fn constant(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let answered = || answers.iter().filter(|answered| !is_about_robots_txt(answered));
    let allowed = same(answered().filter_map(AnsweredCheck::allowed))?;
    let cause = if allowed { AdapterMistake::AllowsEverything } else { AdapterMistake::DisallowsEverything };
    // Both verdicts must be expected: a constant verdict may be right for a selection of checks.
    answered().find(|answered| answered.expected == Some(allowed))?;
    from_checks(
        cause,
        answered().filter(|answered| answered.expected == Some(!allowed) && answered.allowed().is_some()),
    )
}

/// A rule that starts with `/` never matches a URL such as `http://example.com/fish`, but a rule that starts with `*`
/// matches its scheme and host.
pub(super) fn url_for_path(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let (right, wrong): (Vec<&AnsweredCheck>, Vec<&AnsweredCheck>) = answers
        .iter()
        .filter(|answered| answered.expected == Some(false) && answered.allowed().is_some())
        .partition(|answered| answered.allowed() == Some(false));
    // Nearly all parsers are right about a rule with a slash. To look at all files takes long.
    if right.is_empty() || !right.iter().all(|answered| has_rule_without_slash(answered.robots)) {
        return None;
    }
    let plain = wrong.into_iter().filter(|answered| !has_rule_without_slash(answered.robots));
    from_checks(AdapterMistake::UrlForPath, plain)
}

/// Returns whether the file has a rule that may match the scheme of a URL.
fn has_rule_without_slash(robots: &[u8]) -> bool {
    split_lines(robots).any(|line| {
        let parts = line.parts();
        matches!(parts.known_field(), Some(Field::Rule(_)))
            && !parts.value.is_empty()
            && !parts.value.starts_with(b"/")
    })
}

/// Returns the cause, if the verdict is the same within each set of checks, although different verdicts are expected in
/// many sets. Checks with the same key are a set.
fn is_same_within<'c, K: Ord>(
    answers: &[AnsweredCheck<'c>],
    key: impl Fn(&AnsweredCheck<'c>) -> K,
    mistake: AdapterMistake,
) -> Option<LikelyCause> {
    let mut sets: BTreeMap<K, Vec<&AnsweredCheck<'c>>> = BTreeMap::new();
    for answered in answers.iter().filter(|answered| answered.allowed().is_some()) {
        if !is_about_robots_txt(answered) {
            sets.entry(key(answered)).or_default().push(answered);
        }
    }
    let varies = |set: &&Vec<&AnsweredCheck>| {
        [Some(true), Some(false)]
            .iter()
            .all(|&expected| set.iter().any(|answered| answered.expected == expected))
    };
    if sets.values().any(|set| same(set.iter().map(|answered| answered.allowed())).is_none()) {
        return None;
    }
    let sets: Vec<&Vec<&AnsweredCheck>> = sets.values().filter(varies).collect();
    let evidence: Vec<&AnsweredCheck> = sets.iter().flat_map(|set| set.iter().copied()).collect();
    is_broad(&evidence).then(|| LikelyCause::new(Cause::Adapter(mistake), sets.len(), Evidence::Comparison))
}

pub(super) fn one_answer_a_file(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    is_same_within(answers, AnsweredCheck::file, AdapterMistake::OneAnswerAFile)
}

pub(super) fn file_ignored(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    is_same_within(answers, |answered| (answered.agent, answered.url), AdapterMistake::FileIgnored)
}

pub(super) fn agent_ignored(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let likely =
        is_same_within(answers, |answered| (answered.file(), answered.url), AdapterMistake::AgentIgnored)?;
    let stand_in = stand_in(answers, "*", |answered| answered.agent, |of, agent| (agent, of.url));
    Some(LikelyCause { stand_in, ..likely })
}

pub(super) fn url_ignored(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let likely =
        is_same_within(answers, |answered| (answered.file(), answered.agent), AdapterMistake::UrlIgnored)?;
    let stand_in = stand_in(answers, "/", |answered| answered.url, |of, url| (of.agent, url));
    Some(LikelyCause { stand_in, ..likely })
}

/// An adapter that answers only the first check of a request. Its failures do not show this, because the runner repeats
/// each check alone; the restarts show it.
pub(super) fn first_check_alone(incidents: &[Incident]) -> Option<LikelyCause> {
    let is_such = |incident: &&Incident| match incident {
        Incident::Restarted { reason: Fault::Protocol(error) } => {
            matches!(error.breach, Breach::VerdictCount { verdicts: 1, checks: 2.. })
        }
        _ => false,
    };
    let evidence = incidents.iter().filter(is_such).count();
    (evidence > 0).then(|| {
        LikelyCause::new(Cause::Adapter(AdapterMistake::FirstCheckAlone), evidence, Evidence::Request)
    })
}

/// Parts of error messages for a missing key, in several languages. Messages that do not name the key may be those of the
/// library, such as a TypeError about `None`.
const MISSING_KEY: [&str; 4] = ["'robots'", "\"robots\"", ":robots", "Received undefined"];

pub(super) fn base64_not_decoded(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let (utf8, others): (Vec<&AnsweredCheck>, Vec<&AnsweredCheck>) = answers
        .iter()
        .filter(|answered| answered.expected == Some(false))
        .partition(|answered| str::from_utf8(answered.robots).is_ok());
    let is_right = |answered: &&&AnsweredCheck| answered.allowed() == Some(false);
    // Files in UTF-8 must mostly get the right verdict, and no other file may.
    if utf8.iter().filter(is_right).count() * 2 < utf8.len()
        || others.iter().any(|answered| is_right(&answered))
    {
        return None;
    }
    // A parser may refuse such a file with an error. An error about a missing key comes from an adapter.
    let is_caused_by_adapter = |answered: &&AnsweredCheck| match &answered.got {
        Got::Failed(_, fault) => {
            let message = fault.to_string();
            MISSING_KEY.iter().any(|sign| message.contains(sign))
        }
        Got::Allowed(_) => true,
        Got::Other => false,
    };
    let cases: BTreeSet<_> = others.iter().map(|answered| answered.case()).collect();
    let is_likely = cases.len() >= 5 && others.iter().all(is_caused_by_adapter);
    is_likely.then(|| {
        LikelyCause::new(Cause::Adapter(AdapterMistake::Base64NotDecoded), others.len(), Evidence::Check)
    })
}

/// The forms of lines. What other variants change is what a rule or a group means, for which there are mistakes.
const OF_LINES: [Variant; 8] = [
    Variant::Crlf,
    Variant::Cr,
    Variant::NoFinalNewline,
    Variant::Bom,
    Variant::CapitalFields,
    Variant::Spaced,
    Variant::Commented,
    Variant::BlankLines,
];

/// The number of failures, and of cases that they must come from.
const FAILURES: usize = 10;
const CASES_OF_REWRITING: usize = 5;

/// One of this number of disallowed rows must fail at least: rules that are not read allow everything.
const SHARE: usize = 3;

/// Returns the variants in which rows fail that are right as they are written.
pub(super) fn rewritings(answers: &[AnsweredCheck]) -> Vec<LikelyCause> {
    let written = answers.iter().filter(|answered| answered.check.id.variant.is_none() && !answered.fails);
    let right: HashSet<&CheckId> = written.map(|answered| &answered.check.id).collect();
    let likely = |variant: Variant| {
        let rows: Vec<&AnsweredCheck> = answers
            .iter()
            .filter(|answered| answered.check.id.variant == Some(variant) && answered.expected == Some(false))
            .filter(|answered| right.contains(&answered.check.id.as_written()))
            .collect();
        let failing: Vec<_> = rows.iter().filter(|answered| answered.fails).collect();
        let cases: BTreeSet<_> = failing.iter().map(|answered| answered.case()).collect();
        let is_likely = failing.len() >= FAILURES
            && cases.len() >= CASES_OF_REWRITING
            && failing.len() * SHARE >= rows.len();
        is_likely.then(|| LikelyCause::new(Cause::Rewriting(variant), failing.len(), Evidence::FailingRow))
    };
    OF_LINES.into_iter().filter_map(likely).collect()
}
