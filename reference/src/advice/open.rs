//! Answers that the edition does not specify.

use std::collections::BTreeMap;

use super::facts::{Facts, ORDINARY, example};
use super::{Advice, Meaning, Severity};
use crate::question::Question;
use crate::ruling::{DecidedBy, Ruling};

/// The number of answers that are explained, at most: an explanation takes longer than a ruling.
const EXPLAINED: usize = 20;

/// Returns advice about each question on which the answer to a query depends: at the first odd name for a question about
/// names, else at the line that decides in the plainest reading.
pub(super) fn answers(facts: &Facts) -> Vec<Advice> {
    let mut found: BTreeMap<Question, Advice> = BTreeMap::new();
    let mut explained = 0;
    for agent in facts.agents.iter().map(String::as_str).chain([ORDINARY]) {
        let rules = facts.robots.for_agent(facts.edition, agent);
        for path in &facts.paths {
            if explained == EXPLAINED {
                return found.into_values().collect();
            }
            if rules.ruling(path) != Ok(Ruling::Unspecified) {
                continue;
            }
            explained += 1;
            let Ok(explanation) = facts.robots.explain(facts.edition, agent, path) else { continue };
            // The advice about split groups covers several groups for `*`.
            let mut doubts = explanation.doubts.iter().filter(|doubt| doubt.question != Question::StarGroups);
            let Some(doubt) = doubts.next() else { continue };
            if found.contains_key(&doubt.question) {
                continue;
            }
            let decision = &explanation.decision;
            let line = match &decision.by {
                _ if let Some(line) = odd_name(facts, doubt.question) => line,
                DecidedBy::Rule { rule, .. } => rule.line,
                _ => decision.agent_lines.first().copied().unwrap_or(1),
            };
            found.insert(
                doubt.question,
                Advice {
                    line,
                    other_line: None,
                    severity: Severity::Warning,
                    meaning: Meaning::UnspecifiedAnswer { question: doubt.question },
                    example: example(agent, path),
                },
            );
        }
    }
    found.into_values().collect()
}

/// Returns the line of the first name that raises a question about names.
fn odd_name(facts: &Facts, question: Question) -> Option<usize> {
    let is_about_names =
        matches!(question, Question::AgentSuffix | Question::AgentText | Question::AgentOther);
    let mut names = facts.groups.iter().flat_map(|group| &group.names);
    let odd = names.find(|name| !name.is_token() && !name.is("*"));
    odd.filter(|_| is_about_names).map(|name| name.line)
}
