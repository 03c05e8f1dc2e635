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
use robotspec_reference::bytes::is_token_byte;
use robotspec_reference::{Edition, RobotsTxt};

use crate::generate::batch::{match_batch, with_robots};
use crate::generate::dice::Dice;
use crate::generate::{self, INPUT_BYTES, Shares, file};

/// How many queries are read. More would only make an input slow.
const MAX_QUERIES: usize = 8;

/// Reads an input. `None` where no line is a query that a crawler could have.
pub fn read(bytes: &[u8]) -> Option<Batch> {
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
    let queries: Vec<_> =
        queries.iter().map(|query| (query.agent.to_owned(), query.url.to_owned())).collect();
    (!queries.is_empty()).then(|| match_batch(&rest.into(), queries))
}

/// Makes an input. The same bytes give the same input.
pub fn generate(bytes: &[u8]) -> Batch {
    generate::input(bytes, Shares::NONE)
}

/// Returns queries about a file that follow from its bytes, so that a corpus need not contain them.
pub fn about_file(file: &[u8]) -> Batch {
    let choices: Vec<u8> =
        file.iter().rev().copied().cycle().take(INPUT_BYTES.min(16 * file.len())).collect();
    generate::about_file(&file.into(), &choices)
}

/// Returns an input as text.
pub fn write(input: &Batch) -> Vec<u8> {
    let queries = input.match_queries();
    let queries = queries.iter().map(|MatchQuery { agent, url }| format!("{agent} {url}\n"));
    [queries.collect::<String>().as_bytes(), b"\n", &robots(input)].concat()
}

fn robots(input: &Batch) -> Arc<[u8]> {
    input.first().file().cloned().unwrap_or_default()
}

/// Mutates an input: the lines of the file, the queries or both; rarely, it is another input altogether. The same seed gives
/// the same mutation.
#[must_use]
pub fn mutate(input: &Batch, seed: u64) -> Batch {
    let mut bytes = [0; INPUT_BYTES];
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
    let (choice, bytes) = bytes.split_at(8);
    let choice = Unstructured::new(choice).int_in_range(0..=15).unwrap_or(0);
    let mutated_file = || file::mutate(&mut Dice::with_oddities(bytes), &robots(input)).into();
    match choice {
        0 => generate(bytes),
        1..=4 => generate::about_file(&robots(input), bytes),
        5..=8 => generate::about_file(&mutated_file(), &bytes[INPUT_BYTES / 2..]),
        _ => with_robots(input, &mutated_file()),
    }
}

/// Reads a line: the agent, a space and the URL. `None` where a crawler could not have this query, because the agent is not a
/// product token, or the URL is not absolute: no text says how an implementation treats such queries.
fn read_query(line: &[u8]) -> Option<MatchQuery<'_>> {
    let (agent, url) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    let is_absolute = url.starts_with("http://") || url.starts_with("https://");
    let is_possible = !agent.is_empty()
        && agent.bytes().all(is_token_byte)
        && is_absolute
        && !url.chars().any(|c| c.is_control() || c.is_whitespace())
        && RobotsTxt::parse(b"").ruling(Edition::Rfc9309, agent, url).is_ok();
    is_possible.then_some(MatchQuery { agent, url })
}
