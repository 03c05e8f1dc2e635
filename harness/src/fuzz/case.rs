//! A finding as a case, ready to be checked in.

use std::collections::BTreeMap;
use std::path::Path;

use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};
use serde_yaml::{Mapping, Value};

use crate::clause::Clause;
use crate::fuzz::examine::batch_request;
use crate::fuzz::finding::Finding;
use crate::fuzz::judge::{self, Kind};
use crate::suite::{Expected, Request, load};

impl Finding {
    /// The name of its file, without an extension; other findings of a run have others.
    pub fn slug(&self) -> String {
        let words = format!("{} {}", self.class.implementation, self.class);
        let mut slug = String::new();
        for c in words.chars().map(|c| c.to_ascii_lowercase()) {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.trim_matches('-').to_owned()
    }

    /// A file of cases that this implementation fails and the reference passes; none where the format has no
    /// words for it, as for the cost of an answer, or for two files whose answer is open.
    pub fn case(&self) -> Option<String> {
        if matches!(self.class.kind, Kind::Cost | Kind::Relation(_)) {
            return None;
        }
        let text = self.written()?;
        // What is written is what was found, or it is no case.
        let suite = load(Path::new("finding.yaml"), &text).ok()?;
        let row = suite.cases.first()?.rows.first()?;
        (row.request == self.request).then_some(text)
    }

    fn written(&self) -> Option<String> {
        let slug = self.slug();
        let mut case = Mapping::new();
        let clause = Clause::find(self.class.clause)?;
        let expected = self.expected_by_edition(clause);
        put(&mut case, "id", "found");
        put(&mut case, "clauses", vec![self.class.clause]);
        put(&mut case, "about", self.about());
        put(&mut case, "editions", expected.keys().map(|edition| edition.id()).collect::<Vec<_>>());
        if matches!(self.request, Request::Match { .. } | Request::Sitemaps { .. }) {
            // Minimal as it is, a rewriting may well hide what was found.
            put(&mut case, "variants", "none");
        }
        let mut row = Mapping::new();
        put(&mut row, "id", "row");
        let questions: Vec<String> = self.questions(&expected);
        match &self.request {
            Request::Match { robots, agent, url } => {
                put(&mut case, "robots", written_file(robots));
                put(&mut row, "agent", agent.clone());
                put(&mut row, "url", url.clone());
                put(&mut row, "expect", by_edition(&expected)?);
                if !questions.is_empty() {
                    put(&mut row, "question", questions);
                }
                put(&mut case, "rows", vec![Value::Mapping(row)]);
            }
            Request::Scope { robots_url, url } => {
                put(&mut case, "robots-url", robots_url.clone());
                put(&mut row, "url", url.clone());
                put(&mut row, "governs", by_edition(&expected)?);
                put(&mut case, "scope", vec![Value::Mapping(row)]);
            }
            Request::Sitemaps { robots } => {
                let Expected::Sitemaps { certain, open } = &self.expected else { return None };
                if !open.is_empty() {
                    return None;
                }
                put(&mut case, "robots", written_file(robots));
                put(&mut case, "sitemaps", certain.clone());
            }
            Request::Access { .. } | Request::Grammar { .. } => return None,
        }
        let mut suite = Mapping::new();
        put(&mut suite, "suite", slug);
        put(&mut suite, "title", format!("{} in {}", self.class, self.class.implementation));
        put(&mut suite, "source", self.source(clause));
        put(&mut suite, "cases", vec![Value::Mapping(case)]);
        serde_yaml::to_string(&suite).ok()
    }

    /// What each edition expects that has the clause and decides; or, where none decides, each that has it.
    fn expected_by_edition(&self, clause: &Clause) -> BTreeMap<Edition, Expected> {
        let mut expected: BTreeMap<Edition, Expected> = Edition::ALL
            .into_iter()
            .filter(|&edition| clause.section(edition).is_some())
            .filter_map(|edition| {
                Some((edition, judge::expectations(edition, &batch_request(&self.request)).pop()?))
            })
            .collect();
        if let Request::Sitemaps { .. } = self.request {
            expected.retain(|_, expected| *expected == self.expected);
        }
        if expected.values().any(|expected| !expected.is_unspecified()) {
            expected.retain(|_, expected| !expected.is_unspecified());
        }
        expected
    }

    /// The questions that leave it open.
    fn questions(&self, expected: &BTreeMap<Edition, Expected>) -> Vec<String> {
        let Request::Match { robots, agent, url } = &self.request else { return Vec::new() };
        let mut questions: Vec<Question> = Vec::new();
        for (&edition, expected) in expected {
            if *expected == Expected::Ruling(Ruling::Unspecified)
                && let Ok(explanation) = RobotsTxt::parse(robots).explain(edition, agent, url)
            {
                questions.extend(explanation.doubts.iter().map(|doubt| doubt.question));
            }
        }
        questions.sort();
        questions.dedup();
        questions.into_iter().map(Question::id).collect()
    }

    fn about(&self) -> String {
        let mut about = format!("Found by fuzzing {}, which says {}", self.class.implementation, self.got);
        if let Some((question, answer)) = self.class.answers {
            about.push_str(&format!(", as if {question} were answered {answer}"));
        }
        about + "."
    }

    fn source(&self, clause: &Clause) -> String {
        let sections = self
            .editions
            .iter()
            .filter_map(|&edition| Some(format!("{edition}, {}", clause.section(edition)?)));
        let sections: Vec<String> = sections.collect();
        if sections.is_empty() { self.edition.title().to_owned() } else { sections.join("; ") }
    }
}

fn put(mapping: &mut Mapping, key: &str, value: impl Into<Value>) {
    mapping.insert(Value::from(key), value.into());
}

/// One word where all editions agree, or one for each.
fn by_edition(expected: &BTreeMap<Edition, Expected>) -> Option<Value> {
    let first = expected.values().next()?;
    if expected.values().all(|other| other == first) {
        return Some(Value::from(first.to_string()));
    }
    let mut words = Mapping::new();
    for (edition, expected) in expected {
        put(&mut words, edition.id(), expected.to_string());
    }
    Some(Value::Mapping(words))
}

/// A text where YAML can hold it; octets in an escaped form otherwise, with long runs as parts.
fn written_file(file: &[u8]) -> Value {
    let is_plain =
        |c: char| c == '\n' || !c.is_control() && (c == ' ' || !c.is_whitespace()) && c != '\u{FEFF}';
    if let Some(runs) = runs(file) {
        return runs;
    }
    match std::str::from_utf8(file) {
        Ok(text) if text.chars().all(is_plain) && text.ends_with('\n') && !text.starts_with([' ', '\n']) => {
            Value::from(text)
        }
        _ => {
            let mut form = Mapping::new();
            put(&mut form, "escaped", escaped(file));
            Value::Mapping(form)
        }
    }
}

/// The escaped form of a file.
fn escaped(file: &[u8]) -> String {
    let mut text = String::with_capacity(file.len());
    for &octet in file {
        match octet {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(octet)),
            _ => text.push_str(&format!("\\x{octet:02x}")),
        }
    }
    text
}

