//! Access: what a crawler may fetch when it has asked for the robots.txt of
//! a site, once or over days.
//!
//! *Google, "Handling HTTP result codes" and "Caching"; RFC 9309, 2.3.1 and
//! 2.4.*
//!
//! Nothing here asks anybody or knows a clock: the visits of a crawler, with
//! their times, are given.

use std::ops::ControlFlow;

use crate::edition::Edition;
use crate::question::Answer;
use crate::question::Question::{self, *};
use crate::reading::{Ask, Choices, Reading, each_reading};
use crate::ruling::{RobotsTxt, Ruling};
use crate::target::NotAUrl;

/// A time or a span of time, in seconds.
pub type Seconds = u64;

const HOUR: Seconds = 60 * 60;
const DAY: Seconds = 24 * HOUR;

/// How long a result is young where nothing else is said (RFC 9309, 2.4).
const YOUNG: Seconds = DAY;

/// How long everything is disallowed before the copy counts (google-2026).
const FIRST_HOURS: Seconds = 12 * HOUR;

/// After this a file is unreachable for long (RFC 9309, 2.3.1.4).
const LONG: Seconds = 30 * DAY;

/// How many redirects every edition follows (RFC 9309, 2.3.1.2).
const FOLLOWED_HOPS: usize = 5;

/// The `max-age` of a `Cache-Control` (RFC 9111, 5.2.2.1).
pub fn max_age(cache_control: &str) -> Option<Seconds> {
    cache_control.split(',').find_map(|directive| directive.trim().strip_prefix("max-age=")?.parse().ok())
}

/// A visit to a site: what comes of asking for its robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// When, in seconds from any point.
    pub at: Seconds,
    /// What is answered: each redirect, and what is at the end of them. As
    /// far as they can be followed, be it further than a crawler would.
    pub replies: Vec<Reply>,
    /// Whether the site answers for other pages.
    pub site_answers: bool,
    /// Whether the site answers with a server error for pages that do not
    /// exist.
    pub is_misconfigured: bool,
}

/// What is answered to a single request, or what happens instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A final answer of an HTTP server, or a transfer by FTP.
    Answer {
        /// The status; 200 for a transfer.
        status: u16,
        /// What was sent, once its content coding is undone.
        body: Vec<u8>,
        /// The `max-age` of `Cache-Control`.
        max_age: Option<Seconds>,
    },
    /// A redirect, with a place to go to.
    Redirect {
        /// Whether the rules of another file disallow that place.
        to_disallowed: bool,
    },
    /// A page that redirects by frame, script or meta tag. What that leads
    /// to comes next.
    ClientRedirect {
        /// The page.
        body: Vec<u8>,
    },
    /// No answer, or none that can be understood: DNS, time-out, reset,
    /// broken chunks.
    Failure,
}

/// What a crawler may fetch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Access {
    /// Everything.
    FullAllow,
    /// Nothing.
    FullDisallow,
    /// What this file allows.
    Conditional(Vec<u8>),
}

impl Access {
    /// What it means for one agent and one URL.
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn ruling(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        match self {
            Access::FullAllow => Ok(Ruling::Allow),
            Access::FullDisallow => Ok(Ruling::Disallow),
            Access::Conditional(file) => RobotsTxt::parse(file).ruling(edition, agent, url),
        }
    }
}

/// What an edition says of visits, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessExplanation {
    /// The different accesses that admitted readings come to, the plainest
    /// first. One alone is what the edition says; several leave it open.
    pub accesses: Vec<Access>,
    /// The questions on which it turns, where it is left open.
    pub doubts: Vec<AccessDoubt>,
}

/// A question that the edition leaves open, and on which an access turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessDoubt {
    /// The question.
    pub question: Question,
    /// The answers that differ from the plainest reading and have to be given
    /// first for this question to matter; mostly none.
    pub supposing: Vec<(Question, Answer)>,
    /// What each admitted answer leads to.
    pub answers: Vec<(Answer, Access)>,
}

