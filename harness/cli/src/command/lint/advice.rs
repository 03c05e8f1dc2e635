//! `robotspec lint --advice`: what a file means where its owner may have meant something else.

use std::io::Write;

use anyhow::Result;
use robotspec_cases::visible;
use robotspec_reference::Edition;
use robotspec_reference::advice::{Advice, Severity};
use serde_json::{Value, json};

use crate::command::values::Format;
use crate::output::{self, BAD, FAINT, GOOD, OPEN, counted, styled};
use crate::profiles::Profiles;

/// Writes advice, then a summary: about an edition, and the number of lines that its grammar does not derive.
pub(super) fn write(
    advice: &[Advice],
    recorded: &Profiles,
    (edition, errors): (Edition, usize),
    format: Format,
    out: &mut dyn Write,
) -> Result<()> {
    for advice in advice {
        match format {
            Format::Human => {
                let word = styled(style(advice.severity), format!("{:<7}", advice.severity));
                writeln!(out, "{:>5}  {word}  {}", advice.line, visible(&advice.to_string()))?;
                if let Some(answers) = advice.question().and_then(|question| recorded.answers(question)) {
                    writeln!(out, "{:>16}{answers}", "")?;
                }
                writeln!(out, "{:>16}{}", "", styled(FAINT, advice.meaning.kind()))?;
            }
            Format::Json => output::json(out, &as_json(advice, recorded))?,
        }
    }
    if format == Format::Human {
        let count = |severity| advice.iter().filter(|advice| advice.severity == severity).count();
        let numbers = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| counted(count(severity), severity.id()));
        let style = if has_error(advice) { BAD } else { GOOD };
        let separator = if advice.is_empty() { "" } else { "\n" };
        writeln!(
            out,
            "{separator}{}",
            styled(style, format!("advice in {edition}: {}", numbers.join(", ")))
        )?;
        if errors > 0 {
            let lines = counted(errors, "line");
            writeln!(
                out,
                "{}",
                styled(
                    OPEN,
                    format!("the grammar does not derive {lines}; without --advice, they are listed")
                )
            )?;
        }
    }
    Ok(())
}

/// Returns whether some advice is an error.
pub(super) fn has_error(advice: &[Advice]) -> bool {
    advice.iter().any(|advice| advice.severity == Severity::Error)
}

fn style(severity: Severity) -> anstyle::Style {
    match severity {
        Severity::Error => BAD,
        Severity::Warning => OPEN,
        Severity::Note => FAINT,
    }
}

fn as_json(advice: &Advice, recorded: &Profiles) -> Value {
    let mut value = json!({
        "line": advice.line,
        "severity": advice.severity,
        "kind": advice.meaning.kind(),
        "message": advice.to_string(),
    });
    if let Some(line) = advice.other_line {
        value["other-line"] = json!(line);
    }
    if let Some(question) = advice.question() {
        value["question"] = json!(question.id());
        if let Some(answers) = recorded.answers(question) {
            value["recorded"] = answers.as_json();
        }
    }
    if let Some(example) = &advice.example {
        value["example"] = json!({ "agent": example.agent, "path": example.path });
    }
    value
}
