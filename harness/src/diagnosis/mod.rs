//! Diagnosis: the likely common cause of many failures, inferred from the record of a run.
//!
//! An adapter that inverts the verdicts, or never passes the file on, fails thousands of checks for a reason that no
//! single failure shows. A cause that hides all others is reported only where every answer supports it, over many
//! cases: a parser with an ordinary mistake differs from it in a few answers at least. A mistake of the parser is
//! reported where a reading with just that mistake has the same answers, in what fails and in what passes.

mod evidence;
mod mistakes;

use std::collections::{BTreeSet, HashMap};

use robotspec_cases::{Check, CheckId, Expected, Query, Variant};
use robotspec_reference::Ruling;
use robotspec_reference::answer::InvalidBytes;
use robotspec_reference::question::typed;

use crate::answer::{Answer, Fault, Verdict};
use crate::cause::{AdapterMistake, Cause, Evidence};
use crate::event::{CheckFinished, Judgement, LikelyCause, Status};
use crate::record::ImplementationRecord;
use robotspec_text::sentences::counted;

/// Returns the likely causes of the failures of an implementation, the first to fix first. `checks` are those that were
/// sent to it, in any order; without one of them nothing is inferred.
pub fn diagnose(record: &ImplementationRecord, checks: &HashMap<&CheckId, &Check>) -> Vec<LikelyCause> {
    let pairs = record.checks.iter().map(|finished| Some((*checks.get(&finished.id)?, finished)));
    let Some(pairs) = pairs.collect::<Option<Vec<(&Check, &CheckFinished)>>>() else { return Vec::new() };
    let failures: Vec<(&Check, &CheckFinished)> =
        pairs.iter().copied().filter(|(_, finished)| finished.has_failure()).collect();
    if failures.is_empty() {
        return Vec::new();
    }
    let answers: Vec<AnsweredCheck> =
        pairs.iter().filter_map(|(check, finished)| AnsweredCheck::new(check, finished)).collect();
    let likely = infer(&answers, record);
    likely.into_iter().filter_map(|likely| likely.with_failures(&failures, record)).collect()
}

/// Returns the checks by their ids.
pub fn checks_by_id(checks: &[Check]) -> HashMap<&CheckId, &Check> {
    checks.iter().map(|check| (&check.id, check)).collect()
}

impl LikelyCause {
    fn new(cause: Cause, evidence: usize, of: Evidence) -> Self {
        let (observed, advice) = (cause.observation().to_owned(), cause.advice().to_owned());
        LikelyCause { cause, observed, advice, stand_in: None, evidence, of, rows: 0, example: None }
    }

    /// Returns the cause with the failures that it explains. The result is `None` where a list of known failures has
    /// all of them: then the list gives the reason.
    fn with_failures(
        mut self,
        failures: &[(&Check, &CheckFinished)],
        record: &ImplementationRecord,
    ) -> Option<LikelyCause> {
        let explained = failures.iter().filter(|(check, failure)| self.explains(check, failure, record));
        let (new, known): (Vec<_>, Vec<_>) = explained.partition(|(_, failure)| failure.has_new_failure());
        if new.is_empty() && !known.is_empty() {
            return None;
        }
        let rows: BTreeSet<CheckId> = new.iter().map(|(check, _)| check.id.as_written()).collect();
        // A check that every edition decides is the best example.
        let is_decided = |failure: &CheckFinished| {
            failure.editions.values().all(|judgement| !judgement.expected.is_unspecified())
        };
        let example = new.iter().find(|(_, failure)| is_decided(failure)).or(new.first());
        self.example = example.map(|(check, _)| check.id.clone());
        self.rows = rows.len();
        Some(self)
    }

