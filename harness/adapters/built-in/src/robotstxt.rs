//! The crate `robotstxt`, a port of Google's C++ library.
//!
//! It takes text, so bytes that are not UTF-8 become U+FFFD. It requires a percent-encoded URL of its caller. It parses the
//! file again for every URL.

use percent_encoding::{AsciiSet, utf8_percent_encode};
use robotstxt::{DefaultMatcher, RobotsParseHandler};

use crate::crate_info;
use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};

pub(super) struct RobotstxtCrate;

impl Parser for RobotstxtCrate {
    fn info(&self) -> Info {
        crate_info("robotstxt", "0.3.0")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let robots = String::from_utf8_lossy(robots);
        let allowed = |query: &MatchQuery| {
            let url = utf8_percent_encode(query.url, &AsciiSet::EMPTY).to_string();
            DefaultMatcher::default().one_agent_allowed_by_robots(&robots, query.agent, &url)
        };
        Ok(queries.iter().map(|query| allowed(query).into()).collect())
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        let mut sitemaps = Sitemaps(Vec::new());
        robotstxt::parse_robotstxt(&String::from_utf8_lossy(robots), &mut sitemaps);
        Ok(sitemaps.0)
    }
}

/// Collects the sitemaps that the parser reports.
struct Sitemaps(Vec<String>);

impl RobotsParseHandler for Sitemaps {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _line: u32, _value: &str) {}
    fn handle_allow(&mut self, _line: u32, _value: &str) {}
    fn handle_disallow(&mut self, _line: u32, _value: &str) {}
    fn handle_sitemap(&mut self, _line: u32, value: &str) {
        self.0.push(value.to_owned());
    }
    fn handle_unknown_action(&mut self, _line: u32, _action: &str, _value: &str) {}
}
