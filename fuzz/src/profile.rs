//! Reading inference: which answer an implementation gives to each question that a text leaves open.
//!
//! It is asked what turns on one question alone, so that its verdict shows its answer. One that gives two
//! answers to the same question breaks no edition, yet nobody can say what it will do next.

use std::collections::{BTreeMap, BTreeSet};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Answer, Edition, Question, Reading, RobotsTxt};

use crate::examine::{answers, batch_request};
use crate::generate::{self, OCTETS, Shares};
use crate::judge;
use robotspec::event::Status;
use robotspec::implementation::{BatchRequest, Implementation};
use robotspec::judge as judging;
use robotspec_cases::suite::{Expected, Request, Suite};

/// How many probes a question has, at most.
const MOST_PROBES: usize = 48;

/// Of how many probes one may be answered otherwise than the rest: a parser has mistakes of other kinds, too.
const FEW: usize = 10;

/// How many inputs are generated in search of probes.
const INPUTS: usize = 4_000;

/// A request whose answer shows the answer to one question.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The question.
    pub question: Question,
    /// The request.
    pub request: Request,
    /// What each answer to the question leads to.
    pub outcomes: Vec<(Answer, Expected)>,
}

/// Which answers an implementation gives.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Each question that was asked about.
    pub questions: BTreeMap<Question, Inferred>,
}

/// What was inferred of one question.
#[derive(Debug, Clone, Default)]
pub struct Inferred {
    /// How many probes it answered.
    pub probes: usize,
    /// With how many of them each answer is consistent.
    pub consistent: BTreeMap<Answer, usize>,
    /// For each answer that is not consistent with all of them, a request that shows it.
    pub against: BTreeMap<Answer, Request>,
    /// How many probes were answered as no answer leads to that the edition admits.
    pub against_edition: BTreeMap<Edition, usize>,
}

impl Inferred {
    /// The answers that explain the most probes, and all but a few.
    pub fn answers(&self) -> Vec<Answer> {
        let most = self.explained();
        if self.probes == 0 || !self.are_few(self.probes - most) {
            return Vec::new();
        }
        let explains = |(_, count): &(&Answer, &usize)| **count == most;
        self.consistent.iter().filter(explains).map(|(answer, _)| *answer).collect()
    }

    /// How many probes the best answer explains.
    pub fn explained(&self) -> usize {
        self.consistent.values().copied().max().unwrap_or_default()
    }

    /// Whether an edition does not admit what is answered.
    pub fn breaks(&self, edition: Edition) -> bool {
        self.against_edition.get(&edition).is_some_and(|&count| !self.are_few(count))
    }

    /// Whether so many probes may show another mistake, and not how the question is answered.
    fn are_few(&self, probes: usize) -> bool {
        probes * FEW <= self.probes
    }

    /// Whether no one answer explains all probes but a few.
    pub fn is_mixed(&self) -> bool {
        self.probes > 0 && self.answers().is_empty()
    }
}

impl Profile {
    /// The editions that admit every answer that is given, and the questions for which the others do not.
    pub fn editions(&self) -> BTreeMap<Edition, Vec<Question>> {
        let breaks = |edition: Edition| {
            let broken = self.questions.iter().filter(|(_, inferred)| inferred.breaks(edition));
            (edition, broken.map(|(question, _)| *question).collect())
        };
        Edition::ALL.into_iter().map(breaks).collect()
    }
}

/// Requests that each show the answer to one question: from the cases, and generated.
pub fn probes(suites: &[Suite]) -> Vec<Probe> {
    let mut probes = Vec::new();
    let mut counts: BTreeMap<Question, usize> = BTreeMap::new();
    let mut take = |probe: Probe| {
        let count = counts.entry(probe.question).or_default();
        if *count < MOST_PROBES {
            *count += 1;
            probes.push(probe);
        }
    };
    for row in suites.iter().flat_map(|suite| &suite.cases).flat_map(|case| &case.rows) {
        match (&row.request, &row.questions[..]) {
            (Request::Match { .. }, [_, ..]) => {
                probe(&row.request).into_iter().for_each(&mut take);
            }
            (_, &[question]) if !row.reasons.gives.is_empty() => {
                take(Probe { question, request: row.request.clone(), outcomes: row.reasons.gives.clone() });
            }
            _ => {}
        }
    }
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut octets = [0; OCTETS];
    let shares = Shares { scope: 0, sitemaps: 0, access: 0, large: 0 };
    for _ in 0..INPUTS {
        random.fill_bytes(&mut octets);
        let input = generate::input(&octets, shares);
        probe(&judge::single(&input, 0)).into_iter().for_each(&mut take);
    }
    probes
}

