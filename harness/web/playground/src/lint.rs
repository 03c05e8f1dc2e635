//! The lines that do not do what they seem to, as `robotspec lint` finds them.

use robotspec_reference::Edition;
use robotspec_text::lint::{Finding, Severity, lint as find};
use serde_json::{Value, json};

use crate::place::Places;

/// The number of findings that are listed, and of lines of each. All findings are counted.
const LISTED: usize = 1000;

/// Returns what an edition makes of lines that seem to do something else.
pub fn lint(file: &[u8], edition: Edition) -> Value {
    let places = Places::new(file);
    let findings = find(edition, file);
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let shown = |Finding { severity, lines, message, .. }: &Finding| {
        let lines = lines.iter().take(LISTED).filter_map(|line| places.shown(*line));
        json!({ "kind": severity, "reason": message, "lines": lines.collect::<Vec<_>>() })
    };
    json!({
        "edition": edition,
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
        "notes": count(Severity::Note),
        // The first of these.
        "findings": findings.iter().take(LISTED).map(shown).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_findings_are_counted_and_the_first_are_listed() {
        let junk = (0..2 * LISTED).map(|name| format!("field{name}: x\n")).collect::<String>();
        let file = format!("user-agent: a\ndisalow: /a\n{junk}no field\n");
        let found = lint(file.as_bytes(), Edition::Google2026);
        let counts = ["errors", "warnings", "notes"].map(|kind| found[kind].as_u64());
        assert_eq!(counts, [Some(2), Some(0), Some(2000)]);
        let findings = found["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), LISTED);
        assert_eq!((&findings[0]["kind"], &findings[0]["lines"][0]["line"]), (&json!("error"), &json!(2)));
        assert_eq!(
            findings[0]["reason"],
            "the line is ignored: google-2026 does not define the field `disalow` (did you mean `disallow`?); nothing \
             is disallowed for the crawlers of line 1"
        );
    }
}
