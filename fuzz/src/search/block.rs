//! A block of inputs: made from the seed and its number alone, sent to the implementations, and judged.

use std::collections::BTreeMap;
use std::mem;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec::{Answer, Batch, BatchAnswer, Endpoint, Fault, PacedSender, Verdict};
use robotspec_cases::{Expected, Query, Variant};
use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};

use crate::deadline::IsStopped;
use crate::feature::features;
use crate::generate::INPUT_BYTES;
use crate::generate::batch::with_robots;
use crate::minimise::size;
use crate::oracle::Oracle;
use crate::oracle::divergence::{Divergence, FindingKind, definite_verdict, holds_in};
use crate::search::plan::{Make, SearchPlan};
use crate::search::report::{Accuracy, DifferingAnswers, Report};
use crate::send::bounded::Bounded;
use crate::send::{answer_at, judged_parts, reason_not_run};

/// One block in this many is tallied: fewer in a long run, because a tally costs as much as the checks.
const SAMPLED: u64 = 16;
const SAMPLED_LATER: u64 = 128;

/// Where later blocks start.
const LATER: u64 = 256;

/// One file in this many is also sent in another form that means the same.
const RELATED: u64 = 5;

/// The result of a block.
#[derive(Default)]
pub(crate) struct Judged {
    /// What it adds to the report of the run.
    pub(crate) report: Report,
    /// The number of checks that each implementation answered.
    pub(crate) answered: Vec<usize>,
    /// The same of the implementation that decides which answers are right, if one does.
    pub(crate) answered_by_judge: usize,
    pub(crate) seen: Vec<Seen>,
    /// The queries that were answered in two ways, with the number of the implementation.
    pub(crate) flaky: Vec<(usize, Query)>,
}

/// A divergence, and the number of the implementation that shows it.
pub(crate) struct Seen {
    pub(crate) subject: usize,
    pub(crate) divergence: Divergence,
    /// The number of its input.
    pub(crate) input: u64,
    /// Where its query is among those that were sent. `None` where it takes two queries to see the divergence.
    pub(crate) place: Option<Place>,
}

/// Where a query is among those of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The number of its block.
    pub(crate) block: u64,
    /// The number of queries of the block before it.
    before: usize,
}

/// Returns the queries that are sent before one, from the start of this many blocks before its own.
pub(crate) fn queries_before(plan: &SearchPlan, place: Place, earlier_blocks: u64) -> Vec<Query> {
    let queries_of = |number| batches_of(plan, number).into_iter().flat_map(|batch| batch.queries().to_vec());
    let earlier = place.block.saturating_sub(earlier_blocks)..place.block;
    earlier.flat_map(queries_of).chain(queries_of(place.block).take(place.before)).collect()
}

/// Returns the batches of queries of a block.
pub(crate) fn batches_of(plan: &SearchPlan, number: u64) -> Vec<Batch> {
    make_inputs(plan, number).batches
}

/// The inputs of a block.
pub(crate) struct Inputs {
    batches: Vec<Batch>,
    /// Where each batch comes from.
    origins: Vec<Origin>,
}

impl From<Batch> for Inputs {
    /// Returns an input that was not made here.
    fn from(batch: Batch) -> Self {
        Inputs { batches: vec![batch], origins: vec![Origin { input: 0, relation: None }] }
    }
}

/// Where a batch comes from.
struct Origin {
    /// The number of the input.
    input: u64,
    /// The relation to the batch before it, where the batch is about another form of its file.
    relation: Option<Variant>,
}

/// Makes the inputs of a block.
pub(crate) fn make_inputs(plan: &SearchPlan, number: u64) -> Inputs {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(number);
    let mut bytes = [0; INPUT_BYTES];
    let (mut batches, mut origins) = (Vec::new(), Vec::new());
    for input in plan.source.block(number) {
        random.fill_bytes(&mut bytes);
        batches.push(plan.source.input(input, &bytes));
        origins.push(Origin { input, relation: None });
        let (place, draw) = (batches.len() - 1, random.next_u64());
        if draw % RELATED != 0 || plan.against.is_some() {
            continue;
        }
        let relation = Variant::ALL[(draw / RELATED) as usize % Variant::ALL.len()];
        if let Query::Match { robots, .. } = batches[place].first()
            && plan.editions.iter().any(|&edition| holds_in(relation, edition))
            && let Some(twin) = relation.rewrite(robots)
        {
            batches.push(with_robots(&batches[place], &twin));
            origins.push(Origin { input, relation: Some(relation) });
        }
    }
    Inputs { batches, origins }
}

/// Sends inputs to implementations, in one thread.
pub(crate) struct Worker<'a> {
    endpoints: Vec<Bounded>,
    oracle: Oracle,
    sender: PacedSender<'a>,
}

