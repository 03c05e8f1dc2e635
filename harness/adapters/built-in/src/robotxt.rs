//! The crate `robotxt`.
//!
//! It takes bytes, the agent at the time of parsing, and parsed URLs, which have no dot segments any more.

use robotxt::Robots;
use url::Url;

use crate::crate_info;
use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};

pub(super) struct RobotxtCrate;

impl Parser for RobotxtCrate {
    fn info(&self) -> Info {
        crate_info("robotxt", "0.7.0")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let mut verdicts = Vec::with_capacity(queries.len());
        for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
            let robots = Robots::parse(robots, queries[0].agent);
            let allowed = |query: &MatchQuery| Url::parse(query.url).map(|url| robots.is_url_allowed(&url));
            verdicts.extend(queries.iter().map(|query| Verdict::from(allowed(query))));
        }
        Ok(verdicts)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        Ok(Robots::parse(robots, "*").sitemaps().iter().map(Url::to_string).collect())
    }
}
