//! The crate `robots_txt`, which implements only the standard of 1994, without wildcards.
//!
//! It takes text, so bytes that are not UTF-8 become U+FFFD. It takes paths, so it receives the path and the query of the
//! URL as they are written.

use robots_txt::Robots;
use robots_txt::matcher::SimpleMatcher;
use robotspec_reference::UrlParts;
use std::borrow::Cow;
use url::Url;

use crate::crate_info;
use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};

pub(super) struct RobotsTxtCrate;

impl Parser for RobotsTxtCrate {
    fn info(&self) -> Info {
        crate_info("robots_txt", "0.7.0")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let text = String::from_utf8_lossy(robots);
        let robots = Robots::from_str_lossy(&text);
        let allowed = |query: &MatchQuery| {
            let section = robots.choose_section(query.agent);
            SimpleMatcher::new(&section.rules).check_path(&path_and_query(query.url))
        };
        Ok(queries.iter().map(|query| allowed(query).into()).collect())
    }

    fn sitemaps(&mut self, robots: &[u8]) -> Result<Vec<String>, Fault> {
        let text = String::from_utf8_lossy(robots);
        let robots = Robots::from_str_lossy(&text);
        let sections = robots.sections.iter().chain([&robots.default_section]);
        Ok(sections.flat_map(|section| &section.sitemaps).map(Url::to_string).collect())
    }
}

fn path_and_query(url: &str) -> Cow<'_, str> {
    match UrlParts::split(url).path_and_query() {
        path if path.starts_with('/') => Cow::Borrowed(path),
        query => Cow::Owned(format!("/{query}")),
    }
}
