//! What speaks for each cause.

use std::collections::{BTreeMap, BTreeSet};

use robotspec_reference::scan::{Field, split_lines};

use super::{Answered, Got, Likely, same};
use crate::answer::{Breach, Fault};
use crate::cause::{Cause, Evidence};
use crate::endpoint::Incident;

/// Of how many cases and clauses the evidence has to be: what a filter leaves may well be all of one feature, which a
/// parser lacks.
const CASES: usize = 30;
const CLAUSES: usize = 10;
/// How many failures have to be the same, where nothing but failures come.
const CHECKS: usize = 50;
/// How many characters are shown of what the first of them ends in.
const FIRST_SHOWN: usize = 160;

fn is_broad(evidence: &[&Answered]) -> bool {
    let cases: BTreeSet<_> = evidence.iter().map(|answered| answered.case()).collect();
    let clauses: BTreeSet<&str> = evidence
        .iter()
        .flat_map(|answered| answered.check.clauses.first())
        .map(|clause| &*clause.id)
        .collect();
    cases.len() >= CASES && clauses.len() >= CLAUSES
}

pub(super) fn is_utf8(robots: &[u8]) -> bool {
    std::str::from_utf8(robots).is_ok()
}

/// The robots.txt itself may always be fetched, as many a parser knows without asking.
fn asks_for_robots_txt(answered: &Answered) -> bool {
    answered.url.ends_with("/robots.txt")
}

/// The cause, if these checks are evidence enough.
fn of_checks<'a, 'c: 'a>(
    cause: Cause,
    evidence: impl IntoIterator<Item = &'a Answered<'c>>,
) -> Option<Likely> {
    let evidence: Vec<&Answered> = evidence.into_iter().collect();
    is_broad(&evidence).then(|| Likely::new(cause, evidence.len(), Evidence::Check))
}

pub(super) fn always_fails(answers: &[Answered]) -> Option<Likely> {
    let decided = || answers.iter().filter(|answered| answered.expected.is_some());
    let failure = |answered: &Answered| match &answered.got {
        Got::Failed(status, _) => Some(*status),
        _ => None,
    };
    same(decided().map(failure))??;
    let Got::Failed(_, first) = &decided().next()?.got else { return None };
    let evidence = decided().count();
    let first = first.to_string();
    let first: String = first.lines().next().unwrap_or_default().chars().take(FIRST_SHOWN).collect();
    (evidence >= CHECKS).then(|| {
        let likely = Likely::new(Cause::AlwaysFails, evidence, Evidence::Check);
        Likely { observed: format!("{}, the first with {first}", likely.observed), ..likely }
    })
}

/// More wrong than right, of what is to be allowed as of what is not: not even a guess is that wrong.
pub(super) fn inverted(answers: &[Answered]) -> Option<Likely> {
    let decided = |expected: bool| {
        let of_kind = answers.iter().filter(move |answered| answered.expected == Some(expected));
        of_kind.filter(|answered| answered.allowed().is_some())
    };
    let is_wrong = |answered: &&Answered| answered.allowed() != answered.expected;
    for expected in [true, false] {
        let (all, wrong) = (decided(expected).count(), decided(expected).filter(is_wrong).count());
        if all == 0 || wrong * 5 < all * 3 {
            return None;
        }
    }
    of_checks(Cause::Inverted, decided(true).chain(decided(false)).filter(is_wrong))
}

pub(super) fn constant(answers: &[Answered]) -> Option<Likely> {
    let answered = || answers.iter().filter(|answered| !asks_for_robots_txt(answered));
    let allowed = same(answered().filter_map(Answered::allowed))?;
    let cause = if allowed { Cause::AllowsEverything } else { Cause::DisallowsEverything };
    // Of both kinds, or else this may be right.
    of_checks(cause, answered().filter(|answered| answered.expected == Some(allowed)))?;
    of_checks(
        cause,
        answered().filter(|answered| answered.expected == Some(!allowed) && answered.allowed().is_some()),
    )
}

/// `http://example.com/fish` begins with no path, but `*` matches its scheme and host.
pub(super) fn url_for_path(answers: &[Answered]) -> Option<Likely> {
    let (odd, plain): (Vec<&Answered>, Vec<&Answered>) = answers
        .iter()
        .filter(|answered| answered.expected == Some(false) && answered.allowed().is_some())
        .partition(|answered| has_rule_without_slash(answered.robots));
    let any_is_seen = odd.iter().any(|answered| answered.allowed() == Some(false));
    let none_is_seen = plain.iter().all(|answered| answered.allowed() == Some(true));
    if !any_is_seen || !none_is_seen {
        return None;
    }
    of_checks(Cause::UrlForPath, plain)
}

