//! Visits at their times, and what a crawler may fetch after them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use robotspec_reference::Ruling;
use robotspec_reference::access::{self, Reply, Seconds, is_plain_text, max_age};
use serde::Serialize;

use crate::visit::{Body, ELSEWHERE_RULES, Location, NetworkFault, PRIVATE, Scheme, Site, Visit};

/// A path that no file disallows.
pub const OPEN: &str = "/open";

/// The path that [`ELSEWHERE_RULES`] disallows.
const ELSEWHERE: &str = "/elsewhere";

/// The number of redirects that stand for a loop: more than any client follows.
const LOOP: usize = 64;

/// A visit at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "kebab-case")]
pub struct TimedVisit {
    /// The time, in seconds from the start.
    pub at: Seconds,
    /// Whether the other pages of the site can be fetched.
    pub site_answers: bool,
    /// What the server does.
    #[serde(rename = "server")]
    pub visit: Visit,
}

/// Returns the ruling for each path that a word of a case stands for: `full-allow`, `full-disallow`, `conditional` (on
/// the file that disallows `/private`), a path (on the file that disallows it) or `unspecified`. The result is `None`
/// for any other word.
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
        let Visit { hops, location, response, scheme, site, .. } = &self.visit;
        write!(f, "after {} h", self.at / (60 * 60))?;
        if *scheme != Scheme::default() {
            write!(f, ", {scheme}")?;
        }
        if !hops.is_empty() {
            let statuses: Vec<String> = hops.iter().map(u16::to_string).collect();
            write!(f, ", redirects [{}] ({location})", statuses.join(", "))?;
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
        if *site != Site::default() {
            write!(f, ", site {site}")?;
        }
        Ok(())
    }
}

impl TimedVisit {
    /// Returns the observations of a crawler that follows every redirect.
    pub fn observed(&self) -> access::Fetch {
        access::Fetch {
            at: self.at,
            replies: self.replies(),
            site_answers: self.site_answers,
            is_misconfigured: self.visit.response.missing_pages >= 500,
        }
    }

    fn replies(&self) -> Vec<Reply> {
        let Visit { hops, location, response, .. } = &self.visit;
        let plain_text = |status, text: &str| Reply::Answer {
            status,
            body: text.into(),
            max_age: None,
            is_plain_text: true,
        };
        let mut replies = Vec::new();
        for &hop in hops {
            if matches!(location, Location::Missing | Location::Invalid) {
                replies.push(plain_text(hop, ""));
                return replies;
            }
            replies.push(Reply::Redirect { to_disallowed: *location == Location::Disallowed });
        }
        if *location == Location::Loop {
            return vec![Reply::Redirect { to_disallowed: false }; LOOP];
        }
        use NetworkFault::{LongBody, SlowBytes, TwoAnswers};
        // A crawler receives the file despite these faults.
        let is_harmless = matches!(response.fault, None | Some(SlowBytes | LongBody | TwoAnswers));
        if !is_harmless || response.ftp.is_some() {
            replies.push(Reply::Failure);
            return replies;
        }
        let body = response.body_bytes();
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            replies.push(Reply::ClientRedirect { body });
            replies.push(plain_text(200, ELSEWHERE_RULES));
            return replies;
        }
        let header = |wanted: &str| {
            let header = response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            header.map(|(_, value)| value)
        };
        replies.push(Reply::Answer {
            status: response.status,
            body,
            max_age: header("cache-control").and_then(|value| max_age(value)),
            is_plain_text: match header("content-type") {
                Some(value) => is_plain_text(value),
                None => response.body != Some(Body::Html),
            },
        });
        replies
    }
}

/// Returns the paths that a query about these visits contains: one that no file disallows, and those that some file
/// disallows.
pub fn paths(visits: &[TimedVisit]) -> Vec<String> {
    let disallowed = visits.iter().flat_map(|visit| match &visit.visit.response.body {
        Some(Body::Disallow(paths)) => paths.clone(),
        Some(Body::MetaRefresh | Body::Frame | Body::Script) => vec![ELSEWHERE.to_owned()],
        _ => vec![PRIVATE.to_owned()],
    });
    disallowed.chain([OPEN.to_owned()]).collect::<BTreeSet<_>>().into_iter().collect()
}
