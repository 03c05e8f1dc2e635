//! `robotspec check`, `scope` and `sitemaps`: what the reference says.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_reference::explanation::{Doubt, Explanation};
use robotspec_reference::{
    DecidedBy, Edition, Governs, Prevails, RobotsTxt, RuleCitation, Ruling, WhichGroups, scope as scope_of,
};
use serde_json::{Value, json};

use crate::command::output::{self, BAD, FAINT, GOOD, OPEN, STRONG, styled};
use crate::command::{
    EXIT_CODES_OF_ANSWERS, FAILED, FileArgument, Format, OK, UNSPECIFIED, edition, read_file,
};
use robotspec::event::EditionId;
use robotspec::sentences::sentences;
use robotspec_cases::clause::Clause;

/// Ask whether an agent may fetch a URL, given a robots.txt
///
/// Example:
///   robotspec check --agent FooBot --url https://example.com/fish --explain robots.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES_OF_ANSWERS)]
pub(super) struct CheckArguments {
    /// The edition that answers
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition())]
    edition: Edition,

    /// The crawler's product token, such as `FooBot`
    #[arg(long, value_name = "AGENT")]
    agent: String,

    /// The absolute URL to be fetched, or its path
    #[arg(long, value_name = "URL")]
    url: String,

    /// Say why: the lines and clauses that decide, or the questions that the text leaves open
    #[arg(long)]
    explain: bool,

    /// How the output is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn check(arguments: CheckArguments) -> Result<u8> {
    let file = read_file(&arguments.file.file)?;
    let robots = RobotsTxt::parse(&file);
    let mut out = output::stdout();
    let ruling = robots.ruling(arguments.edition, &arguments.agent, &arguments.url)?;
    let explanation = match arguments.explain {
        true => Some(robots.explain(arguments.edition, &arguments.agent, &arguments.url)?),
        false => None,
    };
    match arguments.format {
        Format::Human => {
            let style = match ruling {
                Ruling::Allow => GOOD,
                Ruling::Disallow => BAD,
                Ruling::Unspecified => OPEN,
            };
            writeln!(out, "{}", styled(style, ruling))?;
            if let Some(explanation) = &explanation {
                for line in explained(explanation) {
                    writeln!(out, "{line}")?;
                }
            }
        }
        Format::Json => {
            let mut answer = json!({ "edition": arguments.edition.id(), "ruling": ruling.id() });
            if let Some(explanation) = &explanation {
                answer["explanation"] = as_json(explanation);
            }
            output::json(&mut out, &answer)?;
        }
    }
    Ok(match ruling {
        Ruling::Allow => OK,
        Ruling::Disallow => FAILED,
        Ruling::Unspecified => UNSPECIFIED,
    })
}

/// An explanation in sentences.
fn explained(explanation: &Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    for doubt in &explanation.doubts {
        let row = doubt.question.row();
        lines.push(format!("{}: {}", styled(STRONG, doubt.question), row.asks));
        lines.push(format!("  {}", styled(FAINT, row.because)));
        if !doubt.supposing.is_empty() {
            let supposed: Vec<String> =
                doubt.supposing.iter().map(|(question, answer)| format!("{question} = {answer}")).collect();
            lines.push(format!("  supposing {}:", supposed.join(", ")));
        }
        lines.extend(doubt.answers.iter().map(|(answer, verdict)| format!("  {answer:<18} {verdict}")));
    }
    if !explanation.doubts.is_empty() {
        lines.push("in the plainest reading:".to_owned());
    }
    lines.extend(sentences(&explanation.decision));
    lines.push(styled(FAINT, format!("clauses: {}", clauses(explanation).join(", "))));
    lines
}

/// The clauses that were applied, of those that the edition has.
fn clauses(explanation: &Explanation) -> Vec<&'static str> {
    let has =
        |id: &&str| Clause::find(id).is_some_and(|clause| clause.section(explanation.edition).is_some());
    explanation.decision.clauses().into_iter().filter(has).collect()
}

