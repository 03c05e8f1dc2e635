//! Explanations of rulings in sentences, and errors instead of them.

use std::fmt::Display;

use anyhow::anyhow;
use robotspec_cases::Clause;
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{Doubt, Edition, ScopeExplanation};
use robotspec_text::sentences::{self, list, sentences};
use robotspec_text::visible;

use crate::output::{FAINT, STRONG, styled};

/// Returns an error of the reference, which quotes a URL.
pub(super) fn visible_error(error: impl std::error::Error) -> anyhow::Error {
    anyhow!(visible(&error.to_string()))
}

/// Returns an explanation in sentences.
pub(super) fn lines(explanation: &Explanation) -> Vec<String> {
    let mut lines = about_doubts(&explanation.doubts);
    lines.extend(sentences(explanation));
    let edition = explanation.edition;
    let clauses = explanation.decision.clauses().into_iter().filter_map(Clause::find);
    let clauses = clauses.filter(|clause| clause.section(edition).is_some());
    lines.extend(clauses.map(|clause| cited(clause, edition)));
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
        if !doubt.lines.is_empty() {
            lines.push(format!("  raised by {}", list(&doubt.lines)));
        }
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
