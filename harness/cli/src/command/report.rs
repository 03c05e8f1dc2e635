//! `robotspec report`

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use robotspec::{Gap, RunRecord, diagnose};
use robotspec_cases::suite::built_in;
use robotspec_cases::{CheckId, Suite, select_checks};
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_path};
use serde_json::{Value, json};

use crate::command::exit::{INCOMPLETE, OK, USAGE};
use crate::command::files::refuse_overwriting;
use crate::command::progress::Progress;
use crate::command::recorded::read_into;
use crate::command::reports::{ReportTo, Reports, link_to_page};
use crate::command::suites::load_or_built_in;
use crate::command::values::read_text_file;
use crate::output;
use crate::report::{Catalog, Format, Origin};

const EXIT_CODES: &str = "\
Exit codes of report:
  0  the reports are written, whether or not the runs fail
  2  the command or a file is wrong, or a report cannot be written
  3  the reports are written, but a run was cut off or a shard is missing";

/// Make a web page and other reports from the results of runs
///
/// The page has a table of implementations and clauses; each case with its file, the lines that
/// decide, the answer of every edition and of every implementation; and where editions leave an
/// answer unspecified or differ, and how each implementation answers there.
///
/// It is one file that loads nothing from the network: open it from the disk, put it on any web
/// server, or keep it with a CI job. Every view of it has an address that can be shared.
///
/// Give it the events of any number of runs: of other languages, of other versions, of the shards of
/// one run. An implementation that occurs in several runs in the same version is shown once, with
/// the results of all of them. The other reports combine the runs in the same way. A run of a shard
/// cannot find out that a list of known failures is out of date.
///
/// Examples:
///   robotspec run --format jsonl > built-in.jsonl
///   robotspec run --adapter 'python3 my_adapter.py' --format jsonl > mine.jsonl
///   robotspec report built-in.jsonl mine.jsonl --html site/
///   robotspec report shard-*.jsonl --html site/ --report junit=robots.xml --report badge=badge.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES, group = clap::ArgGroup::new("reports").args(["html", "report"]).required(true).multiple(true))]
pub(super) struct Arguments {
    /// Events of runs, as `robotspec run --format jsonl` writes them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// A folder for the page, `index.html`; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    #[arg(long, value_name = "FORMAT=FILE", help = ReportTo::help())]
    report: Vec<ReportTo>,

    /// Cases of your own that the runs also checked, with `run --suite`: a file, or a folder of files
    #[arg(long, value_name = "PATH")]
    suite: Vec<PathBuf>,

    /// The results of a search in real files, for the page: the share of wrong answers about them, as
    /// `robotspec fuzz --files DIR --format jsonl` writes it
    #[arg(long, value_name = "FILE")]
    real_files: Vec<PathBuf>,

    /// The commit of the tested project, for the page [default: that of the CI job, in GITHUB_SHA or
    /// CI_COMMIT_SHA]
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
}

pub(super) fn report(arguments: &Arguments) -> Result<u8> {
    let mut reports = arguments.report.clone();
    if let Some(folder) = &arguments.html {
        if folder.is_file() {
            bail!("{} is a file; name a folder", visible_path(folder));
        }
        reports.push(ReportTo { format: Format::Html, file: folder.join("index.html") });
    }
    let outputs = reports.iter().map(|report| report.file.as_path());
    let inputs = arguments.files.iter().chain(&arguments.real_files);
    refuse_overwriting(inputs.map(PathBuf::as_path), outputs)?;
    let real_files = arguments.real_files.iter().map(|file| read_search(file));
    let real_files = real_files.collect::<Result<Vec<_>>>()?.concat();
    let progress = Progress::of("reading the events");
    let mut record = RunRecord::default();
    for file in &arguments.files {
        progress.say(&format!("reading {}", file.display()));
        let is_cut_off = read_into(&mut record, file)?;
        if is_cut_off {
            let message = format!("{}: the run was cut off, so results are missing", visible_path(file));
            progress.bar.suspend(|| output::warning(&message));
        }
    }
    let gaps = record.gaps();
    let is_told = |gap: &&Gap| gap.is_of_events() && !matches!(gap, Gap::CutOff | Gap::Interrupted);
    for gap in gaps.iter().filter(is_told) {
        let message = format!("{}, so the results are incomplete", visible(&gap.to_string()));
        progress.bar.suspend(|| output::warning(&message));
    }
    let suites: Cow<[Suite]> = match &arguments.suite[..] {
        [] => built_in()?.into(),
        own => [built_in()?, &load_or_built_in(own, None)?].concat().into(),
    };
    let finished = record.implementations.iter().flat_map(|implementation| &implementation.checks);
    let ids: HashSet<&CheckId> = finished.map(|check| &check.id).collect();
    let checks = select_checks(&suites, true, &Edition::ALL, |check| ids.contains(&check.id));
    let origin = Origin::of_files(&arguments.files, arguments.commit.as_deref());
    let opened = Reports::open(&reports)?;
    let mut catalog = Catalog::new(&suites, &checks, origin);
    catalog.page = link_to_page(&reports);
    catalog.real_files = (!real_files.is_empty()).then(
        || json!({ "date": Origin::of_files(&arguments.real_files, None).date, "accuracy": real_files }),
    );
    progress.say("looking for likely causes");
    record.sort_checks(checks.iter().map(|check| &check.id));
    for implementation in &mut record.implementations {
        implementation.likely_causes = diagnose(implementation, &catalog.checks);
    }
    progress.say("writing the reports");
    let are_written = opened.finish(&record, &catalog);
    drop(progress);
    if !are_written {
        return Ok(USAGE);
    }
    for report in reports.iter().filter(|report| !report.is_stdout()) {
        output::note(&format!("wrote {}", visible_path(&report.file)));
    }
    Ok(if gaps.iter().any(Gap::is_of_events) { INCOMPLETE } else { OK })
}

/// Returns how many answers of each implementation a search found wrong.
fn read_search(file: &Path) -> Result<Vec<Value>> {
    let text = read_text_file(file)?;
    let mut events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    match events.find(|event| event["event"] == "fuzz-finished").map(|mut event| event["accuracy"].take()) {
        Some(Value::Array(accuracy)) => Ok(accuracy),
        _ => bail!(
            "{}: it has no result of a search; write it with `robotspec fuzz --files DIR --format jsonl`",
            visible_path(file)
        ),
    }
}
