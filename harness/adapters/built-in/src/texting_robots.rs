//! The crate `texting_robots`.
//!
//! It takes bytes, and the agent at the time of parsing.

use texting_robots::Robot;

use crate::crate_info;
use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};

pub(super) struct TextingRobotsCrate;

impl Parser for TextingRobotsCrate {
    fn info(&self) -> Info {
        crate_info("texting_robots", "0.2.2")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let mut verdicts = Vec::with_capacity(queries.len());
        for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
            let robot = Robot::new(queries[0].agent, robots);
            let allowed = |query: &MatchQuery| robot.as_ref().map(|robot| robot.allowed(query.url));
            verdicts.extend(queries.iter().map(|query| Verdict::from(allowed(query))));
        }
        Ok(verdicts)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        Robot::new("*", robots)
            .map(|robot| robot.sitemaps)
            .map_err(|error| Fault::Error(error.to_string().into()))
    }
}
