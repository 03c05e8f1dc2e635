//! The clauses that a query brings into play.
//!
//! Every part of a minimised query is necessary, so its most unusual feature is what the implementation gets wrong. The
//! minimiser never adds a more unusual feature, so it does not slide from one divergence to another.

use std::collections::HashSet;

use memchr::{memchr_iter, memmem};
use robotspec_cases::visit::{Body, Location, Visit};
use robotspec_cases::{Clause, Query, TimedVisit};
use robotspec_reference::bytes::{BOM, escape, is_token_byte};
use robotspec_reference::scan::{Field, Line, LineKind, Parts};
use robotspec_reference::{
    DecidedBy, Decision, Edition, Prevails, Reading, RobotsTxt, RuleCitation, UrlParts, WhichGroups,
    split_lines,
};

/// Returns the clauses of an edition that a query brings into play, the most unusual first.
pub fn clauses_in_play(edition: Edition, query: &Query) -> Vec<&'static str> {
    features(edition, query).clauses_of(edition).collect()
}

/// Returns the clauses that a query brings into play in an edition.
pub(crate) fn features(edition: Edition, query: &Query) -> Features {
    let facts = Facts::of(edition, query);
    let shown = FEATURES.iter().enumerate().filter(|(_, (_, is_shown_by))| is_shown_by(&facts));
    Features(shown.fold(0, |features, (place, _)| features | 1 << place))
}

/// A set of clauses that a query brings into play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Features(u128);

impl Features {
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
        let features = FEATURES.iter().enumerate().filter(move |(place, _)| self.0 & 1 << place != 0);
        features.map(|(_, (clause, _))| *clause)
    }

    /// Returns the most unusual clause that the edition contains.
    pub(crate) fn clause(self, edition: Edition) -> &'static str {
        self.first(edition).unwrap_or("M-default")
    }

    fn first(self, edition: Edition) -> Option<&'static str> {
        self.clauses_of(edition).next()
    }

    fn clauses_of(self, edition: Edition) -> impl Iterator<Item = &'static str> {
        let has = move |id: &&str| Clause::find(id).is_some_and(|clause| clause.section(edition).is_some());
        self.clauses().filter(has)
    }
}

/// The size in bytes above which a parser may not read the whole file.
const LARGE: usize = 64 << 10;

/// The smallest size limit that an edition admits, in bytes.
const LIMIT: usize = 500_000;

const DAY: u64 = 24 * 60 * 60;

/// Returns whether a query brings a clause into play.
type IsInPlay = fn(&Facts) -> bool;

