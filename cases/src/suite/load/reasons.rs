//! Loads the reasons of a row.

use std::collections::{BTreeMap, BTreeSet};

use robotspec_reference::{Choice, Edition, Question};

use serde::Deserialize;

use super::case::CaseLoader;
use crate::check::Deciding;
use crate::expected::Expected;
#[cfg(feature = "schema")]
use crate::schema::ClauseId;
use crate::yaml::Loaded;

/// What decides, in the plainest reading.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DecidedBy"))]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "what decides: `{lines, clauses, readings}`"
)]
pub struct DecidedByFormat {
    /// The numbers of the lines that name the agent and of the lines of the deciding rules, in order.
    pub lines: Vec<usize>,
    /// The clauses that apply, where an edition has them.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ClauseId>"))]
    pub clauses: Vec<String>,
    /// The number of readings that the reference has to distinguish; 1 where no question makes a difference.
    pub readings: Option<usize>,
}

impl CaseLoader<'_> {
    /// Returns the result of each answer to the question of a row: of every answer that an edition with `unspecified`
    /// admits.
    pub(in crate::suite) fn load_gives<T: Clone>(
        &self,
        part: &str,
        written: &Option<BTreeMap<String, T>>,
        questions: &[Question],
        expected: &BTreeMap<Edition, Expected>,
        outcome: impl Fn(T) -> Expected,
    ) -> Loaded<Vec<(Choice, Expected)>> {
        let Some(written) = written else { return Ok(Vec::new()) };
        let part = format!("{part}.gives");
        let [question] = questions else {
            return Err(self.loader.error(&part, "`gives` is about one question; name one `question`"));
        };
        let unspecified = expected.iter().filter(|(_, expected)| expected.is_unspecified());
        let admitted: BTreeSet<Choice> =
            unspecified.flat_map(|(&edition, _)| question.row().answers(edition)).copied().collect();
        if let Some(name) = written.keys().find(|name| admitted.iter().all(|answer| answer.id() != **name)) {
            let answers: Vec<_> = admitted.iter().map(|answer| answer.id()).collect();
            let message = format!("unknown answer `{name}` to {question}; available: {}", answers.join(", "));
            return Err(self.loader.error(&format!("{part}.{name}"), message));
        }
        let mut given = Vec::new();
        for answer in admitted {
            let Some(value) = written.get(answer.id()) else {
                let message = format!("the answer `{answer}` to {question} is missing; add it");
                return Err(self.loader.error(&part, message));
            };
            let value = outcome(value.clone());
            if value.is_unspecified() {
                let message = "an answer to the question leads to a definite result; replace `unspecified`";
                return Err(self.loader.error(&format!("{part}.{answer}"), message));
            }
            given.push((answer, value));
        }
        if given.iter().all(|(_, value)| *value == given[0].1) {
            let message = "every answer gives the same result, so the row does not depend on the question";
            return Err(self.loader.error(&part, message));
        }
        Ok(given)
    }

    /// Returns what decides a row.
    pub(in crate::suite) fn load_decided_by(
        &self,
        part: &str,
        written: Option<&DecidedByFormat>,
        expected: &BTreeMap<Edition, Expected>,
    ) -> Loaded<Option<Deciding>> {
        let Some(DecidedByFormat { lines, clauses, readings }) = written else { return Ok(None) };
        let part = format!("{part}.decided-by");
        if expected.values().all(Expected::is_unspecified) {
            let message = "no edition decides the row; write what each answer `gives` instead";
            return Err(self.loader.error(&part, message));
        }
        if !lines.is_sorted() || lines.first() == Some(&0) {
            return Err(self.loader.error(&format!("{part}.lines"), "number the lines from 1, in order"));
        }
        let find =
            |(index, id): (usize, &String)| self.loader.find_clause(&format!("{part}.clauses[{index}]"), id);
        let clauses = clauses.iter().enumerate().map(find).collect::<Result<_, _>>()?;
        Ok(Some(Deciding { lines: lines.clone(), clauses, readings: *readings }))
    }
}
