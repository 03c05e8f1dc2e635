//! The arguments of `robotspec run`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use robotspec_cases::Level;
use robotspec_cases::shard::Shard;
use robotspec_reference::Edition;

use crate::command::config::ConfigArgument;
use crate::command::exit::OF_RUN;
use crate::command::filters::{self, Filters};
use crate::command::implementations::Subjects;
use crate::command::reports::ReportTo;
use crate::command::values::{self, edition, level};
use crate::report::Format;

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
///   robotspec run reference --suite shop.yaml --edition google-2026
///
/// A project puts its settings into robotspec.toml, so that its command is `robotspec run`:
///
///   editions = ["rfc9309"]            # as --edition
///   level = "must"                    # as --level
///   filters = ["kind:M", "kind:G"]    # as --filter
///   skip = ["clause:S-*"]             # as --skip
///   google-specific = false           # as --no-google-specific
///   variants = false                  # as --no-variants
///   timeout = 10                      # as --timeout; also jobs, max-failures, memory-limit
///
///   [reports]                         # as --report
///   junit = "target/robots.xml"
///
///   [[implementation]]                # one of builtin, adapter, exec and crawler
///   name = "my-parser"                # the name in reports, in place of that of the adapter
///   adapter = "python3 my_adapter.py"
///   known-failures = "known.yaml"     # with exec: allow-exit, disallow-pattern, ...
///
/// Paths are relative to robotspec.toml; commands are started in the current folder. If the command
/// line gives implementations, editions, filters or reports, those of the file are ignored.
/// `robotspec fuzz`, `profile` and `known update` also use the implementations of the file.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = OF_RUN)]
pub(in crate::command) struct Arguments {
    #[command(flatten)]
    pub(super) subjects: Subjects,

    /// An edition that judges, of those that `robotspec editions` lists; repeatable [default: Google's
    /// editions and RFC 9309, or the edition that an implementation claims to follow]
    #[arg(long, help_heading = filters::HEADING, value_name = "EDITION", value_parser = edition(), hide_possible_values = true)]
    pub(super) edition: Vec<Edition>,

    /// The weakest requirement whose violation fails the run; departures from recommendations are
    /// always counted apart [default: should]
    #[arg(long, help_heading = OUTPUT, value_name = "LEVEL", value_parser = level())]
    pub(super) level: Option<Level>,

    /// A file of cases, or a folder of such files, to run instead of the built-in ones; repeatable
    #[arg(long, help_heading = filters::HEADING, value_name = "FILE")]
    pub(super) suite: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) filters: Filters,

    /// Only a share of the checks, such as 2/4; each check is in one share, and stays in it
    #[arg(long, value_name = "I/N", help_heading = filters::HEADING)]
    pub(super) shard: Option<Shard>,

    /// Leave out checks that the texts mark as specific to Google
    #[arg(long, help_heading = filters::HEADING)]
    pub(super) no_google_specific: bool,

    /// Leave out the checks that are derived by rewriting files
    #[arg(long, help_heading = filters::HEADING)]
    pub(super) no_variants: bool,

    /// Show every row that newly fails, not only examples of the clauses with the most failures
    #[arg(long, help_heading = OUTPUT)]
    pub(super) all: bool,

    /// Count the known failures by clause, too
    #[arg(long, help_heading = OUTPUT)]
    pub(super) known: bool,

    /// Show only the rows that pass as they are written and fail in a variant
    #[arg(long, help_heading = OUTPUT, conflicts_with = "no_variants")]
    pub(super) only_in_variants: bool,

    /// The format of the output
    #[arg(long, value_parser = Output::parser(), default_value = values::Format::HUMAN, help_heading = OUTPUT)]
    pub(super) format: Output,

    #[arg(long, value_name = "FORMAT=FILE", help_heading = OUTPUT, help = ReportTo::help())]
    pub(super) report: Vec<ReportTo>,

    /// Print the JSON Schema of a report and exit; the schema of jsonl is that of a line
    #[arg(long, value_name = "FORMAT", value_parser = schema_parser(), help_heading = OUTPUT)]
    pub(super) schema: Option<Format>,

    #[command(flatten)]
    pub(super) config: ConfigArgument,
}

/// The output of a run: the report for a person at a terminal, or in a format.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output(pub(super) Option<Format>);

impl Output {
    /// Reads an output.
    pub(super) fn parser() -> impl TypedValueParser<Value = Output> {
        let formats = Format::ALL.map(|format| PossibleValue::new(format.id()).help(format.help()));
        let values =
            std::iter::once(PossibleValue::new(values::Format::HUMAN).help("For people")).chain(formats);
        PossibleValuesParser::new(values).map(|name| Output(name.parse().ok()))
    }
}

/// Reads a format that has a JSON Schema.
pub(super) fn schema_parser() -> impl TypedValueParser<Value = Format> {
    let formats = Format::ALL.into_iter().filter(|format| format.schema().is_some());
    let values = formats.map(|format| PossibleValue::new(format.id()).help(format.help()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Format>())
}
