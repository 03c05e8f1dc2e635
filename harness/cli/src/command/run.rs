//! `robotspec run`

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use robotspec_reference::Edition;

use crate::command::cases::load_all;
use crate::command::config::{Config, ConfigArgument};
use crate::command::filters::Filters;
use crate::command::human::HumanReport;
use crate::command::reports::{ReportTo, Reports};
use crate::command::subjects::Subjects;
use crate::command::{EXIT_CODES_OF_RUN, OK, USAGE, edition, output};
use crate::report::{Badge, Format, Summary};
use robotspec::event::Event;
use robotspec::run::{Plan, Subject, run as run_plan};
use robotspec_cases::shard::Shard;
use robotspec_cases::suite::{built_in, checks};

/// Where a help has which checks are run.
pub(super) const CHECKS: &str = "Checks";
const OUTPUT: &str = "Output";

/// Check implementations against the specification
///
/// Without an implementation, everything built in is checked: the reference, and third-party crates
/// whose failures are known.
///
/// Examples:
///   robotspec run
///   robotspec run --adapter 'python3 my_adapter.py' --edition rfc9309
///   robotspec run --exec 'robots {file} {agent} {url}' --filter 'clause:M-*'
///   robotspec run --report junit=robots.xml --report markdown=summary.md
///
/// What a project always runs stands in its robotspec.toml, so that its command is `robotspec run`:
///
///   editions = ["rfc9309"]            # as --edition; all if absent
///   filters = ["kind:M", "kind:G"]    # as --filter
///   skip = ["clause:S-*"]             # as --skip
///   google-specific = false           # as --no-google-specific
///   variants = false                  # as --no-variants
///   timeout = 10                      # as --timeout; likewise jobs
///
///   [reports]                         # as --report
///   junit = "target/robots.xml"
///
///   [[implementation]]                # one of builtin, adapter, exec and crawler
///   name = "my-parser"                # what reports call it
///   adapter = "python3 my_adapter.py"
///   known-failures = "known.yaml"     # with exec: allow-exit, disallow-pattern, ...
///
/// Files are looked for beside robotspec.toml; commands are started in the current folder. What the
/// command line gives of a kind (implementations, editions, filters, reports) takes the place of all
/// that the file gives of it. `robotspec fuzz`, `profile` and `known update` take the implementations
/// from there, too.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES_OF_RUN)]
pub(super) struct Arguments {
    #[command(flatten)]
    subjects: Subjects,

    /// An edition that judges; repeatable [default: all]
    #[arg(long, help_heading = CHECKS, value_name = "EDITION", value_parser = edition())]
    edition: Vec<Edition>,

    /// A file of cases to run in place of those inside this program, such as `robotspec import` writes;
    /// repeatable
    #[arg(long, help_heading = CHECKS, value_name = "FILE")]
    suite: Vec<PathBuf>,

    #[command(flatten)]
    filters: Filters,

    /// Only a share of the checks, such as 2/4; each check is in one share, and stays there
    #[arg(long, value_name = "I/N", help_heading = CHECKS)]
    shard: Option<Shard>,

    /// Leave out what the texts mark as Google's own
    #[arg(long, help_heading = CHECKS)]
    no_google_specific: bool,

    /// Leave out the checks that are derived by rewriting files
    #[arg(long, help_heading = CHECKS)]
    no_variants: bool,

    /// Show every row that newly fails, not only a few of the clauses with the most
    #[arg(long, help_heading = OUTPUT)]
    all: bool,

    /// How the output is written
    #[arg(long, value_enum, default_value_t = Stdout::Human, help_heading = OUTPUT)]
    format: Stdout,

    /// Write a report besides, whether or not the run fails; repeatable. FORMAT is jsonl, json, junit,
    /// tap, markdown, badge or html; where FILE is `-`, it is the output
    #[arg(long, value_name = "FORMAT=FILE", help_heading = OUTPUT)]
    report: Vec<ReportTo>,

    /// Print the JSON Schema of a report instead; that of jsonl is for each line
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = OUTPUT)]
    schema: Option<Schema>,

    #[command(flatten)]
    config: ConfigArgument,
}

/// What is written to standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stdout {
    /// For people
    Human,
    /// For programs: one event a line, the last of them `run-finished`
    // What it was called when there was no other JSON.
    #[value(alias = "json")]
    Jsonl,
    /// JUnit XML, as `--report junit=-`
    Junit,
    /// Test Anything Protocol, as `--report tap=-`
    Tap,
    /// For the summary of a CI job, as `--report markdown=-`
    Markdown,
    /// A page to look at, as `--report html=-`
    Html,
    /// What a shields.io badge shows, as `--report badge=-`
    Badge,
}

impl Stdout {
    /// The report that is the output, where it is one that is written like those to files.
    fn report(self) -> Option<Format> {
        match self {
            Stdout::Human | Stdout::Jsonl => None,
            Stdout::Junit => Some(Format::Junit),
            Stdout::Tap => Some(Format::Tap),
            Stdout::Markdown => Some(Format::Markdown),
            Stdout::Html => Some(Format::Html),
            Stdout::Badge => Some(Format::Badge),
        }
    }
}

/// A report in JSON.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Schema {
    Jsonl,
    Json,
    Badge,
}

