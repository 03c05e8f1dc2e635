//! The cases of the robots.txt specification as tests: `cargo test --test robotstxt`.

use robotspec::{Fault, Implementation, Info, Query, Verdict};

/// May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?
fn allowed(_robots: &[u8], _agent: &str, _url: &str) -> bool {
    // FILL IN: ask your parser. It may panic: that is reported for this one case.
    true
}

struct Parser;

impl Implementation for Parser {
    fn info(&self) -> Info {
        Info::named(env!("CARGO_PKG_NAME"))
    }

    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|query| allowed(robots, &query.agent, &query.url).into()).collect())
    }
}

robotspec::conformance!(Parser, editions = [Rfc9309]);
