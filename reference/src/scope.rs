//! File location and range of validity: the URLs that a robots.txt governs.
//!
//! *Google, "File location and range of validity"; RFC 9309, 2.3.*

use std::borrow::Cow;
use std::ops::ControlFlow;

use url::{Host, Url};

use crate::answer::{Equality, Normalisation};
use crate::doubt::{Doubt, doubts};
use crate::edition::Edition;
use crate::question::Choice;
use crate::question::typed::*;
use crate::reading::{Asked, Explorer, Reader, Reading, SingleReader, common_outcome, explore};
use crate::target::{NotAUrl, has_dot_segments, is_robots_txt, path_and_query, without_dot_segments_in_url};
use crate::url_parts::UrlParts;

named_enum! {
    /// Whether a robots.txt governs a URL.
    pub enum Governs: "answer" {
        Yes = "yes": "It governs the URL in every admitted reading.",
        No = "no": "It governs the URL in no admitted reading.",
        Unspecified = "unspecified": "Admitted readings differ.",
    }
}

named_enum! {
    /// What decides whether a robots.txt governs a URL, in one reading: the first of these that holds.
    pub enum ScopeReason: "reason" {
        Location = "location": "The robots.txt is not in the top-level directory of its host.",
        Scheme = "scheme": "The schemes differ.",
        Port = "port": "The ports differ.",
        Host = "host": "The hosts differ.",
        SameOrigin = "same-origin": "Scheme, host and port are those of the robots.txt.",
    }
}

/// Whether a robots.txt governs a URL, with the reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeExplanation {
    /// The edition.
    pub edition: Edition,
    /// The answer of the edition.
    pub governs: Governs,
    /// What decides in the plainest reading.
    pub because: ScopeReason,
    /// The questions that the answer depends on, where it is unspecified.
    pub doubts: Vec<Doubt<Governs>>,
}

impl From<bool> for Governs {
    fn from(governs: bool) -> Governs {
        if governs { Governs::Yes } else { Governs::No }
    }
}

/// Returns whether the robots.txt at `robots_url` governs `url`.
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
/// One of the two is not an absolute URL.
pub fn scope(edition: Edition, robots_url: &str, url: &str) -> Result<Governs, NotAUrl> {
    let location = Location::of(robots_url)?;
    let origin = Origin::of(url)?;
    let governs = common_outcome(&mut Explorer::new(edition), |explorer| location.governs(&origin, explorer));
    Ok(governs.map_or(Governs::Unspecified, Governs::from))
}

/// Returns whether the robots.txt at `robots_url` governs `url`, and why.
///
/// # Errors
///
/// One of the two is not an absolute URL.
pub fn explain_scope(edition: Edition, robots_url: &str, url: &str) -> Result<ScopeExplanation, NotAUrl> {
    let governs = scope(edition, robots_url, url)?;
    let location = Location::of(robots_url)?;
    let origin = Origin::of(url)?;
    let plainest = Reading::plainest(edition);
    let because = location.decide(&origin, &mut SingleReader::new(&plainest));
    let doubts = match governs {
        Governs::Yes | Governs::No => Vec::new(),
        Governs::Unspecified => {
            let mut outcomes = Vec::new();
            let visit = |choices: &[Choice], governs: bool| {
                outcomes.push((choices.to_vec(), Governs::from(governs)));
                ControlFlow::Continue(())
            };
            // Few questions concern a location, so that there are never too many readings.
            let _ = explore(&mut Explorer::new(edition), |reader| location.governs(&origin, reader), visit);
            doubts(&plainest, outcomes, |reading| {
                location.governs(&origin, &mut SingleReader::new(reading)).into()
            })
        }
    };
    Ok(ScopeExplanation { edition, governs, because, doubts })
}

/// Returns whether the robots.txt at `robots_url` governs `url` in one reading.
///
/// # Errors
///
/// One of the two is not an absolute URL.
pub fn governs(reading: &Reading, robots_url: &str, url: &str) -> Result<bool, NotAUrl> {
    Ok(Location::of(robots_url)?.governs(&Origin::of(url)?, &mut SingleReader::new(reading)))
}

