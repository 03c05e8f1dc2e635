//! `robotspec known`: lists of known failures.

use std::collections::{BTreeSet, HashSet};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use robotspec::event::CheckFinished;
use robotspec::known::{Removed, Updated, update};
use robotspec::{KnownFailures, Plan, RunRecord, replace, run};
use robotspec_cases::read::read_text;
use robotspec_cases::{Check, CheckId, Level, select_checks};
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_path};

use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::OK;
use crate::command::files::refuse_overwriting;
use crate::command::implementation::Implementation;
use crate::command::implementations::Subjects;
use crate::command::recorded;
use crate::command::suites::{find_files, load_or_built_in, robots_files};
use crate::command::values::{cannot_read, edition, joined, sorted};
use crate::output;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Update(Box<UpdateArguments>),
}

const EXIT_CODES: &str = "\
Exit codes of known update:
  0  the list is up to date
  2  the command or a file is wrong, and the list is unchanged
  128 + the number of the signal, such as 130 after Ctrl-C: interrupted, and the list is unchanged";

/// Bring a list of known failures up to date with a run of all checks
///
/// Removes entries whose checks now pass, and prints their reasons; adds new failures: rows where a row fails, variants
/// where many rows fail in a variant but pass as they are written. Entries that still hold keep
/// their text, with reasons and comments.
///
/// You write the reasons: a new entry has the reason `TODO say why`, and `robotspec run` refuses the
/// list until you have replaced it.
///
/// The checks are run, or taken from an earlier run. That run must be complete: without filters,
/// shards or left-out checks, in the editions that the list is about. With `--suite`, the list is
/// updated for the rows of these suites, and its other entries stay.
///
/// In a project, robotspec.toml names implementations and their lists (see `robotspec run --help`).
/// Then every list is updated, or only the list of the implementation that you name. Failures of
/// checks that the file excludes (`filters`, `skip`, `variants = false`) are not added.
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
    mut_arg("names", |names| names.help("A name from robotspec.toml [default: all that have a list there], or a built-in implementation")),
    mut_arg("known_failures", |list| list.help("The list, created if it does not exist [default: that of the configuration]").help_heading(None::<&str>)),
)]
pub(super) struct UpdateArguments {
    #[command(flatten)]
    subjects: Subjects,

    /// Take the failures from a run that `robotspec run --report jsonl=FILE` wrote
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// An edition that the list is about, of those that `robotspec editions` lists; repeatable
    /// [default: those that judge the implementation in `robotspec run`]
    #[arg(long, value_name = "EDITION", value_parser = edition(), hide_possible_values = true)]
    edition: Vec<Edition>,

    /// A file of cases, or a folder of such files, to run instead of the built-in ones; repeatable
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Remove even more than half of a list
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    config: ConfigArgument,
}

/// A list and how to find out what fails.
struct Task {
    list: PathBuf,
    /// The editions that the list is about.
    editions: Vec<Edition>,
    /// `None` where the earlier run is of an implementation that no one names.
    implementation: Option<Implementation>,
}

/// The checks to run, and what may become of a list.
struct Run<'a> {
    arguments: &'a UpdateArguments,
    checks: Vec<Check>,
    /// The checks that the configuration does not exclude. Failures of others are not added.
    of_project: HashSet<CheckId>,
    /// The suites of the checks; `None` for all built-in ones.
    suites: Option<BTreeSet<Arc<str>>>,
}

pub(super) fn known(command: &Command) -> Result<u8> {
    let Command::Update(arguments) = command;
    let config = Config::find(&arguments.config)?;
    let tasks = tasks(arguments, &config)?;
    let files = find_files(&arguments.suite)?;
    let inputs = config.file.iter().chain(&arguments.from).chain(&files).map(PathBuf::as_path);
    refuse_overwriting(inputs, tasks.iter().map(|task| task.list.as_path()))?;
    let suites = load_or_built_in(&arguments.suite, None)?;
    refuse_overwriting(robots_files(&suites), tasks.iter().map(|task| task.list.as_path()))?;
    let ids = suites.iter().map(|suite| Arc::clone(&suite.id));
    let editions: Vec<Edition> = tasks.iter().flat_map(|task| task.editions.iter().copied()).collect();
    let checks = select_checks(&suites, true, &editions, |_| true);
    let (filters, variants) = (config.filters(), config.variants.unwrap_or(true));
    let is_of_project = |check: &&Check| filters.hold(check) && (variants || check.id.variant.is_none());
    let run = Run {
        arguments,
        of_project: checks.iter().filter(is_of_project).map(|check| check.id.clone()).collect(),
        checks,
        suites: (!arguments.suite.is_empty()).then(|| ids.collect()),
    };
    for task in tasks {
        task.update(&run).with_context(|| match task.name() {
            Some(name) => format!("the list of {} is unchanged", visible(name)),
            None => "the list is unchanged".to_owned(),
        })?;
    }
    Ok(OK)
}

