//! Profiles: which answer an implementation gives to each question, whether or not an edition decides it.
//!
//! The verdict of a probe depends on one question alone, so the verdict shows the answer to the
//! question. An answer is stated only where all probes agree. An implementation that answers two probes in two ways gives
//! no single answer; where it always gives the same answer about one spelling or character, it has different answers for
//! different subjects, such as a fixed list of misspellings.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::event::Status;
use robotspec::{Answer, Batch, Endpoint, Fault, Verdict, status};
use robotspec_cases::{Expected, Query};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Edition, Governs, Question};

use crate::send::{answer_at, send_and_report};

pub use crate::probes::{Probe, find_probes};

/// The answers of an implementation to the questions.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Each question of the table that has probes.
    pub questions: BTreeMap<Question, Inferred>,
}

/// What the probes of one question show.
#[derive(Debug, Clone)]
pub struct Inferred {
    /// How many probes show an answer.
    pub probes: usize,
    /// The answer, or why there is none.
    pub finding: Shown,
    /// The probes that the implementation did not answer with allow or disallow, such as URLs that it refuses.
    pub rejected: Option<Rejected>,
    /// The editions that do not admit what a probe shows.
    pub breaks: BTreeSet<Edition>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Every probe is consistent with each of these answers. Several answers have the same outcome in every probe.
    Answers(Vec<Choice>),
    /// The answers about each subject, where they differ.
    BySubject(BTreeMap<&'static str, Vec<Choice>>),
    /// Two probes that no single answer explains.
    Mixed(Box<[Contrary; 2]>),
    /// The implementation does not support the operation.
    NotSupported,
    /// The implementation rejected every probe.
    Rejected,
    /// The question arises only where another question has this answer, and it has not.
    OnlyGiven(Choice),
}

/// One of two probes that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrary {
    /// The answers that explain the probe. Empty where none does.
    pub answers: Vec<Choice>,
    /// The query of the probe.
    pub query: Query,
    /// What the implementation answered.
    pub got: String,
}

/// Probes that the implementation did not answer with a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub query: Query,
    /// What the implementation answered to it.
    pub got: String,
}

/// A probe, and what the implementation answered.
struct AnsweredProbe<'p> {
    probe: &'p Probe,
    got: Result<Answer, Fault>,
    /// The answers that have this outcome.
    consistent: Vec<Choice>,
}

impl<'p> AnsweredProbe<'p> {
    fn new(probe: &'p Probe, got: Result<Answer, Fault>) -> Self {
        let is_consistent = |expected: &Expected| status(expected, &got) == Status::Pass;
        let consistent = probe.outcomes.iter().filter(|(_, expected)| is_consistent(expected));
        let consistent = consistent.map(|(choice, _)| *choice).collect();
        AnsweredProbe { probe, got, consistent }
    }

    fn is_not_supported(&self) -> bool {
        matches!(self.got, Err(Fault::NotSupported))
    }

    fn is_rejected(&self) -> bool {
        matches!(
            self.got,
            Err(_)
                | Ok(Answer::Match(Verdict::Error(_) | Verdict::Unspecified)
                    | Answer::Scope(Governs::Unspecified))
        )
    }

    fn describe_got(&self) -> String {
        match &self.got {
            Ok(answer) => answer.to_string(),
            Err(fault) => fault.to_string(),
        }
    }

    fn contrary(&self) -> Contrary {
        Contrary {
            answers: self.consistent.clone(),
            query: self.probe.query.clone(),
            got: self.describe_got(),
        }
    }

    /// Returns whether the probe shows an answer that the edition does not admit.
    fn breaks(&self, edition: Edition) -> bool {
        let admitted = self.probe.question.row().answers(edition);
        // The outcomes of a row of the cases are those of its editions: this edition may admit other answers.
        let has_outcome = |choice: &Choice| self.probe.outcomes.iter().any(|(other, _)| other == choice);
        admitted.iter().all(has_outcome) && !admitted.iter().any(|choice| self.consistent.contains(choice))
    }
}

impl Profile {
    /// For each edition, the questions to which the implementation gives an answer that the edition does not admit.
    pub fn editions(&self) -> BTreeMap<Edition, Vec<Question>> {
        let broken = |edition: Edition| {
            let broken = self.questions.iter().filter(|(_, inferred)| inferred.breaks.contains(&edition));
            (edition, broken.map(|(question, _)| *question).collect())
        };
        Edition::ALL.into_iter().map(broken).collect()
    }

    /// Returns the questions that need an operation that the implementation does not support.
    pub fn not_supported(&self) -> Vec<Question> {
        let is_not_supported =
            |(_, inferred): &(&Question, &Inferred)| inferred.finding == Shown::NotSupported;
        self.questions.iter().filter(is_not_supported).map(|(question, _)| *question).collect()
    }
}

