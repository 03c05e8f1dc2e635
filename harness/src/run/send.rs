//! Sends the queries of checks to an endpoint in batches, and gives each check its answer.

use std::mem::take;

use robotspec_cases::Check;

use crate::answer::Got;
use crate::endpoint::{Batch, Endpoint, not_answered};

/// Sends the selected checks, those about one file together, and passes on the answer to each of them once, as soon as it
/// arrives.
pub(super) fn send(
    checks: &[Check],
    selected: &[usize],
    endpoint: &mut dyn Endpoint,
    on_answer: &mut dyn FnMut(usize, Got),
) {
    let batches = Batch::group(selected.iter().map(|&check| &checks[check].query));
    let mut rest = selected;
    let of_batch = |batch: &Batch| rest.split_off(..batch.queries().len()).unwrap_or_default();
    let mut waiting: Vec<&[usize]> = batches.iter().map(of_batch).collect();
    endpoint.answer(&batches, &mut |index: usize, answer| {
        let mut answers = answer.into_iter();
        for &check in take(&mut waiting[index]) {
            on_answer(check, answers.next().unwrap_or_else(|| Err(not_answered())));
        }
    });
    waiting.into_iter().flatten().for_each(|&check| on_answer(check, Err(not_answered())));
}