impl AccessExplanation {
    /// What it means for one agent and one URL.
    ///
    /// # Errors
    ///
    /// `url` is no URL.
    pub fn ruling(&self, edition: Edition, agent: &str, url: &str) -> Result<Ruling, NotAUrl> {
        let mut rulings = Vec::new();
        for access in &self.accesses {
            rulings.push(access.ruling(edition, agent, url)?);
        }
        let all_the_same = rulings.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(rulings.first().copied().filter(|_| all_the_same).unwrap_or(Ruling::Unspecified))
    }
}

/// What an edition lets a crawler fetch at the time of the last visit. Visits
/// are in the order of their times; where there are none, nothing is known of
/// the site, and everything is disallowed.
pub fn access(edition: Edition, visits: &[Visit]) -> AccessExplanation {
    let mut outcomes: Vec<(Choices, Access)> = Vec::new();
    // There are a dozen questions here, so that every way is followed.
    let _ = each_reading(
        edition,
        |inquiry| accessed(visits, inquiry),
        |choices, access| {
            outcomes.push((choices.clone(), access));
            ControlFlow::Continue(())
        },
    );
    let mut accesses: Vec<Access> = Vec::new();
    for (_, access) in &outcomes {
        if !accesses.contains(access) {
            accesses.push(access.clone());
        }
    }
    AccessExplanation { accesses, doubts: doubts(edition, visits, &outcomes) }
}

/// What one reading lets a crawler fetch.
pub fn access_read(reading: &Reading, visits: &[Visit]) -> Access {
    accessed(visits, &mut reading.clone())
}

/// The questions that turn the access alone; or, where none does, the last of
/// the fewest answers that turn it together.
fn doubts(edition: Edition, visits: &[Visit], outcomes: &[(Choices, Access)]) -> Vec<AccessDoubt> {
    let plainest = Reading::plainest(edition);
    let mut asked: Vec<Question> =
        outcomes.iter().flat_map(|(choices, _)| choices.iter().map(|(question, _)| *question)).collect();
    asked.sort();
    asked.dedup();
    let alone: Vec<AccessDoubt> =
        asked.into_iter().filter_map(|question| doubt(visits, &plainest, &[], question)).collect();
    if !alone.is_empty() {
        return alone;
    }
    let plain = access_read(&plainest, visits);
    let unlike_plainest = |(choices, _): &(Choices, Access)| -> Choices {
        choices.iter().copied().filter(|&(question, answer)| plainest.answer(question) != answer).collect()
    };
    let others = outcomes.iter().filter(|(_, access)| *access != plain).map(unlike_plainest);
    let fewest = others.min_by_key(Vec::len).unwrap_or_default();
    (0..fewest.len())
        .find_map(|index| doubt(visits, &plainest, &fewest[..index], fewest[index].0))
        .into_iter()
        .collect()
}

/// What each answer to a question leads to, where that differs.
fn doubt(
    visits: &[Visit],
    plainest: &Reading,
    supposing: &[(Question, Answer)],
    question: Question,
) -> Option<AccessDoubt> {
    let supposed = supposing
        .iter()
        .fold(plainest.clone(), |reading, &(question, answer)| reading.supposing(question, answer));
    let admitted = question.row().answers(plainest.edition());
    let answers: Vec<(Answer, Access)> = admitted
        .iter()
        .map(|&answer| (answer, access_read(&supposed.clone().supposing(question, answer), visits)))
        .collect();
    let differs = answers.iter().any(|(_, access)| *access != answers[0].1);
    differs.then_some(AccessDoubt { question, supposing: supposing.to_vec(), answers })
}

/// What came of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Found(Vec<u8>),
    NotFound,
    ServerError,
}

/// What a crawler remembers.
#[derive(Default)]
struct Memory {
    /// The last visit, with how long its result is young.
    last: Option<(Seconds, Seconds, Outcome)>,
    /// The last result that was no server error.
    copy: Option<Outcome>,
    /// Since when there have been server errors alone.
    unreachable_since: Option<Seconds>,
}

fn accessed(visits: &[Visit], ask: &mut impl Ask) -> Access {
    let mut memory = Memory::default();
    for visit in visits {
        if !memory.serves_at(visit.at, ask) {
            memory.remember(visit, ask);
        }
    }
    let Some(now) = visits.last() else { return Access::FullDisallow };
    match &memory.last {
        Some((.., Outcome::Found(file))) => Access::Conditional(file.clone()),
        Some((.., Outcome::NotFound)) => Access::FullAllow,
        _ => memory.unreachable(now, ask),
    }
}

