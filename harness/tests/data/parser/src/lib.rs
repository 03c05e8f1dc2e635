//! A parser that applies every rule to every agent and knows no wildcards.

use robotspec_test_support::faulty::{FaultyParser, Mistake};

/// Returns whether a robots.txt allows a crawler to fetch a URL.
pub fn may_fetch(robots: &[u8], agent: &str, url: &str) -> bool {
    let mistakes = [
        Mistake::OrphansBindAll,
        Mistake::AllGroupsBind,
        Mistake::StarIsLiteral,
        Mistake::DollarIsLiteral,
    ];
    FaultyParser::new(&mistakes).allows(robots, agent, url).expect("it accepts every file")
}
