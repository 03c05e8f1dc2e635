//! Inputs as text, for a fuzzer that keeps its own corpus: readable, and independent of the
//! [generator](crate::generate).
//!
//! ```text
//! FooBot http://example.com/fish
//! BarBot http://example.com/
//!
//! user-agent: *
//! disallow: /fish
//! ```
//!
//! A line for each query, with the agent and the URL; an empty line; the bytes of the file.

use std::sync::Arc;

use arbitrary::Unstructured;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec::{Batch, MatchQuery};
use robotspec_cases::Query;
use robotspec_reference::bytes::is_token_byte;
use robotspec_reference::{Edition, RobotsTxt};

use crate::generate::batch::match_batch;
use crate::generate::{self, INPUT_BYTES, Shares};

/// How many queries are read and made. More would only make an input slow.
const MAX_QUERIES: usize = 8;

/// A file, and queries about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    batch: Batch,
}

impl Rendered {
    /// Reads an input. `None` where no line is a query that a crawler could have.
    pub fn read(bytes: &[u8]) -> Option<Rendered> {
        let mut queries = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = &rest[..end];
            rest = &rest[end + 1..];
            if line.is_empty() {
                break;
            }
            queries.extend(read_query(line));
        }
        queries.truncate(MAX_QUERIES);
        // The reference evaluates queries of one agent faster where they stand next to each other.
        queries.sort_by_key(|query| query.agent);
        Rendered::new(&rest.into(), queries)
    }

    fn new<'q>(robots: &Arc<[u8]>, queries: impl IntoIterator<Item = MatchQuery<'q>>) -> Option<Rendered> {
        let queries = queries.into_iter().map(|query| (query.agent, query.url));
        Some(Rendered { batch: match_batch(robots, queries)? })
    }

    /// Makes an input. The same bytes give the same input.
    pub fn generate(bytes: &[u8]) -> Rendered {
        let shares =
            Shares { scope: 0, sitemaps: 0, usage: 0, access: 0, large: 0, limits: 0, confusions: 0 };
        let batch = generate::input(bytes, shares);
        let queries = batch.match_queries().into_iter().take(MAX_QUERIES);
        let input = batch.first().file().and_then(|robots| Rendered::new(robots, queries));
        input.unwrap_or_else(|| Rendered::about(&[], bytes))
    }

    /// Returns a file, and queries derived from its own names and paths.
    pub fn about(file: &[u8], bytes: &[u8]) -> Rendered {
        let robots: Arc<[u8]> = file.into();
        let queries = generate::queries_about(file, bytes, MAX_QUERIES);
        let queries = queries.iter().map(|(agent, url)| MatchQuery { agent, url }).filter(is_possible);
        let input = Rendered::new(&robots, queries);
        let plainest = || Query::Match {
            robots: Arc::clone(&robots),
            agent: "FooBot".to_owned(),
            url: "http://example.com/".to_owned(),
        };
        input.unwrap_or_else(|| Rendered { batch: Batch::single(plainest()) })
    }

    /// Returns a file, and queries that follow from its bytes, so that a corpus need not contain them.
    pub fn about_itself(file: &[u8]) -> Rendered {
        let choices: Vec<u8> =
            file.iter().rev().copied().cycle().take(INPUT_BYTES.min(16 * file.len())).collect();
        Rendered::about(file, &choices)
    }

    /// Returns the input as text.
    pub fn write(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.robots().len() + 64 * self.batch.queries().len());
        for MatchQuery { agent, url } in self.batch.match_queries() {
            text.extend_from_slice(format!("{agent} {url}\n").as_bytes());
        }
        text.push(b'\n');
        text.extend_from_slice(self.robots());
        text
    }

    /// Returns the queries.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Returns the file.
    pub fn robots(&self) -> &[u8] {
        self.batch.first().file().map_or(&[], |robots| robots)
    }

    /// Mutates the input: the lines of the file, the queries or both; rarely, it is another input altogether. The same
    /// seed gives the same mutation.
    #[must_use]
    pub fn mutate(&self, seed: u64) -> Rendered {
        let mut bytes = [0; INPUT_BYTES];
        ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
        let (choice, bytes) = bytes.split_at(8);
        let choice = Unstructured::new(choice).int_in_range(0..=15).unwrap_or(0);
        let mutated_file = || generate::mutate(self.robots(), bytes);
        match choice {
            0 => Rendered::generate(bytes),
            1..=4 => Rendered::about(self.robots(), bytes),
            5..=8 => Rendered::about(&mutated_file(), &bytes[INPUT_BYTES / 2..]),
            _ => {
                let input = Rendered::new(&mutated_file().into(), self.batch.match_queries());
                input.unwrap_or_else(|| self.clone())
            }
        }
    }
}

/// Reads a line: the agent, a space and the URL.
fn read_query(line: &[u8]) -> Option<MatchQuery<'_>> {
    let (agent, url) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    Some(MatchQuery { agent, url }).filter(is_possible)
}

/// Whether a crawler could have this query: its agent is a product token, and the URL is absolute. No text says how an
/// implementation treats other queries.
fn is_possible(MatchQuery { agent, url }: &MatchQuery) -> bool {
    let is_absolute = url.starts_with("http://") || url.starts_with("https://");
    !agent.is_empty()
        && agent.bytes().all(is_token_byte)
        && is_absolute
        && !url.chars().any(|c| c.is_control() || c.is_whitespace())
        && RobotsTxt::parse(b"").ruling(Edition::Rfc9309, agent, url).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_input_is_read_again() {
        for seed in 0..200 {
            let bytes: Vec<u8> = (0..INPUT_BYTES).map(|at| (at as u64 * 31 + seed * 97) as u8).collect();
            let generated = Rendered::generate(&bytes);
            let Some(read) = Rendered::read(&generated.write()) else {
                assert!(!generated.batch().match_queries().iter().any(is_possible), "seed {seed}");
                continue;
            };
            assert_eq!(Rendered::read(&read.write()), Some(read.clone()));
            assert_eq!(read.robots(), generated.robots());
            for query in read.batch().queries() {
                assert!(generated.batch().queries().contains(query));
            }
        }
    }

    #[test]
    fn impossible_queries_are_left_out() {
        let read = |text: &str| Rendered::read(text.as_bytes());
        assert_eq!(read("Foo Bot http://a.example/\n\n"), None);
        assert_eq!(read("FooBot /a\n\n"), None);
        assert_eq!(read("user-agent: *\ndisallow: /\n"), None);
        let input = read("x\nFooBot http://a.example/\n\n\nallow: /\n").expect("a query");
        assert_eq!((input.batch().queries().len(), input.robots()), (1, &b"\nallow: /\n"[..]));
    }

    #[test]
    fn the_same_seed_gives_the_same_mutation() {
        let input =
            Rendered::read(b"FooBot http://a.example/\n\nuser-agent: *\ndisallow: /a\n").expect("a query");
        assert_eq!(input.mutate(7), input.mutate(7));
        assert!((0..20).any(|seed| input.mutate(seed) != input));
    }
}
