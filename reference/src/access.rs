//! Access: what a crawler may fetch after it has requested the robots.txt of a site, once or over days.
//!
//! *Google, "Handling HTTP result codes" and "Caching"; RFC 9309, 2.3.1 and 2.4.*
//!
//! This module sends no requests and has no clock. The caller provides the visits of a crawler and their times.

use std::ops::ControlFlow;

use crate::answer::{
    Acceptance, AccessWithoutFile, Age, PageRedirection, Redirection, Reuse, Success, Unavailability,
};
use crate::doubt::{Doubt, doubts};
use crate::edition::Edition;
use crate::question::Choice;
use crate::question::typed::*;
use crate::reading::{Explorer, Reader, Reading, SingleReader, explore};
use crate::ruling::{RobotsTxt, Ruling};
use crate::target::NotAUrl;

/// A time or a span of time, in seconds.
pub type Seconds = u64;

const HOUR: Seconds = 60 * 60;
const DAY: Seconds = 24 * HOUR;

/// How long everything is disallowed before the last copy counts (google-2026).
const FIRST_HOURS: Seconds = 12 * HOUR;

/// After this time a file has been unreachable for long (RFC 9309, 2.3.1.4).
const LONG: Seconds = 30 * DAY;

/// The number of redirects that every edition follows (RFC 9309, 2.3.1.2).
const FOLLOWED_HOPS: usize = 5;

/// Returns the `max-age` of a `Cache-Control` (RFC 9111, 5.2.2.1).
pub fn max_age(cache_control: &str) -> Option<Seconds> {
    cache_control.split(',').find_map(|directive| directive.trim().strip_prefix("max-age=")?.parse().ok())
}

/// Returns whether a `Content-Type` names plain text, whatever its parameters are (RFC 9110, 8.3.1).
pub fn is_plain_text(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("text/plain")
}

/// A visit to a site: the replies to a request for its robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// The time, in seconds from any point.
    pub at: Seconds,
    /// Each redirect, and the reply at their end. The redirects may go on for longer than a crawler follows them.
    pub replies: Vec<Reply>,
    /// Whether the site responds to requests for other pages.
    pub site_answers: bool,
    /// Whether the site responds with a server error for pages that do not exist.
    pub is_misconfigured: bool,
}

/// The reply to a single request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A final response of an HTTP server, or a transfer by FTP.
    Answer {
        /// The status; 200 for a transfer.
        status: u16,
        /// The content, decoded.
        body: Vec<u8>,
        /// The `max-age` of `Cache-Control`.
        max_age: Option<Seconds>,
        /// Whether the media type is `text/plain`, or is not stated.
        is_plain_text: bool,
    },
    /// A redirect with a location.
    Redirect {
        /// Whether the rules of another file disallow the location.
        to_disallowed: bool,
    },
    /// A page that redirects by frame, script or meta tag. The next reply is that of the target.
    ClientRedirect {
        /// The page.
        body: Vec<u8>,
    },
    /// No response, or a response that is not HTTP: DNS failure, timeout, connection reset, broken chunks.
    Failure,
}

/// What a crawler may fetch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Access {
    /// Everything.
    FullAllow,
    /// Nothing.
    FullDisallow,
    /// The URLs that this file allows.
    Conditional(Vec<u8>),
}

impl Access {
    /// Returns whether one agent may fetch one URL.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        match self {
            Access::FullAllow => Ok(Ruling::Allow),
            Access::FullDisallow => Ok(Ruling::Disallow),
            Access::Conditional(file) => RobotsTxt::parse(file).ruling(edition, agent, url),
        }
    }
}

/// The access after visits, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessExplanation {
    /// The different accesses in admitted readings, the access of the plainest reading first. Where there are several,
    /// the edition does not specify the access.
    pub accesses: Vec<Access>,
    /// The questions that the access depends on, where it is unspecified.
    pub doubts: Vec<Doubt<Access>>,
}

impl AccessExplanation {
    /// Returns whether one agent may fetch one URL.
    ///
    /// # Errors
    ///
    /// `url` is neither an absolute URL nor a path.
    pub fn ruling(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        let mut rulings = Vec::new();
        for access in &self.accesses {
            rulings.push(access.ruling(edition, agent, url)?);
        }
        let all_the_same = rulings.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(rulings.first().copied().filter(|_| all_the_same).unwrap_or(Ruling::Unspecified))
    }
}

