//! Visits, played by a live server for an implementation that fetches.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use robotspec_mock_server::{MockServer, PlayError, Visit};

use robotspec_cases::TimedVisit;

use crate::answer::{Fault, Verdict};

/// A moment of the simulated time, from which visits are counted, in seconds
/// since 1970.
const START: u64 = 1_700_000_000;

/// What a site without an answer says for every page.
const DOWN: u16 = 503;

/// What came of visits that were played.
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

/// Plays visits, and asks at each what may be fetched then; the last answer
/// counts.
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
    let first = played(first);
    let server = at_a_new_origin(&mut seen_origins(), || MockServer::start(&first).map_err(not_played))?;
    play_at(&server, visits, paths, ask)
}

/// The origins that scenarios were played at. An implementation with a clock keeps what it has cached, so
/// that a port which comes up again would bring it the copy of another site.
fn seen_origins() -> MutexGuard<'static, HashSet<String>> {
    static SEEN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts servers until one is at an origin that was not seen before. Those at others stay until then, so that
/// the next gets another port.
fn at_a_new_origin<S: At>(
    seen: &mut HashSet<String>,
    mut start: impl FnMut() -> Result<S, Fault>,
) -> Result<S, Fault> {
    const MOST_TRIES: usize = 64;
    let mut at_seen_origins = Vec::new();
    for _ in 0..MOST_TRIES {
        let server = start()?;
        if seen.insert(server.at()) {
            return Ok(server);
        }
        at_seen_origins.push(server);
    }
    Err(not_played("every free port was used before"))
}

/// What is at an origin.
trait At {
    fn at(&self) -> String;
}

impl At for MockServer {
    fn at(&self) -> String {
        self.origin()
    }
}

/// Plays visits at a server that plays the first of them already.
fn play_at(
    server: &MockServer,
    visits: &[TimedVisit],
    paths: &[String],
    mut ask: impl FnMut(Fetch) -> Result<Vec<Verdict>, Fault>,
) -> Result<Played, Fault> {
    let mut verdicts = Vec::new();
    for (index, visit) in visits.iter().enumerate() {
        if index > 0 {
            server.play(&played(visit)).map_err(not_played)?;
        }
        let urls = paths.iter().map(|path| format!("{}{path}", server.origin())).collect();
        let answer = ask(Fetch { urls, now: START + visit.at });
        // Whatever was answered, it is not about this visit.
        ensure_running(server)?;
        verdicts = answer?;
    }
    let violations = server.departures().iter().map(ToString::to_string).collect();
    Ok(Played { verdicts, violations })
}

/// Nobody is to blame for what is not played.
pub(super) fn not_played(error: impl ToString) -> Fault {
    Fault::NotRun(format!("the scenario could not be played: {}", error.to_string()))
}

/// Makes sure that what was met is what was to be played.
///
/// # Errors
///
/// The server came to an end meanwhile.
pub(super) fn ensure_running(server: &MockServer) -> Result<(), Fault> {
    if server.is_running() { Ok(()) } else { Err(not_played(PlayError::Stopped)) }
}

