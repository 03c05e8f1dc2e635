//! `robotspec report`: results to look at.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::command::reports::{ReportTo, Reports};
use crate::command::{OK, USAGE, output};
use crate::report::html::HtmlReport;
use robotspec::event::{End, Event, read_file};
use robotspec::merge::Merge;
use robotspec_cases::suite::{built_in, checks};

/// Make a page to look at, and other reports, from the results of runs
///
/// The page shows implementations by clauses, like a table of what browsers can do; each case with its
/// file, the lines that decide, what every edition says and what every implementation answered; what
/// the editions leave open, where they part, and how each implementation reads them.
///
/// It is one file that asks the network for nothing: open it from the disk, put it on any web server,
/// or keep it with a CI job. Every view of it has an address that can be shared.
///
/// Give it the events of as many runs as there are: of other languages, of other versions, of the
/// shards of one run. An implementation that comes again, in the same version, goes on where it ended.
/// The other reports are of all of them as of one run; lists of known failures are held against runs
/// that are whole, so those of shards are not found out of date.
///
/// Examples:
///   robotspec run --format jsonl > built-in.jsonl
///   robotspec run --adapter 'python3 my_adapter.py' --format jsonl > mine.jsonl
///   robotspec report built-in.jsonl mine.jsonl --html site/
///   robotspec report shard-*.jsonl --html site/ --report junit=robots.xml --report badge=badge.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, group = clap::ArgGroup::new("reports").args(["html", "report"]).required(true).multiple(true))]
pub(super) struct Arguments {
    /// Events of runs, as `robotspec run --format jsonl` writes them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// A directory for the page, `index.html`, made if it is not there
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// Another report; repeatable. FORMAT is jsonl, json, junit, tap, markdown, badge or html; where FILE
    /// is `-`, it is the output
    #[arg(long, value_name = "FORMAT=FILE")]
    report: Vec<ReportTo>,
}

pub(super) fn report(arguments: &Arguments) -> Result<u8> {
    ReportTo::refuse_two_on_stdout(&arguments.report)?;
    let mut reports = Reports::start(&arguments.report)?;
    let mut page = HtmlReport::default();
    let mut merge = Merge::default();
    let is_merged = !arguments.report.is_empty();
    for file in &arguments.files {
        let end = read_file(file, &mut |event| {
            if arguments.html.is_some() {
                page.gather(&event);
            }
            // The page keeps the checks, and in less space.
            if is_merged || !matches!(event, Event::CheckFinished(_)) {
                merge.take(event);
            }
        })?;
        if end == End::CutOff {
            output::warning(&format!("{}: the run was cut off, so results are missing", file.display()));
            merge.cut_off();
        }
    }
    for (implementation, shard) in merge.missing() {
        output::warning(&format!("shard {shard} of {implementation} is not here, so results are missing"));
    }
    if let Some(folder) = &arguments.html {
        write_page(page, folder)?;
    }
    if is_merged {
        merge.events(&checks(&built_in()?, true)).iter().for_each(|event| reports.take(event));
    }
    let failed = reports.finish();
    failed.iter().filter(|error| !output::is_broken_pipe(error)).for_each(output::error);
    Ok(if failed.is_empty() { OK } else { USAGE })
}

fn write_page(report: HtmlReport, folder: &Path) -> Result<()> {
    if folder.is_file() {
        bail!("{} is a file; name a folder", folder.display());
    }
    let page = report.page()?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = folder.join("index.html");
    fs::write(&file, &page).with_context(|| format!("cannot write {}", file.display()))
}
