//! Strict readers of 1994 and 1996: parsers that follow the words of the text and drop each line that it does not derive,
//! as their authors might have read "A Standard for Robot Exclusion" and draft-koster-robots-00. Nothing may accuse one.

use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Query, checks};
use robotspec_fuzz::Source;
use robotspec_fuzz::generate::Shares;
use robotspec_reference::Edition;
use robotspec_test_support::extent::is_long;

use super::strict::failures;
use crate::searches::{describe, make, plan, search_quietly};

/// A parser that follows the text of 1994 or of 1996.
#[derive(Debug, Clone, Copy, PartialEq)]
enum OldReader {
    Of1994,
    Of1996,
}

use OldReader::{Of1994, Of1996};

/// A line that the text derives.
enum Line {
    Blank,
    Comment,
    Agent(String),
    Rule {
        allows: bool,
        path: Vec<u8>,
    },
    /// In 1996, another field is a rule line, too.
    Extension,
}

/// One or more user-agent lines, and the rules after them.
#[derive(Default)]
struct Record {
    agents: Vec<String>,
    rules: Vec<(bool, Vec<u8>)>,
    has_rule_line: bool,
}

impl Parser for OldReader {
    fn info(&self) -> Info {
        Info::named(format!("{self:?}"))
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let records = self.records(robots);
        Ok(queries.iter().map(|query| Verdict::from(self.allows(&records, query.agent, query.url))).collect())
    }
}

impl OldReader {
    /// "The format logically consists of a non-empty set or records, separated by blank lines."
    fn records(self, robots: &[u8]) -> Vec<Record> {
        let mut records = vec![Record::default()];
        let text: Vec<u8> =
            String::from_utf8_lossy(robots).replace("\r\n", "\n").replace('\r', "\n").into_bytes();
        // Bytes that are not UTF-8 are not ASCII, either.
        for line in text.split(|byte| *byte == b'\n').filter_map(|line| self.line(line)) {
            let record = records.last_mut().expect("the first record");
            match line {
                Line::Blank => records.push(Record::default()),
                // The agents of a record are before its rules.
                Line::Agent(agent) if !record.has_rule_line => record.agents.push(agent),
                Line::Rule { allows, path } if !record.agents.is_empty() => {
                    record.has_rule_line = true;
                    record.rules.push((allows, path));
                }
                Line::Extension if !record.agents.is_empty() => record.has_rule_line |= self == Of1996,
                Line::Agent(_) | Line::Rule { .. } | Line::Extension | Line::Comment => {}
            }
        }
        // 1994: "At least one Disallow field needs to be present in a record." 1996: `1*ruleline`.
        records.retain(|record| record.has_rule_line);
        records
    }

    fn line(self, line: &[u8]) -> Option<Line> {
        // 1996: `CHAR = <any US-ASCII character (octets 0 - 127)>`
        if self == Of1996 && !line.is_ascii() {
            return None;
        }
        let line = String::from_utf8_lossy(line).into_owned();
        let is_space = |c: char| c == ' ' || c == '\t';
        let (text, comment) =
            line.split_once('#').map_or((&*line, None), |(text, comment)| (text, Some(comment)));
        let text = text.trim_end_matches(is_space);
        if text.is_empty() {
            return Some(if comment.is_some() { Line::Comment } else { Line::Blank });
        }
        let (field, value) = text.split_once(':')?;
        let value = value.trim_start_matches(is_space);
        match &*field.to_ascii_lowercase() {
            "user-agent" => (!value.is_empty() && (self == Of1994 || value.chars().all(is_token)))
                .then(|| Line::Agent(value.to_ascii_lowercase())),
            // `disallowline`; an example has one without a path.
            "disallow" => self.rule(false, value),
            // `rpath = "/" path`
            "allow" if self == Of1996 && value.starts_with('/') => self.rule(true, value),
            "allow" if self == Of1996 => None,
            _ => (self == Of1994 || !field.is_empty() && field.chars().all(is_token))
                .then_some(Line::Extension),
        }
    }

    fn rule(self, allows: bool, path: &str) -> Option<Line> {
        // The table of 1996 has a `~`, which its grammar does not.
        let is_path = |c: char| c.is_ascii_alphanumeric() || "$-_.+!*'(),:@&=/%~".contains(c);
        let is_escape = |rest: &str| {
            rest.len() >= 2 && rest.as_bytes()[..2].iter().all(|digit| digit.is_ascii_hexdigit())
        };
        let is_derived = path.chars().all(is_path) && path.split('%').skip(1).all(is_escape);
        (self == Of1994 || is_derived).then(|| Line::Rule { allows, path: path.as_bytes().to_vec() })
    }

    fn allows(self, records: &[Record], agent: &str, url: &str) -> bool {
        let name = agent.to_ascii_lowercase();
        let names = |record: &&Record| record.agents.iter().any(|agent| agent.contains(&name));
        let is_for_all = |record: &&Record| record.agents.iter().any(|agent| agent == "*");
        let Some(record) = records.iter().find(names).or_else(|| records.iter().find(is_for_all)) else {
            return true;
        };
        let url = url.split('#').next().unwrap_or_default();
        let path =
            url.split_once("://").map_or(url, |(_, rest)| rest.find(['/', '?']).map_or("", |at| &rest[at..]));
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        if self == Of1994 {
            let starts = |rule: &[u8]| !rule.is_empty() && path.as_bytes().starts_with(rule);
            return !record.rules.iter().any(|(_, rule)| starts(rule));
        }
        // "the path portion of the URL"
        let path = path.split([';', '?']).next().unwrap_or_default();
        let starts = |rule: &[u8]| !rule.is_empty() && decoded(path.as_bytes()).starts_with(&decoded(rule));
        let first = record.rules.iter().find(|(_, rule)| starts(rule));
        path == "/robots.txt" || first.is_none_or(|(allows, _)| *allows)
    }
}

/// `token = 1*<any CHAR except CTLs or tspecials>`
fn is_token(c: char) -> bool {
    c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?={}".contains(c)
}

/// "If a %xx encoded octet is encountered it is unencoded prior to comparison, unless it is the "/" character". Each unit
/// is a byte, and whether it belongs to an escape that is not decoded.
fn decoded(path: &[u8]) -> Vec<(u8, bool)> {
    let mut decoded = Vec::new();
    let mut rest = path;
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = match value.filter(|_| *first == b'%') {
            Some(b'/') => {
                decoded.extend(rest[..3].iter().map(|byte| (*byte, true)));
                &rest[3..]
            }
            Some(value) => {
                decoded.push((value, false));
                &rest[3..]
            }
            None => {
                decoded.push((*first, false));
                after
            }
        };
    }
    decoded
}

const READERS: [(Edition, OldReader); 2] = [(Edition::Koster1994, Of1994), (Edition::Koster1996, Of1996)];

#[test]
fn no_row_or_variant_accuses_a_strict_reader_of_an_old_text() {
    let mut checks = checks(built_in().expect("the embedded suites are sound"), true);
    checks.retain(|check| matches!(check.query, Query::Match { .. } | Query::Alike { .. }));
    for (edition, reader) in READERS {
        let wrong = failures(edition, &reader, &checks);
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn no_search_accuses_a_strict_reader_of_an_old_text() {
    let runs = if is_long() { 400_000 } else { 20_000 };
    for (edition, reader) in READERS {
        let mut plan = plan(edition, 1996, runs);
        plan.source = Source::Generated(Shares { large: 1, limits: 1, ..Shares::NONE });
        let report = search_quietly(plan, make(move || reader));
        assert!(report.findings.is_empty(), "in {edition}:\n{}", describe(&report.findings));
    }
}
