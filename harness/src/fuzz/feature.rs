//! Which clauses an input brings into play.
//!
//! In a minimised input everything is needed, so that what sets it apart from the plainest robots.txt is what
//! the implementation gets wrong. A reducer that never adds to this list never slides from one divergence to
//! another.

use robotspec_reference::{
    DecidedBy, Decision, Edition, Prevails, Reading, RobotsTxt, RuleCitation, WhichGroups, split_lines,
};

use crate::clause::Clause;
use crate::suite::Request;

/// The clauses that an input can be seen to bring into play, those that are out of the ordinary first.
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

/// The clauses that a request brings into play, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Features(u128);

impl Features {
    fn add(&mut self, clause: &str) {
        if let Some(place) = CLAUSES_IN_PLAY.iter().position(|id| *id == clause) {
            self.0 |= 1 << place;
        }
    }

    /// Whether there is nothing here that the other has not.
    pub(crate) fn is_within(self, other: Features) -> bool {
        self.0 & !other.0 == 0
    }

    /// The clauses, those that are out of the ordinary first.
    pub(crate) fn clauses(self) -> impl Iterator<Item = &'static str> {
        CLAUSES_IN_PLAY
            .iter()
            .enumerate()
            .filter(move |(place, _)| self.0 & 1 << place != 0)
            .map(|(_, id)| *id)
    }

    /// The clause that it is about: the first that the edition has.
    pub(crate) fn clause(self, edition: Edition) -> &'static str {
        let has = |id: &&str| Clause::find(id).is_some_and(|clause| clause.section(edition).is_some());
        self.clauses().find(has).unwrap_or("M-default")
    }
}

/// The clause that a request is about in an edition: of those that it brings into play, the one that is most out of
/// the ordinary.
pub fn clause_in_play(edition: Edition, request: &Request) -> &'static str {
    features(edition, request).clause(edition)
}

/// What a request brings into play in an edition.
pub(crate) fn features(edition: Edition, request: &Request) -> Features {
    let mut features = Features::default();
    match request {
        Request::Match { robots, agent, url } => {
            let paths = of_file(&mut features, robots);
            of_agents(&mut features, robots, agent);
            of_url(&mut features, url, &paths);
            if let Ok(decision) = RobotsTxt::parse(robots).decide(&Reading::plainest(edition), agent, url) {
                of_decision(&mut features, &decision);
            }
        }
        Request::Sitemaps { robots } => {
            of_file(&mut features, robots);
            features.add("S-sitemap");
        }
        Request::Scope { robots_url, url } => of_scope(&mut features, robots_url, url),
        Request::Access { visits, .. } => of_visits(&mut features, visits),
        Request::Alike { .. } | Request::Grammar { .. } => {}
    }
    features
}

/// A file so large that some parser may not read it whole, in octets.
const LARGE: usize = 64 << 10;

/// Gives the paths of the first rules.
fn of_file<'f>(features: &mut Features, file: &'f [u8]) -> Vec<&'f [u8]> {
    if file.len() > LARGE {
        features.add("L-size");
        features.add("L-size-minimum");
    }
    let file = match file.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => {
            features.add("L-bom");
            rest
        }
        None => file,
    };
    let (mut in_head, mut has_group, mut rules) = (false, false, Vec::new());
    for line in split_lines(file) {
        let end = &file[line.start + line.text.len()..];
        if !end.starts_with(b"\n") {
            features.add("L-eol");
        }
        let text = match line.text.iter().position(|&octet| octet == b'#') {
            Some(comment) => {
                features.add("L-comment");
                &line.text[..comment]
            }
            None => line.text,
        };
        if std::str::from_utf8(line.text).is_err()
            || line.text.iter().any(|&octet| octet.is_ascii_control() && octet != b'\t')
        {
            features.add("L-encoding");
        }
        match read(features, text) {
            Field::Nothing => {
                features.add("G-blank");
            }
            Field::Other => {
                if in_head {
                    features.add("G-nongroup");
                }
            }
            Field::Sitemap => features.add("G-nongroup"),
            Field::UserAgent => {
                if in_head {
                    features.add("G-run");
                }
                in_head = true;
                has_group = true;
            }
            Field::Rule(path) => {
                if !has_group {
                    features.add("G-orphan");
                }
                in_head = false;
                of_path(features, path);
                if rules.contains(&path) {
                    features.add("O-duplicates");
                }
                if rules.len() < 64 {
                    rules.push(path);
                }
            }
        }
    }
    if in_head {
        features.add("G-empty-last");
    }
    rules
}