impl Memory {
    /// Whether the last result is young, and kept without asking again.
    fn serves_at(&self, now: Seconds, ask: &mut impl Ask) -> bool {
        let Some((at, young, _)) = &self.last else { return false };
        now.saturating_sub(*at) <= *young && ask.ask(YoungResult) == Answer::Keep
    }

    fn remember(&mut self, visit: &Visit, ask: &mut impl Ask) {
        let (outcome, max_age) = visit.outcome(ask);
        match outcome {
            Outcome::ServerError => _ = self.unreachable_since.get_or_insert(visit.at),
            Outcome::Found(_) | Outcome::NotFound => {
                self.unreachable_since = None;
                self.copy = Some(outcome.clone());
            }
        }
        let young = match max_age {
            Some(max_age) if ask.ask(MaxAge) == Answer::Accept => max_age,
            _ => YOUNG,
        };
        self.last = Some((visit.at, young, outcome));
    }

    /// What may be fetched while the file is unreachable (RFC 9309, 2.3.1.4).
    fn unreachable(&self, now: &Visit, ask: &mut impl Ask) -> Access {
        let span = now.at.saturating_sub(self.unreachable_since.unwrap_or(now.at));
        let question = match (span > LONG, &self.copy) {
            (false, Some(_)) => UnreachableWithCopy,
            (false, None) => UnreachableWithoutCopy,
            (true, Some(_)) => UnreachableLongWithCopy,
            (true, None) => UnreachableLongWithoutCopy,
        };
        ask.settle(question, |answer| match answer {
            Answer::UseCopy => self.access_by_copy(),
            Answer::CopyAfter12Hours if span > FIRST_HOURS => self.access_by_copy(),
            Answer::Allow => Access::FullAllow,
            Answer::AllowAfter12Hours if span > FIRST_HOURS => Access::FullAllow,
            Answer::AllowIfSiteAnswers if now.site_answers => Access::FullAllow,
            _ => Access::FullDisallow,
        })
    }

    fn access_by_copy(&self) -> Access {
        match &self.copy {
            Some(Outcome::Found(file)) => Access::Conditional(file.clone()),
            _ => Access::FullAllow,
        }
    }
}

impl Visit {
    /// What comes of following the redirects, with the `max-age` of the
    /// answer at their end.
    fn outcome(&self, ask: &mut impl Ask) -> (Outcome, Option<Seconds>) {
        for (hops, reply) in self.replies.iter().enumerate() {
            if hops > FOLLOWED_HOPS && ask.ask(HopsBeyondFive) == Answer::Stop {
                return (failed(ask.ask(EndlessRedirect)), None);
            }
            match reply {
                Reply::Redirect { to_disallowed: true } if ask.ask(RedirectToDisallowed) == Answer::Stop => {
                    return (failed(ask.ask(OtherStatus)), None);
                }
                Reply::ClientRedirect { body } if ask.ask(ClientRedirect) == Answer::Keep => {
                    return (Outcome::Found(body.clone()), None);
                }
                Reply::Redirect { .. } | Reply::ClientRedirect { .. } => {}
                Reply::Failure => return (failed(ask.ask(NetworkFailure)), None),
                Reply::Answer { status, body, max_age } => {
                    return (self.outcome_of(*status, body, ask), *max_age);
                }
            }
        }
        (failed(ask.ask(EndlessRedirect)), None)
    }

    /// Google, "Handling HTTP result codes"; RFC 9309, 2.3.1.
    fn outcome_of(&self, status: u16, body: &[u8], ask: &mut impl Ask) -> Outcome {
        match status {
            200..=299 => Outcome::Found(body.to_vec()),
            429 => failed(ask.ask(TooManyRequests)),
            400..=499 => Outcome::NotFound,
            500..=599 if self.is_misconfigured => failed(ask.ask(Misconfigured5xx)),
            500..=599 => Outcome::ServerError,
            _ => failed(ask.ask(OtherStatus)),
        }
    }
}

fn failed(as_what: Answer) -> Outcome {
    if as_what == Answer::AsNotFound { Outcome::NotFound } else { Outcome::ServerError }
}
