//! What a run tells of likely causes.

use std::collections::BTreeSet;

use robotspec_reference::Ruling;

use super::{Answered, Cause, Likely, likely_causes};
use crate::event::{CheckFinished, LikelyCause};
use crate::implementation::Incident;
use crate::suite::Check;

/// What came of the checks of an implementation: what makes so many of them fail is inferred from it.
#[derive(Debug, Default)]
pub struct Inquiry<'c> {
    answers: Vec<Answered<'c>>,
    /// Those that fail in an edition in which no list knows it.
    new_failures: Vec<(&'c Check, CheckFinished)>,
    incidents: Vec<Incident>,
}

impl<'c> Inquiry<'c> {
    /// Takes what came of a check.
    pub fn take(&mut self, check: &'c Check, finished: &CheckFinished) {
        self.answers.extend(Answered::new(check, finished));
        if finished.has_new_failure() {
            self.new_failures.push((check, finished.clone()));
        }
    }

    /// Takes what happened to the implementation.
    pub fn take_incident(&mut self, incident: &Incident) {
        self.incidents.push(incident.clone());
    }

    /// What is to be told, the first to mend first. Why something fails that is known to is told by the list.
    pub fn causes(&self) -> Vec<LikelyCause> {
        let likely = likely_causes(&self.answers, &self.incidents).into_iter();
        let told = likely.map(|likely| self.told(likely));
        told.filter(|told| told.rows > 0 || !is_mistake(told)).collect()
    }

    fn told(&self, likely: Likely) -> LikelyCause {
        let Likely { cause, observed, evidence, of } = likely;
        let explained =
            || self.new_failures.iter().filter(|(check, failure)| cause.may_explain(check, failure));
        let rows: BTreeSet<&str> = explained().map(|(check, _)| &*check.row).collect();
        // What every edition decides shows it best.
        let example = explained().find(|(_, failure)| is_decided(failure)).or_else(|| explained().next());
        LikelyCause {
            cause: cause.id().to_owned(),
            observed,
            advice: cause.told().1.to_owned(),
            evidence,
            of: of.to_owned(),
            rows: rows.len(),
            example: example.map(|(check, _)| check.id.clone()),
        }
    }
}

fn is_mistake(told: &LikelyCause) -> bool {
    matches!(Cause::find(&told.cause), Some(Cause::Mistake(_)))
}

fn is_decided(failure: &CheckFinished) -> bool {
    failure.editions.values().all(|judged| judged.expected != Ruling::Unspecified.id())
}
