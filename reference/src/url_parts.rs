//! The parts of a URL as they are written.
//!
//! A URL library would normalise the URL, which decides questions that editions do not specify. Only the comparison of
//! hosts in [`scope`](crate::scope()) uses one.

use memchr::{memchr, memchr3};

/// A URL split into `scheme "://" authority path "?" query "#" fragment` (RFC 3986, 3).
///
/// Every text can be split. A text that does not start with a scheme and `://` has neither scheme nor authority, so
/// that a path is a URL too. Nothing is decoded, normalised or checked.
///
/// ```
/// use robotspec_reference::UrlParts;
///
/// let parts = UrlParts::split("http://example.com:80?q#top");
/// assert_eq!((parts.scheme(), parts.host(), parts.port()), (Some("http"), Some("example.com"), Some("80")));
/// assert_eq!((parts.path(), parts.query(), parts.fragment()), ("", Some("q"), Some("top")));
/// assert_eq!((parts.before_path(), parts.path_and_query()), ("http://example.com:80", "?q"));
///
/// assert_eq!(UrlParts::split("/a?next=http://example.com").scheme(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UrlParts<'u> {
    url: &'u str,
    /// Where the scheme ends.
    scheme: Option<usize>,
    /// Where the path starts.
    path: usize,
    /// Where the query ends: before the `#`, if there is a fragment.
    query_end: usize,
}

const SCHEME_END: &str = "://";

impl<'u> UrlParts<'u> {
    /// Splits a URL.
    pub fn split(url: &'u str) -> Self {
        let bytes = url.as_bytes();
        // A scheme starts with a letter (RFC 3986, 3.1).
        let scheme =
            if bytes.first().is_some_and(u8::is_ascii_alphabetic) { url.find(SCHEME_END) } else { None };
        let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let scheme = scheme.filter(|&end| bytes[..end].iter().all(is_of_scheme));
        let path = scheme.map_or(0, |end| {
            let authority = end + SCHEME_END.len();
            memchr3(b'/', b'?', b'#', &bytes[authority..]).map_or(url.len(), |length| authority + length)
        });
        let query_end = memchr(b'#', &bytes[path..]).map_or(url.len(), |length| path + length);
        UrlParts { url, scheme, path, query_end }
    }

    /// Returns the scheme, such as `http`.
    pub fn scheme(&self) -> Option<&'u str> {
        self.scheme.map(|end| &self.url[..end])
    }

    /// Returns the authority: user information, host and port. It may be empty.
    pub fn authority(&self) -> Option<&'u str> {
        self.scheme.map(|end| &self.url[end + SCHEME_END.len()..self.path])
    }

    /// Returns the host, with the brackets of an IPv6 address.
    pub fn host(&self) -> Option<&'u str> {
        self.host_and_port().map(|(host, _)| host)
    }

    /// Returns the port, without its colon.
    pub fn port(&self) -> Option<&'u str> {
        self.host_and_port().and_then(|(_, port)| port)
    }

    fn host_and_port(&self) -> Option<(&'u str, Option<&'u str>)> {
        let authority = self.authority()?;
        let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, rest)| rest);
        Some(match host_and_port.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (host_and_port, None),
        })
    }

    /// Returns the path. It may be empty.
    pub fn path(&self) -> &'u str {
        let path_and_query = self.path_and_query();
        path_and_query.split_once('?').map_or(path_and_query, |(path, _)| path)
    }

    /// Returns the query, without its question mark.
    pub fn query(&self) -> Option<&'u str> {
        self.path_and_query().split_once('?').map(|(_, query)| query)
    }

    /// Returns the fragment, without its `#`.
    pub fn fragment(&self) -> Option<&'u str> {
        self.url.get(self.query_end + 1..)
    }

    /// Returns the scheme and authority with the characters around them, such as `http://example.com:80`.
    pub fn before_path(&self) -> &'u str {
        &self.url[..self.path]
    }

    /// Returns the path, and the query with its question mark.
    pub fn path_and_query(&self) -> &'u str {
        &self.url[self.path..self.query_end]
    }

    /// Returns the path and all that follows it.
    pub fn from_path(&self) -> &'u str {
        &self.url[self.path..]
    }
}
