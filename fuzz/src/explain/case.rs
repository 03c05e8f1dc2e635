//! A finding as a file of cases.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io, slice};

use robotspec::{Answer, KnownFailures, replace};
use robotspec_cases::shard::stable_hash;
use robotspec_cases::suite::load;
use robotspec_cases::suite::write_case::{CaseToWrite, ROW, suite_of};
use robotspec_cases::{CheckId, Clause, Expected, Level, Query};
use robotspec_reference::{Choice, Edition};

use crate::explain::finding::Finding;
use crate::oracle::expectation::expect;

/// The id of the case of a finding.
const CASE: &str = "found";

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

    /// Writes the file of cases into a folder, if the format can express the finding.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        let Some(case) = self.case() else { return Ok(()) };
        let file = folder.join(format!("{}.yaml", self.slug()));
        // No one expects the name of a finding to lead to another file, or to a pipe.
        if fs::symlink_metadata(&file).is_ok_and(|found| !found.is_file()) {
            fs::remove_file(&file)?;
        }
        replace::write(&file, case)
    }

    fn write_suite(&self, query: &Query) -> Option<String> {
        let clause = Clause::find(self.class.clause?)?;
        let expected = self.expected_by_edition(clause, query);
        // A permission alone requires no answer, so such a case also cites what decides.
        let is_permission = |edition: &Edition| clause.level(*edition) == Some(Level::May);
        let decides = match query {
            Query::Match { .. } => "M-prefix",
            Query::Usage { .. } => "M-usage-path",
            _ => "M-default",
        };
        let decides = expected.keys().any(is_permission).then_some(decides);
        let case = CaseToWrite {
            id: CASE,
            clauses: self.class.clause.into_iter().chain(decides).collect(),
            about: Some(self.about()),
            // The file is minimal, so a variant may well hide what was found.
            has_variants: !matches!(
                self.query,
                Query::Match { .. } | Query::Sitemaps { .. } | Query::Usage { .. }
            ),
            query,
            expected: &expected,
        };
        let title = format!("{} in {}", self.class, self.class.implementation);
        let section = |&edition: &Edition| Some(format!("{edition}, {}", clause.section(edition)?));
        let sections: Vec<String> = self.editions.iter().filter_map(section).collect();
        let source = if sections.is_empty() { self.edition.title() } else { &sections.join("; ") };
        suite_of(&self.slug(), &title, source, vec![case.write()?])
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
        let answer = match &self.got {
            Ok(Answer::Alike { file, twin }) => format!("{twin} for the twin and {file} for the file"),
            Ok(answer) => answer.to_string(),
            Err(fault) => fault.to_string(),
        };
        let as_if = |choice: Choice| format!(", as if the answer to {} were {choice}", choice.question);
        let as_if = self.class.answers.map(as_if).unwrap_or_default();
        format!("Found by fuzzing {}, which answers {answer}{as_if}.", self.class.implementation)
    }
}