/// Whether there is a path pattern that may match the scheme of a URL.
fn has_rule_without_slash(robots: &[u8]) -> bool {
    split_lines(robots).any(|line| {
        let parts = line.parts();
        matches!(parts.known_field(), Some(Field::Rule(_)))
            && !parts.value.is_empty()
            && !parts.value.starts_with(b"/")
    })
}

/// Whether the answer is the same within each set of checks, though it should not be in many of them: the sets in
/// which it should not.
fn is_same_within<'c, K: Ord>(
    answers: &[Answered<'c>],
    key: impl Fn(&Answered<'c>) -> K,
    cause: Cause,
) -> Option<Likely> {
    let mut sets: BTreeMap<K, Vec<&Answered<'c>>> = BTreeMap::new();
    for answered in answers.iter().filter(|answered| answered.allowed().is_some()) {
        if !asks_for_robots_txt(answered) {
            sets.entry(key(answered)).or_default().push(answered);
        }
    }
    let varies = |set: &&Vec<&Answered>| {
        [Some(true), Some(false)]
            .iter()
            .all(|&expected| set.iter().any(|answered| answered.expected == expected))
    };
    if sets.values().any(|set| same(set.iter().map(|answered| answered.allowed())).is_none()) {
        return None;
    }
    let sets: Vec<&Vec<&Answered>> = sets.values().filter(varies).collect();
    let evidence: Vec<&Answered> = sets.iter().flat_map(|set| set.iter().copied()).collect();
    is_broad(&evidence).then(|| Likely::new(cause, sets.len(), Evidence::Comparison))
}

pub(super) fn one_answer_a_file(answers: &[Answered]) -> Option<Likely> {
    is_same_within(answers, Answered::file, Cause::OneAnswerAFile)
}

pub(super) fn file_ignored(answers: &[Answered]) -> Option<Likely> {
    is_same_within(answers, |answered| (answered.agent, answered.url), Cause::FileIgnored)
}

pub(super) fn agent_ignored(answers: &[Answered]) -> Option<Likely> {
    is_same_within(answers, |answered| (answered.file(), answered.url), Cause::AgentIgnored)
}

pub(super) fn url_ignored(answers: &[Answered]) -> Option<Likely> {
    is_same_within(answers, |answered| (answered.file(), answered.agent), Cause::UrlIgnored)
}

/// Asked again, one check a request, such an adapter answers: the failures do not show it, but the restarts do.
pub(super) fn first_check_alone(incidents: &[Incident]) -> Option<Likely> {
    let is_such = |incident: &&Incident| match incident {
        Incident::Restarted { reason: Fault::Protocol(error) } => {
            matches!(error.breach, Breach::VerdictCount { verdicts: 1, checks: 2.. })
        }
        _ => false,
    };
    let evidence = incidents.iter().filter(is_such).count();
    (evidence > 0).then(|| Likely::new(Cause::FirstCheckAlone, evidence, Evidence::Request))
}

/// What a key that is missing is told as, in one language or another.
const SIGNS: [&str; 6] = ["'robots'", "\"robots\"", "null", "undefined", "NoneType", "nil"];

pub(super) fn base64_not_decoded(answers: &[Answered]) -> Option<Likely> {
    let (utf8, others): (Vec<&Answered>, Vec<&Answered>) = answers
        .iter()
        .filter(|answered| answered.expected == Some(false))
        .partition(|answered| is_utf8(answered.robots));
    let is_right = |answered: &&&Answered| answered.allowed() == Some(false);
    // Where the others fare no better, it is not this.
    if utf8.iter().filter(is_right).count() * 2 < utf8.len()
        || others.iter().any(|answered| is_right(&answered))
    {
        return None;
    }
    // A parser may well refuse such a file; what misses the key of the request is an adapter.
    let is_of_an_adapter = |answered: &&Answered| match &answered.got {
        Got::Failed(_, fault) => {
            let message = fault.to_string();
            SIGNS.iter().any(|sign| message.contains(sign))
        }
        Got::Allowed(_) => true,
        Got::Other => false,
    };
    let cases: BTreeSet<_> = others.iter().map(|answered| answered.case()).collect();
    let is_likely = cases.len() >= 5 && others.iter().all(is_of_an_adapter);
    is_likely.then(|| Likely::new(Cause::Base64NotDecoded, others.len(), Evidence::Check))
}
