//! Proposes a table of expectations for a robots.txt.

use std::collections::BTreeSet;

use robotspec_reference::witness::{product_tokens, rule_paths};
use robotspec_reference::{Edition, RobotsTxt, Ruling};

use crate::visible::visible;

/// The agent that stands for all agents that the file does not name.
const ORDINARY: &str = "ExampleBot";

/// The number of agents and of paths of a proposal, at most. A longer table is not read by anybody.
const AGENTS: usize = 10;
const PATHS: usize = 30;

/// Returns a table as YAML: for agents that the file names and an ordinary one, the root and a path for each rule, with the
/// answers of an edition. A row whose answer the edition does not specify is a comment.
pub fn propose(robots: &[u8], edition: Edition) -> String {
    let parsed = RobotsTxt::parse(robots);
    let mut agents: Vec<String> = unique(product_tokens(robots));
    let mut paths = unique(["/".to_owned()].into_iter().chain(rule_paths(robots)));
    let left_out = [(agents.len(), AGENTS, "agents"), (paths.len(), PATHS, "paths")];
    let left_out = left_out.into_iter().filter(|(count, most, _)| count > most);
    let mut text = format!(
        "# What {edition} answers. Compare each row with what you mean, and remove those that do not matter.\n"
    );
    for (count, most, what) in left_out {
        text += &format!("# {} more {what} of the file are left out.\n", count - most);
    }
    agents.truncate(AGENTS);
    agents.push(ORDINARY.to_owned());
    paths.truncate(PATHS);
    let mut rows = String::new();
    let mut has_row = false;
    for agent in &agents {
        for path in &paths {
            let Ok(ruling) = parsed.ruling(edition, agent, path) else { continue };
            let cells = |answer: &str| {
                format!("{{agent: {}, url: {}, expect: {answer}}}", quoted(agent), quoted(path))
            };
            rows += &match ruling {
                Ruling::Unspecified => format!("  # unspecified: - {}\n", cells("")),
                definite => {
                    has_row = true;
                    format!("  - {}\n", cells(definite.id()))
                }
            };
        }
    }
    text + if has_row { "expectations:\n" } else { "expectations: []\n" } + &rows
}

/// Removes repetitions.
fn unique(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    texts.into_iter().filter(|text| seen.insert(text.clone())).collect()
}

/// Returns a text as YAML writes it: as it is where it consists of harmless characters, else in quotation marks.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '=' | '~');
    // `-` or `.` alone, a number, or `no` is not a text.
    let is_text =
        text.starts_with('/') || text.len() > 3 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_word = !["true", "false", "null"].contains(&&*text.to_ascii_lowercase());
    match text.chars().all(is_plain) && is_text && is_word {
        true => text.to_owned(),
        false => format!("\"{}\"", visible(text).replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::expectation_table::read;

    #[test]
    fn a_proposal_is_a_table_with_the_answers_of_the_edition() {
        let robots = b"user-agent: no\nuser-agent: Foo/2\ndisallow: /a*b$\nallow: /a, \"b\n\nuser-agent: *\ndisallow: /x\n";
        let text = propose(robots, Edition::Rfc9309);
        let table = read(Path::new("t.yaml"), &text).expect(&text);
        let parsed = RobotsTxt::parse(robots);
        for row in &table.rows {
            let ruling = parsed.ruling(Edition::Rfc9309, &row.agent, &row.url);
            assert_eq!(ruling, Ok(row.verdict.into()), "{text}");
        }
        let agents: BTreeSet<&str> = table.rows.iter().map(|row| &*row.agent).collect();
        assert_eq!(agents, BTreeSet::from(["ExampleBot", "Foo", "no"]));
    }

    #[test]
    fn an_open_answer_is_a_comment() {
        let text = propose("\u{feff}user-agent: *\ndisallow: /fish\n".as_bytes(), Edition::Rfc9309);
        assert!(text.contains("  # unspecified: - {agent: ExampleBot, url: /fish, expect: }\n"), "{text}");
        assert!(propose(b"", Edition::Rfc9309).contains("- {agent: ExampleBot, url: /, expect: allow}"));
    }
}
