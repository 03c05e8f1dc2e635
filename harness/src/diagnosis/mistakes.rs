//! Mistakes of a parser: answers to questions that the edition does not admit.
//!
//! A mistake is likely where a reading with just that mistake has the verdicts of the implementation, in the rows where
//! the mistake changes the verdict of the reading.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ptr;
use std::rc::Rc;

use robotspec_cases::{Check, Query};
use robotspec_reference::answer::YesOrNo;
use robotspec_reference::question::typed;
use robotspec_reference::{Choice, Edition, Reading, RobotsTxt, Verdict};

use super::{AnsweredCheck, Got};
use crate::cause::{AdapterMistake, Cause, Evidence};
use crate::event::{CheckFinished, LikelyCause};

/// The number of rows that must have an answer. In a small selection of rows, different mistakes of a parser look the same.
const ROWS: usize = 1500;

/// The same for a mistake of an adapter that hides all others: it is compared with its rivals.
const ROWS_OF_ALL: usize = 60;

/// The number of rows of each verdict that must occur, where all rows agree with such a mistake.
const VERDICTS: usize = 4;

/// The largest file that is read again, in bytes. Larger files test the size limit, and take long.
pub(super) const LARGEST: usize = 64 << 10;

/// The number of cases that the explained failures must come from, and the same where no row contradicts the mistake.
const CASES: usize = 8;
const CASES_OF_EXACT: usize = 4;

/// The number of clauses that the explained failures must come from, if the mistake makes a difference under so many.
const CLAUSES: usize = 3;

/// A mistake must explain at least one of this number of failures.
const SHARE: usize = 20;

/// A row for which the reading without mistakes has a verdict that an edition expects.
struct Predicted<'a, 'c> {
    answered: &'a AnsweredCheck<'c>,
    file: Rc<RobotsTxt<'c>>,
    allowed: bool,
    /// The verdict of the reading with the mistakes that are found so far.
    read: bool,
}

impl Predicted<'_, '_> {
    /// Returns whether an agent may fetch the URL in a reading.
    fn allows(&self, reading: &Reading, agent: &str) -> bool {
        allows(&self.file, reading, agent, self.answered.url).unwrap_or(self.read)
    }

    /// Returns whether the row fails, and not by a mistake that is found.
    fn is_wrong_failure(&self) -> bool {
        self.answered.fails && self.allowed != self.read
    }
}

/// The reading without mistakes: the plainest one, other than that most parsers compare whole paths.
fn sound() -> Reading {
    Reading::plainest(Edition::Rfc9309).supposing(typed::TrailingStarCounts.choice(YesOrNo::Yes))
}

/// Returns whether a reading allows an agent to fetch a URL, if it is one.
fn allows(file: &RobotsTxt, reading: &Reading, agent: &str, url: &str) -> Option<bool> {
    Some(file.decide(reading, agent, url).ok()?.verdict == Verdict::Allow)
}

/// Returns whether the rules for an agent allow a text that is given in place of a path.
fn allows_text(file: &RobotsTxt, agent: &str, text: &str) -> bool {
    file.decide_text(&sound(), agent, text).verdict == Verdict::Allow
}

/// Returns the rows that the reading without mistakes predicts; none where fewer rows than `least` have an answer, or no check
/// fails.
fn predicted<'a, 'c>(answers: &'a [AnsweredCheck<'c>], least: usize) -> Vec<Predicted<'a, 'c>> {
    let rows = answers.iter().filter(|answered| answered.check.id.variant.is_none());
    if rows.clone().count() < least || !answers.iter().any(|answered| answered.fails) {
        return Vec::new();
    }
    let rows = rows.filter(|answered| answered.robots.len() <= LARGEST);
    // Rows about one file mostly follow each other.
    let mut latest: Option<(&[u8], Rc<RobotsTxt>)> = None;
    let sound = sound();
    let predicted = rows.filter_map(|answered| {
        let allowed = answered.allowed()?;
        let file = match &latest {
            Some((robots, file)) if ptr::eq(*robots, answered.robots) => Rc::clone(file),
            _ => Rc::new(RobotsTxt::parse(answered.robots)),
        };
        latest = Some((answered.robots, Rc::clone(&file)));
        let read = allows(&file, &sound, answered.agent, answered.url)?;
        answered.wanted[usize::from(read)].then_some(Predicted { answered, file, allowed, read })
    });
    predicted.collect()
}

