//! Profiles: which answer an implementation gives to each question that an edition does not specify.
//!
//! A probe is a query whose verdict depends on one question alone, so the verdict shows the answer to the question. An
//! implementation that gives two answers to a question breaks no edition, but its behaviour cannot be predicted.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec::event::Status;
use robotspec::{Batch, Endpoint, status};
pub use robotspec_cases::Probe;
use robotspec_cases::{Expected, Query, Suite, answers_to};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Edition, Question};

use crate::generate::{self, INPUT_BYTES, Shares};
use crate::send::{answer_at, send};

/// How many probes a question may have.
const MAX_PROBES: usize = 48;

/// One probe in this many may show another answer than the others, because a parser also has other mistakes.
const FEW: usize = 10;

/// How many inputs are generated to find probes.
const INPUTS: usize = 4_000;

/// The answers of an implementation to the questions.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Each question with probes that the implementation answered.
    pub questions: BTreeMap<Question, Inferred>,
}

/// What the probes of one question show.
#[derive(Debug, Clone, Default)]
pub struct Inferred {
    /// How many probes the implementation answered.
    pub probes: usize,
    /// For each answer to the question, the number of probes that are consistent with it.
    pub consistent: BTreeMap<Choice, usize>,
    /// For each answer that is not consistent with all probes, a query that shows it.
    pub against: BTreeMap<Choice, Query>,
    /// The number of probes that are not consistent with any answer that the edition admits.
    pub against_edition: BTreeMap<Edition, usize>,
}

impl Inferred {
    /// Returns the answers that explain the most probes, and all but a few of them.
    pub fn answers(&self) -> Vec<Choice> {
        let most = self.explained();
        if self.probes == 0 || !self.are_few(self.probes - most) {
            return Vec::new();
        }
        let explains = |(_, count): &(&Choice, &usize)| **count == most;
        self.consistent.iter().filter(explains).map(|(answer, _)| *answer).collect()
    }

    /// Returns how many probes the best answer explains.
    pub fn explained(&self) -> usize {
        self.consistent.values().copied().max().unwrap_or_default()
    }

    /// Returns whether the implementation gives an answer that the edition does not admit.
    pub fn breaks(&self, edition: Edition) -> bool {
        self.against_edition.get(&edition).is_some_and(|&count| !self.are_few(count))
    }

    /// Returns whether this number of probes may show another mistake, and not the answer to the question.
    fn are_few(&self, probes: usize) -> bool {
        probes * FEW <= self.probes
    }

    /// Returns whether no single answer explains all but a few probes.
    pub fn is_mixed(&self) -> bool {
        self.probes > 0 && self.answers().is_empty()
    }
}

impl Profile {
    /// For each edition, the questions to which the implementation gives an answer that the edition does not admit.
    pub fn editions(&self) -> BTreeMap<Edition, Vec<Question>> {
        let broken = |edition: Edition| {
            let broken = self.questions.iter().filter(|(_, inferred)| inferred.breaks(edition));
            (edition, broken.map(|(question, _)| *question).collect())
        };
        Edition::ALL.into_iter().map(broken).collect()
    }
}

/// Finds probes among the cases and among generated inputs.
pub fn find_probes(suites: &[Suite]) -> Vec<Probe> {
    let mut probes = Vec::new();
    let mut counts: BTreeMap<Question, usize> = BTreeMap::new();
    let mut take = |probe: Probe| {
        let count = counts.entry(probe.question).or_default();
        if *count < MAX_PROBES {
            *count += 1;
            probes.push(probe);
        }
    };
    for row in suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows) {
        Probe::of_row(row).into_iter().for_each(&mut take);
    }
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut bytes = [0; INPUT_BYTES];
    let shares = Shares { scope: 0, sitemaps: 0, access: 0, large: 0 };
    for _ in 0..INPUTS {
        random.fill_bytes(&mut bytes);
        Probe::of_query(generate::input(&bytes, shares).first()).into_iter().for_each(&mut take);
    }
    probes
}

/// Returns the profile of an implementation.
pub fn profile(endpoint: &mut dyn Endpoint, probes: &[Probe]) -> Profile {
    let batches: Vec<Batch> = probes.iter().map(|probe| Batch::single(probe.query.clone())).collect();
    let answers = send(endpoint, &batches);
    let mut questions: BTreeMap<Question, Inferred> = BTreeMap::new();
    for (probe, answer) in probes.iter().zip(&answers) {
        let got = answer_at(answer, 0);
        let is_consistent = |expected: &Expected| status(expected, &got) == Status::Pass;
        let (consistent, against): (Vec<_>, Vec<_>) =
            probe.outcomes.iter().partition(|(_, expected)| is_consistent(expected));
        // An operation that is not supported or fails shows no answer.
        if consistent.is_empty() {
            continue;
        }
        let inferred = questions.entry(probe.question).or_default();
        inferred.probes += 1;
        for (answer, _) in &consistent {
            *inferred.consistent.entry(*answer).or_default() += 1;
        }
        for (answer, _) in against {
            inferred.against.entry(*answer).or_insert_with(|| probe.query.clone());
        }
        for edition in Edition::ALL {
            let admitted = probe.question.row().answers(edition);
            let has = |outcomes: &[&(Choice, Expected)], answer| outcomes.iter().any(|(a, _)| a == answer);
            // The outcomes of a row are those of its editions: this edition may admit other answers.
            let outcomes: Vec<_> = probe.outcomes.iter().collect();
            if admitted.iter().all(|answer| has(&outcomes, answer))
                && !admitted.iter().any(|answer| has(&consistent, answer))
            {
                *inferred.against_edition.entry(edition).or_default() += 1;
            }
        }
    }
    Profile { questions }
}

/// Returns the questions with more than one answer, in their order.
pub fn unspecified_questions() -> impl Iterator<Item = Question> {
    TABLE.iter().map(|row| row.question).filter(|question| answers_to(*question).len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_probes_may_show_another_mistake() {
        let choices = answers_to(Question::AgentCase);
        let [insensitive, sensitive] = choices[..] else { panic!("{choices:?}") };
        let inferred = |count| Inferred {
            probes: 40,
            consistent: BTreeMap::from([(sensitive, count), (insensitive, 40 - count)]),
            against: BTreeMap::new(),
            against_edition: BTreeMap::from([(Edition::Rfc9309, count)]),
        };
        let result = |inferred: &Inferred| (inferred.answers(), inferred.breaks(Edition::Rfc9309));
        assert_eq!(result(&inferred(0)), (vec![insensitive], false));
        assert_eq!(result(&inferred(4)), (vec![insensitive], false));
        assert!(inferred(5).is_mixed());
        assert_eq!(result(&inferred(5)), (Vec::new(), true));
        assert_eq!(result(&inferred(40)), (vec![sensitive], true));
        assert_eq!(inferred(4).explained(), 36);
    }
}