enum Field<'t> {
    Nothing,
    Other,
    UserAgent,
    Sitemap,
    Rule(&'t [u8]),
}

/// Reads a line without its comment, and notes in which way it is not plain.
fn read<'t>(features: &mut Features, text: &'t [u8]) -> Field<'t> {
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        return Field::Nothing;
    }
    let Some(colon) = trimmed.iter().position(|&octet| octet == b':') else {
        features.add("L-valid-only");
        return Field::Other;
    };
    let (name, value) = (trimmed[..colon].trim_ascii(), trimmed[colon + 1..].trim_ascii());
    let is_plainly_written = text.len() == trimmed.len()
        && name.len() == colon
        && (value.is_empty() && trimmed.len() == colon + 1
            || trimmed[colon + 1..] == *[b" ", value].concat());
    let lower = name.to_ascii_lowercase();
    let field = match &lower[..] {
        b"user-agent" => {
            of_name(features, value);
            Field::UserAgent
        }
        b"allow" | b"disallow" => Field::Rule(value),
        b"sitemap" => Field::Sitemap,
        other => {
            features.add(if is_near_a_known_one(other) { "L-typo" } else { "L-unknown" });
            return Field::Other;
        }
    };
    if !is_plainly_written {
        features.add("L-trim");
        features.add("L-record");
    }
    if lower != name {
        features.add("L-field-case");
    }
    field
}

fn is_near_a_known_one(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    ["user-agent", "disallow", "allow", "sitemap"].iter().any(|known| {
        name.starts_with(known)
            || name.len().abs_diff(known.len()) <= 4 && strsim::levenshtein(&name, known) <= 2
    })
}

fn of_name(features: &mut Features, name: &[u8]) {
    let is_token = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
    if name.is_empty() {
        features.add("A-required");
    } else if name != b"*" && !name.iter().all(is_token) {
        let length = name.iter().take_while(|octet| is_token(octet)).count();
        features.add(if matches!(name[length], b'/' | b'*') && length > 0 { "A-suffix" } else { "A-token" });
    }
}

fn of_path(features: &mut Features, path: &[u8]) {
    if path.is_empty() {
        features.add("M-empty");
    } else if path.windows(3).any(|window| window == b"://") {
        features.add("M-no-full-url");
    } else if !path.starts_with(b"/") {
        features.add("M-root");
    }
    of_octets(features, path);
    of_wildcards(features, path);
}

fn of_octets(features: &mut Features, octets: &[u8]) {
    if octets.contains(&b'?') {
        features.add("M-query");
    }
    let escaped =
        |window: &[u8]| window[0] == b'%' && window[1].is_ascii_hexdigit() && window[2].is_ascii_hexdigit();
    for window in octets.windows(3).filter(|window| escaped(window)) {
        match window[1] {
            b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F' => features.add("M-non-ascii"),
            b'2' if matches!(window[2], b'a' | b'A' | b'4') => features.add("M-literal"),
            _ => features.add("M-percent"),
        }
    }
    if !octets.is_ascii() {
        features.add("M-non-ascii");
    }
}

fn of_url(features: &mut Features, url: &str, rules: &[&[u8]]) {
    let path = path_of(url);
    of_octets(features, path.as_bytes());
    if path == "/robots.txt" {
        features.add("M-robots-txt");
    }
    if url.contains('#') {
        features.add("M-query");
    }
    let differs_in_case = |rule: &&[u8]| {
        let start = path.as_bytes().get(..rule.len());
        start.is_some_and(|start| start != *rule && start.eq_ignore_ascii_case(rule))
    };
    if rules.iter().any(differs_in_case) {
        features.add("M-case");
    }
}

fn path_of(url: &str) -> &str {
    let authority = url.find("://").map_or(0, |at| at + 3);
    url[authority..].find('/').map_or("/", |slash| &url[authority + slash..])
}