/// Returns what a crawler may fetch at the time of the last visit, in an edition. Visits are in the order of their
/// times. Without visits, everything is disallowed.
pub fn access(edition: Edition, visits: &[Fetch]) -> AccessExplanation {
    let mut outcomes: Vec<(Vec<Choice>, Access)> = Vec::new();
    // An evaluation raises at most a dozen questions, so that the exploration is complete.
    let _ = explore(
        &mut Explorer::new(edition),
        |explorer| accessed(visits, explorer),
        |choices, access| {
            outcomes.push((choices.to_vec(), access));
            ControlFlow::Continue(())
        },
    );
    let mut accesses: Vec<Access> = Vec::new();
    for (_, access) in &outcomes {
        if !accesses.contains(access) {
            accesses.push(access.clone());
        }
    }
    let plainest = Reading::plainest(edition);
    AccessExplanation {
        accesses,
        doubts: doubts(&plainest, outcomes, |reading| access_read(reading, visits)),
    }
}

/// Returns what a crawler may fetch, in one reading.
pub fn access_read(reading: &Reading, visits: &[Fetch]) -> Access {
    accessed(visits, &mut SingleReader::new(reading))
}

/// The outcome of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FetchOutcome {
    Found(Vec<u8>),
    NotFound,
    Unauthorized,
    ClientError,
    ServerError,
}

/// An outcome and how long a crawler may use it.
struct Cached {
    at: Seconds,
    max_age: Seconds,
    outcome: FetchOutcome,
}

/// The state of a crawler.
#[derive(Default)]
struct Memory {
    last: Option<Cached>,
    /// The last outcome that is not a server error.
    copy: Option<FetchOutcome>,
    /// The time of the first of the latest server errors.
    unreachable_since: Option<Seconds>,
}

fn accessed(visits: &[Fetch], reader: &mut impl Reader) -> Access {
    let mut memory = Memory::default();
    for visit in visits {
        if !memory.serves_at(visit.at, reader) {
            memory.remember(visit, reader);
        }
    }
    let Some(now) = visits.last() else { return Access::FullDisallow };
    match &memory.last {
        Some(Cached { outcome: FetchOutcome::ServerError, .. }) | None => memory.unreachable(now, reader),
        Some(Cached { outcome, .. }) => outcome.access(reader),
    }
}

impl Memory {
    /// Returns whether the crawler uses the last result instead of a request.
    fn serves_at(&self, now: Seconds, reader: &mut impl Reader) -> bool {
        let Some(last) = &self.last else { return false };
        let is_young = now.saturating_sub(last.at) <= last.max_age;
        match (is_young, &last.outcome) {
            (true, _) => reader.answer(YoungResult) == Reuse::Keep,
            (false, FetchOutcome::Found(_)) => false,
            (false, _) => reader.answer(OldResultWithoutFile) == Reuse::Keep,
        }
    }

    fn remember(&mut self, visit: &Fetch, reader: &mut impl Reader) {
        let (outcome, max_age) = visit.outcome(reader);
        match outcome {
            FetchOutcome::ServerError => _ = self.unreachable_since.get_or_insert(visit.at),
            FetchOutcome::Found(_)
            | FetchOutcome::NotFound
            | FetchOutcome::Unauthorized
            | FetchOutcome::ClientError => {
                self.unreachable_since = None;
                self.copy = Some(outcome.clone());
            }
        }
        let max_age = match max_age {
            Some(max_age) if reader.answer(MaxAge) == Acceptance::Accept => max_age,
            _ => match reader.answer(ResultAge) {
                Age::Day => DAY,
                Age::Week => 7 * DAY,
            },
        };
        self.last = Some(Cached { at: visit.at, max_age, outcome });
    }