/// The answers to the inputs of a block.
pub(crate) struct Answered {
    inputs: Inputs,
    /// What is expected in each edition of each query of each batch.
    pub(crate) expected: Vec<Vec<Vec<Expected>>>,
    /// The name of each implementation, and its answers to each batch.
    pub(crate) answers: Vec<(String, Vec<BatchAnswer>)>,
    /// The number of queries that each implementation did not receive.
    skipped: BTreeMap<String, u64>,
}

impl<'a> Worker<'a> {
    /// Connects to the implementations. It sends nothing more when the run is over.
    pub(crate) fn new(plan: &SearchPlan, subjects: &[Make], is_over: impl Fn() -> bool + 'a) -> Self {
        Worker {
            endpoints: subjects.iter().map(|make| Bounded::new(make())).collect(),
            oracle: Oracle::new(plan.against.as_ref().map(|make| make())),
            sender: PacedSender::new(is_over),
        }
    }

    /// Sends the inputs of a block.
    pub(crate) fn send(&mut self, plan: &SearchPlan, inputs: Inputs) -> Answered {
        let expected = self.oracle.expect(&plan.editions, &inputs.batches);
        let (mut answers, mut skipped) = (Vec::new(), BTreeMap::new());
        for endpoint in &mut self.endpoints {
            let name = endpoint.info().name;
            let answered = self.sender.send(endpoint, &inputs.batches);
            answers.push((name.clone(), answered.into_iter().map(judged_parts).collect()));
            let left_out = mem::take(&mut endpoint.skipped);
            if left_out > 0 {
                *skipped.entry(name).or_default() += left_out;
            }
        }
        Answered { inputs, expected, answers, skipped }
    }

    /// Judges the answers to the inputs of the block with this number.
    pub(crate) fn judge(
        &self,
        plan: &SearchPlan,
        number: u64,
        answered: Answered,
        is_stopped: IsStopped,
    ) -> Judged {
        let Answered { inputs, expected, answers, skipped } = answered;
        let batches = &inputs.batches;
        let Some(&last) = plan.editions.last() else { return Judged::default() };
        let infos = self.endpoints.iter().map(|endpoint| endpoint.info());
        let versions = infos.filter_map(|info| Some((info.name, info.version?))).collect();
        let report = Report { skipped, versions, ..Report::default() };
        let mut judged = Judged { report, ..Judged::default() };
        if number.is_multiple_of(if number < LATER { SAMPLED } else { SAMPLED_LATER }) {
            batches.iter().for_each(|batch| judged.report.tally.add_batch(last, batch));
        }
        for (subject, (name, answers)) in answers.iter().enumerate() {
            judged.answered.push(count_answers(answers));
            for (place, &edition) in plan.editions.iter().enumerate() {
                let answered = batches.iter().zip(&expected[place]).zip(answers);
                // The oracle may need long for a block with many divergences.
                let answered = inputs.origins.iter().zip(answered).take_while(|_| !is_stopped());
                let accuracy = judged.add(subject, edition, number, answered, &self.oracle);
                judged.report.accuracy.entry((edition, name.clone())).or_default().add(accuracy);
                judged.add_related(subject, edition, &inputs, answers);
            }
            judged.report.incomplete.extend(reason_not_run(answers).map(|reason| (name.clone(), reason)));
        }
        // What has no expectation cannot diverge.
        if let Oracle::Implementation(judge, answers) = &self.oracle {
            judged.answered_by_judge = count_answers(answers);
            judged
                .report
                .incomplete
                .extend(reason_not_run(answers).map(|reason| (judge.info().name, reason)));
        }
        let sent = answers.iter().map(|(_, answers)| answers.len()).max().unwrap_or_default();
        judged.report.inputs =
            inputs.origins[..sent].iter().filter(|origin| origin.relation.is_none()).count() as u64;
        let is_check = |index: usize, place: usize| {
            let mut got = answers.iter().filter_map(|(_, answers)| answers.get(index)?.get(place));
            got.any(is_answer)
        };
        let count = |(index, batch): (usize, &Batch)| {
            (0..batch.queries().len()).filter(|&place| is_check(index, place)).count()
        };
        judged.report.checks = batches.iter().enumerate().map(count).sum::<usize>() as u64;
        // A time-out breaks no edition, so that it counts once, however many judge.
        let first = plan.editions[0];
        judged.seen.retain(|Seen { divergence, .. }| {
            divergence.kind != FindingKind::Timeout || divergence.edition == first
        });
        // The divergence with the fewest unusual features shows best what is wrong. A query that times out is minimised in
        // few steps, so the smallest comes first.
        judged.seen.sort_by_cached_key(|Seen { divergence, .. }| {
            let clauses = features(divergence.edition, &divergence.query).clauses().count();
            (clauses, if divergence.kind == FindingKind::Timeout { size(&divergence.query) } else { 0 })
        });
        if answers.len() > 1 {
            let differing = find_differing(last, batches, &expected[plan.editions.len() - 1], &answers);
            judged.report.differing_answers.extend(differing);
        }
        judged
    }