/// The clauses that a query can bring into play, each with what shows that it does; the most unusual first.
const FEATURES: &[(&str, IsInPlay)] = &[
    ("L-size", |query| query.file.len() > LIMIT),
    ("L-size-minimum", |query| query.file.len() > LARGE),
    ("L-bom", |query| query.file.starts_with(BOM)),
    ("L-encoding", |query| query.has_line(|line, _| has_odd_bytes(line.text))),
    // Many libraries split a text at other characters, too.
    ("L-eol", |query| query.has_line(|line, _| line.end != b"\n" || has_other_line_end(line.text))),
    ("L-field-case", |query| {
        query.has_line(|_, parts| {
            parts.known_field().is_some() && parts.field.iter().any(u8::is_ascii_uppercase)
        })
    }),
    ("L-typo", |query| query.has_line(|_, parts| is_other_field(parts) && is_near_miss(&parts.field))),
    ("G-nongroup", |query| {
        let is_in_head = |pair: &[LineKind]| pair == [LineKind::Known(Field::UserAgent), LineKind::Other];
        query.has_line(|_, parts| parts.known_field() == Some(Field::Sitemap))
            || query.records(|kind| *kind == LineKind::Other).windows(2).any(is_in_head)
    }),
    ("L-unknown", |query| {
        query.has_line(|_, parts| is_other_field(parts) && !is_near_miss(&parts.field))
            || query.prevails(Prevails::Extension)
    }),
    ("L-valid-only", |query| {
        query.has_line(|_, parts| parts.colon.is_none() && parts.kind() == LineKind::Other)
    }),
    ("L-comment", |query| query.has_line(|_, parts| parts.comment.is_some())),
    ("L-trim", |query| query.has_line(is_spaced)),
    ("L-record", |query| query.has_line(is_spaced)),
    ("G-blank", |query| {
        query.has_line(|_, parts| matches!(parts.kind(), LineKind::Blank | LineKind::Comment))
    }),
    ("G-orphan", |query| query.records(|_| false).first().is_some_and(|kind| !is_user_agent(kind))),
    ("G-run", |query| query.records(|_| false).windows(2).any(|pair| pair.iter().all(is_user_agent))),
    ("G-empty-last", |query| query.records(|_| false).last().is_some_and(is_user_agent)),
    ("A-required", |query| query.names.contains(&&b""[..])),
    ("A-suffix", |query| {
        query.names.iter().any(|name| matches!(split_token(name), (1.., Some(b'/' | b'*'))))
    }),
    ("A-token", |query| {
        let is_odd = |name: &&[u8]| match split_token(name) {
            (0, Some(_)) => *name != b"*",
            (_, next) => !matches!(next, None | Some(b'/' | b'*')),
        };
        query.names.iter().any(is_odd) || query.agent.is_some_and(|agent| !agent.bytes().all(is_token_byte))
    }),
    ("A-adsbot", |query| {
        let start = query.agent.and_then(|agent| agent.get(..6));
        start.is_some_and(|start| start.eq_ignore_ascii_case("adsbot"))
    }),
    ("G-merge", |query| {
        let mut known = HashSet::new();
        query.agent.is_some() && !query.names.iter().all(|name| known.insert(name.to_ascii_lowercase()))
    }),
    ("A-case", |query| query.has_name(|name, agent| name != agent && name.eq_ignore_ascii_case(agent))),
    ("A-specific", |query| {
        query.has_name(|name, agent| name != b"*" && (is_start(name, agent) || is_start(agent, name)))
    }),
    ("M-robots-txt", |query| {
        query.path() == Some(b"/robots.txt") || query.is_decided_by(|by| *by == DecidedBy::RobotsTxtItself)
    }),
    ("M-no-full-url", |query| query.paths.iter().any(|path| is_full_url(path))),
    ("M-root", |query| {
        let is_without_root = |path: &&[u8]| !path.is_empty() && !path.starts_with(b"/");
        query.paths.iter().any(|path| is_without_root(path) && !is_full_url(path))
            || query.path().is_some_and(|path| !path.starts_with(b"/"))
    }),
    ("M-literal", |query| query.has_escape(|digits| matches!(digits, [b'2', b'a' | b'A' | b'4']))),
    ("M-non-ascii", |query| {
        query.has_path(|path| !path.is_ascii()) || query.has_escape(is_escape_of_non_ascii)
    }),
    ("M-percent", |query| {
        query.has_escape(|digits| {
            !matches!(digits, [b'2', b'a' | b'A' | b'4']) && !is_escape_of_non_ascii(digits)
        })
    }),
    ("M-query", |query| {
        query.has_path(|path| path.contains(&b'?')) || query.url.is_some_and(|url| url.fragment().is_some())
    }),
    ("M-case", |query| {
        let differs_in_case = |rule: &[u8], path: &[u8]| {
            let start = path.get(..rule.len());
            start.is_some_and(|start| start != rule && start.eq_ignore_ascii_case(rule))
        };
        query.path().is_some_and(|path| query.paths.iter().any(|rule| differs_in_case(rule, path)))
    }),
    ("M-empty", |query| query.paths.contains(&&b""[..])),
    ("O-tie", |query| query.prevails(Prevails::EqualLength)),
    ("O-wildcard", |query| {
        let has_wildcard = |rule: &RuleCitation| rule.path.contains('*');
        query.prevails(Prevails::Wildcard)
            || query.is_decided_by(|by| {
                let DecidedBy::Rule { rule, over: Some(over), .. } = by else { return false };
                has_wildcard(rule) || has_wildcard(over)
            })
    }),
    ("O-longest", |query| query.prevails(Prevails::Longest)),
    ("M-dollar", |query| query.paths.iter().any(|path| path.contains(&b'$'))),
    ("M-star", |query| query.paths.iter().any(|path| before_trailing_stars(path).contains(&b'*'))),
    ("M-trailing-star", |query| query.paths.iter().any(|path| path.ends_with(b"*"))),
    ("O-duplicates", |query| query.has_equal_paths),
    ("G-merge-alone", |query| query.agent.is_some() && query.names.len() > 1),
    ("G-end", |query| query.agent.is_some() && query.names.len() > 1),
    ("A-one", |query| {
        query.reads(WhichGroups::Named) || query.has_name(|name, agent| name.eq_ignore_ascii_case(agent))
    }),
    ("A-none", |query| query.reads(WhichGroups::None)),
    ("M-first-octet", |query| query.is_decided_by(|by| *by == DecidedBy::Default)),
    ("M-default", |query| query.is_decided_by(|by| *by == DecidedBy::Default)),
    ("M-prefix", |query| query.is_decided_by(|by| *by != DecidedBy::RobotsTxtItself)),
    ("A-star", |query| query.reads(WhichGroups::Star) || query.has_name(|name, _| name == b"*")),
    ("S-name", |query| query.has_scope(|robots, _| !robots.from_path().ends_with("/robots.txt"))),
    ("S-root", |query| {
        query.has_scope(|robots, _| {
            robots.from_path() != "/robots.txt" && robots.from_path().ends_with("/robots.txt")
        })
    }),
    ("S-idn", |query| query.has_host(|host| !host.is_ascii() || host.contains("xn--"))),
    ("S-ip", |query| query.has_host(|host| host.starts_with(|c: char| c == '[' || c.is_ascii_digit()))),
    ("S-ftp", |query| {
        query.has_scope(|robots, url| [robots, url].map(UrlParts::scheme).contains(&Some("ftp")))
    }),
    ("S-default-port", |query| {
        query.has_scope(|robots, url| robots.port().is_some() != url.port().is_some())
    }),
    ("S-subdomain", |query| {
        query.has_scope(|robots, url| {
            let [robots, url] = [robots, url].map(|url| url.host().unwrap_or_default());
            robots.ends_with(url) != url.ends_with(robots)
        })
    }),
    ("S-origin", |query| query.has_scope(|_, _| true)),
    ("S-sitemap", |query| matches!(query.query, Query::Sitemaps { .. })),
    ("M-usage-path", |query| matches!(query.query, Query::Usage { .. })),
    ("H-failure", |query| query.has_visit(|visit| visit.response.fault.is_some())),
    ("H-html-redirect", |query| {
        let is_redirect = |body: &Body| matches!(body, Body::MetaRefresh | Body::Frame | Body::Script);
        query.has_visit(|visit| visit.response.body.as_ref().is_some_and(is_redirect))
    }),
    ("H-3xx-disallowed", |query| {
        query.has_visit(|visit| visit.location == Location::Disallowed && !visit.hops.is_empty())
    }),
    ("H-3xx-many", |query| query.has_visit(|visit| visit.hops.len() > 5)),
    ("H-3xx", |query| query.has_visit(|visit| (1..=5).contains(&visit.hops.len()))),
    ("H-5xx-as-404", |query| query.has_visit(|visit| visit.response.missing_pages >= 500)),
    ("C-max-age", |query| {
        let is_about_age = |name: &String| name.eq_ignore_ascii_case("cache-control");
        query.has_visit(|visit| visit.response.headers.keys().any(is_about_age))
    }),
    ("C-longer", |query| query.lasts().is_some_and(|time| time > DAY)),
    ("C-24h", |query| query.lasts().is_some()),
    ("H-30-days", |query| query.lasts().is_some_and(|time| time > 30 * DAY)),
    // The class of the status is in play too, because not every edition has these clauses.
    ("H-503", |query| query.has_status(|status| status == 503)),
    ("H-429", |query| query.has_status(|status| status == 429)),
    ("H-5xx", |query| query.has_status(|status| status / 100 == 5)),
    ("H-4xx", |query| query.has_status(|status| status / 100 == 4)),
    ("H-2xx", |query| query.has_status(|status| !matches!(status / 100, 4 | 5))),
];

