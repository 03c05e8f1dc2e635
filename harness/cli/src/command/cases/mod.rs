//! `robotspec cases`: the suites, their format and their coverage.

mod coverage;
mod list;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use robotspec::failure::contrary_ruling;
use robotspec_cases::checks;
use robotspec_cases::suite::format::SuiteFormat;
use robotspec_reference::Edition;
use robotspec_text::visible;

use crate::command::exit::OK;
use crate::command::suites::load_or_built_in;
use crate::command::values::joined;
use crate::output::{self, counted};
use crate::report::by_value;
use crate::schema;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    List(list::ListArguments),
    Show(show::ShowArguments),
    Lint(LintArguments),
    /// Print the JSON Schema of a file of cases, for editors
    ///
    /// Example:
    ///   robotspec cases schema > cases.schema.json
    #[command(verbatim_doc_comment)]
    Schema,
    Coverage(coverage::CoverageArguments),
}

/// Check files of cases: their format, ids, clauses and editions
///
/// Rows that expect something else than the reference answers are listed. They are not errors.
///
/// Example:
///   robotspec cases lint my-suite.yaml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LintArguments {
    /// Files of cases, or folders of them [default: cases/suites at the top of a copy of the sources,
    /// and the built-in ones elsewhere]
    files: Vec<PathBuf>,
}

pub(super) fn cases(command: Command) -> Result<u8> {
    match command {
        Command::List(arguments) => list::list(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Lint(arguments) => lint(&arguments),
        Command::Schema => {
            output::for_programs().write_all(schema::of_input::<SuiteFormat>().as_bytes())?;
            Ok(OK)
        }
        Command::Coverage(arguments) => coverage::show_coverage(&arguments),
    }
}

fn lint(arguments: &LintArguments) -> Result<u8> {
    // The program may be older than the files of these sources.
    let of_sources = vec![PathBuf::from("cases/suites")];
    let (files, place) = match arguments.files.is_empty() {
        true if Path::new("cases/clauses.yaml").is_file() => (&of_sources, " in cases/suites"),
        true => (&arguments.files, " in this program"),
        false => (&arguments.files, ""),
    };
    let suites = load_or_built_in(files, None)?;
    let rows: usize = suites.iter().flat_map(|suite| &suite.cases).map(|case| case.rows.len()).sum();
    let cases: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let all = checks(&suites, true).len();
    let mut out = output::stdout();
    // The reference passes the built-in ones.
    let own = if files.is_empty() { Vec::new() } else { checks(&suites, false) };
    let mut contradicted = 0;
    for check in own {
        let is_usual = |edition: &Edition| Edition::USUAL.contains(edition);
        let has_usual = check.expected.keys().any(is_usual);
        let judged = check.expected.iter().filter(|(edition, _)| !has_usual || is_usual(edition));
        let contrary = judged.filter_map(|(edition, expected)| {
            let ruling = contrary_ruling(&check, *edition, expected)?;
            Some((*edition, format!("the file expects {expected}; the reference answers {ruling}")))
        });
        let contrary = by_value(contrary);
        contradicted += usize::from(!contrary.is_empty());
        for (answers, editions) in contrary {
            let editions = joined(&editions);
            writeln!(out, "{}: {answers} ({editions})", visible(&check.id.to_string()))?;
        }
    }
    writeln!(
        out,
        "{}{place}, {}, {}, {}: no error{}",
        counted(suites.len(), "suite"),
        counted(cases, "case"),
        counted(rows, "row"),
        counted(all - rows, "variant"),
        match contradicted {
            0 => String::new(),
            count => format!(" in the format, but the reference answers {} otherwise", counted(count, "row")),
        }
    )?;
    Ok(OK)
}
