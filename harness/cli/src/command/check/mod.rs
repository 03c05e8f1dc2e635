//! `robotspec check`, `scope` and `sitemaps`: the answers of the reference.

mod explanation;

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::Args;
use robotspec_cases::remark::about_agent;
use robotspec_cases::visible;
use robotspec_reference::{Edition, Governs, RobotsTxt, Ruling, explain_scope};
use serde_json::json;

use crate::command::exit::{FAILED, OF_ANSWERS, OK, UNSPECIFIED};
use crate::command::values::{FileArgument, Format, edition, read_file};
use crate::output::{self, BAD, GOOD, OPEN, styled};

/// Find out whether an agent may fetch a URL, given a robots.txt
///
/// Example:
///   robotspec check --agent FooBot --url https://example.com/fish --explain robots.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = OF_ANSWERS)]
pub(super) struct CheckArguments {
    /// The edition that answers: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition(), hide_possible_values = true)]
    edition: Edition,

    /// The crawler's product token, such as `FooBot`
    #[arg(long, value_name = "AGENT")]
    agent: String,

    /// The absolute URL to be fetched, or its path
    #[arg(long, value_name = "URL")]
    url: String,

    /// Explain the answer: the lines and clauses that decide, or the questions that the edition does
    /// not decide
    #[arg(long)]
    explain: bool,

    /// The format of the output
    #[arg(long, value_parser = Format::document(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn check(arguments: CheckArguments) -> Result<u8> {
    let CheckArguments { edition, agent, url, .. } = &arguments;
    let file = read_file(&arguments.file.file)?;
    let robots = RobotsTxt::parse(&file);
    if let Some(remark) = about_agent(agent, &file) {
        output::warning(&remark);
    }
    let mut out = arguments.format.paged();
    let ruling = robots.ruling(*edition, agent, url).map_err(visible_error)?;
    let explanation = match arguments.explain {
        true => Some(robots.explain(*edition, agent, url).map_err(visible_error)?),
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
            for line in explanation.iter().flat_map(explanation::lines) {
                writeln!(out, "{line}")?;
            }
        }
        Format::Json => {
            let mut answer = json!({ "edition": edition, "ruling": ruling });
            if let Some(explanation) = &explanation {
                answer["explanation"] = explanation::as_json(explanation);
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

/// Returns an error of the reference, which quotes a URL.
fn visible_error(error: impl std::error::Error) -> anyhow::Error {
    anyhow!(visible(&error.to_string()))
}

/// Find out whether the robots.txt at one URL governs another URL, and why
///
/// The first line is the answer; the reason follows.
///
/// Example:
///   robotspec scope http://example.com/robots.txt http://example.com:8181/
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = OF_ANSWERS)]
pub(super) struct ScopeArguments {
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

pub(super) fn scope(arguments: ScopeArguments) -> Result<u8> {
    let explanation = explain_scope(arguments.edition, &arguments.robots_url, &arguments.url);
    let explanation = explanation.map_err(visible_error)?;
    let governs = explanation.governs;
    let mut out = arguments.format.paged();
    match arguments.format {
        Format::Human => {
            let style = match governs {
                Governs::Yes => GOOD,
                Governs::No => BAD,
                Governs::Unspecified => OPEN,
            };
            writeln!(out, "{}", styled(style, governs))?;
            for line in explanation::about_scope(&explanation) {
                writeln!(out, "{line}")?;
            }
        }
        Format::Json => {
            let doubts = explanation.doubts.iter();
            let answer = json!({
                "edition": arguments.edition,
                "governs": governs,
                "because": explanation.because,
                "doubts": doubts.map(|doubt| explanation::doubt_as_json(doubt, "governs")).collect::<Vec<_>>(),
            });
            output::json(&mut out, &answer)?;
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
/// One per line, in their order. Sitemaps that the edition does not specify are marked.
///
/// Example:
///   robotspec sitemaps --edition google-2026 robots.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SitemapsArguments {
    /// The edition that answers: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition(), hide_possible_values = true)]
    edition: Edition,

    /// The format of the output; jsonl is one object per sitemap
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(super) fn sitemaps(arguments: SitemapsArguments) -> Result<u8> {
    let file = read_file(&arguments.file.file)?;
    let mut out = arguments.format.paged();
    for sitemap in RobotsTxt::parse(&file).sitemaps(arguments.edition) {
        match arguments.format {
            Format::Human if sitemap.certain => writeln!(out, "{}", visible(&sitemap.url))?,
            Format::Human => writeln!(out, "{} {}", visible(&sitemap.url), styled(OPEN, "(unspecified)"))?,
            Format::Json => {
                let sitemap = json!({ "line": sitemap.line, "url": sitemap.url, "certain": sitemap.certain });
                output::json(&mut out, &sitemap)?;
            }
        }
    }
    Ok(OK)
}