/// What a query is about, as far as a feature depends on it.
struct Facts<'q> {
    query: &'q Query,
    file: &'q [u8],
    lines: Vec<(Line<'q>, Parts<'q>)>,
    /// The values of the user-agent lines.
    names: Vec<&'q [u8]>,
    /// The paths of the rules, without duplicates.
    paths: Vec<&'q [u8]>,
    has_equal_paths: bool,
    agent: Option<&'q str>,
    url: Option<UrlParts<'q>>,
    /// The decision in the plainest reading.
    decision: Option<Decision>,
}

impl<'q> Facts<'q> {
    fn of(edition: Edition, query: &'q Query) -> Self {
        let file = query.file().map_or(&[][..], |file| file);
        let lines: Vec<(Line, Parts)> =
            split_lines(file.strip_prefix(BOM).unwrap_or(file)).map(|line| (line, line.parts())).collect();
        let (mut names, mut paths, mut known) = (Vec::new(), Vec::new(), HashSet::new());
        let mut has_equal_paths = false;
        for (_, parts) in &lines {
            match parts.known_field() {
                Some(Field::UserAgent) => names.push(parts.value.text),
                Some(Field::Rule(_)) if known.insert(parts.value.text) => paths.push(parts.value.text),
                Some(Field::Rule(_)) => has_equal_paths = true,
                _ => {}
            }
        }
        let (agent, url) = match query {
            Query::Match { agent, url, .. } | Query::Usage { agent, url, .. } => {
                (Some(&**agent), Some(&**url))
            }
            _ => (None, None),
        };
        let decide = |agent, url| RobotsTxt::parse(file).decide(&Reading::plainest(edition), agent, url).ok();
        let decision = match query {
            Query::Match { agent, url, .. } => decide(agent, url),
            _ => None,
        };
        let url = url.map(UrlParts::split);
        Facts { query, file, lines, names, paths, has_equal_paths, agent, url, decision }
    }

