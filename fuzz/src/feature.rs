//! The clauses that a query brings into play.
//!
//! Every part of a minimised query is necessary, so its most unusual feature is what the implementation gets wrong. The
//! minimiser never adds a more unusual feature, so it does not slide from one divergence to another.

use std::collections::HashSet;

use memchr::{memchr_iter, memmem};
use robotspec_cases::visit::{Body, Location};
use robotspec_cases::{Clause, Query, TimedVisit};
use robotspec_reference::bytes::{BOM, escape, is_token_byte};
use robotspec_reference::scan::{Field, Line, LineKind, Parts};
use robotspec_reference::{
    DecidedBy, Decision, Edition, Prevails, Reading, RobotsTxt, RuleCitation, UrlParts, WhichGroups,
    split_lines,
};

/// Returns the clause that a query is about in an edition: the most unusual one that it brings into play.
pub fn clause_in_play(edition: Edition, query: &Query) -> &'static str {
    features(edition, query).clause(edition)
}

/// Returns the clauses that a query brings into play in an edition, the most unusual first.
pub fn clauses_in_play(edition: Edition, query: &Query) -> Vec<&'static str> {
    features(edition, query).clauses().collect()
}

/// Returns the clauses that a query brings into play in an edition.
pub(crate) fn features(edition: Edition, query: &Query) -> Features {
    let mut features = Features::default();
    match query {
        Query::Match { robots, agent, url } => {
            let paths = add_file(&mut features, robots);
            add_agents(&mut features, robots, agent);
            add_url(&mut features, url, &paths);
            if let Ok(decision) = RobotsTxt::parse(robots).decide(&Reading::plainest(edition), agent, url) {
                add_decision(&mut features, &decision);
            }
        }
        Query::Sitemaps { robots } => {
            add_file(&mut features, robots);
            features.add("S-sitemap");
        }
        Query::Usage { robots, agent, url } => {
            let paths = add_file(&mut features, robots);
            add_agents(&mut features, robots, agent);
            add_url(&mut features, url, &paths);
            features.add("M-usage-path");
        }
        Query::Scope { robots_url, url } => add_urls(&mut features, robots_url, url),
        Query::Access { visits, .. } => add_visits(&mut features, visits),
        Query::Alike { .. } | Query::Grammar { .. } => {}
    }
    features
}

/// The clauses that a query can bring into play, the most unusual first.
pub const CLAUSES_IN_PLAY: &[&str] = &[
    "L-size",
    "L-size-minimum",
    "L-bom",
    "L-encoding",
    "L-eol",
    "L-field-case",
    "L-typo",
    "G-nongroup",
    "L-unknown",
    "L-valid-only",
    "L-comment",
    "L-trim",
    "L-record",
    "G-blank",
    "G-orphan",
    "G-run",
    "G-empty-last",
    "A-required",
    "A-suffix",
    "A-token",
    "A-adsbot",
    "G-merge",
    "A-case",
    "A-specific",
    "M-robots-txt",
    "M-no-full-url",
    "M-root",
    "M-literal",
    "M-non-ascii",
    "M-percent",
    "M-query",
    "M-case",
    "M-empty",
    "O-tie",
    "O-wildcard",
    "O-longest",
    "M-dollar",
    "M-star",
    "M-trailing-star",
    "O-duplicates",
    "G-merge-alone",
    "G-end",
    "A-one",
    "A-none",
    "M-first-octet",
    "M-default",
    "M-prefix",
    "A-star",
    "S-name",
    "S-root",
    "S-idn",
    "S-ip",
    "S-ftp",
    "S-default-port",
    "S-subdomain",
    "S-origin",
    "S-sitemap",
    "M-usage-disallowed",
    "O-usage-same",
    "O-usage",
    "M-usage-path",
    "H-failure",
    "H-html-redirect",
    "H-3xx-disallowed",
    "H-3xx-many",
    "H-3xx",
    "H-5xx-as-404",
    "C-max-age",
    "C-longer",
    "C-24h",
    "H-30-days",
    "H-503",
    "H-429",
    "H-5xx",
    "H-4xx",
    "H-2xx",
];

/// A set of clauses that a query brings into play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Features(u128);

