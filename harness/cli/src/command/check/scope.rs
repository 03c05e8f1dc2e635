//! `robotspec scope`.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_cases::Expected;
use robotspec_cases::reasons::OpenQuestion;
use robotspec_reference::{Edition, Governs, explain_scope};
use serde_json::json;

use super::explanation::{self, visible_error};
use crate::command::exit::{FAILED, OF_ANSWERS, OK, UNSPECIFIED};
use crate::command::values::{Format, edition};
use crate::output::{self, BAD, GOOD, OPEN, styled};

/// Find out whether the robots.txt at one URL governs another URL, and why
///
/// The first line is the answer; the reason follows.
///
/// Example:
///   robotspec scope http://example.com/robots.txt http://example.com:8181/
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = OF_ANSWERS)]
pub(in crate::command) struct ScopeArguments {
    /// The edition that answers: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition(), hide_possible_values = true)]
    edition: Edition,

    /// The URL of the robots.txt
    robots_url: String,

    /// The URL to be fetched
    url: String,

    /// The format of the output
    #[arg(long, value_parser = Format::document(), default_value = Format::HUMAN)]
    format: Format,
}

pub(in crate::command) fn scope(arguments: ScopeArguments) -> Result<u8> {
    let explanation = explain_scope(arguments.edition, &arguments.robots_url, &arguments.url);
    let explanation = explanation.map_err(visible_error)?;
    let governs = explanation.governs;
    let (style, code) = match governs {
        Governs::Yes => (GOOD, OK),
        Governs::No => (BAD, FAILED),
        Governs::Unspecified => (OPEN, UNSPECIFIED),
    };
    let mut out = arguments.format.stdout();
    match arguments.format {
        Format::Human => {
            writeln!(out, "{}", styled(style, governs))?;
            for line in explanation::about_scope(&explanation) {
                writeln!(out, "{line}")?;
            }
        }
        Format::Json => {
            let question = |doubt| OpenQuestion::of(doubt, Expected::Governs);
            let answer = json!({
                "edition": arguments.edition,
                "governs": governs,
                "because": explanation.because,
                "questions": explanation.doubts.iter().map(question).collect::<Vec<_>>(),
            });
            output::json(&mut out, &answer)?;
        }
    }
    Ok(code)
}