/// The rows that speak for a mistake, and those that speak against it.
#[derive(Default)]
struct Support<'a, 'c> {
    /// The failures that the mistake explains.
    explained: Vec<&'a AnsweredCheck<'c>>,
    /// The clauses under which the mistake makes a difference.
    clauses: BTreeSet<&'a str>,
    /// The number of wrong verdicts where the mistake makes a difference.
    agreeing: usize,
    /// The number of right verdicts where the mistake makes a difference.
    contradicting: usize,
    /// The number of rows that would agree if verdicts were wrong as often as where the mistake makes no difference.
    by_chance: usize,
}

impl Support<'_, '_> {
    fn is_sufficient(&self, failing: usize) -> bool {
        let cases: BTreeSet<_> = self.explained.iter().map(|answered| answered.case()).collect();
        let clauses: BTreeSet<&str> =
            self.explained.iter().filter_map(|answered| answered.first_clause()).collect();
        self.explained.len() * SHARE >= failing
            && cases.len() >= if self.contradicting == 0 { CASES_OF_EXACT } else { CASES }
            && clauses.len() >= CLAUSES.min(self.clauses.len())
            && self.agreeing >= 4 * self.contradicting
            && self.agreeing >= 2 * self.by_chance
    }

    fn weight(&self) -> usize {
        self.explained.len().saturating_sub(self.contradicting)
    }
}

/// Returns the support for a mistake with which the reading has these verdicts on the rows.
fn support<'a, 'c>(rows: &[Predicted<'a, 'c>], verdicts: &[bool]) -> Support<'a, 'c> {
    let mut support = Support::default();
    for verdict in [false, true] {
        let (mut differing, mut others, mut wrong_others) = (0, 0, 0);
        for (row, with_mistake) in rows.iter().zip(verdicts).filter(|(row, _)| row.read == verdict) {
            let is_wrong = row.allowed != row.read;
            if row.read == *with_mistake {
                others += 1;
                wrong_others += usize::from(is_wrong);
                continue;
            }
            differing += 1;
            support.clauses.extend(row.answered.first_clause());
            support.agreeing += usize::from(is_wrong);
            support.contradicting += usize::from(!is_wrong);
            support.explained.extend(row.is_wrong_failure().then_some(row.answered));
        }
        support.by_chance += differing * wrong_others / usize::max(others, 1);
    }
    support
}

/// Returns the mistakes that explain failures, those that explain the most first. Each mistake is supposed in a reading
/// that also makes the mistakes found before.
pub(super) fn mistakes(answers: &[AnsweredCheck]) -> Vec<LikelyCause> {
    let mut rows = predicted(answers, ROWS);
    let failing = rows.iter().filter(|row| row.answered.fails).count();
    let mut reading = sound();
    let mut likely = Vec::new();
    // Most parsers have too few failures for any mistake.
    if failing < CASES {
        return likely;
    }
    loop {
        let mut best: Option<(Choice, Support, Vec<bool>)> = None;
        let is_new = |mistake: &Choice| reading.choice(mistake.question) == sound().choice(mistake.question);
        for mistake in Choice::mistakes().filter(is_new) {
            let supposed = reading.clone().with_mistake(mistake);
            // Nearly all mistakes explain too little, which the failures alone show.
            let is_explained = |row: &&Predicted| row.allows(&supposed, row.answered.agent) == row.allowed;
            let explained = rows.iter().filter(|row| row.is_wrong_failure()).filter(is_explained).count();
            let outweighs = |weight| best.as_ref().is_none_or(|(_, best, _)| weight > best.weight());
            if explained * SHARE < failing || explained < CASES || !outweighs(explained) {
                continue;
            }
            let verdicts: Vec<bool> =
                rows.iter().map(|row| row.allows(&supposed, row.answered.agent)).collect();
            let support = support(&rows, &verdicts);
            if support.is_sufficient(failing) && outweighs(support.weight()) {
                best = Some((mistake, support, verdicts));
            }
        }
        let Some((mistake, support, verdicts)) = best else { return likely };
        likely.push(LikelyCause::new(Cause::Answer(mistake), support.explained.len(), Evidence::FailingRow));
        reading = reading.with_mistake(mistake);
        rows.iter_mut().zip(verdicts).for_each(|(row, verdict)| row.read = verdict);
    }
}

