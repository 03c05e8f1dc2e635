//! `robotspec known`: lists of known failures.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use robotspec_reference::Edition;

use crate::cli::OK;
use crate::cli::output;
use crate::cli::subjects::Subjects;
use crate::event::{CheckFinished, End, Event, Status, read_file};
use crate::known::update;
use crate::run::{Plan, run};
use crate::suite::{Check, built_in, checks};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Update(Box<UpdateArguments>),
}

const EXIT_CODES: &str = "\
Exit codes of known update:
  0  the list is up to date
  2  the command or a file is wrong, and the list is left alone";

/// Bring a list of known failures up to date with a run of all checks
///
/// Takes off the list what does not fail any more, and puts on it what newly fails: rows where a row
/// fails, variants where many rows fail in one that pass themselves. What still holds stays as it is
/// written, with its reason and its comments.
///
/// Why something fails is for you to say: a new entry has the reason `TODO say why`, and `robotspec
/// run` refuses the list until it is a reason.
///
/// The checks are run, or taken from a run that was written before. It has to be a whole one: without
/// filters, shards or left-out checks, in all editions.
///
/// Examples:
///   robotspec known update --known-failures known.yaml --adapter 'python3 my_adapter.py'
///   robotspec known update --known-failures known.yaml --from run.jsonl
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = EXIT_CODES,
    mut_arg("names", |names| names.help("A built-in implementation, by name")),
    mut_arg("known_failures", |list| list.help("The list, made if it is not there").required(true).help_heading(None::<&str>)),
)]
pub(super) struct UpdateArguments {
    #[command(flatten)]
    subjects: Subjects,

    /// Take the failures from a run that `robotspec run --report jsonl=FILE` wrote
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(super) fn known(command: &Command) -> Result<u8> {
    let Command::Update(arguments) = command;
    let file = arguments.subjects.known_failures.as_ref().context("give the list with --known-failures")?;
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let all = checks(&built_in()?, true);
    let finished = match &arguments.from {
        Some(from) if arguments.subjects.is_empty() => recorded(from, all.len())?,
        Some(_) => bail!("give either --from or an implementation to run"),
        None => played(&arguments.subjects, all)?,
    };
    let not_run =
        |check: &&CheckFinished| check.editions.values().any(|judged| judged.status == Status::NotRun);
    if let Some(check) = finished.iter().find(not_run) {
        bail!("{} was not run, nor may others have been: see `robotspec run`", check.id);
    }
    let updated = update(file, &text, &finished)?;
    if updated.text != text {
        fs::write(file, &updated.text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut out = output::stdout();
    let name = file.display();
    writeln!(out, "{name}: {} added, {} removed", updated.added, updated.removed)?;
    if updated.text.contains("reason: TODO") {
        writeln!(out, "write a reason in place of each TODO: until then, `robotspec run` refuses the list")?;
    }
    Ok(OK)
}

/// The checks of a run that was written before.
fn recorded(file: &Path, all: usize) -> Result<Vec<CheckFinished>> {
    let mut implementations = Vec::new();
    let mut finished = Vec::new();
    let mut is_whole = false;
    let mut version = String::new();
    let end = read_file(file, &mut |event| match event {
        Event::RunStarted { editions, checks, robotspec, .. } => {
            is_whole = checks == all && editions.len() == Edition::ALL.len();
            version = robotspec;
        }
        Event::ImplementationStarted { info } => implementations.push(info.name),
        Event::CheckFinished(check) => finished.push(check),
        _ => {}
    })?;
    let name = file.display();
    if end == End::CutOff {
        bail!("{name}: the run was cut off; run it again");
    }
    if version != env!("CARGO_PKG_VERSION") {
        bail!("{name}: robotspec {version} ran this, which may have other checks; run it again");
    }
    if !is_whole {
        bail!(
            "{name}: not all checks were run in all editions, and the list would lose what was left out; run it without filters and shards"
        );
    }
    if implementations.len() != 1 {
        bail!(
            "{name}: a list is about one implementation, and this is a run of {}",
            implementations.join(", ")
        );
    }
    Ok(finished)
}

/// The checks, run now.
fn played(subjects: &Subjects, checks: Vec<Check>) -> Result<Vec<CheckFinished>> {
    if subjects.is_empty() {
        bail!("which implementation? give it as to `robotspec run`, or a run of it with --from");
    }
    let started = subjects.start_without_list()?;
    if started.len() != 1 {
        bail!("a list is about one implementation; give exactly one");
    }
    let plan = Plan { checks, editions: Edition::ALL.to_vec(), lists_are_about: None, jobs: subjects.jobs() };
    let mut finished = Vec::new();
    run(&plan, started, &mut |event| {
        if let Event::CheckFinished(check) = event {
            finished.push(check.clone());
        }
    });
    Ok(finished)
}
