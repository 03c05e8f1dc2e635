//! Files that are made together with the queries about them.

/// An agent that a file names, where other names are of no interest.
pub(super) const AGENT: &str = "FooBot";

/// The origin of URLs. Rules do not depend on it.
pub(super) const ORIGIN: &str = "http://example.com";

/// A file, and the agents and URLs of its queries.
pub(super) struct Asked {
    pub(super) text: Vec<u8>,
    pub(super) queries: Vec<(String, String)>,
}