impl Features {
    pub(super) fn add(&mut self, clause: &str) {
        if let Some(place) = CLAUSES_IN_PLAY.iter().position(|id| *id == clause) {
            self.0 |= 1 << place;
        }
    }

    /// Returns whether the other set contains every clause of this set.
    pub(crate) fn is_within(self, other: Features) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether no clause of the edition that this set adds to the other is more unusual than the clause of the other.
    pub(crate) fn adds_only_ordinary(self, other: Features, edition: Edition) -> bool {
        let added = Features(self.0 & !other.0);
        added.first(edition).is_none() || Features(self.0 | other.0).first(edition) == other.first(edition)
    }

    /// Returns the clauses, the most unusual first.
    pub(crate) fn clauses(self) -> impl Iterator<Item = &'static str> {
        CLAUSES_IN_PLAY
            .iter()
            .enumerate()
            .filter(move |(place, _)| self.0 & 1 << place != 0)
            .map(|(_, id)| *id)
    }

    /// Returns the most unusual clause that the edition contains.
    pub(crate) fn clause(self, edition: Edition) -> &'static str {
        self.first(edition).unwrap_or("M-default")
    }

    fn first(self, edition: Edition) -> Option<&'static str> {
        let has = |id: &&str| Clause::find(id).is_some_and(|clause| clause.section(edition).is_some());
        self.clauses().find(has)
    }
}

/// The size in bytes above which a parser may not read the whole file.
const LARGE: usize = 64 << 10;

/// The smallest size limit that an edition admits, in bytes.
const LIMIT: usize = 500_000;

/// Adds the features of a file. Returns the paths of its rules, without duplicates.
fn add_file<'f>(features: &mut Features, file: &'f [u8]) -> Vec<&'f [u8]> {
    if file.len() > LARGE {
        features.add("L-size-minimum");
    }
    if file.len() > LIMIT {
        features.add("L-size");
    }
    let text = file.strip_prefix(BOM).unwrap_or(file);
    if text.len() < file.len() {
        features.add("L-bom");
    }
    // Whether the last record was a user-agent line, and whether there was one at all.
    let (mut in_head, mut has_group) = (false, false);
    let (mut paths, mut known) = (Vec::new(), HashSet::new());
    for line in split_lines(text) {
        let parts = line.parts();
        add_line(features, &line, &parts);
        match parts.kind() {
            LineKind::Blank | LineKind::Comment => features.add("G-blank"),
            LineKind::Other if in_head => features.add("G-nongroup"),
            LineKind::Other => {}
            LineKind::Known(Field::Sitemap) => features.add("G-nongroup"),
            LineKind::Known(Field::UserAgent) => {
                add_name(features, &parts.value);
                if in_head {
                    features.add("G-run");
                }
                (in_head, has_group) = (true, true);
            }
            LineKind::Known(Field::Rule(_)) => {
                if !has_group {
                    features.add("G-orphan");
                }
                in_head = false;
                let path = parts.value.text;
                if known.insert(path) {
                    add_rule_path(features, path);
                    paths.push(path);
                } else {
                    features.add("O-duplicates");
                }
            }
        }
    }
    if in_head {
        features.add("G-empty-last");
    }
    paths
}

/// Adds the ways in which a line is not written plainly.
fn add_line(features: &mut Features, line: &Line, parts: &Parts) {
    if line.end != b"\n" {
        features.add("L-eol");
    }
    if parts.comment.is_some() {
        features.add("L-comment");
    }
    // Many libraries split a text at these, too.
    let is_line_end =
        |c: char| matches!(c, '\x0B' | '\x0C' | '\x1C'..='\x1E' | '\u{85}' | '\u{2028}' | '\u{2029}');
    match std::str::from_utf8(line.text) {
        Ok(text) if text.contains(is_line_end) => features.add("L-eol"),
        Ok(text) if text.contains(|c: char| c.is_ascii_control() && c != '\t') => features.add("L-encoding"),
        Ok(_) => {}
        Err(_) => features.add("L-encoding"),
    }
    let name = parts.field.to_ascii_lowercase();
    match parts.kind() {
        LineKind::Blank | LineKind::Comment => {}
        LineKind::Other if parts.colon.is_none() => features.add("L-valid-only"),
        LineKind::Other => features.add(if is_near_miss(&name) { "L-typo" } else { "L-unknown" }),
        LineKind::Known(_) => {
            let space: &[u8] = if parts.value.is_empty() { b"" } else { b" " };
            let content = parts.comment.map_or(line.text, |comment| &line.text[..comment.start - line.start]);
            if content != [parts.field.text, b":", space, parts.value.text].concat() {
                features.add("L-trim");
                features.add("L-record");
            }
            if name != parts.field.text {
                features.add("L-field-case");
            }
        }
    }
}

