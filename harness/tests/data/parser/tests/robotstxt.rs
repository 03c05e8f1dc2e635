use robotspec::{Fault, Info, MatchQuery, Verdict};

struct Mine;

impl robotspec::Parser for Mine {
    fn info(&self) -> Info {
        Info::named("mine")
    }
    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|query| parser::may_fetch(robots, query.agent, query.url).into()).collect())
    }
}

robotspec::conformance!(Mine, known_failures = "tests/known-failures.yaml");