    /// Ends the implementations.
    pub(crate) fn finish(mut self) {
        self.endpoints.iter_mut().for_each(|endpoint| endpoint.finish());
    }
}

/// Returns whether an implementation received a query of a kind that it supports.
fn is_answer(got: &Result<Answer, Fault>) -> bool {
    !matches!(got, Err(Fault::NotRun(_) | Fault::NotSupported))
}

fn count_answers(answers: &[BatchAnswer]) -> usize {
    answers.iter().flatten().filter(|got| is_answer(got)).count()
}

impl Judged {
    /// Adds the answers that diverge from what is expected. Returns how many are right and wrong.
    fn add<'a>(
        &mut self,
        subject: usize,
        edition: Edition,
        block: u64,
        answered: impl Iterator<Item = (&'a Origin, ((&'a Batch, &'a Vec<Expected>), &'a BatchAnswer))>,
        oracle: &Oracle,
    ) -> Accuracy {
        let mut sent = 0;
        let mut accuracy = Accuracy::default();
        for (origin, ((batch, expected), answer)) in answered {
            let mut of_batch = Accuracy::default();
            let before_batch = sent;
            sent += batch.queries().len();
            for (place, (query, expected)) in batch.queries().iter().zip(expected).enumerate() {
                let got = answer_at(answer, place);
                if let Err(Fault::Flaky(_)) = got {
                    self.flaky.push((subject, query.clone()));
                }
                let (status, kind) = oracle.judge(edition, query, expected, &got);
                of_batch.add_answer(expected, status, kind);
                let Some(kind) = kind else { continue };
                let divergence = Divergence {
                    edition,
                    kind,
                    relation: None,
                    query: query.clone(),
                    expected: expected.clone(),
                    got,
                };
                let place = Some(Place { block, before: before_batch + place });
                self.seen.push(Seen { subject, divergence, input: origin.input, place });
            }
            if origin.relation.is_none() {
                accuracy.add_input(of_batch);
            }
        }
        accuracy
    }

    /// Adds the queries that are answered differently in two forms of a file.
    fn add_related(&mut self, subject: usize, edition: Edition, inputs: &Inputs, answers: &[BatchAnswer]) {
        for (twin, origin) in inputs.origins.iter().enumerate() {
            let Some(relation) = origin.relation.filter(|&relation| holds_in(relation, edition)) else {
                continue;
            };
            let file = twin - 1;
            let (Some(file_answer), Some(twin_answer)) = (answers.get(file), answers.get(twin)) else {
                continue;
            };
            let input = origin.input;
            for (place, query) in inputs.batches[file].queries().iter().enumerate() {
                let forms = [&answer_at(file_answer, place), &answer_at(twin_answer, place)];
                let divergence = Divergence::between_forms(edition, relation, query, forms);
                let seen = divergence.map(|divergence| Seen { subject, divergence, input, place: None });
                self.seen.extend(seen);
            }
        }
    }
}

/// Finds a query that implementations answer differently because of one question that the edition does not specify.
///
/// To find the question costs more than all other steps, so a block reports one.
fn find_differing(
    edition: Edition,
    batches: &[Batch],
    expected: &[Vec<Expected>],
    answers_by_name: &[(String, Vec<BatchAnswer>)],
) -> Option<(Question, DifferingAnswers)> {
    for (index, batch) in batches.iter().enumerate() {
        for (place, query) in batch.queries().iter().enumerate() {
            if expected[index][place] != Expected::Ruling(Ruling::Unspecified) {
                continue;
            }
            let verdict = |(name, answers): &(String, Vec<BatchAnswer>)| {
                Some((name.clone(), definite_verdict(&answer_at(answers.get(index)?, place))?.clone()))
            };
            let verdicts: Vec<(String, Verdict)> = answers_by_name.iter().filter_map(verdict).collect();
            if verdicts.windows(2).all(|pair| pair[0].1 == pair[1].1) {
                continue;
            }
            let Query::Match { robots, agent, url } = query else { continue };
            let Ok(explanation) = RobotsTxt::parse(robots).explain(edition, agent, url) else { continue };
            if let [doubt] = &explanation.doubts[..] {
                let differing = DifferingAnswers { count: 1, query: query.clone(), verdicts };
                return Some((doubt.question, differing));
            }
        }
    }
    None
}
