//! Visits that a live server plays for an implementation that fetches.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use robotspec_cases::TimedVisit;
use robotspec_cases::visit::Visit;
use robotspec_mock_server::{MockServer, PlayError};

use crate::answer::{Fault, Verdict};

/// The simulated time from which the times of visits count, in seconds since 1970.
const START: u64 = 1_700_000_000;

/// The status of the other pages of a site where they cannot be fetched.
const DOWN: u16 = 503;

/// The result of visits that were played.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Played {
    /// One verdict for each path, in their order.
    pub(super) verdicts: Vec<Verdict>,
    /// The requests that break the specification, a sentence each.
    pub(super) violations: Vec<String>,
}

/// A request to fetch the robots.txt of a live site.
pub(super) struct Fetch {
    /// URLs on one origin.
    pub(super) urls: Vec<String>,
    /// The simulated time, in seconds since 1970.
    pub(super) now: u64,
}

/// Plays visits. Sends a query at each of them, and returns the answer to the last one.
///
/// # Errors
///
/// A visit could not be played, or was not answered.
pub(super) fn play(
    visits: &[TimedVisit],
    paths: &[String],
    ask: impl FnMut(Fetch) -> Result<Vec<Verdict>, Fault>,
) -> Result<Played, Fault> {
    let Some(first) = visits.first() else { return Err(not_played("there is no visit")) };
    let first = visit_to_play(first);
    let server = start_at_new_origin(&mut used_origins(), || MockServer::start(&first).map_err(not_played))?;
    play_at(&server, visits, paths, ask)
}

/// Returns the origins at which scenarios were played. An implementation with a simulated clock keeps its cache, so
/// that it would use the copy of another site if a port occurred again.
fn used_origins() -> MutexGuard<'static, HashSet<String>> {
    static USED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts servers until one has an origin that was not used before. The others run until then, so that the next server
/// gets another port.
fn start_at_new_origin<S: HasOrigin>(
    used: &mut HashSet<String>,
    mut start: impl FnMut() -> Result<S, Fault>,
) -> Result<S, Fault> {
    const MOST_TRIES: usize = 64;
    let mut at_used_origins = Vec::new();
    for _ in 0..MOST_TRIES {
        let server = start()?;
        if used.insert(server.own_origin()) {
            return Ok(server);
        }
        at_used_origins.push(server);
    }
    Err(not_played("every free port was used before"))
}

/// A server that has an origin.
trait HasOrigin {
    fn own_origin(&self) -> String;
}

impl HasOrigin for MockServer {
    fn own_origin(&self) -> String {
        self.origin()
    }
}

/// Plays visits at a server that already plays the first of them.
fn play_at(
    server: &MockServer,
    visits: &[TimedVisit],
    paths: &[String],
    mut ask: impl FnMut(Fetch) -> Result<Vec<Verdict>, Fault>,
) -> Result<Played, Fault> {
    let mut verdicts = Vec::new();
    for (index, visit) in visits.iter().enumerate() {
        if index > 0 {
            server.play(&visit_to_play(visit)).map_err(not_played)?;
        }
        let urls = paths.iter().map(|path| format!("{}{path}", server.origin())).collect();
        let answer = ask(Fetch { urls, now: START + visit.at });
        // If the server stopped, the answer is not about this visit.
        ensure_running(server)?;
        verdicts = answer?;
    }
    let violations = server.violations().iter().map(ToString::to_string).collect();
    Ok(Played { verdicts, violations })
}

/// Returns the fault of a scenario that could not be played, for which the implementation is not to blame.
pub(super) fn not_played(error: impl ToString) -> Fault {
    Fault::NotRun(format!("the scenario could not be played: {}", error.to_string()).into())
}

/// Checks that the server is still running, so that an answer is about the scenario.
///
/// # Errors
///
/// The server has stopped.
pub(super) fn ensure_running(server: &MockServer) -> Result<(), Fault> {
    if server.is_running() { Ok(()) } else { Err(not_played(PlayError::Stopped)) }
}

