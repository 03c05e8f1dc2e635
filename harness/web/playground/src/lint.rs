//! The lines that the grammar of an edition does not derive.

use robotspec_reference::grammar::{LineStatus, check_lines, has_grammar};
use robotspec_reference::{Edition, nearest_field};
use robotspec_text::sentences::about_line;
use serde::Serialize;

use crate::place::{Places, ShownLine};

/// The number of lines that are listed. All are counted.
const LISTED: usize = 1000;

/// A file compared with the grammar of an edition.
#[derive(Debug, Serialize)]
pub struct Lint {
    /// The edition.
    pub edition: Edition,
    /// Whether the edition has a grammar. Where it has none, there are no findings.
    #[serde(rename = "hasGrammar")]
    pub has_grammar: bool,
    /// The number of lines that the grammar does not derive.
    pub errors: usize,
    /// The number of fields that resemble one of the grammar.
    pub warnings: usize,
    /// The number of other fields that the grammar does not specify.
    pub notes: usize,
    /// The first of these lines.
    pub findings: Vec<Finding>,
}

/// A line that the grammar does not derive, or does not specify.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The line.
    #[serde(flatten)]
    pub line: ShownLine,
    /// How serious it is.
    pub kind: FindingKind,
    /// What is wrong with it.
    pub reason: String,
}

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// The grammar does not derive the line.
    Error,
    /// The grammar does not specify the field, which resembles one that it specifies.
    Warning,
    /// The grammar does not specify the field.
    Note,
}

impl FindingKind {
    fn of(status: &LineStatus) -> Option<FindingKind> {
        match status {
            LineStatus::Derived(_) => None,
            LineStatus::Additional(field) if nearest_field(field).is_some() => Some(FindingKind::Warning),
            LineStatus::Additional(_) => Some(FindingKind::Note),
            LineStatus::NotDerived(_) => Some(FindingKind::Error),
        }
    }
}

/// Compares a file with the grammar of an edition.
pub fn lint(file: &[u8], places: &Places<'_>, edition: Edition) -> Lint {
    let has_grammar = has_grammar(edition);
    let mut lint = Lint { edition, has_grammar, errors: 0, warnings: 0, notes: 0, findings: Vec::new() };
    for checked in check_lines(edition, file).take_while(|_| has_grammar) {
        let Some(kind) = FindingKind::of(&checked.status) else { continue };
        match kind {
            FindingKind::Error => lint.errors += 1,
            FindingKind::Warning => lint.warnings += 1,
            FindingKind::Note => lint.notes += 1,
        }
        if lint.findings.len() < LISTED
            && let (Some(line), Some(reason)) = (places.shown(checked.line), about_line(&checked.status))
        {
            lint.findings.push(Finding { line, kind, reason });
        }
    }
    lint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_findings_are_counted_and_the_first_are_listed() {
        let file = b"user-agent: a\ndisalow: /\ncrawl-delay: 1\nuser agent\n".repeat(2 * LISTED);
        let found = lint(&file, &Places::new(&file), Edition::Rfc9309);
        assert_eq!((found.errors, found.warnings, found.notes), (2 * LISTED, 2 * LISTED, 2 * LISTED));
        assert_eq!(found.findings.len(), LISTED);
        let first: Vec<_> = found.findings.iter().take(3).map(|one| (one.line.line, one.kind)).collect();
        assert_eq!(first, [(2, FindingKind::Warning), (3, FindingKind::Note), (4, FindingKind::Error)]);
        assert_eq!(
            found.findings[0].reason,
            "the grammar does not specify the field `disalow`; did you mean `disallow`?"
        );
    }
}
