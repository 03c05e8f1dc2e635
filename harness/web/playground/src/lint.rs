//! The lines that the grammar of an edition does not derive.

use robotspec_reference::Edition;
use robotspec_reference::grammar::{check_lines, has_grammar};
use robotspec_text::sentences::{Severity, about_line};
use serde_json::{Value, json};

use crate::place::Places;

/// The number of lines that are listed. All are counted.
const LISTED: usize = 1000;

/// Compares a file with the grammar of an edition. Where that has none, there are no findings.
pub fn lint(file: &[u8], places: &Places<'_>, edition: Edition) -> Value {
    let has_grammar = has_grammar(edition);
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    for checked in check_lines(edition, file).take_while(|_| has_grammar) {
        let Some(severity) = Severity::of(&checked.status) else { continue };
        found.push(severity);
        if findings.len() < LISTED
            && let (Some(line), Some(reason)) = (places.shown(checked.line), about_line(&checked.status))
        {
            let mut finding = json!(line);
            finding["kind"] = json!(severity);
            finding["reason"] = reason.into();
            findings.push(finding);
        }
    }
    let count = |severity| found.iter().filter(|other| **other == severity).count();
    json!({
        "edition": edition,
        "hasGrammar": has_grammar,
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
        "notes": count(Severity::Note),
        // The first of these lines.
        "findings": findings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_findings_are_counted_and_the_first_are_listed() {
        let file = b"user-agent: a\ndisalow: /\ncrawl-delay: 1\nuser agent\n".repeat(2 * LISTED);
        let found = lint(&file, &Places::new(&file), Edition::Rfc9309);
        assert_eq!(["errors", "warnings", "notes"].map(|kind| found[kind].as_u64()), [Some(2000); 3]);
        let findings = found["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), LISTED);
        let first: Vec<_> = findings.iter().take(3).map(|one| (&one["line"], &one["kind"])).collect();
        let expected =
            [(2, "warning"), (3, "note"), (4, "error")].map(|(line, kind)| (json!(line), json!(kind)));
        assert_eq!(first, expected.each_ref().map(|(line, kind)| (line, kind)));
        assert_eq!(
            findings[0]["reason"],
            "the grammar does not specify the field `disalow`; did you mean `disallow`?"
        );
    }
}
