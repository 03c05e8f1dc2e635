//! Support for the tests of the library: builds checks, runs them and collects what happened.

use std::collections::BTreeMap;
use std::sync::Arc;

use robotspec::event::{Event, Judged, Status};
use robotspec::implementation::Incident;
use robotspec::{Clause, Implementation, KnownFailures, Outcome, Plan, Subject, run};
use robotspec_cases::suite::{Check, Expected, Request};
use robotspec_reference::{Edition, Ruling};

/// The edition that judges where one is enough.
pub(crate) const EDITION: Edition = Edition::Rfc9309;

/// May FooBot fetch this URL, given this file?
pub(crate) fn check(id: &str, robots: &Arc<[u8]>, url: &str, expected: Ruling) -> Check {
    Check {
        id: id.to_owned(),
        row: id.to_owned(),
        variant: None,
        clauses: vec![Clause::find("M-prefix").expect("a clause")],
        google_specific: false,
        request: Request::Match {
            robots: Arc::clone(robots),
            agent: "FooBot".to_owned(),
            url: url.to_owned(),
        },
        expected: BTreeMap::from([(EDITION, Expected::Ruling(expected))]),
        questions: Vec::new(),
    }
}

/// A file that allows all but `/private`, told from others by its number.
pub(crate) fn numbered_file(number: usize) -> Arc<[u8]> {
    format!("# {number}\nuser-agent: *\ndisallow: /private\n").into_bytes().into()
}

/// What came of a run of one implementation.
pub(crate) struct Ran {
    pub(crate) checks: BTreeMap<String, Judged>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) events: Vec<Event>,
    pub(crate) outcome: Outcome,
}

/// Runs checks, and makes sure that none of them is lost.
pub(crate) fn run_checks(implementation: impl Implementation + Send + 'static, checks: Vec<Check>) -> Ran {
    let subject = Subject { implementation: Box::new(implementation), known: KnownFailures::default() };
    let plan = Plan { checks, editions: vec![EDITION], lists_are_about: None, shard: None, jobs: 1 };
    let mut events = Vec::new();
    let outcome = run(&plan, vec![subject], &mut |event| events.push(event.clone()));
    let mut judged = BTreeMap::new();
    let mut incidents = Vec::new();
    for event in &events {
        match event {
            Event::CheckFinished(check) => {
                for verdict in check.editions.values() {
                    let twice = judged.insert(check.id.clone(), verdict.clone());
                    assert_eq!(twice, None, "{} came out twice", check.id);
                }
            }
            Event::Incident { incident, .. } => incidents.push(incident.clone()),
            _ => {}
        }
    }
    assert_eq!(judged.len(), plan.checks.len(), "every check comes out");
    assert_eq!(outcome.totals.sum(), plan.checks.len(), "the counts add up to the checks");
    for status in Status::ALL {
        let count = judged.values().filter(|judged| judged.status == status).count();
        assert_eq!(outcome.totals.of(status), count, "{status:?}");
    }
    assert!(matches!(events.last(), Some(Event::RunFinished { .. })), "the stream is closed");
    Ran { checks: judged, incidents, events, outcome }
}

impl Ran {
    pub(crate) fn status(&self, id: &str) -> Status {
        self.checks[id].status
    }

    pub(crate) fn got(&self, id: &str) -> &str {
        &self.checks[id].got
    }

    /// The reasons for which it was started again.
    pub(crate) fn restarts(&self) -> Vec<&str> {
        fn reason(incident: &Incident) -> Option<&str> {
            match incident {
                Incident::Restarted { reason } => Some(reason.as_str()),
                _ => None,
            }
        }
        self.incidents.iter().filter_map(reason).collect()
    }

    /// Why it was given up, if it was.
    pub(crate) fn gave_up(&self) -> Option<&str> {
        self.incidents.iter().find_map(|incident| match incident {
            Incident::GaveUp { reason } => Some(reason.as_str()),
            _ => None,
        })
    }
}
