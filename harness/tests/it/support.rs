//! Support for the tests of the library: makes checks, runs them and collects what happened.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use robotspec::event::{Event, Judgement, Status};
use robotspec::{Clause, Endpoint, Fault, InProcess, Incident, Parser, Plan, RunOutcome, Subject, run};
use robotspec_cases::{Check, Expected, Level, Query};
use robotspec_reference::{Edition, Ruling};

/// The edition that judges where one is enough.
pub(crate) const EDITION: Edition = Edition::Rfc9309;

/// A time limit that an implementation does not reach unless it hangs, also on a machine that does other work.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// Makes a check: may FooBot fetch this URL, given this file?
pub(crate) fn check(id: &str, robots: &Arc<[u8]>, url: &str, expected: Ruling) -> Check {
    let query = Query::Match { robots: Arc::clone(robots), agent: "FooBot".to_owned(), url: url.to_owned() };
    check_of(id, query, Expected::Ruling(expected))
}

/// Makes a check of a query of any kind.
pub(crate) fn check_of(id: &str, query: Query, expected: Expected) -> Check {
    Check {
        id: id.parse().expect("the id of a check"),
        clauses: vec![Clause::find("M-prefix").expect("a clause")],
        google_specific: false,
        query,
        expected: BTreeMap::from([(EDITION, expected)]),
        questions: Vec::new(),
        reasons: Arc::default(),
        line: None,
    }
}

/// Makes a file that allows every path but `/private`; its number makes it different from others.
pub(crate) fn numbered_file(number: usize) -> Arc<[u8]> {
    format!("# {number}\nuser-agent: *\ndisallow: /private\n").into_bytes().into()
}

/// Makes an endpoint for parsers in this process.
pub(crate) fn in_process<P: Parser + Send + 'static>(make: impl Fn() -> P + Send + 'static) -> InProcess {
    InProcess::new(move || Box::new(make()), LONG)
}

/// The result of a run of one implementation.
pub(crate) struct Ran {
    pub(crate) checks: BTreeMap<String, Judgement>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) outcome: RunOutcome,
}

/// Runs checks, and asserts that the run judges every check once and counts it.
pub(crate) fn run_checks<E: Endpoint + Send + 'static>(
    make: impl Fn() -> E + Send + 'static,
    checks: Vec<Check>,
) -> Ran {
    let plan = Plan {
        checks,
        editions: vec![EDITION],
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let mut events = Vec::new();
    let outcome =
        run(&plan, vec![Subject::new(move || Box::new(make()))], &mut |event| events.push(event.clone()));
    let mut checks = BTreeMap::new();
    let mut incidents = Vec::new();
    for event in &events {
        match event {
            Event::CheckFinished(check) => {
                for judgement in check.editions.values() {
                    let previous = checks.insert(check.id.to_string(), judgement.clone());
                    assert_eq!(previous, None, "{} was judged twice", check.id);
                }
            }
            Event::Incident { incident, .. } => incidents.push(incident.clone()),
            _ => {}
        }
    }
    assert_eq!(checks.len(), plan.checks.len(), "every check is judged");
    assert_eq!(outcome.totals.sum(), plan.checks.len(), "the counts add up to the checks");
    for status in Status::ALL {
        let count = checks.values().filter(|judgement| judgement.status == status).count();
        assert_eq!(outcome.totals.of(status), count, "{status:?}");
    }
    assert!(matches!(events.last(), Some(Event::RunFinished { .. })), "the last event ends the run");
    Ran { checks, incidents, outcome }
}

impl Ran {
    pub(crate) fn status(&self, id: &str) -> Status {
        self.checks[id].status
    }

    pub(crate) fn got(&self, id: &str) -> String {
        self.checks[id].describe_got()
    }

    /// Returns the reasons of the restarts.
    pub(crate) fn restarts(&self) -> Vec<&Fault> {
        let mut restarts = Vec::new();
        for incident in &self.incidents {
            if let Incident::Restarted { reason } = incident {
                restarts.push(reason);
            }
        }
        restarts
    }

    /// Returns the reason for which the run gave up the implementation.
    pub(crate) fn gave_up(&self) -> Option<&str> {
        self.incidents.iter().find_map(|incident| match incident {
            Incident::GaveUp { reason } => Some(reason.as_str()),
            _ => None,
        })
    }
}
