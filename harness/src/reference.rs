//! The reference as a parser that is checked like any other.

use robotspec_cases::TimedVisit;
use robotspec_reference::{Edition, Governs, RobotsTxt, access, grammar, scope};

use crate::answer::{Fault, Verdict};
use crate::parser::{Info, MatchQuery, Parser};

/// The reference, which answers as one edition.
#[derive(Debug, Clone)]
pub struct Reference {
    edition: Edition,
}

impl Reference {
    /// Returns the reference that answers as an edition.
    pub fn new(edition: Edition) -> Self {
        Reference { edition }
    }
}

impl Parser for Reference {
    fn info(&self) -> Info {
        Info {
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            language: Some("rust".to_owned()),
            ..Info::named("reference")
        }
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let robots = RobotsTxt::parse(robots);
        let mut verdicts = Vec::with_capacity(queries.len());
        // Queries about one agent mostly follow each other.
        for queries in queries.chunk_by(|a, b| a.agent == b.agent) {
            let rules = robots.for_agent(self.edition, queries[0].agent);
            verdicts.extend(queries.iter().map(|query| Verdict::from(rules.ruling(query.url))));
        }
        Ok(verdicts)
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        let sitemaps = RobotsTxt::parse(robots).sitemaps(self.edition);
        Ok(sitemaps.into_iter().filter(|sitemap| sitemap.certain).map(|sitemap| sitemap.url).collect())
    }

    fn usage(&mut self, robots: &[u8], query: MatchQuery) -> Result<Option<Vec<String>>, Fault> {
        match RobotsTxt::parse(robots).usage(self.edition, query.agent, query.url) {
            Ok(usage) => Ok(usage.preferences.map(Vec::from_iter)),
            Err(error) => Err(Fault::Error(error.to_string().into())),
        }
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        scope(self.edition, robots_url, url).map_err(|error| Fault::Error(error.to_string().into()))
    }

    fn access(
        &mut self,
        visits: &[TimedVisit],
        agent: &str,
        paths: &[String],
    ) -> Result<Vec<Verdict>, Fault> {
        let visits: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
        let access = access(self.edition, &visits);
        Ok(paths.iter().map(|path| access.ruling(self.edition, agent, path).into()).collect())
    }

    fn grammar(&mut self, file: &[u8]) -> Result<bool, Fault> {
        if !grammar::has_grammar(self.edition) {
            return Err(Fault::NotSupported);
        }
        Ok(grammar::derives(self.edition, file))
    }
}
