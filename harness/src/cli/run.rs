//! `robotspec run`

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use robotspec_reference::Edition;

use crate::cli::human::HumanReport;
use crate::cli::subjects::Subjects;
use crate::cli::{EXIT_CODES_OF_RUN, Format, edition, output};
use crate::event::Event;
use crate::filter::Filter;
use crate::run::{Plan, run as run_plan};
use crate::suite::{built_in, checks};

/// Check implementations against the specification
///
/// Without an implementation, everything built in is checked: the reference, and third-party crates
/// whose failures are known.
///
/// Examples:
///   robotspec run
///   robotspec run --adapter 'python3 my_adapter.py' --edition rfc9309
///   robotspec run --exec 'robots {file} {agent} {url}' --filter 'clause:M-*'
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES_OF_RUN)]
pub(super) struct Arguments {
    #[command(flatten)]
    subjects: Subjects,

    /// An edition that judges; repeatable, all if not given
    #[arg(long, value_name = "EDITION", value_parser = edition())]
    edition: Vec<Edition>,

    /// Only checks that fit `id:GLOB`, `clause:GLOB` or `kind:LETTER`, the first one of a clause's id;
    /// repeatable, any may hold
    #[arg(long, value_name = "FILTER")]
    filter: Vec<Filter>,

    /// Leave out what the texts mark as Google's own
    #[arg(long)]
    no_google_specific: bool,

    /// Leave out the checks that are derived by rewriting files
    #[arg(long)]
    no_variants: bool,

    /// Show every new failure, not only the first few of each clause
    #[arg(long)]
    all: bool,

    /// How the results are written; json is one event a line, the last of them `run-finished`
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8> {
    let plan = plan(arguments)?;
    let subjects = arguments.subjects.start()?;
    let mut out = output::stdout();
    let mut written = Ok(());
    let progress = Progress::new(plan.checks.len() * subjects.len());
    let mut report = HumanReport::new(&plan, &arguments.subjects, arguments.all);
    let outcome = run_plan(&plan, subjects, &mut |event| {
        progress.take(event);
        match arguments.format {
            Format::Human => report.take(event),
            Format::Json if written.is_ok() => written = output::json(&mut out, event),
            Format::Json => {}
        }
    });
    progress.finish();
    written?;
    if arguments.format == Format::Human {
        report.write(&mut out)?;
    }
    out.flush()?;
    Ok(outcome.exit_code())
}

fn plan(arguments: &Arguments) -> Result<Plan> {
    let mut editions =
        if arguments.edition.is_empty() { Edition::ALL.to_vec() } else { arguments.edition.clone() };
    editions.sort();
    editions.dedup();
    let mut checks = checks(&built_in()?, !arguments.no_variants);
    let all = checks.len();
    checks.retain(|check| {
        let fits = arguments.filter.is_empty() || arguments.filter.iter().any(|filter| filter.holds(check));
        let judged = editions.iter().any(|edition| check.expected.contains_key(edition));
        fits && judged && !(arguments.no_google_specific && check.google_specific)
    });
    if checks.is_empty() {
        bail!("no check is left to run; `robotspec cases list` shows what there is");
    }
    let is_whole = checks.len() == all && !arguments.no_variants && editions.len() == Edition::ALL.len();
    Ok(Plan { checks, editions, is_whole, jobs: arguments.subjects.jobs() })
}

/// A progress bar, on a terminal, for what takes longer than two seconds.
struct Progress {
    bar: ProgressBar,
    started: std::time::Instant,
}

impl Progress {
    fn new(checks: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(checks as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg:20} {wide_bar} {pos}/{len} checks, {eta} left")
        {
            bar.set_style(style);
        }
        Progress { bar, started: std::time::Instant::now() }
    }

    fn take(&self, event: &Event) {
        match event {
            Event::ImplementationStarted { info } => self.bar.set_message(info.name.clone()),
            Event::CheckFinished(_) => self.bar.inc(1),
            _ => {}
        }
        if self.bar.is_hidden() && self.started.elapsed() > Duration::from_secs(2) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
