//! Access: what a crawler may fetch after it requested a robots.txt, once or several times.

use robotspec_cases::TimedVisit;
use robotspec_reference::access::{Fetch, Reply};

use super::Mistake;
use super::parser::FaultyParser;

const DAY: u64 = 24 * 60 * 60;

/// What a crawler may fetch.
pub(super) enum Access {
    All,
    Nothing,
    /// What this file allows.
    Rules(Vec<u8>),
}

/// The result of a request, redirects followed.
#[derive(Clone)]
enum Fetched {
    File(Vec<u8>),
    Unavailable,
    Unreachable,
}

impl Access {
    /// Returns what a crawler may fetch at the time of the last visit.
    pub(super) fn after(parser: &FaultyParser, visits: &[TimedVisit]) -> Access {
        let mut last: Option<(u64, Fetched)> = None;
        let mut unreachable_since = None;
        let (mut copy, mut now) = (None, 0);
        for visit in visits.iter().map(TimedVisit::observed) {
            now = visit.at;
            // RFC 9309, 2.4: a crawler should not use a copy for more than 24 hours.
            let keeps = |(at, _): &(u64, Fetched)| now - at <= DAY || parser.makes(Mistake::NeverForgets);
            if last.as_ref().is_some_and(keeps) {
                continue;
            }
            let fetched = fetch(parser, &visit);
            if let Fetched::Unreachable = fetched {
                unreachable_since.get_or_insert(now);
            } else {
                unreachable_since = None;
                copy = Some(fetched.clone());
            }
            last = Some((now, fetched));
        }
        match last.map_or(Fetched::Unreachable, |(_, fetched)| fetched) {
            Fetched::File(file) => Access::Rules(file),
            Fetched::Unavailable => Access::All,
            Fetched::Unreachable if parser.makes(Mistake::ServerErrorOpens) => Access::All,
            // RFC 9309, 2.3.1.4: after 30 days a crawler may treat the file as unavailable or use its copy.
            Fetched::Unreachable if now - unreachable_since.unwrap_or(now) > 30 * DAY => match copy {
                Some(Fetched::File(file)) => Access::Rules(file),
                _ => Access::All,
            },
            Fetched::Unreachable => Access::Nothing,
        }
    }
}

/// Follows redirects and returns the result at their end (RFC 9309, 2.3.1).
fn fetch(parser: &FaultyParser, visit: &Fetch) -> Fetched {
    let most_redirects = match () {
        () if parser.makes(Mistake::NoRedirects) => 0,
        () if parser.makes(Mistake::TwoRedirects) => 2,
        () => 5,
    };
    for (redirects, reply) in visit.replies.iter().enumerate() {
        if redirects > most_redirects {
            return Fetched::Unavailable;
        }
        match reply {
            Reply::Redirect { to_disallowed: true } if parser.makes(Mistake::DisallowedRedirectStops) => {
                return Fetched::Unreachable;
            }
            Reply::ClientRedirect { body } if !parser.makes(Mistake::FollowsMetaRefresh) => {
                return Fetched::File(body.clone());
            }
            Reply::Redirect { .. } | Reply::ClientRedirect { .. } => {}
            Reply::Failure if parser.makes(Mistake::FailureOpens) => return Fetched::Unavailable,
            Reply::Failure => return Fetched::Unreachable,
            Reply::Answer { status, body, .. } => return result_of(parser, *status, body),
        }
    }
    Fetched::Unavailable
}

fn result_of(parser: &FaultyParser, status: u16, body: &[u8]) -> Fetched {
    let is = |mistake: Mistake, statuses: &[u16]| parser.makes(mistake) && statuses.contains(&status);
    if is(Mistake::ForbiddenCloses, &[401, 403]) || is(Mistake::GoneIsServerError, &[410]) {
        return Fetched::Unreachable;
    }
    if is(Mistake::UnavailableIsNotFound, &[503]) {
        return Fetched::Unavailable;
    }
    if is(Mistake::BodyOfErrorCounts, &[404]) {
        return Fetched::File(b"user-agent: *\ndisallow: /\n".to_vec());
    }
    match status {
        200 if parser.makes(Mistake::SuccessOpens) => Fetched::Unavailable,
        200..=299 => Fetched::File(body.to_vec()),
        400..=499 if parser.makes(Mistake::ClientErrorCloses) => Fetched::Unreachable,
        400..=499 => Fetched::Unavailable,
        500..=599 if parser.makes(Mistake::ServerErrorIsNotFound) => Fetched::Unavailable,
        _ => Fetched::Unreachable,
    }
}