    fn has_line(&self, is_such: impl Fn(&Line, &Parts) -> bool) -> bool {
        self.lines.iter().any(|(line, parts)| is_such(line, parts))
    }

    /// Returns the kinds of the user-agent lines and the rules, and of some other lines.
    fn records(&self, others: fn(&LineKind) -> bool) -> Vec<LineKind> {
        let is_of_group =
            |kind: &LineKind| matches!(kind, LineKind::Known(Field::UserAgent | Field::Rule(_)));
        let kinds = self.lines.iter().map(|(_, parts)| parts.kind());
        kinds.filter(|kind| is_of_group(kind) || others(kind)).collect()
    }

    /// Returns whether a name in the file is in this relation to the agent of the query.
    fn has_name(&self, is_such: fn(&[u8], &[u8]) -> bool) -> bool {
        self.agent.is_some_and(|agent| self.names.iter().any(|name| is_such(name, agent.as_bytes())))
    }

    /// Returns the path of the URL, and what follows it.
    fn path(&self) -> Option<&'q [u8]> {
        self.url.map(|url| url.from_path().as_bytes())
    }

    /// Returns whether the path of a rule or of the URL is such a one.
    fn has_path(&self, is_such: impl Fn(&[u8]) -> bool) -> bool {
        self.paths.iter().copied().chain(self.path()).any(is_such)
    }

    fn has_escape(&self, is_such: fn([u8; 2]) -> bool) -> bool {
        self.has_path(|path| memchr_iter(b'%', path).filter_map(|at| escape(&path[at..])).any(is_such))
    }

    fn reads(&self, groups: WhichGroups) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.groups == groups)
    }

    fn is_decided_by(&self, is_such: impl Fn(&DecidedBy) -> bool) -> bool {
        self.decision.as_ref().is_some_and(|decision| is_such(&decision.by))
    }

    fn prevails(&self, by: Prevails) -> bool {
        self.is_decided_by(|decided| matches!(decided, DecidedBy::Rule { why, .. } if *why == by))
    }

    /// Returns whether the query is a scope query whose URLs are such ones.
    fn has_scope(&self, is_such: impl Fn(&UrlParts, &UrlParts) -> bool) -> bool {
        let Query::Scope { robots_url, url } = self.query else { return false };
        is_such(&UrlParts::split(robots_url), &UrlParts::split(url))
    }

    fn has_host(&self, is_such: fn(&str) -> bool) -> bool {
        self.has_scope(|robots, url| [robots, url].iter().any(|url| is_such(url.host().unwrap_or_default())))
    }

    fn visits(&self) -> &'q [TimedVisit] {
        if let Query::Access { visits, .. } = self.query { visits } else { &[] }
    }

    fn has_visit(&self, is_such: impl Fn(&Visit) -> bool) -> bool {
        self.visits().iter().any(|visit| is_such(&visit.visit))
    }

    fn has_status(&self, is_such: fn(u16) -> bool) -> bool {
        self.has_visit(|visit| is_such(visit.response.status))
    }

    /// Returns the time between the first and the last of several visits, in seconds.
    fn lasts(&self) -> Option<u64> {
        if let [first, .., last] = self.visits() { Some(last.at - first.at) } else { None }
    }
}