    /// Returns whether an implementation with this mistake alone gives the wrong answer that a check got, so that other
    /// failures deserve a look first.
    pub fn explains(&self, check: &Check, finished: &CheckFinished, record: &ImplementationRecord) -> bool {
        let ended = |status| finished.editions.values().any(|judgement| judgement.status == status);
        match (self.cause, &check.query) {
            (Cause::Answer(mistake), _) => mistakes::explains(mistake, check, finished),
            (Cause::Rewriting(variant), _) => {
                let written = record.find(&check.id.as_written());
                check.id.variant == Some(variant) && written.is_some_and(|written| !written.has_failure())
            }
            (Cause::Adapter(AdapterMistake::AlwaysFails), Query::Match { .. } | Query::Alike { .. }) => {
                !ended(Status::Fail)
            }
            (Cause::Adapter(AdapterMistake::FirstCheckAlone), _) => ended(Status::ProtocolError),
            (Cause::Adapter(AdapterMistake::Base64NotDecoded), Query::Match { robots, .. }) => {
                str::from_utf8(robots).is_err()
            }
            (Cause::Adapter(mistake), Query::Match { robots, agent, url }) => match Got::of(finished) {
                Got::Allowed(allowed) => {
                    let (agent, url) = match (mistake, &self.stand_in) {
                        (AdapterMistake::AgentIgnored, Some(agent)) => (agent, url),
                        (AdapterMistake::UrlIgnored, Some(url)) => (agent, url),
                        _ => (agent, url),
                    };
                    mistakes::gives(mistake, robots, agent, url, allowed)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

fn infer(answers: &[AnsweredCheck], record: &ImplementationRecord) -> Vec<LikelyCause> {
    // Any of these causes hides all others.
    let alone = [
        evidence::always_fails,
        evidence::inverted,
        evidence::constant,
        mistakes::swapped,
        evidence::url_for_path,
        mistakes::url_after_slash,
        evidence::one_answer_a_file,
        evidence::file_ignored,
    ];
    if let Some(likely) = alone.into_iter().find_map(|of| of(answers)) {
        return vec![likely];
    }
    let ignored = [evidence::agent_ignored(answers), evidence::url_ignored(answers)];
    // Where the agent or the URL is ignored, no reading predicts the answers.
    let mut mistakes = if ignored == [None, None] { mistakes::mistakes(answers) } else { Vec::new() };
    let undecoded = evidence::base64_not_decoded(answers);
    if undecoded.is_some() {
        // A parser that ignores files which are not UTF-8 has the same answers.
        let ignores = Cause::Answer(typed::InvalidUtf8.choice(InvalidBytes::IgnoreFile));
        mistakes.retain(|likely| likely.cause != ignores);
    }
    let several = [evidence::first_check_alone(&record.incidents)].into_iter().chain(ignored);
    let several = several.chain([undecoded]).flatten();
    several.chain(mistakes).chain(evidence::rewritings(answers)).collect()
}

/// The answer to a match query, where all editions that judge it received the same one.
#[derive(Debug, Clone)]
struct AnsweredCheck<'c> {
    check: &'c Check,
    robots: &'c [u8],
    agent: &'c str,
    url: &'c str,
    /// Whether the verdict should be allow, where all editions agree and decide it.
    expected: Option<bool>,
    /// Whether some edition expects a disallow, and whether some edition expects an allow.
    wanted: [bool; 2],
    /// Whether the check fails in some edition.
    fails: bool,
    got: Got,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Got {
    Allowed(bool),
    Failed(Status, Fault),
    /// Different in some editions, or not a definite verdict.
    Other,
}

impl Got {
    fn new(judgement: &Judgement) -> Self {
        // The first answer of a flaky check is the one that was given together with those to the other checks of its file.
        let got = match &judgement.got {
            Err(Fault::Flaky(answers)) => &answers.first,
            Err(Fault::Dependent(dependent)) => &dependent.first,
            got => got,
        };
        match got.as_ref().map(Answer::verdict) {
            Ok(Some(Verdict::Allow)) => Got::Allowed(true),
            Ok(Some(Verdict::Disallow)) => Got::Allowed(false),
            Ok(Some(Verdict::Error(error))) if judgement.status == Status::Error => {
                Got::Failed(judgement.status, Fault::Error(error.clone()))
            }
            Err(fault) if judgement.status.is_failure() => Got::Failed(judgement.status, fault.clone()),
            _ => Got::Other,
        }
    }

    /// Returns the answer that all editions received.
    fn of(finished: &CheckFinished) -> Self {
        same(finished.editions.values().map(Got::new)).unwrap_or(Got::Other)
    }
}

impl<'c> AnsweredCheck<'c> {
    /// Returns the answer to a check. The result is `None` where the check is not a match query, or was not run.
    fn new(check: &'c Check, finished: &CheckFinished) -> Option<Self> {
        let Query::Match { robots, agent, url } = &check.query else { return None };
        if finished.has_not_run() {
            return None;
        }
        let expectations = finished.editions.values().map(|judgement| match judgement.expected {
            Expected::Ruling(Ruling::Allow) => Some(true),
            Expected::Ruling(Ruling::Disallow) => Some(false),
            _ => None,
        });
        let expectations: Vec<Option<bool>> = expectations.collect();
        Some(AnsweredCheck {
            check,
            robots,
            agent,
            url,
            wanted: [false, true].map(|allowed| expectations.contains(&Some(allowed))),
            fails: finished.has_failure(),
            expected: same(expectations.into_iter()).flatten(),
            got: Got::of(finished),
        })
    }

    fn allowed(&self) -> Option<bool> {
        if let Got::Allowed(allowed) = self.got { Some(allowed) } else { None }
    }

    fn case(&self) -> (&'c str, &'c str) {
        (&self.check.id.suite, &self.check.id.case)
    }

    /// Returns the clause that a failure is reported under.
    fn first_clause(&self) -> Option<&'c str> {
        self.check.clauses.first().map(|clause| &*clause.id)
    }

    /// Returns the case and the variant: checks with the same value are about the same file.
    fn file(&self) -> ((&'c str, &'c str), Option<Variant>) {
        (self.case(), self.check.id.variant)
    }
}

/// Returns the value that all items have.
fn same<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Returns how many rows fail for other reasons than the likely causes, in words. Rows that a list of known failures has do
/// not count, nor those with long files. The result is `None` without causes or such rows.
pub fn describe_other_rows(
    causes: &[LikelyCause],
    record: &ImplementationRecord,
    checks: &HashMap<&CheckId, &Check>,
) -> Option<String> {
    let failures = record.checks.iter().filter(|finished| finished.has_new_failure());
    let is_other = |finished: &&CheckFinished| {
        checks.get(&finished.id).is_some_and(|check| {
            let is_small = check.query.file().is_none_or(|file| file.len() <= mistakes::LARGEST);
            is_small && !causes.iter().any(|likely| likely.explains(check, finished, record))
        })
    };
    let others = failures.filter(is_other);
    let rows = others.map(|finished| finished.id.as_written()).collect::<BTreeSet<CheckId>>().len();
    let fail = if rows == 1 { "fails" } else { "fail" };
    (rows > 0 && !causes.is_empty())
        .then(|| format!("at least {} {fail} for other reasons", counted(rows, "row")))
}