/// Returns the profile of an implementation. `answered` is called after each probe.
pub fn profile(endpoint: &mut dyn Endpoint, probes: &[Probe], answered: &mut dyn FnMut()) -> Profile {
    let batches: Vec<Batch> = probes.iter().map(|probe| Batch::single(probe.query.clone())).collect();
    let answers = send_and_report(endpoint, &batches, answered);
    let answered: Vec<AnsweredProbe> = probes
        .iter()
        .zip(&answers)
        .map(|(probe, answer)| AnsweredProbe::new(probe, answer_at(answer, 0)))
        .collect();
    let mut questions: BTreeMap<Question, Inferred> = BTreeMap::new();
    // First the questions without a condition: the answers to the other ones depend on theirs.
    for is_conditional in [false, true] {
        for question in TABLE.iter().map(|row| row.question) {
            let of_question: Vec<&AnsweredProbe> =
                answered.iter().filter(|answered| answered.probe.question == question).collect();
            let has_condition = of_question.iter().any(|answered| !answered.probe.given.is_empty());
            if !of_question.is_empty() && has_condition == is_conditional {
                let inferred = infer(&of_question, &questions);
                questions.insert(question, inferred);
            }
        }
    }
    Profile { questions }
}

/// Returns what the probes of one question show.
fn infer(answered: &[&AnsweredProbe], known: &BTreeMap<Question, Inferred>) -> Inferred {
    let mut nothing =
        Inferred { probes: 0, finding: Shown::NotSupported, rejected: None, breaks: BTreeSet::new() };
    if answered.iter().all(|answered| answered.is_not_supported()) {
        return nothing;
    }
    let holds = |given: &Choice| {
        known.get(&given.question).is_some_and(|inferred| inferred.finding == Shown::Answers(vec![*given]))
    };
    let (applicable, others): (Vec<&AnsweredProbe>, Vec<&AnsweredProbe>) =
        answered.iter().partition(|answered| answered.probe.given.iter().all(holds));
    if let ([], [other, ..]) = (&applicable[..], &others[..])
        && let Some(&given) = other.probe.given.iter().find(|given| !holds(given))
    {
        nothing.finding = Shown::OnlyGiven(given);
        return nothing;
    }
    let (rejected, showing): (Vec<&AnsweredProbe>, Vec<&AnsweredProbe>) =
        applicable.into_iter().partition(|answered| answered.is_rejected());
    let breaks =
        Edition::ALL.into_iter().filter(|&edition| showing.iter().any(|answered| answered.breaks(edition)));
    Inferred {
        probes: showing.len(),
        breaks: breaks.collect(),
        rejected: rejected.first().map(|first| Rejected {
            count: rejected.len(),
            query: first.probe.query.clone(),
            got: first.describe_got(),
        }),
        finding: find_answer(&showing),
    }
}

fn find_answer(showing: &[&AnsweredProbe]) -> Shown {
    if showing.is_empty() {
        return Shown::Rejected;
    }
    let answers = common(showing);
    if !answers.is_empty() {
        return Shown::Answers(answers);
    }
    let mut by_subject: BTreeMap<&'static str, Vec<&AnsweredProbe>> = BTreeMap::new();
    for answered in showing {
        by_subject.entry(answered.probe.subject.unwrap_or_default()).or_default().push(answered);
    }
    match by_subject.values().find(|showing| common(showing).is_empty()) {
        Some(contradictory) => Shown::Mixed(Box::new(contradiction(contradictory))),
        None => Shown::BySubject(
            by_subject.iter().map(|(subject, showing)| (*subject, common(showing))).collect(),
        ),
    }
}

/// Returns the answers that explain every probe.
fn common(showing: &[&AnsweredProbe]) -> Vec<Choice> {
    let first = showing.first().map(|answered| answered.consistent.clone()).unwrap_or_default();
    first
        .into_iter()
        .filter(|choice| showing.iter().all(|answered| answered.consistent.contains(choice)))
        .collect()
}

/// Returns a probe for each of two answers. Without two probes that have no answer in common, the answer that explains the
/// most probes, and a probe that it does not explain.
fn contradiction(showing: &[&AnsweredProbe]) -> [Contrary; 2] {
    let disjoint = |one: &&AnsweredProbe, other: &&AnsweredProbe| {
        !one.consistent.iter().any(|choice| other.consistent.contains(choice))
    };
    for (index, one) in showing.iter().enumerate() {
        if let Some(other) = showing[index + 1..].iter().find(|other| disjoint(one, other)) {
            return [one.contrary(), other.contrary()];
        }
    }
    let count = |choice: &Choice| showing.iter().filter(|one| one.consistent.contains(choice)).count();
    let best = showing.iter().flat_map(|one| &one.consistent).copied().max_by_key(count);
    let explained = |one: &&&AnsweredProbe| best.is_some_and(|best| one.consistent.contains(&best));
    let with = showing.iter().find(explained).unwrap_or(&showing[0]);
    let against = showing.iter().find(|one| !explained(one)).unwrap_or(&showing[0]);
    [with.contrary(), against.contrary()]
}