/// What the server does at a visit.
pub(super) fn played(visit: &TimedVisit) -> Visit {
    let mut played = visit.visit.clone();
    if !visit.site_answers {
        played.answer.missing_pages = DOWN;
    }
    played
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc;
    use std::thread;

    use robotspec_mock_server::{Answer, Fault as Failure};
    use robotspec_reference::Edition;

    use super::*;
    use crate::event::{Event, Status};
    use crate::implementation::{Implementation, Info, Query};
    use crate::known::KnownFailures;
    use crate::run::{Plan, Subject, run};
    use robotspec_cases::suite::{built_in, checks};

    /// When the server comes to an end.
    #[derive(Clone, Copy, PartialEq)]
    enum Dies {
        /// While the implementation waits for an answer.
        Within,
        /// When the implementation has answered, and before the next visit.
        Between,
    }

    /// Fetches from a server that comes to an end at the first visit.
    struct Unlucky(Dies);

    /// Asks a site and waits for as long as it takes.
    fn fetch(url: &str, has_asked: &mpsc::Sender<()>) {
        let authority = url.split('/').nth(2).expect("a URL");
        let mut stream = TcpStream::connect(authority).expect("it listens");
        stream.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").expect("it reads");
        let mut octets = [0; 4096];
        // The first octets of an answer that stays unfinished.
        assert!(stream.read(&mut octets).expect("it answers") > 0);
        has_asked.send(()).expect("the server is waited for");
        while stream.read(&mut octets).is_ok_and(|count| count > 0) {}
    }

    impl Implementation for Unlucky {
        fn info(&self) -> Info {
            Info::named("unlucky")
        }

        fn check(&mut self, _: &[u8], _: &[Query]) -> Result<Vec<Verdict>, Fault> {
            Err(Fault::NotSupported)
        }

        fn access(&mut self, visits: &[TimedVisit], _: &str, paths: &[String]) -> Result<Played, Fault> {
            let silent = Answer { fault: Some(Failure::SilentInBody), ..Answer::default() };
            let server = MockServer::start(&Visit { answer: silent, ..Visit::default() }).expect("it starts");
            let server = &server;
            let (has_asked, is_asked) = mpsc::channel();
            let dies = self.0;
            thread::scope(move |scope| {
                scope.spawn(move || {
                    if is_asked.recv().is_ok() {
                        server.stop();
                    }
                });
                let accessed = play_at(server, visits, paths, |asked| {
                    assert!(server.is_running(), "nobody is asked about a server that is gone");
                    match dies {
                        Dies::Within => fetch(&asked.urls[0], &has_asked),
                        Dies::Between => server.stop(),
                    }
                    Ok(vec![Verdict::Disallow; paths.len()])
                });
                // Nobody waits for a request any more.
                drop(has_asked);
                accessed
            })
        }
    }

    #[test]
    fn checks_at_a_server_that_came_to_an_end_are_not_run_and_the_run_says_so() {
        for dies in [Dies::Within, Dies::Between] {
            let mut checks = checks(&built_in().expect("the suites inside are sound"), false);
            // One visit, where every answer would pass or fail, and two.
            let ids = ["access/server-error#status-500", "access/a-day#after-25-hours"];
            checks.retain(|check| ids.contains(&check.id.as_str()));
            assert_eq!(checks.len(), ids.len());
            let plan = Plan {
                checks,
                editions: vec![Edition::Rfc9309],
                lists_are_about: None,
                shard: None,
                jobs: 1,
            };
            let subject =
                Subject { implementation: Box::new(Unlucky(dies)), known: KnownFailures::default() };
            let mut told = Vec::new();
            let outcome = run(&plan, vec![subject], &mut |event| {
                if let Event::CheckFinished(check) = event {
                    told.extend(check.editions.values().cloned());
                }
            });
            assert_eq!(told.len(), ids.len());
            for judged in told {
                assert_eq!(judged.status, Status::NotRun);
                let why = "not run: the scenario could not be played: the mock server came to an end";
                assert_eq!(judged.got, why);
            }
            assert_eq!((outcome.exit_code(), outcome.unexpected, outcome.is_incomplete), (3, 0, true));
        }
    }

    impl At for &'static str {
        fn at(&self) -> String {
            (*self).to_owned()
        }
    }

    #[test]
    fn no_scenario_is_played_where_another_was() {
        let mut ports = ["a", "a", "b", "a", "b", "c"].into_iter();
        let mut seen = HashSet::new();
        let mut next = || at_a_new_origin(&mut seen, || Ok(ports.next().expect("a port")));
        assert_eq!([next(), next(), next()], [Ok("a"), Ok("b"), Ok("c")]);
        assert!(at_a_new_origin(&mut seen, || Ok("a")).is_err());
    }
}