fn as_json(explanation: &Explanation) -> Value {
    let rule =
        |rule: &RuleCitation| json!({ "line": rule.line, "field": rule.kind.field(), "path": rule.path });
    let decision = &explanation.decision;
    let (by, rules) = match &decision.by {
        DecidedBy::Default => ("default", json!({})),
        DecidedBy::RobotsTxtItself => ("robots-txt-itself", json!({})),
        DecidedBy::Rule { rule: decisive, over, why } => {
            let why = match why {
                Prevails::Alone => "alone",
                Prevails::Longest => "longest",
                Prevails::EqualLength => "equal-length",
                Prevails::Wildcard => "wildcard",
            };
            ("rule", json!({ "rule": rule(decisive), "over": over.as_ref().map(rule), "why": why }))
        }
    };
    let groups = match decision.groups {
        WhichGroups::Named => "named",
        WhichGroups::Star => "star",
        WhichGroups::None => "none",
    };
    let doubt = |doubt: &Doubt| {
        json!({
            "question": doubt.question.id(),
            "asks": doubt.question.row().asks,
            "because": doubt.question.row().because,
            "supposing": doubt.supposing.iter().map(|(question, answer)| json!({ "question": question.id(), "answer": answer.id() })).collect::<Vec<_>>(),
            "answers": doubt.answers.iter().map(|(answer, verdict)| json!({ "answer": answer.id(), "verdict": verdict.to_string() })).collect::<Vec<_>>(),
        })
    };
    json!({
        "readings": explanation.readings,
        "doubts": explanation.doubts.iter().map(doubt).collect::<Vec<_>>(),
        "plainest": {
            "verdict": decision.verdict.to_string(),
            "groups": groups,
            "agent-lines": decision.agent_lines,
            "rules": decision.rules,
            "decided-by": by,
            "decision": rules,
            "clauses": clauses(explanation),
        },
    })
}

/// Ask whether the robots.txt at one URL governs another
///
/// Example:
///   robotspec scope http://example.com/robots.txt http://example.com:8181/
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES_OF_ANSWERS)]
pub(super) struct ScopeArguments {
    /// The edition that answers
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition())]
    edition: Edition,

    /// The URL of the robots.txt
    robots_url: String,

    /// The URL to be fetched
    url: String,

    /// How the output is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn scope(arguments: ScopeArguments) -> Result<u8> {
    let governs = scope_of(arguments.edition, &arguments.robots_url, &arguments.url)?;
    let mut out = output::stdout();
    match arguments.format {
        Format::Human => writeln!(out, "{}", governs.id())?,
        Format::Json => {
            output::json(
                &mut out,
                &json!({ "edition": EditionId(arguments.edition), "governs": governs.id() }),
            )?;
        }
    }
    Ok(match governs {
        Governs::Yes => OK,
        Governs::No => FAILED,
        Governs::Unspecified => UNSPECIFIED,
    })
}

/// List the sitemaps that a robots.txt names
///
/// One a line, in their order. Those that only some readings of the edition find are marked.
#[derive(Debug, Args)]
pub(super) struct SitemapsArguments {
    /// The edition that answers
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition())]
    edition: Edition,

    /// How the output is written; json is one object a sitemap
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn sitemaps(arguments: SitemapsArguments) -> Result<u8> {
    let file = read_file(&arguments.file.file)?;
    let mut out = output::stdout();
    for sitemap in RobotsTxt::parse(&file).sitemaps(arguments.edition) {
        match arguments.format {
            Format::Human if sitemap.certain => writeln!(out, "{}", sitemap.url)?,
            Format::Human => writeln!(out, "{} {}", sitemap.url, styled(OPEN, "(unspecified)"))?,
            Format::Json => {
                output::json(
                    &mut out,
                    &json!({ "line": sitemap.line, "url": sitemap.url, "certain": sitemap.certain }),
                )?;
            }
        }
    }
    Ok(OK)
}
