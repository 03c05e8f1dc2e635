//! Inference: which answer to each question of the texts explains the answers of an implementation.
//!
//! The outcome of a [`Probe`] depends on one question alone, so that an answer to it shows the answer to the question. An
//! answer is [inferred](Profile::infer) only where all probes agree. An implementation that answers two probes in two ways gives no
//! single answer; where it always gives the same answer about one spelling or character, it has different answers for
//! different subjects, such as a fixed list of misspellings.

mod evaluated;
mod probe;

use std::collections::{BTreeMap, BTreeSet};

use robotspec_cases::{CheckId, Expected, Query};
use robotspec_reference::{Choice, Edition, Governs, Question};

use crate::answer::{Answer, Fault, Verdict, describe};
use crate::event::Status;
use crate::judge::status;

pub use evaluated::Evaluated;
pub use probe::{Probe, observable_answers, probes_of, simplest};

/// The answers of an implementation to the questions.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Each question that has probes with an answer.
    pub questions: BTreeMap<Question, Inferred>,
    /// The probes that were not sent, which say nothing.
    pub not_sent: Option<Rejected>,
    /// Whether each probe has an answer, if only an error: no crash, no time-out.
    pub is_whole: bool,
}

/// What the probes of one question show.
#[derive(Debug, Clone)]
pub struct Inferred {
    /// How many probes show an answer.
    pub probes: usize,
    /// The answer, or why there is none.
    pub shown: Shown,
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
    BySubject(BTreeMap<String, Vec<Choice>>),
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
    /// The row.
    pub row: CheckId,
    /// Its query.
    pub query: Query,
    /// What the implementation answered.
    pub got: String,
}

/// Probes that the implementation did not answer with a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// How many there are.
    pub count: usize,
    /// The first row.
    pub row: CheckId,
    /// Its query.
    pub query: Query,
    /// What the implementation answered to it.
    pub got: String,
}

impl Rejected {
    fn of(probes: &[&AnsweredProbe]) -> Option<Rejected> {
        let first = probes.first()?;
        let Probe { row, query, .. } = first.probe;
        let got = describe(&first.got);
        let rows: BTreeSet<&CheckId> = probes.iter().map(|answered| &answered.probe.row).collect();
        Some(Rejected { count: rows.len(), row: row.clone(), query: query.clone(), got })
    }
}

/// A probe, and what the implementation answered.
struct AnsweredProbe<'p> {
    probe: &'p Probe,
    got: Result<Answer, Fault>,
    /// The answers that have this outcome.
    consistent: Vec<Choice>,
}

impl<'p> AnsweredProbe<'p> {
    fn new(probe: &'p Probe, mut got: Result<Answer, Fault>) -> Self {
        // How a client requests the file is another matter.
        if let Ok(Answer::Access(access)) = &mut got {
            access.violations.clear();
        }
        let is_consistent = |expected: &Expected| status(expected, &got) == Status::Pass;
        let consistent = probe.outcomes.iter().filter(|(_, expected)| is_consistent(expected));
        let consistent = consistent.map(|(choice, _)| *choice).collect();
        AnsweredProbe { probe, got, consistent }
    }

    fn is_rejected(&self) -> bool {
        let is_verdict = |verdict: &Verdict| matches!(verdict, Verdict::Allow | Verdict::Disallow);
        match &self.got {
            Err(_) | Ok(Answer::Scope(Governs::Unspecified)) => true,
            Ok(Answer::Match(verdict) | Answer::Decided { verdict, .. }) => !is_verdict(verdict),
            Ok(_) => false,
        }
    }

    fn contrary(&self) -> Contrary {
        let Probe { row, query, .. } = self.probe;
        let answers = self.consistent.clone();
        Contrary { answers, row: row.clone(), query: query.clone(), got: describe(&self.got) }
    }

    /// Returns whether the probe shows an answer that the edition does not admit.
    fn breaks(&self, edition: Edition) -> bool {
        let admitted = self.probe.question.row().answers(edition);
        // A row may state the outcomes of the answers of its editions: this edition may admit other answers.
        let has_outcome = |choice: &Choice| self.probe.outcomes.iter().any(|(other, _)| other == choice);
        admitted.iter().all(has_outcome) && !admitted.iter().any(|choice| self.consistent.contains(choice))
    }
}

