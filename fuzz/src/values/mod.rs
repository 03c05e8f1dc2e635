//! Values of fields that no edition specifies, such as `crawl-delay`: how an implementation reads them.
//!
//! A *trait* is one question about a field, such as which of two values in a group is used. Several probes ask it, with other
//! agents and values. A *reading* is an answer to it, stated only where every probe agrees. No edition judges it.

mod field;
mod forms;
mod places;
mod probe;

use std::collections::BTreeMap;

use robotspec::{Answer, Batch, Endpoint, Fault};
use robotspec_cases::Query;

use crate::send::{answer_at, send_and_report};

pub use field::Field;
pub use probe::{ValueProbe, ValueTrait};

/// What the probes of a trait show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InferredTrait {
    /// The field.
    pub field: Field,
    /// The name of the trait.
    pub name: &'static str,
    /// What it asks.
    pub asks: &'static str,
    /// How many probes there are.
    pub probes: usize,
    /// The reading, or why there is none.
    pub finding: Reading,
}

/// How an implementation reads a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Every probe is explained by each of these readings. Several readings have the same values in every probe.
    Stated(Vec<&'static str>),
    /// The implementation reports an error in every probe.
    Error,
    /// No reading explains every probe: one that the most common reading does not explain. The reading is `None` where no
    /// probe has one.
    Other {
        /// The reading that explains the most probes.
        most: Option<&'static str>,
        /// The query.
        query: Query,
        /// What the implementation answered.
        got: String,
    },
}

/// Returns the traits of each field that an implementation supports, in their order. There are none where it does not
/// support the operation. `answered` is called after each probe.
pub fn infer_traits(
    endpoint: &mut dyn Endpoint,
    traits: &[ValueTrait],
    answered: &mut dyn FnMut(),
) -> Vec<InferredTrait> {
    let probes = || traits.iter().flat_map(|one| &one.probes);
    let batches: Vec<Batch> = probes().map(|probe| Batch::single(probe.query.clone())).collect();
    let answers = send_and_report(endpoint, &batches, answered);
    let mut answers = answers.iter().map(|answer| answer_at(answer, 0));
    let mut inferred = Vec::new();
    for one in traits {
        let got: Vec<_> =
            answers.by_ref().take(one.probes.len()).map(|got| of_field(one.field, got)).collect();
        // An error does not say whether the field is supported; another probe does.
        let is_supported = got.iter().any(|got| matches!(got, Got::Values(_)));
        let has_error =
            got.iter().any(|got| matches!(got, Got::Fault(fault) if *fault != Fault::NotSupported));
        if is_supported || has_error {
            inferred.push((is_supported, infer(one, &got)));
        }
    }
    let supported: Vec<Field> = Field::ALL
        .into_iter()
        .filter(|field| inferred.iter().any(|(is_supported, one)| *is_supported && one.field == *field))
        .collect();
    let of_supported = inferred.into_iter().filter(|(_, one)| supported.contains(&one.field));
    of_supported.map(|(_, one)| one).collect()
}

/// What an implementation answered about a field.
enum Got {
    Values(Vec<String>),
    /// The field is absent: it is not supported.
    Absent,
    Fault(Fault),
}

fn of_field(field: Field, got: Result<Answer, Fault>) -> Got {
    match got {
        Ok(Answer::Values(mut values)) => values.remove(field.id()).map_or(Got::Absent, Got::Values),
        Ok(_) => Got::Absent,
        Err(fault) => Got::Fault(fault),
    }
}

fn infer(one: &ValueTrait, got: &[Got]) -> InferredTrait {
    let consistent: Vec<Vec<&'static str>> =
        one.probes.iter().zip(got).map(|(probe, got)| explain(probe, got)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reading in consistent.iter().flatten().copied() {
        *counts.entry(reading).or_default() += 1;
    }
    // In the order of the readings of the trait.
    let common: Vec<&'static str> = consistent
        .first()
        .into_iter()
        .flatten()
        .copied()
        .filter(|reading| counts.get(reading) == Some(&consistent.len()))
        .collect();
    let finding = if !common.is_empty() {
        Reading::Stated(common)
    } else if got.iter().all(|got| matches!(got, Got::Fault(_))) {
        Reading::Error
    } else {
        let most = consistent.iter().flatten().copied().max_by_key(|reading| counts.get(reading));
        let is_explained = |readings: &&Vec<&str>| most.is_some_and(|most| readings.contains(&most));
        let against = consistent.iter().position(|readings| !is_explained(&readings)).unwrap_or_default();
        Reading::Other { most, query: one.probes[against].query.clone(), got: describe(&got[against]) }
    };
    InferredTrait { field: one.field, name: one.name, asks: one.asks, probes: got.len(), finding }
}

fn explain(probe: &ValueProbe, got: &Got) -> Vec<&'static str> {
    let Got::Values(values) = got else { return Vec::new() };
    let outcomes = probe.outcomes.iter().filter(|(_, outcome)| outcome.has(values));
    outcomes.map(|(reading, _)| *reading).collect()
}

fn describe(got: &Got) -> String {
    match got {
        Got::Values(values) if values.is_empty() => "no value".to_owned(),
        Got::Values(values) => values.join(", "),
        Got::Absent => "not supported".to_owned(),
        Got::Fault(fault) => fault.to_string(),
    }
}

/// Returns the traits of every field.
pub fn find_traits() -> Vec<ValueTrait> {
    let of_field = |field| places::traits(field).into_iter().chain(forms::traits(field));
    Field::ALL.into_iter().flat_map(of_field).collect()
}

#[cfg(test)]
mod tests;
