//! A finding as a case, ready to be checked in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use robotspec_mock_server::Visit;
use robotspec_reference::{Edition, Question, RobotsTxt, Ruling};
use serde_yaml::{Mapping, Value};

use crate::cost::NO_ANSWER;
use crate::examine::batch_request;
use crate::finding::Finding;
use crate::judge::{self, Kind};
use robotspec_cases::clause::Clause;
use robotspec_cases::suite::write::{put, written_file};
use robotspec_cases::suite::{Expected, ExpectedAccess, Request, TimedVisit, load};

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
    /// words for it, or a run would not fail: as for an answer that takes long, but comes.
    pub fn case(&self) -> Option<String> {
        let request = match (self.class.kind, &self.request) {
            // What is answered in the end passes.
            (Kind::Cost, _) if !self.got.starts_with(NO_ANSWER) => return None,
            (Kind::Relation(relation), Request::Match { robots, agent, url }) => Request::Alike {
                twin: relation.rewrite(robots)?,
                robots: Arc::clone(robots),
                agent: agent.clone(),
                url: url.clone(),
            },
            (_, request) => request.clone(),
        };
        let text = self.written(&request)?;
        // What is written is what was found, or it is no case.
        let suite = load(Path::new("finding.yaml"), &text).ok()?;
        let row = suite.cases.first()?.rows.first()?;
        (row.request == request).then_some(text)
    }

    fn written(&self, request: &Request) -> Option<String> {
        let slug = self.slug();
        let mut case = Mapping::new();
        let clause = Clause::find(self.class.clause)?;
        let expected = self.expected_by_edition(clause, request);
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
        match request {
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
            Request::Alike { robots, twin, agent, url } => {
                put(&mut case, "robots", written_file(robots));
                put(&mut case, "twin", written_file(twin));
                put(&mut row, "agent", agent.clone());
                put(&mut row, "url", url.clone());
                put(&mut case, "alike", vec![Value::Mapping(row)]);
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
            Request::Access { visits, agent, .. } => {
                let visits: Option<Vec<Value>> = visits.iter().map(written_visit).collect();
                put(&mut row, "agent", agent.clone());
                put(&mut row, "visits", visits?);
                put(&mut row, "outcome", by_edition(&expected)?);
                put(&mut case, "access", vec![Value::Mapping(row)]);
            }
            Request::Grammar { .. } => return None,
        }
        let mut suite = Mapping::new();
        put(&mut suite, "suite", slug);
        put(&mut suite, "title", format!("{} in {}", self.class, self.class.implementation));
        put(&mut suite, "source", self.source(clause));
        put(&mut suite, "cases", vec![Value::Mapping(case)]);
        serde_yaml::to_string(&suite).ok()
    }

    /// What each edition expects that has the clause and decides; or, where none decides, each that has it.
    fn expected_by_edition(&self, clause: &Clause, request: &Request) -> BTreeMap<Edition, Expected> {
        if let Request::Alike { .. } = request {
            return self.editions.iter().map(|&edition| (edition, Expected::Alike)).collect();
        }
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
        if let Kind::Relation(_) = self.class.kind {
            about.push_str(&format!(" of the twin, and {} of the file", self.expected));
        }
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

/// A visit, with what is not as it is by default; none at a time that is no full hour.
fn written_visit(visit: &TimedVisit) -> Option<Value> {
    const HOUR: u64 = 60 * 60;
    let mut written = Mapping::new();
    if !visit.at.is_multiple_of(HOUR) {
        return None;
    }
    if visit.at > 0 {
        put(&mut written, "at", format!("{}h", visit.at / HOUR));
    }
    if !visit.site_answers {
        put(&mut written, "site-answers", false);
    }
    // By way of JSON, as YAML has tags for what the format writes as a name or a map.
    let given = serde_json::to_value(&visit.visit).ok()?;
    let default = serde_json::to_value(Visit::default()).ok()?;
    let other = serde_yaml::to_value(differing(given, &default)).ok()?;
    written.extend(other.as_mapping()?.clone());
    Some(Value::Mapping(written))
}

/// The entries that are not as they are by default.
fn differing(given: serde_json::Value, default: &serde_json::Value) -> serde_json::Value {
    let (serde_json::Value::Object(given), serde_json::Value::Object(default)) = (&given, default) else {
        return given;
    };
    let differs = |(key, value): &(&String, &serde_json::Value)| default.get(*key) != Some(*value);
    let below = |(key, value): (&String, &serde_json::Value)| {
        let default = default.get(key).unwrap_or(&serde_json::Value::Null);
        (key.clone(), differing(value.clone(), default))
    };
    given.iter().filter(differs).map(below).collect()
}

/// One word where all editions agree, or one for each.
fn by_edition(expected: &BTreeMap<Edition, Expected>) -> Option<Value> {
    let first = expected.values().next()?;
    if expected.values().all(|other| other == first) {
        return Some(Value::from(word(first)));
    }
    let mut words = Mapping::new();
    for (edition, expected) in expected {
        put(&mut words, edition.id(), word(expected));
    }
    Some(Value::Mapping(words))
}

/// What is expected, as a row says it.
fn word(expected: &Expected) -> String {
    match expected {
        Expected::Access(ExpectedAccess::Conditional(path)) => path.clone(),
        expected => expected.to_string(),
    }
}
