//! `robotspec report`: results to look at.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cli::{OK, output};
use crate::event::{End, read_file};
use crate::report::html::HtmlReport;

/// Make a page to look at from the results of runs
///
/// It shows implementations by clauses, like a table of what browsers can do; each case with its
/// file, the lines that decide, what every edition says and what every implementation answered; what
/// the editions leave open, where they part, and how each implementation reads them.
///
/// It is one file that asks the network for nothing: open it from the disk, put it on any web server,
/// or keep it with a CI job. Every view of it has an address that can be shared.
///
/// Give it the events of as many runs as there are: of other languages, of other versions, of the
/// shards of one run.
///
/// Examples:
///   robotspec run --format jsonl > built-in.jsonl
///   robotspec run --adapter 'python3 my_adapter.py' --format jsonl > mine.jsonl
///   robotspec report built-in.jsonl mine.jsonl --html site/
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// Events of runs, as `robotspec run --format jsonl` writes them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// A directory for the page, `index.html`, made if it is not there
    #[arg(long, value_name = "DIR", required = true)]
    html: PathBuf,
}

pub(super) fn report(arguments: &Arguments) -> Result<u8> {
    let mut report = HtmlReport::default();
    for file in &arguments.files {
        let end = read_file(file, &mut |event| report.gather(&event))?;
        if end == End::CutOff {
            output::warning(&format!("{}: the run was cut off, so results are missing", file.display()));
        }
    }
    if arguments.html.is_file() {
        bail!("{} is a file; name a folder", arguments.html.display());
    }
    let page = report.page()?;
    fs::create_dir_all(&arguments.html)
        .with_context(|| format!("cannot make {}", arguments.html.display()))?;
    let file = arguments.html.join("index.html");
    fs::write(&file, &page).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(OK)
}
