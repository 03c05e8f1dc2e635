//! What a run tells of likely causes.

use std::collections::BTreeSet;

use robotspec_reference::Ruling;

use super::{Answered, Likely, likely_causes};
use crate::event::{CheckFinished, LikelyCause};
use crate::implementation::Incident;
use robotspec_cases::suite::Check;

/// What came of the checks of an implementation: what makes so many of them fail is inferred from it.
#[derive(Debug, Default)]
pub struct Inquiry<'c> {
    answers: Vec<Answered<'c>>,
    failures: Vec<(&'c Check, CheckFinished)>,
    incidents: Vec<Incident>,
}

impl<'c> Inquiry<'c> {
    /// Takes what came of a check.
    pub fn take(&mut self, check: &'c Check, finished: &CheckFinished) {
        self.answers.extend(Answered::new(check, finished));
        if finished.editions.values().any(|judged| judged.status.is_failure()) {
            self.failures.push((check, finished.clone()));
        }
    }

    /// Takes what happened to the implementation.
    pub fn take_incident(&mut self, incident: &Incident) {
        self.incidents.push(incident.clone());
    }

    /// What is to be told, the first to mend first.
    pub fn causes(&self) -> Vec<LikelyCause> {
        let likely = likely_causes(&self.answers, &self.incidents).into_iter();
        likely.filter_map(|likely| self.told(likely)).collect()
    }

    /// Nothing, where all that it explains is known to fail: then the list tells why.
    fn told(&self, likely: Likely) -> Option<LikelyCause> {
        let Likely { cause, observed, evidence, of } = likely;
        let explained = self.failures.iter().filter(|(check, failure)| cause.may_explain(check, failure));
        let (new, known): (Vec<_>, Vec<_>) = explained.partition(|(_, failure)| failure.has_new_failure());
        if new.is_empty() && !known.is_empty() {
            return None;
        }
        let rows: BTreeSet<&str> = new.iter().map(|(check, _)| &*check.row).collect();
        // What every edition decides shows it best.
        let example = new.iter().find(|(_, failure)| is_decided(failure)).or(new.first());
        Some(LikelyCause {
            cause: cause.id().to_owned(),
            observed,
            advice: cause.told().1.to_owned(),
            evidence,
            of: of.to_owned(),
            rows: rows.len(),
            example: example.map(|(check, _)| check.id.clone()),
        })
    }
}

fn is_decided(failure: &CheckFinished) -> bool {
    failure.editions.values().all(|judged| judged.expected != Ruling::Unspecified.id())
}
