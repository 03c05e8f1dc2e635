//! A block of inputs: made from the seed and its number alone, put to the implementations, and judged.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};

use crate::asking::Asking;
use crate::engine::{OpenEnd, Plan};
use crate::examine::{Divergence, Oracle};
use crate::feature::features;
use crate::generate::{self, OCTETS};
use crate::judge::{self, Kind};
use crate::reduce::size;
use crate::relation::Relation;
use crate::tally::Tally;
use robotspec::implementation::{Answer, BatchRequest, Fault, Implementation};
use robotspec_cases::suite::{Expected, Request};

/// How many inputs a block has.
const BLOCK: usize = 64;

/// One block in so many is looked at more closely, to tell what was reached.
const SAMPLED: u64 = 16;

/// One file in so many is also asked about in another form that means the same.
const RELATED: u64 = 5;

/// What came of a block.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) checks: u64,
    pub(super) departed: Vec<Departed>,
    pub(super) tally: Tally,
    pub(super) open_ends: Vec<(Question, OpenEnd)>,
    pub(super) incomplete: Vec<(String, String)>,
}

/// A divergence, and whose it is.
pub(super) struct Departed {
    pub(super) subject: usize,
    pub(super) divergence: Divergence,
}

/// The inputs of a block, and which of them mean the same.
struct Inputs {
    requests: Vec<BatchRequest>,
    /// Two requests and the relation between them.
    related: Vec<(usize, usize, Relation)>,
}

fn inputs(plan: &Plan, number: u64) -> Inputs {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(number);
    let mut octets = [0; OCTETS];
    let mut requests = Vec::with_capacity(BLOCK + BLOCK / 4);
    let mut related = Vec::new();
    let relations: Vec<Relation> = Relation::all().collect();
    for _ in 0..BLOCK {
        random.fill_bytes(&mut octets);
        requests.push(generate::input(&octets, plan.shares));
        let (place, draw) = (requests.len() - 1, random.next_u64());
        if draw % RELATED != 0 || plan.against.is_some() {
            continue;
        }
        let relation = relations[(draw / RELATED) as usize % relations.len()];
        if let BatchRequest::Match { robots, queries } = &requests[place]
            && plan.editions.iter().any(|&edition| relation.holds_in(edition))
            && let Some(twin) = relation.rewrite(robots)
        {
            let queries = queries.clone();
            requests.push(BatchRequest::Match { robots: twin, queries });
            related.push((place, place + 1, relation));
        }
    }
    Inputs { requests, related }
}

/// Makes the inputs of a block, and judges what is answered.
pub(super) fn block(
    plan: &Plan,
    number: u64,
    implementations: &mut [Box<dyn Implementation + Send>],
    oracle: &mut Oracle,
    asking: &mut Asking,
) -> Judged {
    let Inputs { requests, related } = inputs(plan, number);
    let mut judged = Judged::default();
    let mut asked = 0;
    let expected: Vec<Vec<Vec<Expected>>> =
        plan.editions.iter().map(|&edition| oracle.expectations(edition, &requests)).collect();
    if number.is_multiple_of(SAMPLED) {
        requests.iter().for_each(|request| judged.tally.add(plan.editions[plan.editions.len() - 1], request));
    }
    let mut all_answers = Vec::new();
    for (subject, implementation) in implementations.iter_mut().enumerate() {
        let depends_on_edition = implementation.read_as(plan.editions[0]);
        let mut answered = Vec::new();
        for (place, &edition) in plan.editions.iter().enumerate() {
            if place == 0 || depends_on_edition {
                implementation.read_as(edition);
                answered = asking.answers(implementation.as_mut(), &requests);
            }
            asked = asked.max(answered.len());
            judged.take(subject, edition, &requests, &expected[place], &answered, oracle);
            judged.take_related(subject, edition, &requests, &related, &answered);
        }
        if let Some(Fault::NotRun(reason)) = answered
            .iter()
            .find_map(|answer| answer.as_ref().err().filter(|fault| matches!(fault, Fault::NotRun(_))))
        {
            judged.incomplete.push((implementation.info().name, reason.clone()));
        }
        all_answers.push((implementation.info().name, answered));
    }
    judged.checks = requests[..asked].iter().map(judge::queries).sum::<usize>() as u64;
    // What has the least that is out of the ordinary shows best what is wrong. Of what takes long, minimised in few
    // steps, it is the smallest.
    judged.departed.sort_by_cached_key(|Departed { divergence, .. }| {
        let clauses = features(divergence.edition, &divergence.request).clauses().count();
        (clauses, if divergence.kind == Kind::Timeout { size(&divergence.request) } else { 0 })
    });
    if all_answers.len() > 1 {
        let edition = plan.editions[plan.editions.len() - 1];
        judged.compare(edition, &requests, &expected[plan.editions.len() - 1], &all_answers);
    }
    judged
}

