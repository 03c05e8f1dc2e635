//! The cases of the robots.txt specification as tests: `cargo test --test robotstxt`.

use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};

/// May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?
fn allowed(_robots: &[u8], _agent: &str, _url: &str) -> bool {
    // FILL IN: call your parser. If it panics, only this case fails.
    true
}

struct MyParser;

impl Parser for MyParser {
    fn info(&self) -> Info {
        Info::named(env!("CARGO_PKG_NAME"))
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|query| allowed(robots, query.agent, query.url).into()).collect())
    }
}

// Without `variants = false`, it also tests the same files with other line ends, white space and comments.
robotspec::conformance!(MyParser, editions = [Rfc9309], variants = false);
