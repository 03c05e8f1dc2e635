//! Visits that a live server plays for an implementation that fetches.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use robotspec_cases::TimedVisit;
use robotspec_cases::visit::{Site, Visit};
use robotspec_mock_server::{MockServer, PlayError};

use crate::answer::{Answer, Fault, Verdict};
use crate::endpoint::access_answer;

/// The simulated time from which the times of visits count, in seconds since 1970.
const START: u64 = 1_700_000_000;

/// The status of the other pages of a site where they cannot be fetched.
const DOWN: u16 = 503;

/// Plays visits. Sends a query at each of them, about URLs on one origin at a simulated time in seconds since 1970, and
/// returns the answer to the last one.
///
/// # Errors
///
/// A visit could not be played, or was not answered.
pub(super) fn play(
    visits: &[TimedVisit],
    paths: &[String],
    ask: impl FnMut(Vec<String>, u64) -> Result<Vec<Verdict>, Fault>,
) -> Result<Answer, Fault> {
    let Some(first) = visits.first() else { return Err(not_played("there is no visit")) };
    // It fetches the file, and finds no page.
    if visits.iter().any(|visit| visit.visit.site != Site::Links) {
        return Err(Fault::NotSupported);
    }
    let first = visit_to_play(first);
    // The origins at which scenarios were played. An implementation with a simulated clock keeps its cache, so that it would
    // use the copy of another site if a port occurred again.
    static USED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    let server = start_at_new_origin(&mut USED.lock().unwrap_or_else(PoisonError::into_inner), || {
        let server = MockServer::start(&first).map_err(not_played)?;
        Ok((server.origin(), server))
    })?;
    play_at(&server, visits, paths, ask)
}

/// Starts servers until one has an origin that was not used before. The others run until then, so that the next server
/// gets another port.
fn start_at_new_origin<S>(
    used: &mut HashSet<String>,
    mut start: impl FnMut() -> Result<(String, S), Fault>,
) -> Result<S, Fault> {
    const MOST_TRIES: usize = 64;
    let mut at_used_origins = Vec::new();
    for _ in 0..MOST_TRIES {
        let (origin, server) = start()?;
        if used.insert(origin) {
            return Ok(server);
        }
        at_used_origins.push(server);
    }
    Err(not_played("every free port was used before"))
}

/// Plays visits at a server that already plays the first of them.
fn play_at(
    server: &MockServer,
    visits: &[TimedVisit],
    paths: &[String],
    mut ask: impl FnMut(Vec<String>, u64) -> Result<Vec<Verdict>, Fault>,
) -> Result<Answer, Fault> {
    let mut verdicts = Vec::new();
    for (index, visit) in visits.iter().enumerate() {
        if index > 0 {
            server.play(&visit_to_play(visit)).map_err(not_played)?;
        }
        let urls = paths.iter().map(|path| format!("{}{path}", server.origin())).collect();
        let answer = ask(urls, START + visit.at);
        // If the server stopped, the answer is not about this visit.
        ensure_running(server)?;
        verdicts = answer?;
    }
    ensure_decodable(server, visits)?;
    let followed = visits.last().is_some_and(|visit| has_followed(server, visit));
    access_answer(paths, verdicts, server.violations(), followed)
}

/// Returns whether a visit has redirects, and the file behind them was requested.
pub(super) fn has_followed(server: &MockServer, visit: &TimedVisit) -> bool {
    let hops = visit.visit.hops.len();
    hops > 0 && server.requests().iter().any(|request| request.hop == Some(hops))
}

/// Checks that no visit used a content coding that the client refuses. A client that names none accepts every coding (RFC
/// 9110, 12.5.3).
///
/// # Errors
///
/// The client refuses the coding of a body.
pub(super) fn ensure_decodable(server: &MockServer, visits: &[TimedVisit]) -> Result<(), Fault> {
    let mut codings = visits.iter().filter_map(|visit| visit.visit.response.body.as_ref()?.content_coding());
    let requests = server.requests();
    let for_rules = || requests.iter().filter(|request| request.is_for_rules);
    let refuses = |coding| {
        let mut fields = for_rules().flat_map(|request| &request.headers);
        fields.any(|(name, value)| {
            name == "accept-encoding" && ![coding, "*"].iter().any(|one| value.contains(one))
        })
    };
    if codings.any(refuses) { Err(Fault::NotSupported) } else { Ok(()) }
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
#[path = "../../tests/unit/live.rs"]
mod tests;