impl Profile {
    /// Infers the answers to the questions from the answers to probes.
    pub fn infer<'p>(answers: impl IntoIterator<Item = (&'p Probe, Result<Answer, Fault>)>) -> Profile {
        let mut of_questions: BTreeMap<Question, Vec<AnsweredProbe>> = BTreeMap::new();
        let mut not_sent: Vec<AnsweredProbe> = Vec::new();
        let mut is_whole = true;
        for (probe, got) in answers {
            is_whole &= matches!(got, Ok(_) | Err(Fault::NotSupported | Fault::Error(_)));
            let answered = AnsweredProbe::new(probe, got);
            match &answered.got {
                Err(Fault::NotRun(_)) => not_sent.push(answered),
                _ => of_questions.entry(probe.question).or_default().push(answered),
            }
        }
        let mut questions: BTreeMap<Question, Inferred> = BTreeMap::new();
        // First without the probes that depend on the answers to other questions.
        for is_conditional in [false, true] {
            for (question, answered) in &of_questions {
                let is_asked = |answered: &&AnsweredProbe| is_conditional || answered.probe.given.is_empty();
                let answered: Vec<&AnsweredProbe> = answered.iter().filter(is_asked).collect();
                if !answered.is_empty() {
                    let inferred = infer_question(&answered, &questions);
                    questions.insert(*question, inferred);
                }
            }
        }
        // Errors alone contradict no edition, and show nothing for one.
        is_whole &= questions.values().any(|inferred| inferred.probes > 0);
        Profile { questions, not_sent: Rejected::of(&Vec::from_iter(&not_sent)), is_whole }
    }

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
        let is_not_supported = |(_, inferred): &(&Question, &Inferred)| inferred.shown == Shown::NotSupported;
        self.questions.iter().filter(is_not_supported).map(|(question, _)| *question).collect()
    }
}

/// Returns what the probes of one question show.
fn infer_question(answered: &[&AnsweredProbe], known: &BTreeMap<Question, Inferred>) -> Inferred {
    let mut nothing =
        Inferred { probes: 0, shown: Shown::NotSupported, rejected: None, breaks: BTreeSet::new() };
    let holds = |given: &Choice| {
        known.get(&given.question).is_some_and(|inferred| inferred.shown == Shown::Answers(vec![*given]))
    };
    let (applicable, others): (Vec<&AnsweredProbe>, Vec<&AnsweredProbe>) =
        answered.iter().partition(|answered| answered.probe.given.iter().all(holds));
    if let ([], [other, ..]) = (&applicable[..], &others[..])
        && let Some(&given) = other.probe.given.iter().find(|given| !holds(given))
    {
        nothing.shown = Shown::OnlyGiven(given);
        return nothing;
    }
    let supported = applicable.into_iter().filter(|answered| answered.got != Err(Fault::NotSupported));
    let (rejected, showing): (Vec<&AnsweredProbe>, Vec<&AnsweredProbe>) =
        supported.partition(|answered| answered.is_rejected());
    if rejected.is_empty() && showing.is_empty() {
        return nothing;
    }
    let breaks =
        Edition::ALL.into_iter().filter(|&edition| showing.iter().any(|answered| answered.breaks(edition)));
    Inferred {
        probes: showing.len(),
        breaks: breaks.collect(),
        rejected: Rejected::of(&rejected),
        shown: find_answer(&showing),
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
    let mut by_subject: BTreeMap<Option<&str>, Vec<&AnsweredProbe>> = BTreeMap::new();
    for answered in showing {
        by_subject.entry(answered.probe.subject.as_deref()).or_default().push(answered);
    }
    match by_subject.iter().find(|(subject, showing)| subject.is_none() || common(showing).is_empty()) {
        Some((_, contradictory)) if common(contradictory).is_empty() => {
            Shown::Mixed(Box::new(contradiction(contradictory)))
        }
        Some(_) => Shown::Mixed(Box::new(contradiction(showing))),
        None => {
            let answers = by_subject.into_iter().map(|(subject, showing)| (subject, common(&showing)));
            Shown::BySubject(
                answers.map(|(subject, answers)| (subject.unwrap_or_default().to_owned(), answers)).collect(),
            )
        }
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

/// Returns a probe for each of two answers. Without two probes that have no answer in common, one that the answer which
/// explains the most probes explains, and one that it does not explain.
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
