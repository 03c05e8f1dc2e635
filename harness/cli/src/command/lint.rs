//! `robotspec lint`: the lines of a file that do not do what they seem to.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_reference::Edition;
use robotspec_reference::grammar::has_grammar;
use robotspec_text::lint::{Finding, Severity, Sides, lint as find};
use robotspec_text::sentences::list;
use serde_json::json;

use crate::command::exit::{FAILED, OK};
use crate::command::robots_file::FileArgument;
use crate::command::values::{Format, edition};
use crate::output::{self, BAD, FAINT, GOOD, OPEN, counted, styled};

const EXIT_CODES: &str = "\
Exit codes of lint:
  0  there is no error and no warning
  1  there is an error or a warning
  2  the command or a file is wrong";

/// List the lines of a robots.txt that do not do what they seem to
///
/// Each finding is what an edition answers: an error is a line without effect, or without the one that it
/// seems to have; a warning is a line whose effect the edition does not specify, or that has a further one;
/// a note is about a line that has no effect, as others of its kind, or about capitals and escapes in a path.
/// Where the edition does not decide, it counts what recorded parsers answered to rows about such lines.
///
/// Examples:
///   robotspec lint robots.txt
///   curl -sSL --compressed https://example.com/robots.txt | robotspec lint --edition google-2026 -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    /// The edition that answers: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition(), hide_possible_values = true)]
    edition: Edition,

    /// The format of the output; jsonl is one object per finding
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn lint(arguments: Arguments) -> Result<u8> {
    let Arguments { edition, format, file } = arguments;
    let findings = find(edition, &file.read()?);
    let mut out = format.stdout();
    for finding in &findings {
        if format == Format::Json {
            let Finding { severity, lines, message, query, question, sides } = finding;
            let mut value = json!({ "severity": severity, "lines": lines, "message": message });
            if let Some((agent, url)) = query {
                value["query"] = json!({ "agent": agent, "url": url });
            }
            if let Some(question) = question {
                value["question"] = question.id().into();
            }
            if let Some(Sides { allow, disallow, date }) = sides {
                value["parsers"] = json!({ "allow": allow, "disallow": disallow, "date": date });
            }
            output::json(&mut out, &value)?;
            continue;
        }
        let style = match finding.severity {
            Severity::Error => BAD,
            Severity::Warning => OPEN,
            Severity::Note => FAINT,
        };
        let place = if finding.lines.is_empty() { String::new() } else { list(&finding.lines) + ": " };
        let severity = styled(style, format!("{:<7}", finding.severity.id()));
        writeln!(out, "{severity}  {place}{}", finding.message)?;
    }
    let count = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let is_good = count(Severity::Error) + count(Severity::Warning) == 0;
    if format == Format::Human {
        let counts = Severity::ALL.map(|severity| counted(count(severity), severity.id())).join(", ");
        let grammar = if has_grammar(edition) { "" } else { "; it has no grammar" };
        let summary = format!("{edition}: {counts}{grammar}");
        writeln!(out, "{}", styled(if is_good { GOOD } else { BAD }, summary))?;
    }
    Ok(if is_good { OK } else { FAILED })
}