/// A line that is repeated, or an octet within one, this often is written as such.
const LONG_RUN: usize = 32;

/// A file with a long run in it, in parts; none where it has none.
fn runs(file: &[u8]) -> Option<Value> {
    let mut parts: Vec<Value> = Vec::new();
    let mut rest = file;
    let mut plain: Vec<u8> = Vec::new();
    let flush = |plain: &mut Vec<u8>, parts: &mut Vec<Value>| {
        if !plain.is_empty() {
            let mut form = Mapping::new();
            put(&mut form, "escaped", escaped(plain));
            parts.push(Value::Mapping(form));
            plain.clear();
        }
    };
    while let Some(&first) = rest.first() {
        let line = rest.iter().position(|&octet| octet == b'\n').map_or(rest.len(), |end| end + 1);
        let unit = &rest[..line];
        let lines = rest.chunks_exact(line).take_while(|chunk| *chunk == unit).count();
        let octets = rest.iter().take_while(|&&octet| octet == first).count();
        let (unit, times) = if lines > LONG_RUN { (unit, lines) } else { (&rest[..1], octets) };
        if times <= LONG_RUN {
            plain.push(first);
            rest = &rest[1..];
            continue;
        }
        flush(&mut plain, &mut parts);
        let mut form = Mapping::new();
        put(&mut form, "repeat", String::from_utf8(unit.to_vec()).ok()?);
        put(&mut form, "times", times as u64);
        parts.push(Value::Mapping(form));
        rest = &rest[unit.len() * times..];
    }
    if parts.is_empty() {
        return None;
    }
    flush(&mut plain, &mut parts);
    let mut form = Mapping::new();
    put(&mut form, "parts", parts);
    Some(Value::Mapping(form))
}