    /// Returns what a crawler may fetch while the file is unreachable (RFC 9309, 2.3.1.4).
    fn unreachable(&self, now: &Fetch, reader: &mut impl Reader) -> Access {
        let span = now.at.saturating_sub(self.unreachable_since.unwrap_or(now.at));
        let question = match (span > LONG, &self.copy) {
            (false, Some(_)) => UnreachableWithCopy,
            (false, None) => UnreachableWithoutCopy,
            (true, Some(_)) => UnreachableLongWithCopy,
            (true, None) => UnreachableLongWithoutCopy,
        };
        let after_12_hours = span > FIRST_HOURS;
        // Without an access, that of the last copy.
        let access = reader.outcome(question, |answer| match answer {
            AccessWithoutFile::UseCopy => None,
            AccessWithoutFile::CopyAfter12Hours if after_12_hours => None,
            AccessWithoutFile::Allow => Some(Access::FullAllow),
            AccessWithoutFile::AllowAfter12Hours if after_12_hours => Some(Access::FullAllow),
            AccessWithoutFile::AllowAfterADay if span >= DAY => Some(Access::FullAllow),
            AccessWithoutFile::AllowIfSiteAnswers if now.site_answers => Some(Access::FullAllow),
            AccessWithoutFile::Disallow
            | AccessWithoutFile::CopyAfter12Hours
            | AccessWithoutFile::AllowAfter12Hours
            | AccessWithoutFile::AllowAfterADay
            | AccessWithoutFile::AllowIfSiteAnswers => Some(Access::FullDisallow),
        });
        match (access, &self.copy) {
            (Some(access), _) => access,
            (None, Some(copy)) => copy.access(reader),
            (None, None) => Access::FullAllow,
        }
    }
}

impl FetchOutcome {
    /// Returns what a crawler may fetch after this outcome, which is not a server error.
    fn access(&self, reader: &mut impl Reader) -> Access {
        let question = match self {
            FetchOutcome::Found(file) => return Access::Conditional(file.clone()),
            FetchOutcome::ServerError => return Access::FullDisallow,
            FetchOutcome::NotFound => NotFound,
            FetchOutcome::Unauthorized => Unauthorized,
            FetchOutcome::ClientError => ClientError,
        };
        match reader.answer(question) {
            AccessWithoutFile::Allow => Access::FullAllow,
            _ => Access::FullDisallow,
        }
    }
}

impl Fetch {
    /// Returns the outcome after redirects are followed, and the `max-age` of the response at their end.
    fn outcome(&self, reader: &mut impl Reader) -> (FetchOutcome, Option<Seconds>) {
        for (hops, reply) in self.replies.iter().enumerate() {
            if hops > FOLLOWED_HOPS && reader.answer(HopsBeyondFive) == Redirection::Stop {
                return (unavailable(reader.answer(EndlessRedirect)), None);
            }
            match reply {
                Reply::Redirect { to_disallowed: true }
                    if reader.answer(RedirectToDisallowed) == Redirection::Stop =>
                {
                    return (unavailable(reader.answer(OtherStatus)), None);
                }
                Reply::ClientRedirect { body } if reader.answer(ClientRedirect) == PageRedirection::Keep => {
                    return (FetchOutcome::Found(body.clone()), None);
                }
                Reply::Redirect { .. } | Reply::ClientRedirect { .. } => {}
                Reply::Failure => return (unavailable(reader.answer(NetworkFailure)), None),
                Reply::Answer { status: 200..=299, max_age, is_plain_text: false, .. }
                    if reader.answer(OtherMediaType) == Acceptance::Ignore =>
                {
                    return (FetchOutcome::Found(Vec::new()), *max_age);
                }
                Reply::Answer { status, body, max_age, .. } => {
                    return (self.outcome_of(*status, body, reader), *max_age);
                }
            }
        }
        (unavailable(reader.answer(EndlessRedirect)), None)
    }

    /// Google, "Handling HTTP result codes"; RFC 9309, 2.3.1.
    fn outcome_of(&self, status: u16, body: &[u8], reader: &mut impl Reader) -> FetchOutcome {
        match status {
            200 => FetchOutcome::Found(body.to_vec()),
            201..=299 => match reader.answer(OtherSuccess) {
                Success::UseBody => FetchOutcome::Found(body.to_vec()),
                Success::AsNotFound => FetchOutcome::NotFound,
                Success::AsServerError => FetchOutcome::ServerError,
            },
            429 => unavailable(reader.answer(TooManyRequests)),
            401 | 403 => FetchOutcome::Unauthorized,
            404 => FetchOutcome::NotFound,
            400..=499 => FetchOutcome::ClientError,
            500..=599 if self.is_misconfigured => unavailable(reader.answer(Misconfigured5xx)),
            500..=599 => FetchOutcome::ServerError,
            _ => unavailable(reader.answer(OtherStatus)),
        }
    }
}

fn unavailable(answer: Unavailability) -> FetchOutcome {
    match answer {
        Unavailability::AsNotFound => FetchOutcome::NotFound,
        Unavailability::AsServerError => FetchOutcome::ServerError,
    }
}