/// Returns what one reading answers on the way to the same.
///
/// # Errors
///
/// One of the two is not an absolute URL.
pub fn asked(reading: &Reading, robots_url: &str, url: &str) -> Result<Asked, NotAUrl> {
    let (location, origin) = (Location::of(robots_url)?, Origin::of(url)?);
    Ok(SingleReader::note(reading, |reader| {
        location.governs(&origin, reader);
    }))
}

/// The location of a file.
struct Location<'u> {
    origin: Origin,
    path_and_query: Cow<'u, str>,
}

impl<'u> Location<'u> {
    fn of(url: &'u str) -> Result<Self, NotAUrl> {
        Ok(Location { origin: Origin::of(url)?, path_and_query: path_and_query(&UrlParts::split(url))? })
    }

    fn governs(&self, origin: &Origin, reader: &mut impl Reader) -> bool {
        self.decide(origin, reader) == ScopeReason::SameOrigin
    }

    fn decide(&self, origin: &Origin, reader: &mut impl Reader) -> ScopeReason {
        if !is_robots_path(&self.path_and_query, reader) {
            ScopeReason::Location
        } else if self.origin.scheme != origin.scheme {
            ScopeReason::Scheme
        } else if self.origin.port != origin.port
            || self.origin.has_written_port != origin.has_written_port
                && reader.answer(DefaultPort) != Equality::Equal
        {
            ScopeReason::Port
        } else if !self.origin.same_host(origin, reader) {
            ScopeReason::Host
        } else {
            ScopeReason::SameOrigin
        }
    }
}

/// Returns whether it is the path of a robots.txt in the top-level directory of its host.
fn is_robots_path(path_and_query: &str, reader: &mut impl Reader) -> bool {
    let path_and_query = path_and_query.as_bytes();
    is_robots_txt(path_and_query, reader)
        || has_dot_segments(path_and_query)
            && reader.answer(DotSegments) != Normalisation::Keep
            && is_robots_txt(&without_dot_segments_in_url(path_and_query, reader), reader)
}

/// The scheme, host and port of a URL.
struct Origin {
    scheme: String,
    /// The host in lower case and in punycode, as a resolver needs it.
    host: Option<Host<String>>,
    /// The host by the mapping of IDNA 2003, or as it is written where it is an IP address: other rules than those of
    /// the URL parser. It is in lower case.
    other_form: Option<String>,
    /// Whether the host is written in ASCII.
    is_ascii: bool,
    port: Option<u16>,
    has_written_port: bool,
}

/// Returns the host in the form in which a parser compares it that knows RFC 3986 and IDNA 2003 only: an IP address as it
/// is written, and a name with the characters mapped that IDNA 2008 keeps. RFC 3490 maps before it encodes.
fn other_form(host: &str) -> String {
    let mapped: String = host
        .chars()
        .filter(|c| !matches!(c, '\u{200C}' | '\u{200D}'))
        .flat_map(|c| match c {
            'ß' => vec!['s', 's'],
            'ς' => vec!['σ'],
            other => vec![other],
        })
        .collect();
    match Host::parse(&mapped) {
        Ok(Host::Domain(name)) => name,
        _ => host.to_ascii_lowercase(),
    }
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
            other_form: written.host().map(other_form),
            is_ascii: written.authority().is_none_or(str::is_ascii),
            port: parsed.port_or_known_default(),
            has_written_port: written.port().is_some_and(|port| !port.is_empty()),
        })
    }

    fn same_host(&self, other: &Origin, reader: &mut impl Reader) -> bool {
        let same_form = match (&self.other_form, &other.other_form) {
            (Some(a), Some(b)) => a == b,
            _ => self.host == other.host,
        };
        let same = match (&self.host, &other.host) {
            (Some(a), Some(b)) if (a == b) != same_form => reader.answer(HostForm) == Equality::Equal,
            (Some(Host::Domain(a)), Some(Host::Domain(b))) if a != b => {
                a.trim_end_matches('.') == b.trim_end_matches('.')
                    && reader.answer(TrailingDotHost) == Equality::Equal
            }
            (a, b) => a == b && a.is_some(),
        };
        same && (self.is_ascii == other.is_ascii || reader.answer(IdnHost) == Equality::Equal)
    }
}
