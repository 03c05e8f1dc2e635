//! Divergences that a query does not show alone, but after others: an implementation that keeps something from one query
//! to the next.

use std::time::Duration;
use std::{iter, slice};

use robotspec_cases::{Expected, Query};
use robotspec_reference::Ruling;

use crate::deadline::Deadline;
use crate::oracle::divergence::{Divergence, twin};
use crate::oracle::{Oracle, judge};
use crate::search::block::{Place, batches_of, queries_before};
use crate::search::plan::{Make, SearchPlan};
use crate::send::ask_new;

/// The time to find a sequence of queries that shows a divergence which its query alone does not show.
pub(crate) const TIME_FOR_SEQUENCE: Duration = Duration::from_secs(5);

/// How many blocks before that of the divergence are sent again. More are tried where fewer do not show it.
const EARLIER_BLOCKS: [u64; 4] = [0, 1, 4, 16];

/// How many numbers of queries at the end of a sequence are tried one by one.
const FEW: usize = 64;

/// Returns the shortest sequence of queries that was found after which a new instance of the implementation shows the
/// divergence, with the query that shows it as the last. `None` where no sequence shows it within the time. It takes twice the
/// time at most.
pub(crate) fn find_sequence(
    plan: &SearchPlan,
    make: &Make,
    place: Place,
    divergence: &Divergence,
    run: Deadline,
) -> Option<Vec<Query>> {
    let shows = |before: &[Query], deadline: Deadline| {
        let queries = [before, slice::from_ref(&divergence.query)].concat();
        let got = ask_new(make, &queries, deadline).and_then(|mut got| got.pop());
        got.is_some_and(|got| judge(&divergence.expected, &got).1 == Some(divergence.kind))
    };
    // The last number that reaches the start of the run does: an implementation may count its queries.
    let mut earlier = EARLIER_BLOCKS.map(|blocks| blocks.min(place.block)).to_vec();
    earlier.dedup();
    let sequences = earlier.into_iter().map(|blocks| queries_before(plan, place, blocks));
    let mut sequences = iter::once(Vec::new()).chain(sequences);
    let deadline = run.within(TIME_FOR_SEQUENCE);
    let whole = sequences.find(|before| shows(before, deadline))?;
    let lengths = (0..=FEW.min(whole.len())).chain([whole.len()]);
    let sequences = lengths.map(|length| whole[whole.len() - length..].to_vec());
    let shorter =
        robotspec::find_sequence(sequences, || deadline.is_over(), |before| shows(before, deadline));
    let mut before = shorter.unwrap_or(whole);
    // Otherwise the divergence depends on more than a sequence of queries.
    if !shows(&before, run.within(TIME_FOR_SEQUENCE)) {
        return None;
    }
    before.push(divergence.query.clone());
    Some(before)
}

/// Returns the queries that a new instance of the implementation answers wrongly as its first query and correctly as its
/// second one. It tries some that the edition allows, and some that it disallows.
pub(crate) fn wrong_at_first(
    plan: &SearchPlan,
    make: &Make,
    oracle: &mut Oracle,
    deadline: Deadline,
) -> Vec<Query> {
    const OF_EACH: usize = 2;
    let batches = batches_of(plan, 0);
    let Some(&edition) = plan.editions.last() else { return Vec::new() };
    let expected = oracle.expect(&[edition], &batches).concat().concat();
    let queries: Vec<(Query, Expected)> =
        batches.iter().flat_map(|batch| batch.queries().to_vec()).zip(expected).collect();
    let required = |ruling| {
        queries.iter().filter(move |(_, expected)| *expected == Expected::Ruling(ruling)).take(OF_EACH)
    };
    let is_wrong_at_first = |query: &Query, expected: &Expected| {
        let twice = [query.clone(), query.clone()];
        let Some(answers) = ask_new(make, &twice, deadline) else { return false };
        let [first, second] = [0, 1].map(|place| oracle.judge(edition, query, expected, &answers[place]).1);
        first.is_some() && second.is_none()
    };
    let queries = required(Ruling::Allow).chain(required(Ruling::Disallow));
    // A second instance must show it too.
    let wrong = queries.filter(|(query, expected)| (0..2).all(|_| is_wrong_at_first(query, expected)));
    wrong.map(|(query, _)| query.clone()).collect()
}

/// Returns whether new instances of the implementation show a divergence without other queries: in the answer to the first
/// query, and in the answer to the same query again. `None` where the time is over.
pub(crate) fn shows_alone(make: &Make, divergence: &Divergence, deadline: Deadline) -> Option<bool> {
    let Divergence { edition, kind, relation, query, expected, .. } = divergence;
    let twice = |query: &Query| ask_new(make, &[query.clone(), query.clone()], deadline);
    let got = twice(query)?;
    let Some(relation) = *relation else {
        return Some(got.iter().all(|got| judge(expected, got).1 == Some(*kind)));
    };
    let Some(twin) = twin(relation, query) else { return Some(false) };
    let differ = |(got, of_twin): (&_, &_)| {
        Divergence::between_forms(*edition, relation, query, [got, of_twin]).is_some()
    };
    Some(got.iter().zip(&twice(&twin)?).all(differ))
}
