//! Tables of expectations about one robots.txt: agents, URLs, and whether the agent may fetch the URL.
//!
//! The owner of a site writes such a table, as YAML or CSV. A table and the file become a [suite](suite()) whose checks are
//! judged as any other, so that a run and its reports work for it too.

mod csv;
mod propose;
mod suite;
mod yaml;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use robotspec_reference::{Edition, RobotsTxt, Verdict};

use crate::yaml::FileError;

pub use propose::propose;
pub use suite::suite;

/// A table of expectations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationTable {
    /// The file of the table.
    pub file: PathBuf,
    /// The expectations, in the order of the file. There is at least one.
    pub rows: Vec<Expectation>,
}

/// An expectation: whether an agent may fetch a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The line of the table, from 1.
    pub line: usize,
    /// A product token.
    pub agent: String,
    /// An absolute URL, or a path, as it is written.
    pub url: String,
    /// The expected answer.
    pub verdict: Verdict,
}

/// A row before it is checked: the place of each cell, and its text.
struct Cells {
    agent: Cell,
    url: Cell,
    expect: Cell,
}

/// The text of a cell and its line and column.
struct Cell {
    text: String,
    place: (usize, usize),
}

/// Reads a table: CSV where the name of the file ends in `.csv`, else YAML.
///
/// # Errors
///
/// The text is not such a table. The error has the place and the fix.
pub fn read(file: &Path, text: &str) -> Result<ExpectationTable, FileError> {
    let is_csv = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let written = if is_csv { csv::read(file, text)? } else { yaml::read(file, text)? };
    if written.is_empty() {
        let message = "the table has no expectation; `robotspec expect --init robots.txt` proposes some";
        return Err(error(file, (0, 0), message));
    }
    let mut seen: HashMap<(String, String), usize> = HashMap::new();
    let mut rows = Vec::new();
    for cells in written {
        let row = check(file, cells)?;
        rows.push(row.0);
        let Expectation { line, agent, url, .. } = &rows[rows.len() - 1];
        if let Some(earlier) = seen.insert((agent.to_ascii_lowercase(), url.clone()), *line) {
            let message = format!("line {earlier} has the same agent and URL; remove one of the two");
            return Err(error(file, row.1, message));
        }
    }
    Ok(ExpectationTable { file: file.to_owned(), rows })
}

/// Checks a row. Returns it with its place.
fn check(file: &Path, cells: Cells) -> Result<(Expectation, (usize, usize)), FileError> {
    let Cells { agent, url, expect } = cells;
    if agent.text.is_empty() || agent.text == "*" {
        let message = "an expectation is about one crawler: write its product token, such as `Googlebot`, or for all \
                       crawlers that the file does not name, a name of your choice";
        return Err(error(file, agent.place, message));
    }
    if let Err(not_a_url) = RobotsTxt::parse(b"").ruling(Edition::Rfc9309, &agent.text, &url.text) {
        return Err(error(file, url.place, not_a_url.to_string()));
    }
    let verdict = match &*expect.text {
        "allow" => Verdict::Allow,
        "disallow" => Verdict::Disallow,
        other => {
            let message = format!("`{other}` is not an expected answer; write `allow` or `disallow`");
            return Err(error(file, expect.place, message));
        }
    };
    Ok((Expectation { line: agent.place.0, agent: agent.text, url: url.text, verdict }, agent.place))
}

fn error(file: &Path, (line, column): (usize, usize), message: impl Into<String>) -> FileError {
    FileError { file: file.to_owned(), line, column, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(name: &str, text: &str) -> Result<Vec<(usize, String)>, String> {
        let table = read(Path::new(name), text).map_err(|error| error.to_string())?;
        let row = |row: &Expectation| (row.line, format!("{} {} {}", row.agent, row.url, row.verdict));
        Ok(table.rows.iter().map(row).collect())
    }

    #[test]
    fn both_forms_of_a_table_have_the_same_rows() {
        let yaml = "expectations:\n- {agent: A, url: \"/a,b\", expect: allow}\n- {agent: B, url: /, expect: disallow}\n";
        let csv = "agent,url,expect\nA,\"/a,b\",allow\r\nB,/,disallow\n";
        let expected = vec![(2, "A /a,b allow".to_owned()), (3, "B / disallow".to_owned())];
        assert_eq!(rows("t.yaml", yaml), Ok(expected.clone()));
        assert_eq!(rows("t.CSV", csv), Ok(expected));
    }

    #[test]
    fn a_mistake_is_reported_with_its_place_and_the_fix() {
        let row = |cells: &str| format!("expectations:\n  - {{{cells}}}\n");
        for (name, text, message) in [
            ("t.yaml", "expectations: []\n".to_owned(), "t.yaml: the table has no expectation"),
            ("t.yaml", row("agent: A, url: /"), "t.yaml:2:5: expectations[0]: missing field `expect`"),
            ("t.yaml", row("agent: A, url: /, expect: maybe"), "t.yaml:2:24: `maybe` is not an expected answer"),
            ("t.yaml", row("agent: A, url: a, expect: allow"), "t.yaml:2:16: `a` is not an absolute URL"),
            ("t.yaml", row("agent: \"*\", url: /, expect: allow"), "t.yaml:2:6: an expectation is about one crawler"),
            (
                "t.yaml",
                "expectations:\n- {agent: A, url: /, expect: allow}\n- {agent: a, url: /, expect: disallow}\n".to_owned(),
                "t.yaml:3:4: line 2 has the same agent and URL",
            ),
            ("t.csv", "agent,url\n".to_owned(), "t.csv:1: the first line must name the columns"),
            ("t.csv", "agent,url,expect\nA,/\n".to_owned(), "t.csv:2: the line has 2 cells"),
            ("t.csv", "expect,agent,url\nallow,A,b\n".to_owned(), "t.csv:2:9: `b` is not an absolute URL"),
            ("t.csv", "agent,url,expect\nA,\"/,allow\n".to_owned(), "t.csv:2:3: the quotation mark is not closed"),
            ("t.csv", "agent,url,expect\nA,\"/\"x,allow\n".to_owned(), "t.csv:2:6: a quoted cell ends before"),
        ] {
            let error = rows(name, &text).expect_err(&text);
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
