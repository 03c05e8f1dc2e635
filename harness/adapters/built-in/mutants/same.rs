//! Tests for a changed copy of the crate `robotxt`: no row, and no input of a search, distinguishes it from the original.
//!
//! `.ci/long mutants` copies this file into the copy. It measures what the rows find, without the reference. A change that
//! neither finds is taken to have no effect on a ruling.

use std::panic::catch_unwind;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_cases::{Query, checks};
use robotspec_cases::suite::built_in;
use robotspec_fuzz::generate::{INPUT_BYTES, Shares, self};
use url::Url;

/// Returns the answers of one of the two crates to a query, in words. A panic is an answer, too.
macro_rules! answers {
    ($robotxt:ident, $query:expr) => {{
        let query: &Query = $query;
        let answers = || match query {
            Query::Match { robots, agent, url } => {
                let robots = $robotxt::Robots::parse(robots, agent);
                Url::parse(url).map_or(String::new(), |url| robots.is_url_allowed(&url).to_string())
            }
            Query::Sitemaps { robots } => {
                let robots = $robotxt::Robots::parse(robots, "*");
                robots.sitemaps().iter().map(Url::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        catch_unwind(answers).unwrap_or_else(|_| "a panic".to_owned())
    }};
}

#[test]
fn rows() {
    for check in checks(built_in().expect("valid suites"), true) {
        let (original, copy) = (answers!(original, &check.query), answers!(robotxt, &check.query));
        assert_eq!(original, copy, "{}", check.id);
    }
}

#[test]
fn search() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut bytes = [0; INPUT_BYTES];
    for _ in 0..20_000 {
        random.fill_bytes(&mut bytes);
        for query in generate::input(&bytes, Shares::default()).queries() {
            assert_eq!(answers!(original, &query), answers!(robotxt, &query), "{query:?}");
        }
    }
}