/// What is to be done: what the command line says, and where it is silent, the configuration.
struct Settings<'a> {
    subjects: Vec<Subjects>,
    list: Option<&'a Path>,
    editions: &'a [Edition],
    /// Those of the project: its lists of known failures have no others in mind.
    lists_are_about: &'a [Edition],
    suites: &'a [PathBuf],
    filters: Filters,
    google_specific: bool,
    variants: bool,
    shard: Option<Shard>,
    jobs: usize,
    reports: Vec<ReportTo>,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(schema) = arguments.schema {
        return print_schema(schema);
    }
    let config = Config::find(&arguments.config)?;
    let settings = Settings::new(arguments, &config)?;
    ReportTo::refuse_two_on_stdout(&settings.reports)?;
    let plan = settings.plan()?;
    let mut reports = Reports::start(&settings.reports)?;
    let subjects = settings.start()?;
    let format = if settings.reports.iter().any(ReportTo::is_stdout) { None } else { Some(arguments.format) };
    let mut out = output::stdout();
    let mut written = Ok(());
    let progress = Progress::new(plan.checks.len() * subjects.len());
    let words = settings.words();
    let mut report = HumanReport::new(&plan, words, arguments.all);
    let outcome = run_plan(&plan, subjects, &mut |event| {
        progress.take(event);
        reports.take(event);
        match format {
            Some(Stdout::Human) => report.take(event),
            Some(Stdout::Jsonl) if written.is_ok() => written = output::json(&mut out, event),
            _ => {}
        }
    });
    progress.finish();
    // What goes wrong with one report is not to take away the others.
    let failed = reports.finish();
    if format == Some(Stdout::Human) {
        written = report.write(&mut out);
    }
    let written = written.and_then(|()| Ok(out.flush()?));
    failed.iter().filter(|error| !output::is_broken_pipe(error)).for_each(output::error);
    written?;
    Ok(if failed.is_empty() { outcome.exit_code() } else { USAGE })
}

fn print_schema(schema: Schema) -> Result<u8> {
    let schema = match schema {
        Schema::Jsonl => include_str!("../../schemas/events.json"),
        Schema::Json => include_str!("../../schemas/summary.json"),
        Schema::Badge => include_str!("../../schemas/badge.json"),
    };
    output::stdout().write_all(schema.as_bytes())?;
    Ok(OK)
}

impl<'a> Settings<'a> {
    fn new(arguments: &'a Arguments, config: &'a Config) -> Result<Self> {
        let Arguments { subjects, edition, suite, filters, shard, report, .. } = arguments;
        let reports = if report.is_empty() { &config.reports } else { report };
        let output = arguments.format.report().map(|format| ReportTo { format, file: "-".into() });
        let jobs = subjects.implementations.jobs.or(config.jobs);
        let mut chosen = config.subjects(subjects)?;
        if chosen.is_empty() {
            chosen.push(subjects.clone());
        }
        if let (Some(list), [subject]) = (&subjects.known_failures, chosen.as_mut_slice()) {
            subject.known_failures = Some(list.clone());
        }
        Ok(Settings {
            subjects: chosen,
            list: subjects.known_failures.as_deref(),
            editions: if edition.is_empty() { &config.editions } else { edition },
            lists_are_about: if config.editions.is_empty() { &Edition::ALL } else { &config.editions },
            suites: suite,
            filters: filters.or(&config.filters),
            google_specific: config.google_specific && !arguments.no_google_specific,
            variants: config.variants && !arguments.no_variants,
            shard: *shard,
            jobs: jobs.map_or_else(|| subjects.jobs(), usize::from),
            reports: reports.iter().cloned().chain(output).collect(),
        })
    }

    fn start(&self) -> Result<Vec<Subject>> {
        if self.subjects.len() > 1 && self.list.is_some() {
            bail!(
                "--known-failures is about one implementation, and these are {}: give each its list in robotspec.toml",
                self.subjects.len()
            );
        }
        let mut started = Vec::new();
        for subjects in &self.subjects {
            started.extend(subjects.start()?);
        }
        Ok(started)
    }

    /// For each implementation, the words of a command line that runs it on these suites.
    fn words(&self) -> Vec<String> {
        let quoted = |file: &PathBuf| format!(" --suite {}", shell_words::quote(&file.to_string_lossy()));
        let suites: String = self.suites.iter().map(quoted).collect();
        self.subjects.iter().flat_map(|subjects| subjects.words()).map(|words| words + &suites).collect()
    }

    fn plan(&self) -> Result<Plan> {
        let mut editions =
            if self.editions.is_empty() { Edition::ALL.to_vec() } else { self.editions.to_vec() };
        editions.sort();
        editions.dedup();
        let suites = if self.suites.is_empty() { built_in()? } else { load_all(self.suites)? };
        let mut checks = checks(&suites, self.variants);
        self.filters.refuse_idle(&checks)?;
        checks.retain(|check| editions.iter().any(|edition| check.expected.contains_key(edition)));
        let all = checks.len();
        checks.retain(|check| {
            let is_here = self.shard.is_none_or(|shard| shard.has(check));
            self.filters.hold(check) && is_here && (self.google_specific || !check.google_specific)
        });
        if checks.is_empty() {
            if self.suites.is_empty() {
                bail!("no check is left to run; `robotspec cases list` shows what there is");
            }
            let cases = suites.iter().flat_map(|suite| &suite.cases);
            let editions: BTreeSet<&str> =
                cases.flat_map(|case| &case.editions).map(|edition| edition.id()).collect();
            let editions = Vec::from_iter(editions).join(", ");
            bail!(
                "no check is left to run; these suites have some for --edition {editions}, before any filter"
            );
        }
        let are_all = self.suites.is_empty() && checks.len() == all && self.variants;
        let lists_are_about = are_all.then(|| self.lists_are_about.to_vec());
        Ok(Plan { checks, editions, lists_are_about, shard: self.shard, jobs: self.jobs })
    }
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