/// Returns the visit that the server plays, in which the other pages of the site may be unavailable.
pub fn visit_to_play(visit: &TimedVisit) -> Visit {
    let mut played = visit.visit.clone();
    if !visit.site_answers {
        played.response.missing_pages = DOWN;
    }
    played
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc;
    use std::thread;

    use robotspec_cases::suite::built_in;
    use robotspec_cases::visit::{NetworkFault, Response};
    use robotspec_cases::{Level, Query, checks};
    use robotspec_reference::Edition;

    use super::*;
    use crate::endpoint::{Batch, BatchAnswer, Endpoint, access_answer};
    use crate::event::{Event, Status};
    use crate::parser::Info;
    use crate::run::{Plan, Subject, run};

    /// When the server stops.
    #[derive(Clone, Copy, PartialEq)]
    enum Stops {
        /// While the implementation waits for a response.
        WhileWaiting,
        /// When the implementation has answered, before the next visit.
        BetweenVisits,
    }

    /// An implementation that fetches from a server that stops at the first visit.
    struct Unlucky(Stops);

    /// Requests the robots.txt and waits for its end without a limit.
    fn fetch(url: &str, has_requested: &mpsc::Sender<()>) {
        let authority = url.split('/').nth(2).expect("a URL");
        let mut stream = TcpStream::connect(authority).expect("the server listens");
        stream.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").expect("the server reads");
        let mut bytes = [0; 4096];
        // The first bytes of a response that has no end.
        assert!(stream.read(&mut bytes).expect("the server responds") > 0);
        has_requested.send(()).expect("the test waits for this");
        while stream.read(&mut bytes).is_ok_and(|count| count > 0) {}
    }

    impl Unlucky {
        fn access(&self, visits: &[TimedVisit], paths: &[String]) -> Result<Played, Fault> {
            let silent = Response { fault: Some(NetworkFault::SilentInBody), ..Response::default() };
            let server = MockServer::start(&Visit { response: silent, ..Visit::default() })
                .expect("the server starts");
            let server = &server;
            let (has_requested, is_requested) = mpsc::channel();
            let stops = self.0;
            thread::scope(move |scope| {
                scope.spawn(move || {
                    if is_requested.recv().is_ok() {
                        server.stop();
                    }
                });
                let played = play_at(server, visits, paths, |request| {
                    assert!(server.is_running(), "no query is sent while the server is not running");
                    match stops {
                        Stops::WhileWaiting => fetch(&request.urls[0], &has_requested),
                        Stops::BetweenVisits => server.stop(),
                    }
                    Ok(vec![Verdict::Disallow; paths.len()])
                });
                // This ends the thread that waits for a request.
                drop(has_requested);
                played
            })
        }
    }

    impl Endpoint for Unlucky {
        fn info(&self) -> Info {
            Info::named("unlucky")
        }

        fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
            for (index, batch) in batches.iter().enumerate() {
                let Query::Access { visits, paths, .. } = batch.first() else { continue };
                let played = self.access(visits, paths);
                let answer =
                    played.and_then(|played| access_answer(paths, played.verdicts, played.violations));
                on_answer(index, vec![answer]);
            }
        }
    }

    #[test]
    fn checks_at_a_server_that_stopped_are_not_run_and_the_run_is_incomplete() {
        for stops in [Stops::WhileWaiting, Stops::BetweenVisits] {
            let mut checks = checks(&built_in().expect("the embedded suites are sound"), false);
            // A check of one visit, where every answer would pass or fail, and a check of two.
            let ids = ["access/server-error#status-500", "access/a-day#after-25-hours"];
            checks.retain(|check| ids.contains(&check.id.to_string().as_str()));
            assert_eq!(checks.len(), ids.len());
            let editions = vec![Edition::Rfc9309];
            let plan =
                Plan { checks, editions, level: Level::Should, lists_are_about: None, shard: None, jobs: 1 };
            let mut judgements = Vec::new();
            let outcome = run(&plan, vec![Subject::new(move || Box::new(Unlucky(stops)))], &mut |event| {
                if let Event::CheckFinished(check) = event {
                    judgements.extend(check.editions.values().cloned());
                }
            });
            assert_eq!(judgements.len(), ids.len());
            for judgement in judgements {
                assert_eq!(judgement.status, Status::NotRun);
                assert_eq!(judgement.got, Err(not_played(PlayError::Stopped)));
            }
            assert_eq!((outcome.exit_code(), outcome.unexpected, outcome.is_incomplete), (3, 0, true));
        }
    }

    impl HasOrigin for &'static str {
        fn own_origin(&self) -> String {
            (*self).to_owned()
        }
    }

    #[test]
    fn no_scenario_is_played_at_the_origin_of_another() {
        let mut ports = ["a", "a", "b", "a", "b", "c"].into_iter();
        let mut used = HashSet::new();
        let mut next = || start_at_new_origin(&mut used, || Ok(ports.next().expect("a port")));
        assert_eq!([next(), next(), next()], [Ok("a"), Ok("b"), Ok("c")]);
        assert!(start_at_new_origin(&mut used, || Ok("a")).is_err());
    }
}
