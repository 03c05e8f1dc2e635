//! `robotspec import`: writes a suite of the tests of Google's robotstxt-spec-test.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use robotspec_reference::Edition;

use crate::command::exit::{FAILED, OK, USAGE};
use crate::command::values::{edition, read_file};
use crate::import::{Comparison, Difference, Imported, Source, Target, file_id, import as import_suite};
use crate::output;
use robotspec::replace;
use robotspec::sentences::counted;
use robotspec_cases::visible;
use robotspec_cases::visible_path;

const AFTER_HELP: &str = concat!(
    "Exit codes of import:
  0  every check was imported
  1  some checks were imported; others were left out, and the reasons were reported
  2  the command or a file is wrong, and nothing was written

The definition of the files:

",
    include_str!("../import/specification.proto")
);

/// The extensions of files that a folder is searched for.
const EXTENSIONS: [&str; 3] = ["textproto", "txtpb", "pbtxt"];

/// The number of lines that are shown of a long list.
const SHOWN: usize = 20;

/// Import the tests of Google's robotstxt-spec-test as a suite
///
/// The files are messages in the text format of Protocol Buffers. The definition of the messages is
/// built in and printed below. A folder stands for all files in it and in its subfolders whose
/// names end with .textproto, .txtpb or .pbtxt.
///
/// Each element of `tests` becomes a case, and each of its `test_expectations` a row. The id of the
/// case is the name of the file and the number of the test, such as groups-3. The explanations of
/// the rows become the `about` of the case. GOOGLE_SPECIFIC expectations become a case marked
/// `google-specific`, which `robotspec run --no-google-specific` leaves out.
///
/// The command compares the expectations with the reference and reports the differences. The suite
/// contains the expectations as they were written.
///
/// Examples:
///   robotspec import robotstxt-spec-test/src/main/resources/CTC --out imported.yaml
///   robotspec import correctness stress/943687.textproto --id google --out imported.yaml
///   robotspec run --suite imported.yaml --edition google-2026 --adapter 'python3 my_adapter.py'
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The files, and folders with files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// An edition in which the suite runs; repeatable
    #[arg(long, value_name = "EDITION", default_value = "google-2026", value_parser = edition())]
    edition: Vec<Edition>,

    /// The id of the suite [default: the name of the file or folder, or `imported` for several]
    #[arg(long, value_name = "ID", value_parser = suite_id)]
    id: Option<String>,

    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn suite_id(id: &str) -> Result<String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = !id.is_empty() && id.chars().all(fits);
    is_id.then(|| id.to_owned()).context("use lower-case letters, digits and hyphens")
}

pub(super) fn import(arguments: &Arguments) -> Result<u8> {
    let mut sources = Vec::new();
    for path in &arguments.files {
        for file in files_of(path)? {
            sources.push(Source { bytes: read_file(&file)?, file });
        }
    }
    let mut editions = arguments.edition.clone();
    editions.sort();
    editions.dedup();
    let names: Vec<String> = arguments.files.iter().map(|file| visible_path(file)).collect();
    let default_id = match &arguments.files[..] {
        [file] => Some(file_id(file)).filter(|id| !id.is_empty()),
        _ => None,
    };
    let id = arguments.id.clone().or(default_id).unwrap_or_else(|| "imported".to_owned());
    let target = Target { id: &id, source: &names.join(", "), editions: &editions };
    let imported = match import_suite(&sources, &target) {
        Ok(imported) => imported,
        Err(errors) => {
            errors.iter().for_each(output::error);
            return Ok(USAGE);
        }
    };
    match &arguments.out {
        Some(file) => {
            replace::write(file, &imported.text)
                .with_context(|| format!("cannot write {}", visible_path(file)))?;
        }
        // A terminal shows the suite to a person; a file or a pipe gets the exact text.
        None if std::io::stdout().is_terminal() => output::stdout().write_all(imported.text.as_bytes())?,
        None => output::for_programs().write_all(imported.text.as_bytes())?,
    }
    report(&imported, sources.len());
    Ok(if imported.left_out.is_empty() { OK } else { FAILED })
}

/// Returns the files that an argument stands for, in the order of their names.
fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (mut files, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", visible_path(&folder)))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", visible_path(&folder)))?;
            let path = entry.path();
            // A link to a folder is not followed, because it may lead back to this folder.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
            {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        bail!("{} contains no .{} file", visible_path(path), EXTENSIONS.join(" or ."));
    }
    files.sort();
    Ok(files)
}

/// Reports the result of an import on standard error.
fn report(imported: &Imported, files: usize) {
    output::note(&format!(
        "{} in {}: {}; {} specific to Google",
        counted(imported.checks, "check"),
        counted(files, "file"),
        counted(imported.cases, "case"),
        counted(imported.google_specific_checks, "check"),
    ));
    if !imported.left_out.is_empty() {
        let left_out = imported.left_out.iter().map(|reason| visible(reason));
        let title = format!("left out {}", counted(imported.left_out.len(), "element"));
        warn(&title, left_out);
    }
    let Comparison { all, contradicted, unspecified, inapplicable } = &imported.comparison;
    let kinds = [
        (contradicted, "the reference contradicts"),
        (unspecified, "the edition does not specify"),
        (inapplicable, "the specification does not apply to"),
    ];
    for (differences, title) in kinds.iter().filter(|(differences, _)| !differences.is_empty()) {
        let line = |difference: &Difference| {
            let Difference { row, edition, expected, reference } = difference;
            visible(&format!("{row} in {edition}: expected {expected}, reference: {reference}"))
        };
        let title = format!("{title} {} of {}", differences.len(), counted(*all, "expectation"));
        warn(&title, differences.iter().map(line));
    }
}

/// Prints a warning and the first lines of a list.
fn warn(title: &str, lines: impl ExactSizeIterator<Item = String>) {
    let more = lines.len().saturating_sub(SHOWN);
    output::warning(&format!("{title}:"));
    lines.take(SHOWN).for_each(|line| output::note(&format!("  {line}")));
    if more > 0 {
        output::note(&format!("  … and {more} more"));
    }
}
