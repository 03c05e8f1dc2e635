//! A parser that applies every rule to every agent and knows no wildcards.

use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};
use robotspec_test_support::faulty::{FaultyParser, Mistake};

pub(crate) struct Mine;

impl Parser for Mine {
    fn info(&self) -> Info {
        Info::named("mine")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let parser = FaultyParser::new(&[
            Mistake::OrphansBindAll,
            Mistake::AllGroupsBind,
            Mistake::StarIsLiteral,
            Mistake::DollarIsLiteral,
        ]);
        let allows = |query: &MatchQuery| parser.allows(robots, query.agent, query.url).map(Verdict::from);
        Ok(queries.iter().map(|query| allows(query).expect("it accepts every file")).collect())
    }
}
