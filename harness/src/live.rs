//! Visits, played by a live server for an implementation that fetches.

use robotspec_mock_server::{MockServer, Visit};

use crate::implementation::{Accessed, Fault, Verdict};
use crate::suite::TimedVisit;

/// A moment of the simulated time, from which visits are counted, in seconds
/// since 1970.
const START: u64 = 1_700_000_000;

/// What a site without an answer says for every page.
const DOWN: u16 = 503;

/// A request to fetch the robots.txt of a live site.
pub(crate) struct Fetch {
    /// URLs on one origin.
    pub(crate) urls: Vec<String>,
    /// The simulated time, in seconds since 1970.
    pub(crate) now: u64,
}

/// Plays visits, and asks at each what may be fetched then; the last answer
/// counts.
///
/// # Errors
///
/// A visit could not be played, or was not answered.
pub(crate) fn play(
    visits: &[TimedVisit],
    paths: &[String],
    mut ask: impl FnMut(Fetch) -> Result<Vec<Verdict>, Fault>,
) -> Result<Accessed, Fault> {
    let not_played = |error: String| Fault::NotRun(format!("the scenario could not be played: {error}"));
    let Some(first) = visits.first() else { return Err(not_played("there is no visit".to_owned())) };
    let server = MockServer::start(&played(first)).map_err(|error| not_played(error.to_string()))?;
    let mut verdicts = Vec::new();
    for (index, visit) in visits.iter().enumerate() {
        if index > 0 {
            server.play(&played(visit)).map_err(|error| not_played(error.to_string()))?;
        }
        let urls = paths.iter().map(|path| format!("{}{path}", server.origin())).collect();
        verdicts = ask(Fetch { urls, now: START + visit.at })?;
    }
    let departures = server.departures().iter().map(ToString::to_string).collect();
    Ok(Accessed { verdicts, departures })
}

/// What the server does at a visit.
pub(crate) fn played(visit: &TimedVisit) -> Visit {
    let mut played = visit.visit.clone();
    if !visit.site_answers {
        played.answer.missing_pages = DOWN;
    }
    played
}
