//! An evaluator that follows one admitted reading, drawn at random: a search must not accuse it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::TimedVisit;
use robotspec_reference::access::{Access, access_read};
use robotspec_reference::question::{Row, TABLE};
use robotspec_reference::{Edition, Governs, Reading, RobotsTxt, governs};

/// The evaluator.
pub(crate) struct RandomReading {
    seed: u64,
    reading: Reading,
}

impl RandomReading {
    pub(crate) fn new(seed: u64, edition: Edition) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let draw = |row: &Row| {
            let answers = row.answers(edition);
            answers[random.next_u32() as usize % answers.len()]
        };
        let reading = TABLE.iter().map(draw).fold(Reading::plainest(edition), Reading::supposing);
        RandomReading { seed, reading }
    }

    fn verdict(&self, robots: &[u8], agent: &str, url: &str) -> Verdict {
        match RobotsTxt::parse(robots).decide(&self.reading, agent, url) {
            Ok(decision) => Verdict::from(robotspec_reference::Ruling::from(decision.verdict)),
            Err(error) => Verdict::Error(error.to_string().into()),
        }
    }
}

impl Parser for RandomReading {
    fn info(&self) -> Info {
        Info::named(format!("reading {}", self.seed))
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Ok(queries.iter().map(|query| self.verdict(robots, query.agent, query.url)).collect())
    }

    /// Returns the sitemaps that every reading finds, and all or none of the others.
    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        let sitemaps = RobotsTxt::parse(robots).sitemaps(self.reading.edition());
        let takes_all = self.seed.is_multiple_of(2);
        Ok(sitemaps
            .into_iter()
            .filter(|sitemap| sitemap.certain || takes_all)
            .map(|sitemap| sitemap.url)
            .collect())
    }

    fn usage(&mut self, robots: &[u8], query: MatchQuery) -> Result<Option<Vec<String>>, Fault> {
        let usage = RobotsTxt::parse(robots).usage_of(&self.reading, query.agent, query.url);
        usage
            .map(|preferences| Some(Vec::from_iter(preferences)))
            .map_err(|error| Fault::Error(error.to_string().into()))
    }

    fn scope(&mut self, robots_url: &str, url: &str) -> Result<Governs, Fault> {
        governs(&self.reading, robots_url, url)
            .map(Governs::from)
            .map_err(|error| Fault::Error(error.to_string().into()))
    }

    fn access(
        &mut self,
        visits: &[TimedVisit],
        agent: &str,
        paths: &[String],
    ) -> Result<Vec<Verdict>, Fault> {
        let visits: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
        let access = access_read(&self.reading, &visits);
        let verdict = |path: &String| match &access {
            Access::FullAllow => Verdict::Allow,
            Access::FullDisallow => Verdict::Disallow,
            Access::Conditional(file) => self.verdict(file, agent, path),
        };
        Ok(paths.iter().map(verdict).collect())
    }
}
