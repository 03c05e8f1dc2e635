//! Records of runs, for the tests of the reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use robotspec::event::{CheckFinished, Event, Judgement, Status};
use robotspec::{Answer, Info, RunRecord, Verdict};
use robotspec_cases::{Expected, Level};
use robotspec_reference::{Edition, Ruling};

pub(super) fn judgement(status: Status, level: Level, is_known: bool) -> Judgement {
    Judgement {
        status,
        level,
        expected: Expected::Ruling(Ruling::Allow),
        got: Ok(Answer::Match(Verdict::Disallow)),
        known: is_known.then(|| "a reason".into()),
    }
}

/// Returns the record of a run of one implementation in RFC 9309. Each check has an id and a clause.
pub(super) fn record_of(checks: &[(&str, &str, Status, Level)]) -> RunRecord {
    let finished = |&(id, clause, status, level): &(&str, &str, Status, Level)| {
        let editions = BTreeMap::from([(Edition::Rfc9309, judgement(status, level, false))]);
        Event::CheckFinished(CheckFinished {
            implementation: "a".into(),
            id: id.parse().expect("an id"),
            clause: clause.into(),
            editions: Arc::new(editions),
        })
    };
    let start = Event::ImplementationStarted { info: Info::named("a"), source: Default::default() };
    RunRecord::of(std::iter::once(start).chain(checks.iter().map(finished)))
}
