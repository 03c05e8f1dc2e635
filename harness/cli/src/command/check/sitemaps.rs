//! `robotspec sitemaps`.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use robotspec_reference::{Edition, RobotsTxt};
use robotspec_text::visible;
use serde_json::json;

use crate::command::exit::OK;
use crate::command::robots_file::FileArgument;
use crate::command::values::{Format, edition};
use crate::output::{self, OPEN, styled};

/// List the sitemaps that a robots.txt names
///
/// One per line, in their order. Sitemaps that the edition does not specify are marked.
///
/// Example:
///   robotspec sitemaps --edition google-2026 robots.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(in crate::command) struct SitemapsArguments {
    /// The edition that answers: one of those that `robotspec editions` lists
    #[arg(long, value_name = "EDITION", default_value = "rfc9309", value_parser = edition(), hide_possible_values = true)]
    edition: Edition,

    /// The format of the output; jsonl is one object per sitemap
    #[arg(long, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    file: FileArgument,
}

pub(in crate::command) fn sitemaps(arguments: SitemapsArguments) -> Result<u8> {
    let file = arguments.file.read()?;
    let mut out = arguments.format.stdout();
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