/// Returns the lists to update.
fn tasks(arguments: &UpdateArguments, config: &Config) -> Result<Vec<Task>> {
    let UpdateArguments { subjects: given, from, .. } = arguments;
    if given.is_empty()
        && let (Some(_), Some(list)) = (from, &given.known_failures)
    {
        let editions =
            sorted(if arguments.edition.is_empty() { &Edition::USUAL } else { &arguments.edition });
        return Ok(vec![Task { list: list.clone(), editions, implementation: None }]);
    }
    let mut implementations = given.implementations.choose(&given.crawler, config)?;
    if implementations.is_empty() {
        bail!(
            "which list, of which implementation? give --known-failures and an implementation, or a run of it with \
             --from; or name both in robotspec.toml"
        );
    }
    if implementations.iter().any(|implementation| implementation.name.is_none()) && !given.is_empty() {
        if from.is_some() {
            bail!("give either --from or an implementation to run");
        }
        if given.known_failures.is_none() {
            bail!("give the list of this implementation with --known-failures");
        }
    }
    if let Some(list) = &given.known_failures {
        let is_of = |other: &&Implementation| other.known_failures.as_ref() == Some(list);
        if let [chosen] = implementations.as_slice()
            && let Some(other) =
                config.implementations.iter().filter(is_of).find(|other| other.name != chosen.name)
        {
            let name = visible(other.name.as_deref().unwrap_or("another implementation"));
            bail!("{} is the list of {name}, and would lose its reasons", visible_path(list));
        }
        implementations.iter_mut().for_each(|chosen| chosen.known_failures = Some(list.clone()));
    }
    // An implementation without a file, such as a built-in one, has nothing to update.
    let tasks = implementations.into_iter().filter_map(|implementation| {
        let list = implementation.known_failures.clone()?;
        let editions = match (arguments.edition.as_slice(), config.editions.as_slice()) {
            ([], []) => implementation.usual_editions(),
            ([], of_config) => sorted(of_config),
            (named, _) => sorted(named),
        };
        Some(Task { list, editions, implementation: Some(implementation) })
    });
    let tasks: Vec<Task> = tasks.collect();
    if tasks.is_empty() {
        bail!("the configuration has no list: give its implementation `known-failures`");
    }
    if (given.known_failures.is_some() || from.is_some()) && tasks.len() > 1 {
        bail!("a list is about one implementation, and {} are chosen; name one", tasks.len());
    }
    Ok(tasks)
}

impl Task {
    /// Returns the name of the implementation in the configuration.
    fn name(&self) -> Option<&str> {
        self.implementation.as_ref()?.name.as_deref()
    }

    fn update(&self, run: &Run) -> Result<()> {
        let list = visible_path(&self.list);
        let read = || match read_text(&self.list) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            read => read.with_context(|| cannot_read(&self.list)),
        };
        read()?;
        let mut all = run.checks.clone();
        all.retain(|check| self.editions.iter().any(|edition| check.expected.contains_key(edition)));
        let finished = match (&run.arguments.from, &self.implementation) {
            (Some(file), _) => read_run(file, all.len(), &self.editions, self.name())?,
            (None, Some(implementation)) => run_now(implementation, all, &self.editions)?,
            (None, None) => bail!("give an implementation to run, or a run of it with --from"),
        };
        if let Some(check) = finished.iter().find(|check| check.has_not_run()) {
            bail!("{} was not run, and perhaps others were not: see `robotspec run`", check.id);
        }
        let is_of_project = |id: &CheckId| run.of_project.contains(id);
        // The run may take minutes, in which the list is edited.
        let text = read()?;
        let updated =
            update(&self.list, &text, &finished, &self.editions, run.suites.as_ref(), is_of_project)?;
        let Updated { added, removed, before, .. } = &updated;
        if updated.removes_most() && !run.arguments.force {
            bail!(
                "{} of {before} rows and variants, with their reasons, would go, because their checks pass now; if this is \
                 right, repeat the command with --force",
                removed.len()
            );
        }
        if updated.text != text {
            if read()? != text {
                bail!("{list} was changed at the same time; repeat the command");
            }
            replace::write(&self.list, &updated.text).with_context(|| format!("cannot write {list}"))?;
        }
        let mut out = output::stdout();
        writeln!(out, "{list}: {added} added, {} removed", removed.len())?;
        for Removed { name, reason } in removed {
            writeln!(out, "  removed {}: {}", visible(name), visible(reason))?;
        }
        if updated.text.contains("reason: TODO") {
            writeln!(out, "replace each TODO with a reason: until then, `robotspec run` refuses the list")?;
        }
        Ok(())
    }
}

/// Returns the checks of an earlier run, which must be a run of `name`, if that is given.
fn read_run(file: &Path, all: usize, editions: &[Edition], name: Option<&str>) -> Result<Vec<CheckFinished>> {
    let (mut record, gap) = recorded::read_run(file)?;
    if let Some(gap) = gap {
        bail!(gap);
    }
    let file = visible_path(file);
    if record.robotspec != env!("CARGO_PKG_VERSION") {
        let version = visible(&record.robotspec);
        bail!("{file}: robotspec {version} ran this, which may have other checks; run it again");
    }
    if record.check_count() != all || !record.editions.iter().eq(editions) {
        bail!(
            "{file}: this is not a run of all checks of {}, and the list would lose the entries of the others; run it \
             without filters and shards, or name other editions with --edition",
            joined(editions)
        );
    }
    let names: Vec<&str> = record.implementations.iter().map(|record| &*record.info.name).collect();
    match (names.as_slice(), name) {
        ([one], name) if name.is_none_or(|name| name == *one) => {}
        ([one], Some(name)) => {
            bail!("{file}: this is a run of {}, and the list is about {}", visible(one), visible(name))
        }
        _ => bail!(
            "{file}: a list is about one implementation, and this is a run of {}",
            visible(&names.join(", "))
        ),
    }
    Ok(record.implementations.remove(0).checks)
}

fn run_now(
    implementation: &Implementation,
    checks: Vec<Check>,
    editions: &[Edition],
) -> Result<Vec<CheckFinished>> {
    let plan = Plan {
        checks,
        editions: editions.to_vec(),
        level: Level::of_runs(),
        lists_are_about: None,
        shard: None,
        jobs: implementation.limits.jobs(),
    };
    let subject = implementation.subject(KnownFailures::default())?;
    let mut record = RunRecord::default();
    run(&plan, vec![subject], &mut |event| record.take(event));
    Ok(record.implementations.remove(0).checks)
}