/// Returns whether a reading with the mistake, and only with it, has the verdict that a check got.
pub(super) fn explains(mistake: Choice, check: &Check, finished: &CheckFinished) -> bool {
    let (Query::Match { robots, agent, url }, Got::Allowed(allowed)) = (&check.query, Got::of(finished))
    else {
        return false;
    };
    if robots.len() > LARGEST {
        return false;
    }
    let file = RobotsTxt::parse(robots);
    let allows = |reading: &Reading| allows(&file, reading, agent, url);
    allows(&sound().with_mistake(mistake)) == Some(allowed) && allows(&sound()) == Some(!allowed)
}

/// Returns whether an adapter with this mistake, before a parser without mistakes, gives this verdict, which fails. Of an agent
/// or a URL that is ignored, it is given the one that takes its place.
pub(super) fn gives(mistake: AdapterMistake, robots: &[u8], agent: &str, url: &str, allowed: bool) -> bool {
    match mistake {
        // A verdict that fails is the other one.
        AdapterMistake::Inverted => return true,
        AdapterMistake::AllowsEverything => return allowed,
        AdapterMistake::DisallowsEverything => return !allowed,
        // Each is the only cause where it is likely.
        AdapterMistake::FileIgnored | AdapterMistake::OneAnswerAFile => return true,
        _ if robots.len() > LARGEST => return false,
        _ => {}
    }
    let file = RobotsTxt::parse(robots);
    let is_of_text = |agent: &str, text: &str| allows_text(&file, agent, text) == allowed;
    match mistake {
        AdapterMistake::UrlForPath => is_of_text(agent, url) || is_of_text(agent, &format!("/{url}")),
        AdapterMistake::Swapped => {
            [agent, "/", &format!("/{agent}")].iter().any(|path| is_of_text(url, path))
        }
        AdapterMistake::AgentIgnored | AdapterMistake::UrlIgnored => {
            allows(&file, &sound(), agent, url) == Some(allowed)
        }
        _ => false,
    }
}

/// The number of agents, or of URLs, one of which may take the place of all others.
const STAND_INS: usize = 4;

/// Returns the agent, or the URL, for which most answers are: one of the most frequent ones of the checks, or `other`. `with`
/// returns the agent and the URL of a check where one of them is given.
pub(super) fn stand_in<'c>(
    answers: &[AnsweredCheck<'c>],
    other: &'c str,
    of: impl Fn(&AnsweredCheck<'c>) -> &'c str,
    with: impl Fn(&AnsweredCheck<'c>, &'c str) -> (&'c str, &'c str),
) -> Option<String> {
    let written = answers.iter().filter(|answered| answered.check.id.variant.is_none());
    let written: Vec<&AnsweredCheck> =
        written.filter(|answered| answered.robots.len() <= LARGEST && answered.allowed().is_some()).collect();
    let mut counts: BTreeMap<&'c str, usize> = BTreeMap::new();
    written.iter().for_each(|answered| *counts.entry(of(answered)).or_default() += 1);
    let mut candidates: Vec<&'c str> = counts.keys().copied().collect();
    candidates.sort_by_key(|candidate| Reverse(counts[candidate]));
    let files: Vec<RobotsTxt> = written.iter().map(|answered| RobotsTxt::parse(answered.robots)).collect();
    let agreeing = |candidate: &&'c str| {
        let is_given = |(file, answered): &(&RobotsTxt, &&AnsweredCheck<'c>)| {
            let (agent, url) = with(answered, candidate);
            allows(file, &sound(), agent, url) == answered.allowed()
        };
        files.iter().zip(&written).filter(is_given).count()
    };
    let candidates = [other].into_iter().chain(candidates.into_iter().take(STAND_INS));
    candidates.max_by_key(agreeing).map(str::to_owned)
}

