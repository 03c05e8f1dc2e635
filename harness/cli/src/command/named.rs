//! An implementation under the name that a configuration gives it.

use robotspec_reference::{Edition, Governs};

use robotspec::implementation::{
    Accessed, Answer, BatchRequest, Fault, Implementation, Incident, Info, Query, Verdict,
};
use robotspec_cases::suite::TimedVisit;

pub(super) struct Named {
    pub(super) name: String,
    pub(super) implementation: Box<dyn Implementation + Send>,
}

impl Implementation for Named {
    fn info(&self) -> Info {
        Info { name: self.name.clone(), ..self.implementation.info() }
    }

    fn check(&mut self, robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
        self.implementation.check(robots, queries)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        self.implementation.sitemaps(robots)
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        self.implementation.scope(robots_url, url)
    }

    fn access(&mut self, visits: &[TimedVisit], agent: &str, paths: &[String]) -> Result<Accessed, Fault> {
        self.implementation.access(visits, agent, paths)
    }

    fn grammar(&mut self, file: &[u8]) -> Result<bool, Fault> {
        self.implementation.grammar(file)
    }

    fn read_as(&mut self, edition: Edition) -> bool {
        self.implementation.read_as(edition)
    }

    fn answer_all(
        &mut self,
        requests: &[BatchRequest],
        answered: &mut dyn FnMut(usize, Result<Answer, Fault>),
    ) {
        self.implementation.answer_all(requests, answered);
    }

    fn answer(&mut self, request: &BatchRequest) -> Result<Answer, Fault> {
        self.implementation.answer(request)
    }

    fn finish(&mut self) {
        self.implementation.finish();
    }

    fn incidents(&mut self) -> Vec<Incident> {
        self.implementation.incidents()
    }
}
