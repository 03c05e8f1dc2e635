//! The reasons of an answer, in sentences.

use crate::{brief, grouped, visible};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::reading::{MOST_LIMITS, MOST_READINGS, MOST_STEPS};
use robotspec_reference::{DecidedBy, Decision, Prevails, RuleCitation, Ruling, ScopeReason, WhichGroups};

/// How many line numbers of a list are written.
const NUMBERS: usize = 10;

/// Returns a number with a noun, in the plural where it is not 1.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Returns the reasons of a ruling: how the decision came about; or, where the ruling is unspecified, the questions on
/// which it turns.
pub fn reasons(explanation: &Explanation) -> Vec<String> {
    match &explanation.doubts[..] {
        [] => sentences(explanation),
        doubts => doubts.iter().map(|doubt| doubt.question.row().asks.to_owned()).collect(),
    }
}

/// Returns how the decision of the plainest reading came about. Where the reference gave up, that comes first.
pub fn sentences(explanation: &Explanation) -> Vec<String> {
    let bounds = format!(
        "this file has more readings than the reference evaluates, which are {} combinations of answers, at {MOST_LIMITS} \
         size limits, in {} steps; so its ruling is unspecified, also where the plainest reading decides",
        grouped(MOST_READINGS),
        grouped(MOST_STEPS)
    );
    let exceeds_bounds = explanation.ruling == Ruling::Unspecified && explanation.doubts.is_empty();
    exceeds_bounds.then_some(bounds).into_iter().chain(of_decision(&explanation.decision)).collect()
}

/// Returns how a decision came about: the group, and the rule in it that decided.
fn of_decision(decision: &Decision) -> Vec<String> {
    let lines = || list(&decision.agent_lines);
    let group = match decision.groups {
        WhichGroups::None => "no group is for this agent".to_owned(),
        WhichGroups::Star => format!("no group names this agent, so the `*` group applies ({})", lines()),
        WhichGroups::Named => format!("the group that names this agent applies ({})", lines()),
    };
    let decided = match &decision.by {
        DecidedBy::Default if decision.rules == 0 => "there is no rule to obey".to_owned(),
        DecidedBy::Default if decision.rules == 1 => "its only rule does not match".to_owned(),
        DecidedBy::Default => format!("none of its {} rules matches", decision.rules),
        DecidedBy::RobotsTxtItself => "the robots.txt itself is always allowed".to_owned(),
        DecidedBy::Rule { rule, over, why } => {
            let over = over.as_ref().map(cited).unwrap_or_default();
            match why {
                Prevails::Alone => format!("{} matches", cited(rule)),
                Prevails::Longest => format!("{} matches, and is longer than {over}", cited(rule)),
                Prevails::EqualLength => format!("{} matches, and is as long as {over}", cited(rule)),
                Prevails::Extension => format!("line {} is a record of an extension", rule.line),
                Prevails::First => format!("{} is the first rule that matches, before {over}", cited(rule)),
                Prevails::Wildcard => {
                    format!("{} matches, and prevails over {over}, as a wildcard takes part", cited(rule))
                }
            }
        }
    };
    vec![group, decided]
}

/// Returns what decides whether a robots.txt governs a URL, and the id of the clause that says so.
pub fn about_scope(because: ScopeReason) -> (&'static str, &'static str) {
    match because {
        ScopeReason::Location => {
            ("the file is not `/robots.txt`, in the top-level folder of its host", "S-root")
        }
        ScopeReason::Scheme => ("the URL has another scheme than that of the robots.txt", "S-origin"),
        ScopeReason::Port => ("the URL has another port than that of the robots.txt", "S-origin"),
        ScopeReason::Host => ("the URL has another host than that of the robots.txt", "S-origin"),
        ScopeReason::SameOrigin => {
            ("the URL has the scheme, the host and the port of the robots.txt", "S-origin")
        }
    }
}

fn cited(rule: &RuleCitation) -> String {
    format!("`{}: {}` (line {})", rule.kind.field(), brief(&visible(&rule.path)), rule.line)
}

/// Returns the numbers of lines in words.
pub fn list(lines: &[usize]) -> String {
    let numbers: Vec<String> = lines.iter().take(NUMBERS).map(usize::to_string).collect();
    let more = match lines.len().saturating_sub(NUMBERS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} {}{more}", if lines.len() == 1 { "line" } else { "lines" }, numbers.join(", "))
}