/// A parser that receives the URL as the agent obeys the group for `*`, and takes the agent as a path, or as a host
/// without a path.
pub(super) fn swapped(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let rows = predicted(answers, ROWS_OF_ALL);
    let rivals: [fn(&Predicted) -> bool; 4] = [
        |row| row.read,
        |row| allows_text(&row.file, row.answered.agent, row.answered.url),
        |row| allows_text(&row.file, row.answered.agent, "/"),
        |row| row.allows(&sound(), "*"),
    ];
    let as_path = |path: fn(&str) -> String| {
        let allows = |row: &Predicted| allows_text(&row.file, row.answered.url, &path(row.answered.agent));
        prevails(&rows, allows, &rivals).map(|evidence| {
            LikelyCause::new(Cause::Adapter(AdapterMistake::Swapped), evidence, Evidence::Row)
        })
    };
    as_path(str::to_owned)
        .or_else(|| as_path(|_| "/".to_owned()))
        .or_else(|| as_path(|agent| format!("/{agent}")))
}

/// Some parsers add a slash to a path that does not start with one, such as a URL. The rules `/` and `/*.php` then match.
pub(super) fn url_after_slash(answers: &[AnsweredCheck]) -> Option<LikelyCause> {
    let rows = predicted(answers, ROWS_OF_ALL);
    let rivals: [fn(&Predicted) -> bool; 3] = [
        |row| row.read,
        |row| allows_text(&row.file, row.answered.agent, "/"),
        |row| row.allows(&sound(), "*"),
    ];
    let allows =
        |row: &Predicted| allows_text(&row.file, row.answered.agent, &format!("/{}", row.answered.url));
    prevails(&rows, allows, &rivals)
        .map(|evidence| LikelyCause::new(Cause::Adapter(AdapterMistake::UrlForPath), evidence, Evidence::Row))
}

/// Returns how many rows agree with a parser against the first of its rivals, where nearly all rows agree with it, also
/// among those that differ from a rival. The first rival has no mistake. Where each row agrees, and both verdicts occur, a
/// small selection of rows is enough: a single row then contradicts any other rival.
fn prevails(
    rows: &[Predicted],
    allows: impl Fn(&Predicted) -> bool,
    rivals: &[fn(&Predicted) -> bool],
) -> Option<usize> {
    // Most parsers disagree with it soon.
    let disagreeing = rows.iter().filter(|row| allows(row) != row.allowed);
    let disagreeing = disagreeing.take(1 + rows.len() / 20).count();
    if disagreeing > rows.len() / 20 {
        return None;
    }
    let evidence = rivals.iter().map(|rival| {
        let differing: Vec<&Predicted> = rows.iter().filter(|row| allows(row) != rival(row)).collect();
        let agreeing = differing.iter().filter(|row| allows(row) == row.allowed).count();
        (agreeing * 10 >= differing.len() * 9).then_some(agreeing)
    });
    let evidence = evidence.collect::<Option<Vec<usize>>>()?;
    let (first, others) = evidence.split_first()?;
    let of_verdict = |allowed: bool| rows.iter().filter(|row| row.allowed == allowed).count();
    let is_exact = disagreeing == 0 && of_verdict(true).min(of_verdict(false)) >= VERDICTS;
    let least = if is_exact { 1 } else { CASES };
    (*first >= CASES && others.iter().all(|evidence| *evidence >= least)).then_some(*first)
}
