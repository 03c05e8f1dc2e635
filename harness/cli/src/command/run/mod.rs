//! `robotspec run`

mod output;
mod progress;
mod settings;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use robotspec::RunRecord;
use robotspec_cases::shard::Shard;
use robotspec_reference::Edition;

use self::output::{Output, schema_parser};
use self::progress::Progress;
use self::settings::Settings;
use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::{OF_RUN, OK, USAGE};
use crate::command::filters::{self, Filters};
use crate::command::implementations::Subjects;
use crate::command::reports::{Finished, ReportTo, Reports};
use crate::command::suites::load_or_built_in;
use crate::command::values::edition;
use crate::output::stdout;
use crate::report::{Catalog, terminal};

const OUTPUT: &str = "Output";

/// Check implementations against the specification
///
/// Without an implementation, all built-in ones are checked: the reference, and third-party crates
/// whose failures are known.
///
/// Examples:
///   robotspec run
///   robotspec run --adapter 'python3 my_adapter.py' --edition rfc9309
///   robotspec run --exec 'robots {file} {agent} {url}' --filter 'clause:M-*'
///   robotspec run --report junit=robots.xml --report markdown=summary.md
///
/// A project puts its settings into robotspec.toml, so that its command is `robotspec run`:
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
///   name = "my-parser"                # the name in reports
///   adapter = "python3 my_adapter.py"
///   known-failures = "known.yaml"     # with exec: allow-exit, disallow-pattern, ...
///
/// Paths are relative to robotspec.toml; commands are started in the current folder. If the command
/// line gives implementations, editions, filters or reports, those of the file are ignored.
/// `robotspec fuzz`, `profile` and `known update` also use the implementations of the file.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = OF_RUN)]
pub(super) struct Arguments {
    #[command(flatten)]
    subjects: Subjects,

    /// An edition that judges; repeatable [default: all]
    #[arg(long, help_heading = filters::HEADING, value_name = "EDITION", value_parser = edition())]
    edition: Vec<Edition>,

    /// A file of cases to run instead of the built-in ones, such as `robotspec import` writes;
    /// repeatable
    #[arg(long, help_heading = filters::HEADING, value_name = "FILE")]
    suite: Vec<PathBuf>,

    #[command(flatten)]
    filters: Filters,

    /// Only a share of the checks, such as 2/4; each check is in one share, and stays in it
    #[arg(long, value_name = "I/N", help_heading = filters::HEADING)]
    shard: Option<Shard>,

    /// Leave out checks that the texts mark as specific to Google
    #[arg(long, help_heading = filters::HEADING)]
    no_google_specific: bool,

    /// Leave out the checks that are derived by rewriting files
    #[arg(long, help_heading = filters::HEADING)]
    no_variants: bool,

    /// Show every row that newly fails, not only examples of the clauses with the most failures
    #[arg(long, help_heading = OUTPUT)]
    all: bool,

    /// The format of the output
    #[arg(long, value_parser = Output::parser(), default_value = Output::HUMAN, help_heading = OUTPUT)]
    format: Output,

    #[arg(long, value_name = "FORMAT=FILE", help_heading = OUTPUT, help = ReportTo::help())]
    report: Vec<ReportTo>,

    /// Print the JSON Schema of a report and exit; the schema of jsonl is that of a line
    #[arg(long, value_name = "FORMAT", value_parser = schema_parser(), help_heading = OUTPUT)]
    schema: Option<&'static str>,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(schema) = arguments.schema {
        stdout().write_all(schema.as_bytes())?;
        return Ok(OK);
    }
    let config = Config::find(&arguments.config)?;
    let settings = Settings::new(arguments, &config)?;
    let suites = load_or_built_in(&arguments.suite)?;
    let plan = settings.plan(&suites)?;
    let mut reports = Reports::open(&settings.reports)?;
    let subjects = settings.subjects()?;
    let progress = Progress::new(plan.checks.len() * subjects.len());
    let mut record = RunRecord::default();
    let outcome = robotspec::run(&plan, subjects, &mut |event| {
        progress.take(event);
        reports.take(event);
        record.take(event);
    });
    progress.finish();
    let catalog = Catalog::new(&suites, &plan.checks);
    let finished = reports.finish(&record, &catalog);
    if !settings.reports.iter().any(ReportTo::is_stdout) {
        let options = terminal::Options { arguments: settings.arguments(), show_all: arguments.all };
        let mut out = stdout();
        terminal::write(&record, &catalog, &options, &mut out)?;
        out.flush()?;
    }
    Ok(match finished {
        Finished::Written => outcome.exit_code(),
        Finished::OutputClosed => OK,
        Finished::Failed => USAGE,
    })
}