/// The request as a probe, where its verdict turns on one question alone, in whichever edition: what else the
/// implementation reads otherwise then makes no difference.
pub fn probe(request: &Request) -> Option<Probe> {
    let Request::Match { robots, agent, url } = request else { return None };
    let robots = RobotsTxt::parse(robots);
    let mut questions = BTreeSet::new();
    for edition in Edition::ALL {
        questions.extend(robots.questions(edition, agent, url).ok()?);
    }
    let question = *questions.first().filter(|_| questions.len() == 1)?;
    let mut outcomes = Vec::new();
    for answer in answers_to(question) {
        let verdict = |edition| {
            let reading = Reading::plainest(edition).supposing(question, answer);
            robots.decide(&reading, agent, url).ok().map(|decision| decision.verdict)
        };
        let mut verdicts = Edition::ALL.into_iter().map(verdict);
        let first = verdicts.next()??;
        if verdicts.any(|verdict| verdict != Some(first)) {
            return None;
        }
        outcomes.push((answer, Expected::Ruling(first.into())));
    }
    let turns = outcomes.iter().any(|(_, outcome)| *outcome != outcomes[0].1);
    turns.then(|| Probe { question, request: request.clone(), outcomes })
}

/// Every answer that some edition admits.
fn answers_to(question: Question) -> Vec<Answer> {
    let mut answers: Vec<Answer> =
        Edition::ALL.iter().flat_map(|&edition| question.row().answers(edition)).copied().collect();
    answers.sort();
    answers.dedup();
    answers
}

/// What an implementation answers.
pub fn profile(implementation: &mut dyn Implementation, probes: &[Probe]) -> Profile {
    let requests: Vec<BatchRequest> = probes.iter().map(|probe| batch_request(&probe.request)).collect();
    let answered = answers(implementation, &requests);
    let mut questions: BTreeMap<Question, Inferred> = BTreeMap::new();
    for ((probe, request), answer) in probes.iter().zip(&requests).zip(&answered) {
        let got = judge::got(request, answer, 0);
        let fits = |expected: &Expected| judging::judge(expected, &got, false) == Status::Pass;
        let consistent: Vec<Answer> =
            probe.outcomes.iter().filter(|(_, expected)| fits(expected)).map(|(answer, _)| *answer).collect();
        // What it does not do, or fails at, says nothing about how it reads.
        if consistent.is_empty() {
            continue;
        }
        let inferred = questions.entry(probe.question).or_default();
        inferred.probes += 1;
        for (answer, _) in &probe.outcomes {
            if consistent.contains(answer) {
                *inferred.consistent.entry(*answer).or_default() += 1;
            } else {
                inferred.against.entry(*answer).or_insert_with(|| probe.request.clone());
            }
        }
        for edition in Edition::ALL {
            let admitted = probe.question.row().answers(edition);
            // The answers that another edition's rows tell of may not be all that this one admits.
            let is_told = admitted.iter().all(|answer| probe.outcomes.iter().any(|(told, _)| told == answer));
            if is_told && !admitted.iter().any(|answer| consistent.contains(answer)) {
                *inferred.against_edition.entry(edition).or_default() += 1;
            }
        }
    }
    Profile { questions }
}

/// The questions that an edition leaves open, in their order.
pub fn open_questions() -> impl Iterator<Item = Question> {
    let is_open = |question: &Question| answers_to(*question).len() > 1;
    TABLE.iter().map(|row| row.question).filter(is_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_probes_may_show_another_mistake() {
        let inferred = |sensitive| Inferred {
            probes: 40,
            consistent: BTreeMap::from([
                (Answer::Sensitive, sensitive),
                (Answer::Insensitive, 40 - sensitive),
            ]),
            against: BTreeMap::new(),
            against_edition: BTreeMap::from([(Edition::Rfc9309, sensitive)]),
        };
        let told = |inferred: &Inferred| (inferred.answers(), inferred.breaks(Edition::Rfc9309));
        assert_eq!(told(&inferred(0)), (vec![Answer::Insensitive], false));
        assert_eq!(told(&inferred(4)), (vec![Answer::Insensitive], false));
        assert!(inferred(5).is_mixed());
        assert_eq!(told(&inferred(5)), (Vec::new(), true));
        assert_eq!(told(&inferred(40)), (vec![Answer::Sensitive], true));
        assert_eq!(inferred(4).explained(), 36);
    }
}
