//! `robotspec import`: other people's checks as a suite.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use robotspec_reference::Edition;

use crate::command::output::{self, counted};
use crate::command::{FAILED, OK, USAGE, edition, read_file};
use crate::import::role::{FieldRole, Names, ValueMeaning};
use crate::import::{Comparison, Imported, Parting, Source, Wanted, import as import_suite};

const EXIT_CODES: &str = "\
Exit codes of import:
  0  every check was imported
  1  the checks were imported, but some values are part of none
  2  the command or a file is wrong, or has a field that nobody knows, and nothing was written";

/// How much of what is amiss is told.
const SHOWN: usize = 5;

/// Make a suite of textproto files, such as those of Google's robotstxt-spec-test
///
/// A textproto file is a message in the text format of Protocol Buffers. It is read as it is
/// written, without the definition of the message (.proto), and none is built in: what a field says
/// is known by its name alone, in the usual spellings. A field that has none of these is refused,
/// with the option that says what it is:
///
///   --field NAME=ROLE   robots    the robots.txt            robots_txt, robotstxt_content, body, ...
///                       agent     who asks                  user_agent, useragent, agent, ...
///                       url       what is asked about       url, uri, path, ...
///                       expected  what is expected          expected_outcome, allowed, disallowed, ...
///                       name      becomes part of an id     name, id, title, ...
///                       note      stands with the case      description, explanation, comment, ...
///                       ignore    left out, and counted; with all that is in it if it is a message
///
/// `true` is allow, unless the name of the field says disallow, block or the like; a word is what
/// it ends with, such as OUTCOME_DISALLOWED; for others there is --value.
///
/// A check is a message in which all four are known: from its own fields, or else from those of the
/// messages around it. A message that stands in another once, and is no check by itself, counts as
/// part of the other. Where agents or URLs are repeated, each is meant with each.
///
/// The suite has a case for each file, with a row for each check. What the reference thinks of the
/// expectations is told besides; it changes none.
///
/// Examples:
///   robotspec import suite/*.textproto --out imported.yaml
///   robotspec import suite.textproto --field payload=robots --field owner=ignore --out imported.yaml
///   robotspec run --suite imported.yaml --edition google-2026 --adapter 'python3 my_adapter.py'
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    /// The textproto files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// An edition that is to judge the checks; repeatable
    #[arg(long, value_name = "EDITION", default_value = "google-2026", value_parser = edition())]
    edition: Vec<Edition>,

    /// What the fields of a name say; repeatable
    #[arg(long, value_name = "NAME=ROLE")]
    field: Vec<FieldRole>,

    /// What a value of an expected outcome means: allow, disallow, or ignore to leave its checks out; repeatable
    #[arg(long, value_name = "VALUE=MEANING")]
    value: Vec<ValueMeaning>,

    /// What all ids of the suite begin with [default: the name of the first file]
    #[arg(long, value_name = "ID", value_parser = suite_id)]
    id: Option<String>,

    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn suite_id(id: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = !id.is_empty() && id.chars().all(fits);
    is_id.then(|| id.to_owned()).ok_or_else(|| "use lower-case letters, digits and hyphens".to_owned())
}

pub(super) fn import(arguments: &Arguments) -> Result<u8> {
    let read = |file: &PathBuf| Ok(Source { octets: read_file(file)?, file: file.clone() });
    let sources = arguments.files.iter().map(read).collect::<Result<Vec<_>>>()?;
    let names = Names::new(&arguments.field, &arguments.value);
    let mut editions = arguments.edition.clone();
    editions.sort();
    editions.dedup();
    let wanted = Wanted { names: &names, editions: &editions, id: arguments.id.as_deref() };
    let imported = match import_suite(&sources, &wanted) {
        Ok(imported) => imported,
        Err(mistakes) => {
            mistakes.into_iter().for_each(|mistake| output::error(&anyhow!(mistake)));
            return Ok(USAGE);
        }
    };
    match &arguments.out {
        Some(file) => {
            fs::write(file, &imported.text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        None => output::stdout().write_all(imported.text.as_bytes())?,
    }
    tell(&imported, sources.len());
    Ok(if imported.unused.is_empty() { OK } else { FAILED })
}

/// What was read and written, beside the suite.
fn tell(imported: &Imported, files: usize) {
    output::note(&format!(
        "{} in {}: {}",
        counted(imported.checks, "check"),
        counted(files, "file"),
        counted(imported.cases, "case"),
    ));
    for (role, fields) in &imported.fields {
        let fields: Vec<String> = fields.iter().map(|(field, times)| format!("{field} ({times})")).collect();
        output::note(&format!("  {:<9} from {}", role.id(), fields.join(", ")));
    }
    for (count, what) in [(imported.ignored_values, "value"), (imported.ignored_checks, "check")] {
        if count > 0 {
            output::note(&format!("  left out, as you say: {}", counted(count, what)));
        }
    }
    if !imported.unused.is_empty() {
        let all = counted(imported.unused.len(), "value");
        let told = imported.unused.iter().map(ToString::to_string);
        warn(&format!("left out: {all} in no check"), told);
    }
    tell_comparison(&imported.comparison);
}

fn tell_comparison(comparison: &Comparison) {
    let told = |parting: &Parting| {
        let Parting { row, edition, expected, says } = parting;
        format!("{row} in {edition}: expected {expected}, the reference says {says}")
    };
    let Comparison { all, contradicted, open } = comparison;
    if !contradicted.is_empty() {
        let title = format!("the reference contradicts {} of {all} expectations", contradicted.len());
        warn(&title, contradicted.iter().map(told));
    }
    if !open.is_empty() {
        let title = format!("the text leaves open {} of {all} expectations", open.len());
        warn(&title, open.iter().map(told));
    }
}

/// A warning with the first few things that it is about.
fn warn(title: &str, told: impl ExactSizeIterator<Item = String>) {
    let more = told.len().saturating_sub(SHOWN);
    output::warning(&format!("{title}:"));
    told.take(SHOWN).for_each(|line| output::note(&format!("  {line}")));
    if more > 0 {
        output::note(&format!("  … and {more} more"));
    }
}
