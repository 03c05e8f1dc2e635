//! Sitemaps.

use super::Change::{self, Sitemaps};

pub(super) const MISTAKES: &[(&str, Change)] = &[
    ("no more than 8 sitemaps", Sitemaps(|sitemaps| sitemaps.into_iter().take(8).collect())),
    ("no more than 100 sitemaps", Sitemaps(|sitemaps| sitemaps.into_iter().take(100).collect())),
    ("no more than 1,000 sitemaps", Sitemaps(|sitemaps| sitemaps.into_iter().take(1000).collect())),
    (
        "sitemaps that differ in letter case",
        Sitemaps(|mut sitemaps| {
            sitemaps.dedup_by_key(|url| url.to_lowercase());
            sitemaps
        }),
    ),
    (
        "sitemaps with a port",
        Sitemaps(|sitemaps| sitemaps.into_iter().filter(|url| url.matches(':').count() < 2).collect()),
    ),
    (
        "the query of a sitemap",
        Sitemaps(|sitemaps| {
            sitemaps.into_iter().map(|url| url.split('?').next().unwrap_or_default().to_owned()).collect()
        }),
    ),
    (
        "sitemaps in small letters",
        Sitemaps(|sitemaps| sitemaps.into_iter().map(|url| url.to_lowercase()).collect()),
    ),
    (
        "sitemaps longer than 255 bytes",
        Sitemaps(|sitemaps| sitemaps.into_iter().filter(|url| url.len() <= 255).collect()),
    ),
    (
        "sitemaps longer than 2,048 bytes",
        Sitemaps(|sitemaps| sitemaps.into_iter().filter(|url| url.len() <= 2048).collect()),
    ),
    (
        "sitemaps of one host",
        Sitemaps(|sitemaps| {
            let host = |url: &str| url.split('/').nth(2).unwrap_or_default().to_owned();
            let first = sitemaps.first().map(|url| host(url)).unwrap_or_default();
            sitemaps.into_iter().filter(|url| host(url) == first).collect()
        }),
    ),
    (
        "sitemaps of XML",
        Sitemaps(|sitemaps| sitemaps.into_iter().filter(|url| !url.ends_with(".txt")).collect()),
    ),
    (
        "sitemaps once",
        Sitemaps(|mut sitemaps| {
            sitemaps.sort();
            sitemaps.dedup_by_key(|url| url.trim_end_matches('/').to_owned());
            sitemaps
        }),
    ),
];