/// Returns whether the name is similar to that of a known field.
fn is_near_miss(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    Field::ALL.iter().any(|(known, _)| {
        name.starts_with(known)
            || name.len().abs_diff(known.len()) <= 4 && strsim::levenshtein(&name, known) <= 2
    })
}

/// Adds the features of the value of a user-agent line.
fn add_name(features: &mut Features, name: &[u8]) {
    let token = name.iter().take_while(|&&byte| is_token_byte(byte)).count();
    match name[token..].first() {
        None if name.is_empty() => features.add("A-required"),
        None => {}
        Some(_) if name == b"*" => {}
        Some(b'/' | b'*') if token > 0 => features.add("A-suffix"),
        Some(_) => features.add("A-token"),
    }
}

/// Adds the features of the path of a rule.
fn add_rule_path(features: &mut Features, path: &[u8]) {
    if path.is_empty() {
        features.add("M-empty");
    } else if memmem::find(path, b"://").is_some() {
        features.add("M-no-full-url");
    } else if !path.starts_with(b"/") {
        features.add("M-root");
    }
    add_bytes(features, path);
    add_wildcards(features, path);
}

/// Adds the features of the bytes of any path.
fn add_bytes(features: &mut Features, path: &[u8]) {
    if path.contains(&b'?') {
        features.add("M-query");
    }
    for digits in memchr_iter(b'%', path).filter_map(|at| escape(&path[at..])) {
        match digits {
            [b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', _] => features.add("M-non-ascii"),
            [b'2', b'a' | b'A' | b'4'] => features.add("M-literal"),
            _ => features.add("M-percent"),
        }
    }
    if !path.is_ascii() {
        features.add("M-non-ascii");
    }
}

fn add_wildcards(features: &mut Features, path: &[u8]) {
    let trailing = path.iter().rev().take_while(|&&byte| byte == b'*').count();
    if trailing > 0 {
        features.add("M-trailing-star");
    }
    if path[..path.len() - trailing].contains(&b'*') {
        features.add("M-star");
    }
    if path.contains(&b'$') {
        features.add("M-dollar");
    }
}

/// Adds the features of a URL. `paths` are those of the rules.
fn add_url(features: &mut Features, url: &str, paths: &[&[u8]]) {
    let parts = UrlParts::split(url);
    let path = parts.from_path().as_bytes();
    add_bytes(features, path);
    if !path.starts_with(b"/") {
        features.add("M-root");
    }
    if path == b"/robots.txt" {
        features.add("M-robots-txt");
    }
    if parts.fragment().is_some() {
        features.add("M-query");
    }
    let differs_in_case = |rule: &&[u8]| {
        let start = path.get(..rule.len());
        start.is_some_and(|start| start != *rule && start.eq_ignore_ascii_case(rule))
    };
    if paths.iter().any(differs_in_case) {
        features.add("M-case");
    }
}

/// Adds the relations between the names in the file and the agent of the query.
fn add_agents(features: &mut Features, file: &[u8], agent: &str) {
    let parts = split_lines(file).map(|line| line.parts());
    let names =
        parts.filter(|parts| parts.known_field() == Some(Field::UserAgent)).map(|parts| parts.value.text);
    let (mut known, mut count) = (HashSet::new(), 0);
    let is_start =
        |a: &[u8], b: &[u8]| !a.is_empty() && b.len() > a.len() && b[..a.len()].eq_ignore_ascii_case(a);
    for name in names {
        count += 1;
        if !known.insert(name.to_ascii_lowercase()) {
            features.add("G-merge");
        }
        if name.eq_ignore_ascii_case(agent.as_bytes()) {
            if name != agent.as_bytes() {
                features.add("A-case");
            }
            features.add("A-one");
        } else if name == b"*" {
            features.add("A-star");
        } else if is_start(name, agent.as_bytes()) || is_start(agent.as_bytes(), name) {
            features.add("A-specific");
        }
    }
    if count > 1 {
        features.add("G-merge-alone");
        features.add("G-end");
    }
    if !agent.bytes().all(is_token_byte) {
        features.add("A-token");
    }
    if agent.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("adsbot")) {
        features.add("A-adsbot");
    }
}