impl Judged {
    /// Takes what departs from what is expected.
    fn take(
        &mut self,
        subject: usize,
        edition: Edition,
        requests: &[BatchRequest],
        expected: &[Vec<Expected>],
        answered: &[Result<Answer, Fault>],
        oracle: &Oracle,
    ) {
        for ((request, expected), answer) in requests.iter().zip(expected).zip(answered) {
            for (place, expected) in expected.iter().enumerate() {
                let got = judge::got(request, answer, place);
                if let (Expected::Ruling(ruling), Some(verdict)) = (expected, judge::verdict(&got))
                    && (verdict == *ruling || *ruling == Ruling::Unspecified)
                {
                    continue;
                }
                let single = || judge::single(request, place);
                let Some(kind) = oracle.departs(edition, expected, &got, single) else { continue };
                let divergence = Divergence {
                    edition,
                    kind,
                    request: single(),
                    expected: expected.clone(),
                    got: judge::told(&got),
                };
                self.departed.push(Departed { subject, divergence });
            }
        }
    }

    /// Takes what is answered differently in two files that mean the same.
    fn take_related(
        &mut self,
        subject: usize,
        edition: Edition,
        requests: &[BatchRequest],
        related: &[(usize, usize, Relation)],
        answered: &[Result<Answer, Fault>],
    ) {
        let are_answered = |&&(a, b, _): &&(usize, usize, Relation)| a.max(b) < answered.len();
        for &(a, b, relation) in
            related.iter().filter(are_answered).filter(|(.., relation)| relation.holds_in(edition))
        {
            for place in 0..judge::queries(&requests[a]) {
                let verdict =
                    |index: usize| judge::verdict(&judge::got(&requests[index], &answered[index], place));
                if let (Some(before), Some(after)) = (verdict(a), verdict(b))
                    && before != after
                {
                    let divergence = Divergence {
                        edition,
                        kind: Kind::Relation(relation),
                        request: judge::single(&requests[a], place),
                        expected: Expected::Ruling(before),
                        got: after.to_string(),
                    };
                    self.departed.push(Departed { subject, divergence });
                }
            }
        }
    }

    /// Notes where implementations part and the text does not say who is right. Which question it is costs
    /// more than all the rest, so a block tells of one.
    fn compare(
        &mut self,
        edition: Edition,
        requests: &[BatchRequest],
        expected: &[Vec<Expected>],
        all_answers: &[(String, Vec<Result<Answer, Fault>>)],
    ) {
        for (index, request) in requests.iter().enumerate() {
            for (place, expected) in expected[index].iter().enumerate() {
                if *expected != Expected::Ruling(Ruling::Unspecified) {
                    continue;
                }
                let verdicts: Vec<(String, Ruling)> = all_answers
                    .iter()
                    .filter_map(|(name, answers)| {
                        let answer = answers.get(index)?;
                        Some((name.clone(), judge::verdict(&judge::got(request, answer, place))?))
                    })
                    .collect();
                if verdicts.windows(2).all(|pair| pair[0].1 == pair[1].1) {
                    continue;
                }
                let request = judge::single(request, place);
                let Request::Match { robots, agent, url } = &request else { continue };
                let Ok(explanation) = RobotsTxt::parse(robots).explain(edition, agent, url) else { continue };
                if let [doubt] = &explanation.doubts[..] {
                    let open_end = OpenEnd { count: 1, request: request.clone(), verdicts };
                    self.open_ends.push((doubt.question, open_end));
                    return;
                }
            }
        }
    }
}
