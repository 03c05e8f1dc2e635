//! Rows about access.

use std::collections::BTreeMap;

use robotspec_reference::access::Seconds;
use serde::Deserialize;

use crate::check::Check;
use crate::expected::Expected;
use crate::query::Query;
#[cfg(feature = "schema")]
use crate::schema::AccessOutcome;
use crate::suite::load::case::{ByEdition, CaseLoader, OneOrMany};
use crate::timed_visit::{TimedVisit, paths, read_outcome};
use crate::visit::Visit;
use crate::yaml::Loaded;

row_format! {
    /// A query about visits: what may the agent fetch after them?
    #[schema("AccessRow"), expecting("a row: `{id, visits, outcome}`")]
    pub struct AccessRowFormat {
        /// The agent.
        pub agent: Option<String>,
        /// What the server does at each visit, in the order of time. The query is sent at the time of the last one.
        #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
        pub visits: Vec<VisitFormat>,
        /// `full-allow`, `full-disallow`, `conditional` (on the file that disallows `/private`), a path (on the file that
        /// disallows it), or `unspecified`.
        #[cfg_attr(feature = "schema", schemars(with = "ByEdition<AccessOutcome>"))]
        pub outcome: ByEdition<String>,
        /// The questions that make the row `unspecified`.
        pub question: Option<OneOrMany>,
        /// The outcome for each answer to the question.
        #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, AccessOutcome>>"))]
        pub gives: Option<BTreeMap<String, String>>,
    }
}

/// A visit.
#[derive(Debug, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "TimedVisit", deny_unknown_fields)
)]
#[serde(rename_all = "kebab-case", expecting = "a visit: `{at, hops, location, answer}`")]
pub struct VisitFormat {
    /// The time in hours (`25h`) or days (`31d`) from the start; the start if absent.
    pub at: Option<String>,
    /// Whether the other pages of the site can be fetched; `true` if absent.
    pub site_answers: Option<bool>,
    /// What the server does.
    #[serde(flatten)]
    pub visit: Visit,
}

pub(in crate::suite) fn load(case: &CaseLoader, rows: &[AccessRowFormat]) -> Loaded<Vec<Check>> {
    case.load_each("access", rows, |part, row| {
        let visits = load_visits(case, part, &row.visits)?;
        let paths = paths(&visits);
        let words: Vec<&String> = match &row.outcome {
            ByEdition::Same(word) => vec![word],
            ByEdition::Each(words) => words.values().collect(),
        };
        if let Some(word) = words.into_iter().find(|word| read_outcome(word, &paths).is_none()) {
            let message = format!(
                "`{word}` is not an outcome; write `full-allow`, `full-disallow`, `conditional`, `unspecified`, or a path that a file of these visits disallows"
            );
            return Err(case.loader.error(&format!("{part}.outcome"), message));
        }
        let outcome = |word: String| Expected::Access(read_outcome(&word, &paths).unwrap_or_default());
        let stated = case.load_stated(part, ("outcome", &row.outcome), &row.question, &row.gives, outcome)?;
        case.load_row(part, Some(&row.id), &row.clauses, stated, || {
            Ok(Query::Access {
                visits: visits.into(),
                agent: case.load_agent(part, &row.agent)?,
                paths: paths.clone().into(),
            })
        })
    })
}

fn load_visits(case: &CaseLoader, part: &str, written: &[VisitFormat]) -> Loaded<Vec<TimedVisit>> {
    let mut visits: Vec<TimedVisit> = Vec::new();
    for (index, written) in written.iter().enumerate() {
        let part = format!("{part}.visits[{index}]");
        let at = written.at.as_deref().map_or(Ok(0), read_time);
        let at = at.map_err(|error| case.loader.error(&format!("{part}.at"), error))?;
        if visits.last().is_some_and(|earlier| earlier.at > at) {
            return Err(case.loader.error(&part, "the visit is before the one above it; sort the visits"));
        }
        let site_answers = written.site_answers.unwrap_or(true);
        visits.push(TimedVisit { at, site_answers, visit: written.visit.clone() });
    }
    if visits.is_empty() {
        return Err(case.loader.error(&format!("{part}.visits"), "give at least one visit"));
    }
    Ok(visits)
}

/// Reads `25h` or `31d`.
fn read_time(written: &str) -> Result<Seconds, String> {
    let hours = match written.strip_suffix('d') {
        Some(days) => days.parse::<u32>().map(|days| 24 * Seconds::from(days)),
        None => written.strip_suffix('h').unwrap_or_default().parse::<u32>().map(Seconds::from),
    };
    let hours = hours.map_err(|_| format!("`{written}` is not a time; write hours (`25h`) or days (`31d`)"));
    Ok(hours? * 60 * 60)
}
