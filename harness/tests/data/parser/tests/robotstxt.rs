use robotspec::{Fault, Implementation, Info, Query, Verdict};

struct Mine;

impl Implementation for Mine {
    fn info(&self) -> Info {
        Info::named("mine")
    }
    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|query| parser::may_fetch(robots, &query.agent, &query.url).into()).collect())
    }
}

robotspec::conformance!(Mine, known_failures = "tests/known-failures.yaml");