fn is_user_agent(kind: &LineKind) -> bool {
    *kind == LineKind::Known(Field::UserAgent)
}

fn is_other_field(parts: &Parts) -> bool {
    parts.colon.is_some() && parts.known_field().is_none()
}

/// Returns whether the name is similar to that of a known field.
fn is_near_miss(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    Field::ALL.iter().any(|(known, _)| {
        name.starts_with(known)
            || name.len().abs_diff(known.len()) <= 4 && strsim::levenshtein(&name, known) <= 2
    })
}

/// Returns whether a record is not written as `field: value`.
fn is_spaced(line: &Line, parts: &Parts) -> bool {
    let space: &[u8] = if parts.value.is_empty() { b"" } else { b" " };
    let content = parts.comment.map_or(line.text, |comment| &line.text[..comment.start - line.start]);
    parts.known_field().is_some() && content != [parts.field.text, b":", space, parts.value.text].concat()
}

/// Returns whether a text contains a character that some libraries take for the end of a line.
fn has_other_line_end(line: &[u8]) -> bool {
    let is_line_end =
        |c: char| matches!(c, '\x0B' | '\x0C' | '\x1C'..='\x1E' | '\u{85}' | '\u{2028}' | '\u{2029}');
    std::str::from_utf8(line).is_ok_and(|line| line.contains(is_line_end))
}

/// Returns whether a text is not UTF-8, or contains control characters other than tabs and ends of lines.
fn has_odd_bytes(line: &[u8]) -> bool {
    let is_control = |c: char| c.is_ascii_control() && c != '\t';
    !std::str::from_utf8(line).is_ok_and(|text| has_other_line_end(line) || !text.contains(is_control))
}

/// Returns the length of the product token that a name starts with, and the byte after it.
fn split_token(name: &[u8]) -> (usize, Option<u8>) {
    let token = name.iter().take_while(|&&byte| is_token_byte(byte)).count();
    (token, name.get(token).copied())
}

/// Returns whether a name is the start of another one, without regard to case.
fn is_start(start: &[u8], name: &[u8]) -> bool {
    !start.is_empty() && name.len() > start.len() && name[..start.len()].eq_ignore_ascii_case(start)
}

fn is_full_url(path: &[u8]) -> bool {
    memmem::find(path, b"://").is_some()
}

fn is_escape_of_non_ascii(digits: [u8; 2]) -> bool {
    matches!(digits[0], b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F')
}

fn before_trailing_stars(path: &[u8]) -> &[u8] {
    let stars = path.iter().rev().take_while(|&&byte| byte == b'*').count();
    &path[..path.len() - stars]
}