/// How the names in the file stand to the crawler that asks.
fn of_agents(features: &mut Features, file: &[u8], agent: &str) {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for line in split_lines(file).take(2000) {
        let text = line.text.split(|&octet| octet == b'#').next().unwrap_or_default().trim_ascii();
        let Some(colon) = text.iter().position(|&octet| octet == b':') else { continue };
        if text[..colon].trim_ascii().eq_ignore_ascii_case(b"user-agent") {
            names.push(text[colon + 1..].trim_ascii().to_vec());
        }
    }
    for (index, name) in names.iter().enumerate() {
        if names[..index].iter().any(|earlier| earlier.eq_ignore_ascii_case(name)) {
            features.add("G-merge");
        }
        if name.eq_ignore_ascii_case(agent.as_bytes()) {
            if name != agent.as_bytes() {
                features.add("A-case");
            }
            features.add("A-one");
        } else if name == b"*" {
            features.add("A-star");
        } else {
            let starts = |a: &[u8], b: &[u8]| {
                !a.is_empty() && b.len() > a.len() && b[..a.len()].eq_ignore_ascii_case(a)
            };
            if starts(name, agent.as_bytes()) || starts(agent.as_bytes(), name) {
                features.add("A-specific");
            }
        }
    }
    if names.len() > 1 {
        features.add("G-merge-alone");
        features.add("G-end");
    }
    if agent.len() >= 6 && agent[..6].eq_ignore_ascii_case("adsbot") {
        features.add("A-adsbot");
    }
}

fn of_decision(features: &mut Features, decision: &Decision) {
    match decision.groups {
        WhichGroups::None => features.add("A-none"),
        WhichGroups::Star => features.add("A-star"),
        WhichGroups::Named => features.add("A-one"),
    }
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
            if has_wildcard(rule) && over.is_some() || over.as_ref().is_some_and(has_wildcard) {
                features.add("O-wildcard");
            }
            match why {
                Prevails::Alone => {}
                Prevails::Longest => features.add("O-longest"),
                Prevails::EqualLength => features.add("O-tie"),
                Prevails::Wildcard => features.add("O-wildcard"),
            }
        }
    }
}

fn of_wildcards(features: &mut Features, path: &[u8]) {
    let trailing = path.iter().rev().take_while(|&&octet| octet == b'*').count();
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

fn of_scope(features: &mut Features, robots_url: &str, url: &str) {
    features.add("S-origin");
    let (robots, page) = (parts(robots_url), parts(url));
    let file = robots.path;
    if !file.ends_with("/robots.txt") {
        features.add("S-name");
    } else if file != "/robots.txt" {
        features.add("S-root");
    }
    for parts in [&robots, &page] {
        if !parts.host.is_ascii() || parts.host.contains("xn--") {
            features.add("S-idn");
        }
        if parts.host.starts_with('[') || parts.host.starts_with(|c: char| c.is_ascii_digit()) {
            features.add("S-ip");
        }
        if parts.scheme == "ftp" {
            features.add("S-ftp");
        }
    }
    if robots.port.is_some() != page.port.is_some() {
        features.add("S-default-port");
    }
    if robots.host.ends_with(page.host) != page.host.ends_with(robots.host) {
        features.add("S-subdomain");
    }
}

struct Parts<'u> {
    scheme: &'u str,
    host: &'u str,
    port: Option<&'u str>,
    path: &'u str,
}

fn parts(url: &str) -> Parts<'_> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let port = authority.rfind(':').filter(|&colon| !authority[colon..].contains(']'));
    let (host, port) = match port {
        Some(colon) => (&authority[..colon], Some(&authority[colon + 1..])),
        None => (authority, None),
    };
    Parts { scheme, host, port, path }
}

fn of_visits(features: &mut Features, visits: &[crate::suite::TimedVisit]) {
    use robotspec_mock_server::{Body, Location};
    const DAY: u64 = 24 * 60 * 60;
    for visit in visits {
        let answer = &visit.visit.answer;
        if answer.fault.is_some() {
            features.add("H-failure");
        }
        if matches!(answer.body, Some(Body::MetaRefresh | Body::Frame | Body::Script)) {
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
        if answer.missing_pages >= 500 {
            features.add("H-5xx-as-404");
        }
        if answer.headers.keys().any(|name| name.eq_ignore_ascii_case("cache-control")) {
            features.add("C-max-age");
        }
        match answer.status {
            503 => features.add("H-503"),
            429 => features.add("H-429"),
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