/// Adds the features of the decision in the plainest reading.
fn add_decision(features: &mut Features, decision: &Decision) {
    features.add(match decision.groups {
        WhichGroups::None => "A-none",
        WhichGroups::Star => "A-star",
        WhichGroups::Named => "A-one",
    });
    match &decision.by {
        DecidedBy::Default => {
            features.add("M-default");
            features.add("M-prefix");
            features.add("M-first-octet");
        }
        DecidedBy::RobotsTxtItself => features.add("M-robots-txt"),
        DecidedBy::Rule { rule, over, why } => {
            features.add("M-prefix");
            let has_wildcard = |rule: &RuleCitation| rule.path.contains('*');
            if over.as_ref().is_some_and(|over| has_wildcard(rule) || has_wildcard(over)) {
                features.add("O-wildcard");
            }
            match why {
                Prevails::Alone => {}
                Prevails::Longest => features.add("O-longest"),
                Prevails::EqualLength => features.add("O-tie"),
                Prevails::First => features.add("O-first"),
                Prevails::Extension => features.add("L-unknown"),
                Prevails::Wildcard => features.add("O-wildcard"),
            }
        }
    }
}

fn add_urls(features: &mut Features, robots_url: &str, url: &str) {
    features.add("S-origin");
    let urls = [robots_url, url].map(UrlParts::split);
    let file = urls[0].from_path();
    if !file.ends_with("/robots.txt") {
        features.add("S-name");
    } else if file != "/robots.txt" {
        features.add("S-root");
    }
    let [robots_host, host] = urls.map(|url| url.host().unwrap_or_default());
    for host in [robots_host, host] {
        if !host.is_ascii() || host.contains("xn--") {
            features.add("S-idn");
        }
        if host.starts_with(|c: char| c == '[' || c.is_ascii_digit()) {
            features.add("S-ip");
        }
    }
    if urls.iter().any(|url| url.scheme() == Some("ftp")) {
        features.add("S-ftp");
    }
    if urls[0].port().is_some() != urls[1].port().is_some() {
        features.add("S-default-port");
    }
    if robots_host.ends_with(host) != host.ends_with(robots_host) {
        features.add("S-subdomain");
    }
}

const DAY: u64 = 24 * 60 * 60;

fn add_visits(features: &mut Features, visits: &[TimedVisit]) {
    for visit in visits {
        let response = &visit.visit.response;
        if response.fault.is_some() {
            features.add("H-failure");
        }
        if matches!(response.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
            features.add("H-html-redirect");
        }
        if visit.visit.location == Location::Disallowed && !visit.visit.hops.is_empty() {
            features.add("H-3xx-disallowed");
        }
        match visit.visit.hops.len() {
            0 => {}
            1..=5 => features.add("H-3xx"),
            _ => features.add("H-3xx-many"),
        }
        if response.missing_pages >= 500 {
            features.add("H-5xx-as-404");
        }
        if response.headers.keys().any(|name| name.eq_ignore_ascii_case("cache-control")) {
            features.add("C-max-age");
        }
        // The class of the status is added too, because not every edition has these clauses.
        match response.status {
            503 => features.add("H-503"),
            429 => features.add("H-429"),
            _ => {}
        }
        match response.status {
            500..=599 => features.add("H-5xx"),
            400..=499 => features.add("H-4xx"),
            _ => features.add("H-2xx"),
        }
    }
    if let [first, .., last] = visits {
        features.add("C-24h");
        if last.at - first.at > DAY {
            features.add("C-longer");
        }
        if last.at - first.at > 30 * DAY {
            features.add("H-30-days");
        }
    }
}
