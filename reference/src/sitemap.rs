//! Sitemaps: the non-group-member lines.
//!
//! *Google, "Google-supported non-group-member lines"; RFC 9309, 2.2.4.*

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::answer::Acceptance;
use crate::edition::Edition;
use crate::line::Record;
use crate::lines::{CountedLine, LineRecords};
use crate::question::typed::RelativeSitemap;
use crate::reading::{Explorer, Reader, explore};
use crate::ruling::RobotsTxt;

/// A sitemap that a file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitemap {
    /// The number of the line, from 1.
    pub line: usize,
    /// The value, with U+FFFD for bytes that are not UTF-8.
    pub url: String,
    /// Whether every admitted reading finds it.
    pub certain: bool,
}

impl RobotsTxt<'_> {
    /// Returns the sitemaps that the file names, in order. They apply to every crawler.
    pub fn sitemaps(&self, edition: Edition) -> Vec<Sitemap> {
        let mut found: BTreeMap<(usize, String), usize> = BTreeMap::new();
        let mut readings = 0;
        let records = LineRecords::default();
        let explored = explore(
            &mut Explorer::new(edition),
            |explorer| {
                if let Some(lines) = self.settled_lines() {
                    let lines = lines.before(usize::MAX).filter(CountedLine::may_be_sitemap);
                    return read_sitemaps(lines.map(|line| line.remembering(&records)), explorer);
                }
                let is_sitemap = |record: &Record| matches!(record, Record::Sitemap(_));
                let lines = self.lines(explorer);
                let limit = lines.size_limit(is_sitemap, explorer);
                read_sitemaps(lines.before(limit), explorer)
            },
            |_, sitemaps| {
                readings += 1;
                for sitemap in sitemaps {
                    *found.entry(sitemap).or_default() += 1;
                }
                ControlFlow::Continue(())
            },
        );
        let certain = |times: usize| explored.is_ok() && times == readings;
        found.into_iter().map(|((line, url), times)| Sitemap { line, url, certain: certain(times) }).collect()
    }
}

/// Returns the sitemaps of lines, each with the number of its line.
fn read_sitemaps<'l, 'b: 'l>(
    lines: impl Iterator<Item = CountedLine<'l, 'b>>,
    reader: &mut impl Reader,
) -> Vec<(usize, String)> {
    let mut sitemaps = Vec::new();
    for line in lines {
        if !reader.spend(1) {
            break;
        }
        let Record::Sitemap(value) = line.record(reader) else { continue };
        let url = String::from_utf8_lossy(&value).into_owned();
        if is_absolute(&url) || reader.answer(RelativeSitemap) == Acceptance::Accept {
            sitemaps.push((line.number() as usize, url));
        }
    }
    sitemaps
}

/// Returns whether a text is an absolute URL.
pub fn is_absolute(url: &str) -> bool {
    url::Url::parse(url).is_ok()
}
