//! Divergences that a query does not show alone, but after others: an implementation that keeps something from one query
//! to the next.

use robotspec::{Answer, Batch, Fault};
use robotspec_cases::Query;
use robotspec_reference::Edition;

use crate::block::{Place, queries_before};
use crate::deadline::Deadline;
use crate::divergence::Divergence;
use crate::finding::Finding;
use crate::oracle::judge;
use crate::plan::{Make, Plan};
use crate::send::{answer_at, send};

/// How many blocks before that of the divergence are sent again. More are tried where fewer do not show it.
const EARLIER_BLOCKS: [u64; 4] = [0, 1, 4, 16];

/// Returns the shortest sequence of queries that was found after which a new instance of the implementation shows the
/// divergence, with the query that shows it as the last. `None` where no sequence shows it, or where the time is over.
pub(crate) fn find_sequence(
    plan: &Plan,
    make: &Make,
    place: Place,
    divergence: &Divergence,
    deadline: Deadline,
) -> Option<Vec<Query>> {
    let shows = |before: &[Query]| !deadline.is_over() && shows_after(make, before, divergence);
    let earlier = EARLIER_BLOCKS.into_iter().filter(|&blocks| blocks <= place.block);
    let mut sequences = earlier.map(|blocks| queries_before(plan, place, blocks));
    let mut before = sequences.find(|before| shows(before))?;
    shorten(&mut before, shows);
    before.push(divergence.query.clone());
    Some(before)
}

/// Returns whether new instances of the implementation show a finding at their first queries.
pub(crate) fn shows_alone(make: &Make, finding: &Finding) -> bool {
    let Finding { class, edition, query, expected, .. } = finding;
    let got = answer_after(make, &[], *edition, query);
    let Some(relation) = class.relation else { return judge(expected, &got) == Some(class.kind) };
    let twin = query.file().and_then(|file| query.with_robots(relation.rewrite(file)?));
    twin.is_some_and(|twin| {
        let of_twin = answer_after(make, &[], *edition, &twin);
        Divergence::between_forms(*edition, relation, query, [&got, &of_twin]).is_some()
    })
}

/// Returns whether a new instance of the implementation shows the divergence after these queries.
fn shows_after(make: &Make, before: &[Query], divergence: &Divergence) -> bool {
    let got = answer_after(make, before, divergence.edition, &divergence.query);
    judge(&divergence.expected, &got) == Some(divergence.kind)
}

/// Returns the answer of a new instance of the implementation to a query after others.
fn answer_after(make: &Make, before: &[Query], edition: Edition, query: &Query) -> Result<Answer, Fault> {
    let mut endpoint = make();
    endpoint.read_as(edition);
    let batches: Vec<Batch> = before.iter().chain([query]).cloned().map(Batch::single).collect();
    let answers = send(endpoint.as_mut(), &batches);
    endpoint.finish();
    answer_at(&answers[before.len()], 0)
}

/// The number of queries before the last that are tried one by one.
const FEW: usize = 64;

/// Removes parts of a sequence as long as the rest still does: all but the last few, then half of it, then a quarter, down
/// to single queries.
fn shorten(sequence: &mut Vec<Query>, still_does: impl Fn(&[Query]) -> bool) {
    let few = sequence.len().saturating_sub(FEW)..=sequence.len();
    if let Some(from) = few.rev().find(|&from| still_does(&sequence[from..])) {
        sequence.drain(..from);
    }
    let mut length = sequence.len().div_ceil(2);
    while length > 0 {
        let mut from = 0;
        while from < sequence.len() {
            let to = sequence.len().min(from + length);
            let rest = [&sequence[..from], &sequence[to..]].concat();
            if still_does(&rest) {
                *sequence = rest;
            } else {
                from = to;
            }
        }
        length = if length == 1 { 0 } else { length.div_ceil(2) };
    }
}
