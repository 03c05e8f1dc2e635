//! Explanations of rulings, as sentences and as JSON.

use std::fmt::Display;

use robotspec_cases::Clause;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{DecidedBy, Doubt, Edition, Prevails, RuleCitation, ScopeExplanation, WhichGroups};
use robotspec_text::sentences::{self, sentences};
use serde_json::{Value, json};

use crate::output::{FAINT, STRONG, styled};

/// Returns an explanation in sentences.
pub(super) fn lines(explanation: &Explanation) -> Vec<String> {
    let mut lines = about_doubts(&explanation.doubts);
    lines.extend(sentences(&explanation.decision));
    lines.extend(clauses(explanation).into_iter().map(|clause| cited(clause, explanation.edition)));
    lines
}

/// Returns the reasons of an answer about scope in sentences.
pub(super) fn about_scope(explanation: &ScopeExplanation) -> Vec<String> {
    let (sentence, clause) = sentences::about_scope(explanation.because);
    let mut lines = about_doubts(&explanation.doubts);
    lines.push(sentence.to_owned());
    lines.extend(Clause::find(clause).map(|clause| cited(clause, explanation.edition)));
    lines
}

/// Returns the questions that an answer depends on, with the outcome of each answer.
fn about_doubts<T: Display>(doubts: &[Doubt<T>]) -> Vec<String> {
    let mut lines = Vec::new();
    for doubt in doubts {
        let row = doubt.question.row();
        lines.push(format!("{}: {}", styled(STRONG, doubt.question), row.asks));
        lines.push(format!("  {}", styled(FAINT, row.because)));
        if !doubt.supposing.is_empty() {
            let supposed = doubt.supposing.iter().map(|choice| format!("{} = {choice}", choice.question));
            lines.push(format!("  supposing {}:", supposed.collect::<Vec<_>>().join(", ")));
        }
        lines.extend(doubt.answers.iter().map(|(choice, outcome)| format!("  {choice:<18} {outcome}")));
    }
    if !doubts.is_empty() {
        lines.push("in the plainest reading:".to_owned());
    }
    lines
}

fn cited(clause: &Clause, edition: Edition) -> String {
    let section = clause.section(edition).unwrap_or_default();
    styled(FAINT, format!("{:<14} {edition}: {section}", clause.id))
}

/// Returns the applied clauses, without those that the edition does not have.
fn clauses(explanation: &Explanation) -> Vec<&'static Clause> {
    let clauses = explanation.decision.clauses().into_iter().filter_map(Clause::find);
    clauses.filter(|clause| clause.section(explanation.edition).is_some()).collect()
}

/// Returns an explanation as JSON.
pub(super) fn as_json(explanation: &Explanation) -> Value {
    let decision = &explanation.decision;
    let (by, rules) = match &decision.by {
        DecidedBy::Default => ("default", json!({})),
        DecidedBy::RobotsTxtItself => ("robots-txt-itself", json!({})),
        DecidedBy::Rule { rule, over, why } => {
            let why = match why {
                Prevails::Alone => "alone",
                Prevails::Longest => "longest",
                Prevails::EqualLength => "equal-length",
                Prevails::First => "first",
                Prevails::Wildcard => "wildcard",
            };
            (
                "rule",
                json!({ "rule": rule_as_json(rule), "over": over.as_ref().map(rule_as_json), "why": why }),
            )
        }
    };
    let groups = match decision.groups {
        WhichGroups::Named => "named",
        WhichGroups::Star => "star",
        WhichGroups::None => "none",
    };
    json!({
        "readings": explanation.readings,
        "doubts": explanation.doubts.iter().map(|doubt| doubt_as_json(doubt, "verdict")).collect::<Vec<_>>(),
        "plainest": {
            "verdict": decision.verdict.to_string(),
            "groups": groups,
            "agent-lines": decision.agent_lines,
            "rules": decision.rules,
            "decided-by": by,
            "decision": rules,
            "clauses": clauses(explanation).iter().map(|clause| &clause.id).collect::<Vec<_>>(),
        },
    })
}

fn rule_as_json(rule: &RuleCitation) -> Value {
    json!({ "line": rule.line, "field": rule.kind.field(), "path": rule.path })
}

pub(super) fn doubt_as_json<T: Display>(doubt: &Doubt<T>, outcome: &str) -> Value {
    let supposing = doubt.supposing.iter();
    let supposing =
        supposing.map(|choice| json!({ "question": choice.question.id(), "answer": choice.id() }));
    let answers = doubt.answers.iter();
    let answers =
        answers.map(|(choice, verdict)| json!({ "answer": choice.id(), outcome: verdict.to_string() }));
    json!({
        "question": doubt.question.id(),
        "asks": doubt.question.row().asks,
        "because": doubt.question.row().because,
        "supposing": supposing.collect::<Vec<_>>(),
        "answers": answers.collect::<Vec<_>>(),
    })
}
