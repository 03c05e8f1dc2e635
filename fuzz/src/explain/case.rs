//! A finding as a file of cases.

use std::collections::BTreeMap;
use std::path::Path;
use std::slice;
use std::sync::Arc;

use robotspec::{Answer, KnownFailures};
use robotspec_cases::shard::stable_hash;
use robotspec_cases::suite::load;
use robotspec_cases::suite::write::{open_questions, put, written_expectation, written_file};
use robotspec_cases::visit::Visit;
use robotspec_cases::{CheckId, Clause, Expected, Level, Query, TimedVisit};
use robotspec_reference::Edition;
use serde_yaml::{Mapping, Value};

use crate::explain::finding::Finding;
use crate::oracle::expectation::expect;

/// The id of the case of a finding, and of its row.
const CASE: &str = "found";
const ROW: &str = "row";

/// The longest name of an implementation that is a part of the name of a file as it is.
const LONGEST_NAME: usize = 60;

impl Finding {
    /// Returns the name of the file of the finding, without an extension. Each class has its own: where the words of two
    /// classes could become the same, a number follows that depends on the exact name of the implementation.
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
        let slug = slug.trim_matches('-');
        let name = &self.class.implementation;
        let is_plain = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        if name.len() <= LONGEST_NAME && name.split('-').all(is_plain) {
            return slug.to_owned();
        }
        let start = &slug[..slug.floor_char_boundary(LONGEST_NAME)];
        format!("{}-{:016x}", start.trim_matches('-'), stable_hash(&words))
    }

    /// Returns the row of the case of the finding, by which a list of known failures names it. All findings of a class have
    /// the same row. `None` for a time-out, which is not a case.
    pub fn row(&self) -> Option<CheckId> {
        self.class.clause?;
        let is_case_a_row = matches!(self.query, Query::Sitemaps { .. });
        let row = (!is_case_a_row).then(|| ROW.into());
        Some(CheckId { suite: self.slug().into(), case: CASE.into(), row, variant: None })
    }

    /// Returns whether a list of known failures has the finding in every edition that it breaks. No list has a time-out.
    pub fn is_known(&self, known: &KnownFailures) -> bool {
        let editions = match self.editions[..] {
            [] => slice::from_ref(&self.edition),
            _ => &self.editions,
        };
        self.row().is_some_and(|row| editions.iter().all(|&edition| known.has_row(&row, edition)))
    }

    /// Returns a file of cases that the implementation fails and the reference passes.
    ///
    /// `None` where the format cannot express the finding. A case states what an edition requires, and no edition requires
    /// an answer within a time.
    pub fn case(&self) -> Option<String> {
        let query = match (self.class.relation, &self.query) {
            (Some(relation), Query::Match { robots, agent, url }) => Query::Alike {
                twin: relation.rewrite(robots)?,
                robots: Arc::clone(robots),
                agent: agent.clone(),
                url: url.clone(),
            },
            (_, query) => query.clone(),
        };
        let text = self.write_suite(&query)?;
        // The loader must read the query that was found.
        let suite = load(Path::new("finding.yaml"), &text).ok()?;
        let row = suite.cases.first()?.rows.first()?;
        (row.query == query).then_some(text)
    }

    fn write_suite(&self, query: &Query) -> Option<String> {
        let clause = Clause::find(self.class.clause?)?;
        let expected = self.expected_by_edition(clause, query);
        let mut case = Mapping::new();
        put(&mut case, "id", CASE);
        // A permission alone requires no answer, so such a case also cites what decides.
        let is_permission = |edition: &Edition| clause.level(*edition) == Some(Level::May);
        let decides = match query {
            Query::Match { .. } => "M-prefix",
            Query::Usage { .. } => "M-usage-path",
            _ => "M-default",
        };
        let decides = expected.keys().any(is_permission).then_some(decides);
        put(&mut case, "clauses", Vec::from_iter(self.class.clause.into_iter().chain(decides)));
        put(&mut case, "about", self.about());
        put(&mut case, "editions", expected.keys().map(|edition| edition.id()).collect::<Vec<_>>());
        if matches!(self.query, Query::Match { .. } | Query::Sitemaps { .. } | Query::Usage { .. }) {
            // The file is minimal, so a variant may well hide what was found.
            put(&mut case, "variants", "none");
        }
        self.write_query(query, &expected, &mut case)?;
        let mut suite = Mapping::new();
        put(&mut suite, "suite", self.slug());
        put(&mut suite, "title", format!("{} in {}", self.class, self.class.implementation));
        put(&mut suite, "source", self.source(clause));
        put(&mut suite, "cases", vec![Value::Mapping(case)]);
        serde_yaml::to_string(&suite).ok()
    }

    fn write_query(
        &self,
        query: &Query,
        expected: &BTreeMap<Edition, Expected>,
        case: &mut Mapping,
    ) -> Option<()> {
        let mut row = Mapping::new();
        put(&mut row, "id", ROW);
        let rows = match query {
            Query::Match { robots, agent, url } => {
                put(case, "robots", written_file(robots));
                put(&mut row, "agent", agent.as_str());
                put(&mut row, "url", url.as_str());
                put(&mut row, "expect", written_expectation(expected)?);
                let questions = open_questions(robots, agent, url, expected);
                if !questions.is_empty() {
                    put(&mut row, "question", questions);
                }
                "rows"
            }
            Query::Alike { robots, twin, agent, url } => {
                put(case, "robots", written_file(robots));
                put(case, "twin", written_file(twin));
                put(&mut row, "agent", agent.as_str());
                put(&mut row, "url", url.as_str());
                "alike"
            }
            Query::Scope { robots_url, url } => {
                put(case, "robots-url", robots_url.as_str());
                put(&mut row, "url", url.as_str());
                put(&mut row, "governs", written_expectation(expected)?);
                "scope"
            }
            Query::Sitemaps { robots } => {
                let Expected::Sitemaps(sitemaps) = &self.expected else { return None };
                if !sitemaps.optional.is_empty() {
                    return None;
                }
                put(case, "robots", written_file(robots));
                put(case, "sitemaps", sitemaps.required.clone());
                return Some(());
            }
            Query::Usage { robots, agent, url } => {
                let Expected::Usage(Some(preferences)) = &self.expected else { return None };
                put(case, "robots", written_file(robots));
                put(&mut row, "agent", agent.as_str());
                put(&mut row, "url", url.as_str());
                put(&mut row, "preferences", Vec::from_iter(preferences.clone()));
                "usage"
            }
            Query::Access { visits, agent, .. } => {
                let visits: Option<Vec<Value>> = visits.iter().map(write_visit).collect();
                put(&mut row, "agent", agent.as_str());
                put(&mut row, "visits", visits?);
                put(&mut row, "outcome", written_expectation(expected)?);
                "access"
            }
            Query::Grammar { .. } => return None,
        };
        put(case, rows, vec![Value::Mapping(row)]);
        Some(())
    }

    /// Returns what each edition that has the clause expects. Editions that do not specify it are left out where
    /// another one does.
    fn expected_by_edition(&self, clause: &Clause, query: &Query) -> BTreeMap<Edition, Expected> {
        if let Query::Alike { .. } = query {
            return self.editions.iter().map(|&edition| (edition, Expected::Alike)).collect();
        }
        let editions = Edition::ALL.into_iter().filter(|&edition| clause.section(edition).is_some());
        let mut expected: BTreeMap<Edition, Expected> =
            editions.map(|edition| (edition, expect(edition, query))).collect();
        if let Query::Sitemaps { .. } | Query::Usage { .. } = query {
            expected.retain(|_, expected| *expected == self.expected);
        }
        if expected.values().any(|expected| !expected.is_unspecified()) {
            expected.retain(|_, expected| !expected.is_unspecified());
        }
        expected
    }

    fn about(&self) -> String {
        let mut about = format!("Found by fuzzing {}, which answers ", self.class.implementation);
        about.push_str(&match &self.got {
            Ok(Answer::Alike { file, twin }) => {
                format!("{twin} for the twin and {file} for the file")
            }
            Ok(answer) => answer.to_string(),
            Err(fault) => fault.to_string(),
        });
        if let Some(choice) = self.class.answers {
            about.push_str(&format!(", as if the answer to {} were {choice}", choice.question));
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

/// Returns a visit without what is as by default. The result is `None` where its time is not a full hour.
fn write_visit(visit: &TimedVisit) -> Option<Value> {
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
    // Through JSON, because YAML has tags where the format has a name or a map.
    let given = serde_json::to_value(&visit.visit).ok()?;
    let default = serde_json::to_value(Visit::default()).ok()?;
    let other = serde_yaml::to_value(without_defaults(given, &default)).ok()?;
    written.extend(other.as_mapping()?.clone());
    Some(Value::Mapping(written))
}

/// Returns the entries that differ from the defaults.
fn without_defaults(given: serde_json::Value, default: &serde_json::Value) -> serde_json::Value {
    let (serde_json::Value::Object(given), serde_json::Value::Object(default)) = (&given, default) else {
        return given;
    };
    let differs = |(key, value): &(&String, &serde_json::Value)| default.get(*key) != Some(*value);
    let below = |(key, value): (&String, &serde_json::Value)| {
        let default = default.get(key).unwrap_or(&serde_json::Value::Null);
        (key.clone(), without_defaults(value.clone(), default))
    };
    given.iter().filter(differs).map(below).collect()
}
