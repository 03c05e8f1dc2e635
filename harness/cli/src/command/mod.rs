//! The command line.

mod adapter;
mod cases;
mod check;
mod completions;
mod config;
mod diff;
mod editions;
mod export;
mod filters;
mod fuzz;
mod human;
mod implementations;
mod import;
mod init;
mod known;
mod lint;
mod man;
mod named;
mod output;
mod profile;
mod report;
mod reports;
mod run;
mod seeds;
mod serve;
mod subjects;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use robotspec_reference::Edition;

/// All was as expected.
const OK: u8 = 0;
/// Not all was as expected; or the answer is *disallow*, or *no*.
const FAILED: u8 = 1;
/// The command cannot be carried out as it was given.
const USAGE: u8 = 2;
/// The answer is *unspecified*.
const UNSPECIFIED: u8 = 4;

const START: &str = "\
Start with one of these:
  robotspec run --adapter 'python3 my_adapter.py' --edition rfc9309
  robotspec check --agent FooBot --url /fish --explain robots.txt
  robotspec editions

A book of tasks: https://github.com/robotspec/robotspec/blob/main/harness/docs/src/introduction.md";

const EXIT_CODES_OF_RUN: &str = "\
Exit codes of run:
  0  all as expected, known failures included
  1  failures that no list knows, or a list that is out of date
  2  the command or a file is wrong and nothing was run, or a report cannot be written
  3  an implementation could not be run, or not to the end
  4  a fault of robotspec itself";

const EXIT_CODES_OF_ANSWERS: &str = "\
Exit codes of check and scope:
  0  allow, yes
  1  disallow, no
  2  the command or a file is wrong
  4  unspecified: the text leaves it open";

/// The robots.txt specification, executable: checks any implementation
/// against it, edition by edition.
#[derive(Debug, Parser)]
#[command(version, after_help = after_help(), styles = styles(), max_term_width = 100, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    format!("{START}\n\n{EXIT_CODES_OF_RUN}\n\n{EXIT_CODES_OF_ANSWERS}")
}

fn styles() -> Styles {
    Styles::styled().header(AnsiColor::Green.on_default().bold()).usage(AnsiColor::Green.on_default().bold())
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Arguments),
    Run(Box<run::Arguments>),
    Diff(diff::Arguments),
    /// Keep lists of known failures up to date
    #[command(subcommand)]
    Known(known::Command),
    Report(report::Arguments),
    Check(check::CheckArguments),
    Scope(check::ScopeArguments),
    Sitemaps(check::SitemapsArguments),
    Lint(lint::Arguments),
    Fuzz(Box<fuzz::Arguments>),
    Profile(profile::Arguments),
    Serve(serve::Arguments),
    Adapter(adapter::Arguments),
    /// Look at the cases: all of them, one of them, their format, what they cover
    #[command(subcommand)]
    Cases(cases::Command),
    Editions(editions::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For programs
    Json,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    be_silent_about_panics_under_test();
    let code = match Cli::parse().command {
        Command::Init(arguments) => init::init(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Diff(arguments) => diff::diff(&arguments),
        Command::Known(command) => known::known(&command),
        Command::Report(arguments) => report::report(&arguments),
        Command::Check(arguments) => check::check(arguments),
        Command::Scope(arguments) => check::scope(arguments),
        Command::Sitemaps(arguments) => check::sitemaps(arguments),
        Command::Lint(arguments) => lint::lint(arguments),
        Command::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Command::Profile(arguments) => profile::profile(&arguments),
        Command::Serve(arguments) => serve::serve(&arguments),
        Command::Adapter(arguments) => adapter::adapter(&arguments),
        Command::Cases(command) => cases::cases(command),
        Command::Editions(arguments) => editions::editions(arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Man(arguments) => man::man(&arguments),
    };
    match code {
        Ok(code) => ExitCode::from(code),
        // Who reads no further has seen enough: `robotspec cases list | head`.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::from(OK),
        Err(error) => {
            output::error(&error);
            ExitCode::from(USAGE)
        }
    }
}

/// A panic of an implementation is reported as its crash, so it need not be
/// told twice. Any other is a fault of this program: exit code 4.
fn be_silent_about_panics_under_test() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() == Some(robotspec::guard::SUBJECT_THREAD) {
            return;
        }
        report(panic);
        std::process::exit(4);
    }));
}

/// Reads the id of an edition, and tells in a help which there are.
fn edition() -> impl TypedValueParser<Value = Edition> {
    let editions = Edition::ALL.map(|edition| PossibleValue::new(edition.id()).help(edition.title()));
    PossibleValuesParser::new(editions).try_map(|id| id.parse::<Edition>())
}

/// Reads a file, or standard input where it is `-`.
fn read_file(file: &Path) -> Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut octets = Vec::new();
        std::io::stdin().lock().read_to_end(&mut octets).context("cannot read standard input")?;
        return Ok(octets);
    }
    std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// A robots.txt to read.
#[derive(Debug, clap::Args)]
struct FileArgument {
    /// The robots.txt; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}
