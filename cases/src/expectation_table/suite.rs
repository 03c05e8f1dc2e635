//! A table of expectations and a robots.txt as a suite of checks.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use robotspec_reference::{Edition, Reading, RobotsTxt, Ruling};

use super::{Expectation, ExpectationTable};
use crate::check::{Case, Row, Suite};
use crate::check_id::CheckId;
use crate::clause::{Clause, ClauseKind};
use crate::expected::Expected;
use crate::level::Level;
use crate::query::Query;
use crate::suite::Reasons;

/// The id of the suite.
const SUITE: &str = "expect";

/// The id of its case where the name of the table has no letter or digit.
const CASE: &str = "table";

/// The length of an id, at most, in bytes.
const LONGEST_ID: usize = 80;

/// The origin of a URL that is only a path, as in the cases.
const DEFAULT_ORIGIN: &str = "http://example.com";

/// The clauses that a row cites where those that decide do not require the answer.
const ALWAYS_REQUIRED: [&str; 2] = ["M-prefix", "M-default"];

/// Returns the suite of a table: one case with a row for each expectation, which is named after its line,
/// agent and URL. Every edition is
/// expected to answer as the table says, and each row cites a clause that decides it and that all editions require.
pub fn suite(table: &ExpectationTable, robots: &Arc<[u8]>, editions: &[Edition]) -> Suite {
    let case = case_id(&table.file);
    let parsed = RobotsTxt::parse(robots);
    let mut of_line: HashMap<usize, usize> = HashMap::new();
    let row = |row: &Expectation| {
        let count = of_line.entry(row.line).or_default();
        *count += 1;
        let place = match count {
            1 => format!("line-{}", row.line),
            // A line of YAML may have several.
            count => format!("line-{}-{count}", row.line),
        };
        let id = words(&format!("{place} {} {}", row.agent, row.url));
        let origin = if row.url.starts_with('/') { DEFAULT_ORIGIN } else { "" };
        let url = format!("{origin}{}", row.url);
        let expected = Expected::Ruling(Ruling::from(row.verdict));
        Row {
            id: CheckId {
                suite: SUITE.into(),
                case: case.as_str().into(),
                row: Some(id.into()),
                variant: None,
            },
            clauses: deciding_clause(&parsed, row, &url, editions).into_iter().collect(),
            query: Query::Match { robots: Arc::clone(robots), agent: row.agent.clone(), url },
            expected: editions.iter().map(|&edition| (edition, expected.clone())).collect(),
            questions: Vec::new(),
            reasons: Reasons::default(),
        }
    };
    let rows: Vec<Row> = table.rows.iter().map(row).collect();
    let case = Case {
        name: format!("{SUITE}/{case}"),
        clauses: Vec::new(),
        about: None,
        editions: editions.to_vec(),
        google_specific: false,
        rows,
        has_variants: false,
    };
    Suite {
        id: SUITE.into(),
        title: "Expectations about a robots.txt".to_owned(),
        source: table.file.to_string_lossy().into_owned(),
        cases: vec![case],
    }
}

/// Returns the name of a table without its extension as an id.
fn case_id(file: &Path) -> String {
    match words(&file.file_stem().unwrap_or_default().to_string_lossy()) {
        id if id.is_empty() => CASE.to_owned(),
        id => id,
    }
}

/// Returns the start of a text as an id: in lower case, with a hyphen between two words.
fn words(text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut id = words.collect::<Vec<_>>().join("-");
    // An id has no character outside ASCII.
    id.truncate(LONGEST_ID);
    id.trim_end_matches('-').to_owned()
}

/// Returns the clause of the last step of the decision that every edition that has it requires. With a weaker clause, a
/// wrong answer would only depart from a recommendation.
fn deciding_clause(
    robots: &RobotsTxt,
    row: &Expectation,
    url: &str,
    editions: &[Edition],
) -> Option<&'static Clause> {
    let first = *editions.first()?;
    let decision = robots.decide(&Reading::plainest(first), &row.agent, url).ok();
    let deciding = decision.map(|decision| decision.clauses()).unwrap_or_default().into_iter().rev();
    let mut clauses = deciding.chain(ALWAYS_REQUIRED).filter_map(Clause::find);
    clauses.find(|clause| {
        let mut levels = editions.iter().map(|edition| clause.level(*edition));
        clause.kind != ClauseKind::NotTestable && levels.all(|level| level == Some(Level::Must))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation_table::read;

    #[test]
    fn every_row_has_a_clause_that_all_editions_require() {
        let robots: Arc<[u8]> = Arc::from(
            &b"user-agent: A\nallow: /a\ndisallow: /a\ndisallow: /*.b$\n\nuser-agent: *\ndisallow: /\n"[..],
        );
        let text = "agent,url,expect\nA,/a,allow\nA,/x.b,allow\nA,/c,allow\nB,/,allow\nA,/robots.txt,allow\n";
        let table = read(Path::new("My table.csv"), text).expect("a table");
        for editions in [&Edition::ALL[..], &[Edition::Rfc9309]] {
            let suite = suite(&table, &robots, editions);
            let rows = &suite.cases[0].rows;
            assert_eq!(rows[0].id.to_string(), "expect/my-table#line-2-a-a");
            assert_eq!(rows.len(), 5);
            for row in rows {
                assert_eq!(row.clauses.len(), 1, "{}", row.id);
                assert!(editions.iter().all(|edition| row.level(*edition) == Level::Must), "{}", row.id);
            }
        }
    }

    #[test]
    fn rows_of_one_line_have_different_ids() {
        let text = "expectations: [{agent: A, url: /, expect: allow}, {agent: B, url: /, expect: allow}]\n";
        let table = read(Path::new("é.yaml"), text).expect("a table");
        let suite = suite(&table, &Arc::from(&b""[..]), &[Edition::Rfc9309]);
        let ids: Vec<String> = suite.cases[0].rows.iter().map(|row| row.id.to_string()).collect();
        assert_eq!(ids, ["expect/table#line-1-a", "expect/table#line-1-2-b"]);
    }
}
