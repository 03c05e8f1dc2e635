//! File location and range of validity: which URLs a robots.txt governs.
//!
//! *Google, "File location and range of validity"; RFC 9309, 2.3.*

use std::borrow::Cow;
use std::ops::ControlFlow;

use url::{Host, Url};

use crate::edition::Edition;
use crate::question::Answer;
use crate::question::Question::*;
use crate::reading::{Ask, Reading, each_reading};
use crate::target::{NotAUrl, has_dot_segments, path_and_query, without_dot_segments};
use crate::url_parts::UrlParts;

named_enum! {
    /// Whether a robots.txt governs a URL.
    pub enum Governs: "answer" {
        /// It governs the URL in every admitted reading.
        Yes = "yes",
        /// It governs the URL in no admitted reading.
        No = "no",
        /// Admitted readings differ.
        Unspecified = "unspecified",
    }
}

impl From<bool> for Governs {
    fn from(governs: bool) -> Governs {
        if governs { Governs::Yes } else { Governs::No }
    }
}

/// Is the robots.txt at `robots_url` the one that governs `url`?
///
/// ```
/// use robotspec_reference::{Edition, Governs, scope};
///
/// let governs = scope(Edition::Rfc9309, "http://example.com/robots.txt", "http://example.com:80/page")?;
/// assert_eq!(governs, Governs::Yes);
/// # Ok::<(), robotspec_reference::NotAUrl>(())
/// ```
///
/// # Errors
///
/// One of the two is no absolute URL.
pub fn scope(edition: Edition, robots_url: &str, url: &str) -> Result<Governs, NotAUrl> {
    let place = Place::of(robots_url)?;
    let origin = Origin::of(url)?;
    let mut governs = None;
    let mut differ = false;
    let exhausted = each_reading(
        edition,
        |inquiry| place.governs(&origin, inquiry),
        |_, reading_governs| {
            differ |= *governs.get_or_insert(reading_governs) != reading_governs;
            ControlFlow::Continue(())
        },
    );
    Ok(match governs {
        Some(governs) if !differ && exhausted.is_ok() => governs.into(),
        _ => Governs::Unspecified,
    })
}

/// What one reading says: is the robots.txt at `robots_url` the one that
/// governs `url`?
///
/// # Errors
///
/// One of the two is no absolute URL.
pub fn governs(reading: &Reading, robots_url: &str, url: &str) -> Result<bool, NotAUrl> {
    Ok(Place::of(robots_url)?.governs(&Origin::of(url)?, &mut reading.clone()))
}

/// Where a file is.
struct Place<'u> {
    origin: Origin,
    path_and_query: Cow<'u, str>,
}

impl<'u> Place<'u> {
    fn of(url: &'u str) -> Result<Self, NotAUrl> {
        Ok(Place { origin: Origin::of(url)?, path_and_query: path_and_query(url)? })
    }

    fn governs(&self, origin: &Origin, ask: &mut impl Ask) -> bool {
        is_robots_path(&self.path_and_query, ask) && self.origin.same(origin, ask)
    }
}

/// Whether it is the path of a robots.txt at the top level of its host.
fn is_robots_path(path_and_query: &str, ask: &mut impl Ask) -> bool {
    let (path, has_query) = match path_and_query.split_once('?') {
        Some((path, _)) => (path, true),
        None => (path_and_query, false),
    };
    let is_robots = path == "/robots.txt"
        || has_dot_segments(path.as_bytes())
            && without_dot_segments(path.as_bytes()) == b"/robots.txt"
            && ask.ask(DotSegments) != Answer::Keep;
    is_robots && (!has_query || ask.ask(RobotsUrlQuery) == Answer::Accept)
}

/// Protocol, host and port.
struct Origin {
    scheme: String,
    /// The host as a resolver knows it: in lower case and in punycode.
    host: Option<Host<String>>,
    /// Whether it was written without letters outside ASCII.
    is_ascii: bool,
    port: Option<u16>,
}

impl Origin {
    fn of(url: &str) -> Result<Self, NotAUrl> {
        let parsed =
            Url::parse(url).map_err(|error| NotAUrl { text: url.to_owned(), reason: error.to_string() })?;
        // A URL parser ignores control characters and spaces around a URL.
        let written = UrlParts::split(url.trim_matches(|c| c <= ' '));
        Ok(Origin {
            scheme: parsed.scheme().to_owned(),
            host: parsed.host().map(|host| host.to_owned()),
            is_ascii: written.authority().is_none_or(str::is_ascii),
            port: parsed.port_or_known_default(),
        })
    }

    fn same(&self, other: &Origin, ask: &mut impl Ask) -> bool {
        self.scheme == other.scheme && self.port == other.port && self.same_host(other, ask)
    }

    fn same_host(&self, other: &Origin, ask: &mut impl Ask) -> bool {
        let same = match (&self.host, &other.host) {
            (Some(Host::Domain(a)), Some(Host::Domain(b))) if a != b => {
                a.trim_end_matches('.') == b.trim_end_matches('.')
                    && ask.ask(TrailingDotHost) == Answer::Equal
            }
            (a, b) => a == b && a.is_some(),
        };
        same && (self.is_ascii == other.is_ascii || ask.ask(IdnHost) == Answer::Equal)
    }
}
