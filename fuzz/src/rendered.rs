//! Inputs written out, for a fuzzer that keeps its own: a person can read them, and they mean the same
//! whatever becomes of the [generator](super::generate).
//!
//! ```text
//! FooBot http://example.com/fish
//! BarBot http://example.com/
//!
//! user-agent: *
//! disallow: /fish
//! ```
//!
//! Who asks for what, a line each; an empty line; the file, octet for octet.

use std::sync::Arc;

use arbitrary::Unstructured;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_reference::{Edition, RobotsTxt};

use crate::generate::{self, OCTETS, Shares};
use robotspec::implementation::{BatchRequest, Query};

/// How many queries are read; more would only make an input slow.
const MOST_QUERIES: usize = 8;

/// A file, and queries about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// What is asked. At least one.
    pub queries: Vec<Query>,
    /// The file.
    pub robots: Arc<[u8]>,
}

impl Rendered {
    /// Reads an input; none where no line asks for anything that a crawler could ask for.
    pub fn read(octets: &[u8]) -> Option<Rendered> {
        let mut queries = Vec::new();
        let mut rest = octets;
        while let Some(end) = rest.iter().position(|&octet| octet == b'\n') {
            let line = &rest[..end];
            rest = &rest[end + 1..];
            if line.is_empty() {
                break;
            }
            queries.extend(query(line));
        }
        queries.truncate(MOST_QUERIES);
        // Queries of one agent stand together, which saves the reference work.
        queries.sort_by(|a, b| a.agent.cmp(&b.agent));
        (!queries.is_empty()).then(|| Rendered { queries, robots: rest.into() })
    }

    /// An input out of the generator, the same for the same octets.
    pub fn generated(octets: &[u8]) -> Rendered {
        let shares = Shares { scope: 0, sitemaps: 0, access: 0, large: 0 };
        match generate::input(octets, shares) {
            BatchRequest::Match { robots, mut queries } => {
                queries.truncate(MOST_QUERIES);
                Rendered { queries, robots }
            }
            _ => Rendered::of_file(&[], octets),
        }
    }

    /// A file, and queries derived from its own names and paths.
    pub fn of_file(file: &[u8], octets: &[u8]) -> Rendered {
        let mut queries = generate::queries_about(file, octets);
        queries.retain(is_askable);
        if queries.is_empty() {
            queries.push(Query { agent: "FooBot".to_owned(), url: "http://example.com/".to_owned() });
        }
        Rendered { queries, robots: file.into() }
    }

    /// The input as octets.
    pub fn write(&self) -> Vec<u8> {
        let mut octets = Vec::with_capacity(self.robots.len() + 64 * self.queries.len());
        for Query { agent, url } in &self.queries {
            octets.extend_from_slice(format!("{agent} {url}\n").as_bytes());
        }
        octets.push(b'\n');
        octets.extend_from_slice(&self.robots);
        octets
    }

    /// The input as it is put to an implementation.
    pub fn request(&self) -> BatchRequest {
        BatchRequest::Match { robots: Arc::clone(&self.robots), queries: self.queries.clone() }
    }

    /// An input like this one, the same for the same seed: lines of the file changed, other queries, both,
    /// or once in a while another input altogether.
    pub fn mutated(&self, seed: u64) -> Rendered {
        let mut octets = [0; OCTETS];
        ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut octets);
        let (choice, octets) = octets.split_at(8);
        let choice = Unstructured::new(choice).int_in_range(0..=15).unwrap_or(0);
        match choice {
            0 => Rendered::generated(octets),
            1..=4 => Rendered::of_file(&self.robots, octets),
            5..=8 => Rendered::of_file(&generate::mutated(&self.robots, octets), &octets[OCTETS / 2..]),
            _ => Rendered { robots: generate::mutated(&self.robots, octets).into(), ..self.clone() },
        }
    }
}

/// Reads a line: all before the last space is the name, which then is no good if it has another one.
fn query(line: &[u8]) -> Option<Query> {
    let (agent, url) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    let query = Query { agent: agent.to_owned(), url: url.to_owned() };
    is_askable(&query).then_some(query)
}

/// Whether a crawler could ask so: under a product token, for an absolute URL. What an implementation makes
/// of anything else is nobody's business.
fn is_askable(Query { agent, url }: &Query) -> bool {
    let is_token = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
    let is_absolute = url.starts_with("http://") || url.starts_with("https://");
    !agent.is_empty()
        && agent.chars().all(is_token)
        && is_absolute
        && !url.chars().any(|c| c.is_control() || c.is_whitespace())
        && RobotsTxt::parse(b"").ruling(Edition::Rfc9309, agent, url).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for seed in 0..200 {
            let octets: Vec<u8> = (0..OCTETS).map(|at| (at as u64 * 31 + seed * 97) as u8).collect();
            let mut input = Rendered::generated(&octets);
            input.queries.retain(is_askable);
            input.queries.sort_by(|a, b| a.agent.cmp(&b.agent));
            if !input.queries.is_empty() {
                assert_eq!(Rendered::read(&input.write()), Some(input));
            }
        }
    }

    #[test]
    fn what_no_crawler_asks_is_left_out() {
        let read = |text: &str| Rendered::read(text.as_bytes());
        assert_eq!(read("Foo Bot http://a.example/\n\n"), None);
        assert_eq!(read("FooBot /a\n\n"), None);
        assert_eq!(read("user-agent: *\ndisallow: /\n"), None);
        let input = read("x\nFooBot http://a.example/\n\n\nallow: /\n").expect("a query");
        assert_eq!((input.queries.len(), &input.robots[..]), (1, &b"\nallow: /\n"[..]));
    }

    #[test]
    fn a_mutation_follows_from_its_seed() {
        let input =
            Rendered::read(b"FooBot http://a.example/\n\nuser-agent: *\ndisallow: /a\n").expect("one");
        assert_eq!(input.mutated(7), input.mutated(7));
        assert!((0..20).any(|seed| input.mutated(seed) != input));
    }
}
