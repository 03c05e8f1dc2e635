//! What a crawler meets when it asks for a robots.txt, and what it may fetch
//! then.

use std::collections::BTreeMap;
use std::fmt;

use robotspec_mock_server::{Body, Location, NetworkFault, Scheme, Visit};
use robotspec_reference::Ruling;
use robotspec_reference::access::{self, Reply, Seconds, max_age};

use serde::Serialize;

use crate::suite::format::VisitFormat;

/// The path that the usual file disallows.
pub const PRIVATE: &str = "/private";

/// A path that no file disallows.
pub const OPEN: &str = "/open";

/// The path that the page disallows to which a page redirects.
const ELSEWHERE: &str = "/elsewhere";

/// How many redirects of a loop are told; more than anybody follows.
const LOOP: usize = 64;

/// A visit at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct TimedVisit {
    /// When, in seconds from the start.
    pub at: Seconds,
    /// Whether the site answers for other pages.
    pub site_answers: bool,
    /// What the server does.
    #[serde(rename = "server")]
    pub visit: Visit,
}

/// The ruling for each path that a word of a case stands for: `full-allow`, `full-disallow`, `conditional` (on the file
/// that disallows `/private`), a path (on the file that disallows it) or `unspecified`. `None` for any other word.
pub(crate) fn read_outcome(word: &str, paths: &[String]) -> Option<BTreeMap<String, Ruling>> {
    let all = |ruling: Ruling| paths.iter().map(|path| (path.clone(), ruling)).collect();
    let disallowed = match word {
        "full-allow" => return Some(all(Ruling::Allow)),
        "full-disallow" => return Some(all(Ruling::Disallow)),
        "unspecified" => return Some(all(Ruling::Unspecified)),
        "conditional" => PRIVATE,
        path => path,
    };
    let mut rulings: BTreeMap<String, Ruling> = all(Ruling::Allow);
    *rulings.get_mut(disallowed)? = Ruling::Disallow;
    Some(rulings)
}

impl fmt::Display for TimedVisit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Visit { hops, location, response, scheme, .. } = &self.visit;
        write!(f, "after {} h", self.at / (60 * 60))?;
        if *scheme != Scheme::default() {
            write!(f, ", {scheme}")?;
        }
        if !hops.is_empty() {
            write!(f, ", redirects {hops:?} ({location})")?;
        }
        write!(f, ", status {}", response.status)?;
        if let Some(body) = &response.body {
            write!(f, ", body {body}")?;
        }
        if let Some(fault) = response.fault {
            write!(f, ", fault {fault}")?;
        }
        for (name, value) in &response.headers {
            write!(f, ", {name}: {value}")?;
        }
        Ok(())
    }
}

impl TimedVisit {
    /// Reads a visit.
    ///
    /// # Errors
    ///
    /// Its time is none; the message says how to write it.
    pub fn read(written: &VisitFormat) -> Result<Self, String> {
        Ok(TimedVisit {
            at: written.at.as_deref().map_or(Ok(0), seconds)?,
            visit: written.visit.clone(),
            site_answers: written.site_answers.unwrap_or(true),
        })
    }

    /// The paths that the files of this visit disallow.
    fn disallowed_paths(&self) -> Vec<String> {
        match self.visit.response.body.as_ref().unwrap_or(&Body::Rules) {
            Body::Disallow(paths) => paths.clone(),
            Body::MetaRefresh | Body::Frame | Body::Script => vec![ELSEWHERE.to_owned()],
            _ => vec![PRIVATE.to_owned()],
        }
    }

    /// What a crawler sees that follows every redirect.
    pub fn observed(&self) -> access::Visit {
        access::Visit {
            at: self.at,
            replies: self.replies(),
            site_answers: self.site_answers,
            is_misconfigured: self.visit.response.missing_pages >= 500,
        }
    }

    fn replies(&self) -> Vec<Reply> {
        let Visit { hops, location, response, .. } = &self.visit;
        let mut replies = Vec::new();
        for &hop in hops {
            if matches!(location, Location::Missing | Location::Invalid) {
                replies.push(Reply::Answer { status: hop, body: Vec::new(), max_age: None });
                return replies;
            }
            replies.push(Reply::Redirect { to_disallowed: *location == Location::Disallowed });
        }
        if *location == Location::Loop {
            return vec![Reply::Redirect { to_disallowed: false }; LOOP];
        }
        if response.fault.is_some_and(|fault| !is_understood(fault)) || response.ftp.is_some() {
            replies.push(Reply::Failure);
            return replies;
        }
        let body = response.body_bytes();
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            replies.push(Reply::ClientRedirect { body });
            let elsewhere = format!("user-agent: *\ndisallow: {ELSEWHERE}\n").into_bytes();
            replies.push(Reply::Answer { status: 200, body: elsewhere, max_age: None });
            return replies;
        }
        let cache_control =
            response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("cache-control"));
        let max_age = cache_control.and_then(|(_, value)| max_age(value));
        replies.push(Reply::Answer { status: response.status, body, max_age });
        replies
    }
}

/// What is asked about after these visits: a path that is always open, and those that some file disallows.
pub fn paths(visits: &[TimedVisit]) -> Vec<String> {
    let mut paths = vec![OPEN.to_owned()];
    paths.extend(visits.iter().flat_map(TimedVisit::disallowed_paths));
    paths.sort();
    paths.dedup();
    paths
}

/// Whether a crawler gets the file all the same.
fn is_understood(fault: NetworkFault) -> bool {
    matches!(fault, NetworkFault::SlowBytes | NetworkFault::LongBody | NetworkFault::TwoAnswers)
}

/// Reads `25h` or `31d`.
fn seconds(written: &str) -> Result<Seconds, String> {
    let hours = match written.strip_suffix('d') {
        Some(days) => days.parse::<u32>().map(|days| 24 * Seconds::from(days)),
        None => written.strip_suffix('h').unwrap_or_default().parse::<u32>().map(Seconds::from),
    };
    let hours = hours.map_err(|_| format!("`{written}` is no time: write hours (`25h`) or days (`31d`)"))?;
    Ok(hours * 60 * 60)
}
