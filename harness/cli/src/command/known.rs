//! `robotspec known`: lists of known failures.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use robotspec_reference::Edition;

use crate::command::OK;
use crate::command::config::{Config, ConfigArgument};
use crate::command::output;
use crate::command::subjects::Subjects;
use robotspec::event::{CheckFinished, End, Event, Status, read_file};
use robotspec::known::update;
use robotspec::run::{Plan, run};
use robotspec_cases::suite::{Check, built_in, checks};

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
/// In a project, robotspec.toml names implementations and their lists (see `robotspec run --help`):
/// each list is brought up to date then, or that of the one that is named.
///
/// Examples:
///   robotspec known update
///   robotspec known update my-parser
///   robotspec known update --known-failures known.yaml --adapter 'python3 my_adapter.py'
///   robotspec known update --known-failures known.yaml --from run.jsonl
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = EXIT_CODES,
    mut_arg("names", |names| names.help("The one that robotspec.toml calls so [default: all that have a list there]; or one that is built in")),
    mut_arg("known_failures", |list| list.help("The list, made if it is not there [default: that of the configuration]").help_heading(None::<&str>)),
)]
pub(super) struct UpdateArguments {
    #[command(flatten)]
    subjects: Subjects,

    /// Take the failures from a run that `robotspec run --report jsonl=FILE` wrote
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn known(command: &Command) -> Result<u8> {
    let Command::Update(arguments) = command;
    for subjects in &with_lists(arguments, &Config::find(&arguments.config)?)? {
        let told = update_list(subjects, arguments.from.as_deref());
        told.with_context(|| match &subjects.name {
            Some(name) => format!("the list of {name} is left alone"),
            None => "the list is left alone".to_owned(),
        })?;
    }
    Ok(OK)
}

/// The implementations whose lists are to be brought up to date, each with its list.
fn with_lists(arguments: &UpdateArguments, config: &Config) -> Result<Vec<Subjects>> {
    let UpdateArguments { subjects: given, from, .. } = arguments;
    let list = &given.known_failures;
    if given.is_empty() && from.is_some() && list.is_some() {
        return Ok(vec![given.clone()]);
    }
    let mut subjects = config.subjects(given)?;
    if subjects.is_empty() {
        bail!(
            "which list, of which implementation? give --known-failures and an implementation, or a run of it with --from; or name both in robotspec.toml"
        );
    }
    if subjects.iter().any(|subjects| subjects.name.is_none()) && !given.is_empty() {
        if from.is_some() {
            bail!("give either --from or an implementation to run");
        }
        if list.is_none() {
            bail!("give the list of this implementation with --known-failures");
        }
    }
    if let (Some(list), [chosen]) = (list, subjects.as_slice()) {
        let is_others =
            |other: &&Subjects| other.known_failures.as_ref() == Some(list) && other.name != chosen.name;
        if let Some(other) = config.subjects.iter().find(is_others) {
            let name = other.name.as_deref().unwrap_or("another implementation");
            bail!("{} is the list of {name}, and would lose its reasons", list.display());
        }
    }
    match list {
        // What is built in has its list inside.
        None => subjects.retain(|subjects| subjects.known_failures.is_some()),
        Some(list) => subjects.iter_mut().for_each(|subjects| subjects.known_failures = Some(list.clone())),
    }
    if subjects.is_empty() {
        bail!("the configuration has no list: give its implementation `known-failures`");
    }
    if (list.is_some() || from.is_some()) && subjects.len() > 1 {
        bail!("a list is about one implementation, and these are {}; say which", subjects.len());
    }
    Ok(subjects)
}

/// Brings the list of an implementation up to date, with the run of it that is given, or with one that is made now.
fn update_list(subjects: &Subjects, from: Option<&Path>) -> Result<()> {
    let file = subjects.known_failures.as_ref().context("give the list with --known-failures")?;
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let all = checks(&built_in()?, true);
    let finished = match from {
        Some(from) => recorded(from, all.len(), subjects.name.as_deref())?,
        None => played(subjects, all)?,
    };
    let not_run =
        |check: &&CheckFinished| check.editions.values().any(|judged| judged.status == Status::NotRun);
    if let Some(check) = finished.iter().find(not_run) {
        bail!("{} was not run, nor may others have been: see `robotspec run`", check.id);
    }
    let updated = update(file, &text, &finished, &Edition::ALL)?;
    if updated.text != text {
        fs::write(file, &updated.text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut out = output::stdout();
    let name = file.display();
    writeln!(out, "{name}: {} added, {} removed", updated.added, updated.removed)?;
    if updated.text.contains("reason: TODO") {
        writeln!(out, "write a reason in place of each TODO: until then, `robotspec run` refuses the list")?;
    }
    Ok(())
}

/// The checks of a run that was written before, of the implementation of this name if there is one.
fn recorded(file: &Path, all: usize, wanted: Option<&str>) -> Result<Vec<CheckFinished>> {
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
    if let Some(wanted) = wanted
        && implementations[0] != wanted
    {
        bail!("{name}: this is a run of {}, and the list is about {wanted}", implementations[0]);
    }
    Ok(finished)
}

/// The checks, run now.
fn played(subjects: &Subjects, checks: Vec<Check>) -> Result<Vec<CheckFinished>> {
    let started = subjects.start_without_list()?;
    if started.len() != 1 {
        bail!("a list is about one implementation; give exactly one");
    }
    let plan = Plan {
        checks,
        editions: Edition::ALL.to_vec(),
        lists_are_about: None,
        shard: None,
        jobs: subjects.jobs(),
    };
    let mut finished = Vec::new();
    run(&plan, started, &mut |event| {
        if let Event::CheckFinished(check) = event {
            finished.push(check.clone());
        }
    });
    Ok(finished)
}
