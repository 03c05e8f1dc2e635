//! The command line.

mod adapter;
mod cases;
mod check;
mod config;
mod diff;
mod editions;
mod exit;
mod export;
mod files;
mod filters;
mod fuzz;
mod help;
mod implementation;
mod implementations;
mod init;
mod known;
mod lint;
mod profile;
mod progress;
mod recorded;
mod report;
mod reports;
mod robots_file;
mod run;
mod serve;
mod shell;
mod signals;
mod suites;
mod values;

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use robotspec::external::guard;

use crate::output;

const START: &str = "\
Start with one of these:
  robotspec run --adapter 'python3 my_adapter.py' --edition rfc9309
  robotspec check --agent FooBot --url /fish --explain robots.txt
  robotspec editions

A book of tasks: https://github.com/robotspec/robotspec/blob/main/harness/docs/src/introduction.md";

/// The robots.txt specification, executable: checks any implementation
/// against it, edition by edition.
#[derive(Debug, Parser)]
#[command(name = "robotspec", version, after_help = [START, exit::OF_RUN, exit::OF_ANSWERS].join("\n\n"), styles = styles(), max_term_width = help::WIDEST, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
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
    Check(Box<check::CheckArguments>),
    Scope(check::ScopeArguments),
    Sitemaps(check::SitemapsArguments),
    Lint(lint::Arguments),
    Fuzz(Box<fuzz::Arguments>),
    Profile(profile::Arguments),
    Serve(serve::Arguments),
    Adapter(adapter::Arguments),
    /// List, show and check the cases and their coverage
    #[command(subcommand)]
    Cases(cases::Command),
    Editions(editions::Arguments),
    Export(export::Arguments),
    Completions(shell::CompletionsArguments),
    Man(shell::ManArguments),
    /// Clean up after another process of this program
    #[command(hide = true, name = signals::GUARD)]
    Guard {
        /// The mark of the processes of that process
        mark: String,
    },
}

impl Command {
    /// Runs the command. Returns the exit code.
    fn run(self) -> Result<u8> {
        // The guard outlives the signals that end the other commands.
        if !matches!(self, Command::Guard { .. }) {
            signals::handle()?;
        }
        match self {
            Command::Init(arguments) => init::init(&arguments),
            Command::Run(arguments) => run::run(&arguments),
            Command::Diff(arguments) => diff::diff(&arguments),
            Command::Known(command) => known::known(&command),
            Command::Report(arguments) => report::report(&arguments),
            Command::Check(arguments) => check::check(&arguments),
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
            Command::Completions(arguments) => shell::completions(&arguments, Cli::command()),
            Command::Man(arguments) => shell::man(&arguments, Cli::command()),
            Command::Guard { mark } => {
                guard::run(&mark, std::io::stdin().lock());
                Ok(exit::OK)
            }
        }
    }
}

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    silence_panics_under_test();
    let matches = help::fit(Cli::command()).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            output::usage_error(error);
            return ExitCode::from(exit::USAGE);
        }
        // A help text or a version.
        Err(text) => text.exit(),
    };
    match cli.command.run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::error(&error);
            ExitCode::from(exit::USAGE)
        }
    }
}

/// Silences panics of implementations, because they are reported as crashes, and those of wiremock at a request that a
/// client cut off, which only end the connection. Any other panic is a fault of this program, with its own exit code.
fn silence_panics_under_test() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_of_request = panic.location().is_some_and(|place| place.file().contains("wiremock"));
        if is_of_request || std::thread::current().name() == Some(robotspec::SUBJECT_THREAD) {
            return;
        }
        report(panic);
        std::process::exit(exit::FAULT);
    }));
}
