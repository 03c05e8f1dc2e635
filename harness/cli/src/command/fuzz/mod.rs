//! `robotspec fuzz`

mod human;
mod json;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;
use robotspec::interrupt;
use robotspec_cases::{Clause, Level};
use robotspec_fuzz::generate::{Shares, rendered};
use robotspec_fuzz::{
    Finding, FindingKind, Limit, Make, Progress as SearchProgress, Report, SearchPlan, Source,
};
use robotspec_reference::Edition;
use robotspec_text::visible_path;

use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::{FAILED, INCOMPLETE, OK};
use crate::command::files::{list_folder, refuse_folder_of_inputs};
use crate::command::implementation::{
    Implementation, ImplementationKind, connect_all, read_known_failures, refuse_same_names,
};
use crate::command::implementations::Implementations;
use crate::command::progress::Progress;
use crate::command::signals;
use crate::command::values::{self, Format, duration, edition, read_file, sorted};
use crate::output::{self, counted};

const EXIT_CODES: &str = "\
Exit codes of fuzz:
  0  there is no finding, or only known failures
  1  a finding is not on the list of known failures, or an implementation answers the same query in
     two ways; with --level must, departures from recommendations do not count
  2  the command or a file is wrong, and nothing was run
  3  an implementation could not be run, or not to the end, or a divergence was not examined
  4  a fault of robotspec itself
  128 + the number of the signal, such as 130 after Ctrl-C: interrupted; the output has what was
     found until then, and a second signal ends the program at once";

const SEARCH: &str = "Search";
const OUTPUT: &str = "Output";

/// Find inputs on which implementations diverge from the specification
///
/// Generates files, agents and URLs, compares every answer with an edition, and shows the divergences:
/// each as small as possible, with the clause that it breaks and the lines that decide. Where the
/// edition does not specify the answer, any answer is right. A cause is named only where it is proven;
/// other findings are unexplained. The same seed gives the same findings, whatever the number of jobs.
///
/// With --files, the files of a folder take the place of generated ones, and agents and URLs are derived
/// from each. At the end, it prints the shares of files and of queries with a wrong answer, then the
/// findings, the most frequent first. A query counts if the edition specifies the answer and the
/// implementation gives one.
///
/// Examples:
///   robotspec fuzz robotxt --time 10s
///   robotspec fuzz --adapter 'python3 my_adapter.py' --time 60s --out findings/
///   robotspec fuzz --adapter ./port --against texting_robots --runs 1000000
///   robotspec fuzz robotxt --files robots-of-sites/ --seed 1
///   robotspec fuzz robotxt --replay fuzz/artifacts/differential/crash-1f8a
///
/// In a project, robotspec.toml names implementations, editions, level and jobs, as for `robotspec run`, so
/// that the command is `robotspec fuzz`. Crawlers are left out. The command line overrides the file,
/// which may also have:
///
///   [fuzz]
///   known-failures = "known.yaml"     # as --known-failures
///   out = "findings"                  # as --out
///   runs = 30000                      # as --runs; or time = "60s"
///   seed = 1                          # as --seed
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(flatten)]
    implementations: Implementations,

    /// The time for sending inputs, such as `60s`, `10m` or `2h` [default: 60s, without --runs and
    /// --files]; at most a twentieth more is spent on minimising findings
    #[arg(long, help_heading = SEARCH, value_name = "TIME", value_parser = duration, conflicts_with = "runs")]
    time: Option<Duration>,

    /// The number of checks after which no more inputs are sent
    #[arg(long, help_heading = SEARCH, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,

    /// A folder whose files are the inputs, instead of generated ones; folders in it are not read. The
    /// search ends after the last file, or earlier with --time or --runs
    #[arg(long, help_heading = SEARCH, value_name = "DIR", conflicts_with = "access")]
    files: Option<PathBuf>,

    /// A file that is the only input: one that libFuzzer kept, or any robots.txt, whose queries then follow from
    /// its bytes
    #[arg(long, help_heading = SEARCH, value_name = "FILE", conflicts_with_all = ["access", "files"])]
    replay: Option<PathBuf>,

    /// The number from which all inputs, and all queries about files, are made [default: a different one each time]
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    seed: Option<u64>,

    /// An edition that judges, of those that `robotspec editions` lists; repeatable [default: rfc9309]
    #[arg(long, help_heading = SEARCH, value_name = "EDITION", value_parser = edition(), hide_possible_values = true)]
    edition: Vec<Edition>,

    /// An implementation by name, or the command of an adapter, whose answers are right, instead of the
    /// editions
    #[arg(long, help_heading = SEARCH, value_name = "IMPLEMENTATION")]
    against: Option<String>,

    /// A folder for the findings, each as a file of cases: `robotspec run --suite DIR` repeats them, and
    /// `robotspec known update --suite DIR` adds them to a list of known failures. A time-out is not a
    /// case
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    out: Option<PathBuf>,

    /// A list of known failures, with reasons, that has rows of findings: only other findings then fail
    /// the run
    #[arg(long, help_heading = SEARCH, value_name = "FILE")]
    known_failures: Option<PathBuf>,

    /// The weakest requirement whose violation fails the run; findings say whether they depart only from
    /// recommendations [default: should]
    #[arg(long, help_heading = OUTPUT, value_name = "LEVEL", value_parser = values::level())]
    level: Option<Level>,

    /// The number of findings after which the run ends
    #[arg(long, help_heading = SEARCH, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_findings: Option<u64>,

    /// The number of inputs in a thousand that are about fetching the file, for implementations that
    /// fetch it; a server plays them
    #[arg(long, help_heading = SEARCH, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(0..=1000))]
    access: u16,

    /// The format of the output; jsonl is one object per finding, and one about the run
    #[arg(long, help_heading = OUTPUT, value_parser = Format::lines(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn fuzz(arguments: &Arguments) -> Result<u8> {
    let config = Config::find(&arguments.config)?;
    let list = arguments.known_failures.as_deref().or(config.fuzz.known_failures.as_deref());
    let folder = arguments.out.as_deref().or(config.fuzz.out.as_deref());
    let files = arguments.files.as_deref().map_or(Ok(Vec::new()), find_files)?;
    if let Some(folder) = folder {
        let files = files.iter().map(PathBuf::as_path);
        refuse_folder_of_inputs(folder, config.file.as_deref().into_iter().chain(list).chain(files))?;
    }
    let mut implementations = arguments.implementations.choose(&[], &config)?;
    if implementations.is_empty() {
        implementations = Implementation::all_built_in(arguments.implementations.limits);
    }
    let read_known = |list| {
        let help = format!(
            "`touch` creates it; after a search, `{} --suite {}` adds the findings to it",
            implementations[0].known_update(list),
            shell_words::quote(&folder.unwrap_or(Path::new("DIR")).to_string_lossy())
        );
        read_known_failures(list, &help)
    };
    let known = list.map(read_known).transpose()?.unwrap_or_default();
    let plan = Arc::new(plan(arguments, &config, &files)?);
    let makes: Arc<[Make]> = connect_all(&implementations, true, &plan.editions)?.into();
    if makes.len() > 1 {
        refuse_same_names(makes.iter().map(|make| make().info().name))?;
    }
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", visible_path(folder)))?;
    }
    // A finding that cannot be written ends the run.
    let has_failed = AtomicBool::new(false);
    let is_stopped = || interrupt::is_requested() || has_failed.load(Ordering::Relaxed);
    signals::write_results_first();

    let mut out = arguments.format.stdout();
    let mut written: Result<()> = Ok(());
    let write_finding = |finding: &Finding, out: &mut dyn Write| {
        let is_known = finding.is_known(&known);
        let file = finding.input.and_then(|input| files.get(input as usize)).map(PathBuf::as_path);
        match arguments.format {
            Format::Human => {
                let name = &finding.class.implementation;
                let mut others = implementations.iter().filter(|one| !one.is_built_in());
                // An adapter has the name that it gives itself.
                let only = others.next().filter(|_| others.next().is_none());
                let found = implementations.iter().find(|one| one.label() == name).or(only);
                let arguments = found.map(Implementation::arguments);
                human::write_finding(finding, is_known, file, &arguments.unwrap_or_default(), out)
            }
            Format::Json => output::json(out, &json::found(finding, is_known, file)),
        }
    };
    let progress = Progress::of("starting");
    progress.measure(length(&plan));
    let report = robotspec_fuzz::fuzz(&plan, &makes, &is_stopped, &mut |step| match step {
        SearchProgress::Checked(report) => show_progress(&progress, plan.limit, report),
        SearchProgress::Found(finding) if written.is_ok() => {
            written = progress.bar.suspend(|| {
                if let Some(folder) = folder {
                    finding.save(folder).with_context(|| {
                        format!("cannot write {} to {}", finding.slug(), visible_path(folder))
                    })?;
                }
                // How frequent a finding is shows at the end.
                if files.is_empty() { write_finding(finding, &mut out) } else { Ok(()) }
            });
            has_failed.store(written.is_err(), Ordering::Relaxed);
        }
        SearchProgress::Found(_) => {}
    });
    drop(progress);
    written?;
    if !files.is_empty() {
        if let Format::Human = arguments.format {
            human::write_accuracy(&report, files.len(), arguments.against.as_deref(), &mut out)?;
        }
        for finding in by_frequency(&report) {
            write_finding(finding, &mut out)?;
        }
    }
    let new: Vec<&Finding> = report.findings.iter().filter(|finding| !finding.is_known(&known)).collect();
    match arguments.format {
        Format::Human => human::write_report(&plan, &report, new.len(), &mut out)?,
        Format::Json => output::json(&mut out, &json::finished(&plan, &report, new.len()))?,
    }
    out.flush()?;
    let level = arguments.level.or(config.level).unwrap_or_else(Level::of_runs);
    let failing = new.iter().filter(|finding| level != Level::Must || !is_departure(finding)).count();
    let code = if failing > 0 || !report.flaky.is_empty() || !report.dependent.is_empty() {
        FAILED
    } else if report.unexamined > 0 || !report.incomplete.is_empty() {
        INCOMPLETE
    } else {
        OK
    };
    Ok(signals::exit_code_or(code))
}

/// Returns the length of a run: a number of checks, milliseconds, or files where the run ends after the last one.
fn length(plan: &SearchPlan) -> u64 {
    match (plan.limit, &plan.source) {
        (Some(Limit::Runs(runs)), _) => runs,
        (Some(Limit::Time(time)), _) => time.as_millis() as u64,
        (None, Source::Files(files)) => files.len() as u64,
        (None, Source::Given(_)) => 1,
        (None, Source::Generated(_)) => u64::MAX,
    }
}

fn show_progress(progress: &Progress, limit: Option<Limit>, report: &Report) {
    let elapsed = progress.bar.elapsed();
    progress.bar.set_position(match limit {
        Some(Limit::Runs(_)) => report.checks,
        Some(Limit::Time(_)) => elapsed.as_millis() as u64,
        None => report.inputs,
    });
    progress.say(&format!(
        "{:.0} checks/s, {}",
        report.checks as f64 / elapsed.as_secs_f64().max(0.001),
        counted(report.findings.len(), "finding"),
    ));
}

/// Returns the files of a folder.
///
/// # Errors
///
/// The folder cannot be read, or has no file.
fn find_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = list_folder(folder)?;
    // One that cannot be looked at is an error where it is read.
    files.retain(|path| path.metadata().map_or(true, |metadata| metadata.is_file()));
    if files.is_empty() {
        bail!("{} has no file; files in folders below it are not read", visible_path(folder));
    }
    Ok(files)
}

/// Returns the findings, the most frequent first.
fn by_frequency(report: &Report) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> = report.findings.iter().collect();
    findings.sort_by_key(|finding| Reverse(report.divergences.get(&finding.class)));
    findings
}

/// Returns how strongly each edition that a finding breaks requires its clauses. Only violations break an edition. Where no
/// cause is proven, the clause in play may be the cause, so that the weaker level counts.
fn levels(finding: &Finding) -> BTreeMap<Edition, Level> {
    let class = &finding.class;
    let clauses: Vec<&Clause> =
        [class.clause, class.in_play].into_iter().flatten().filter_map(Clause::find).collect();
    let broken = finding.editions.iter().filter(|_| class.kind == FindingKind::Violation);
    broken.map(|&edition| (edition, Clause::weakest_level(&clauses, edition))).collect()
}

/// Returns whether a finding departs only from recommendations, in every edition that it breaks.
fn is_departure(finding: &Finding) -> bool {
    let levels = levels(finding);
    !levels.is_empty() && levels.values().all(|level| *level == Level::Should)
}

fn plan(arguments: &Arguments, config: &Config, files: &[PathBuf]) -> Result<SearchPlan> {
    let mut editions =
        sorted(if arguments.edition.is_empty() { &config.editions } else { &arguments.edition });
    if editions.is_empty() {
        editions.push(Edition::Rfc9309);
    }
    let usage = if editions.contains(&Edition::Rfc9309Aipref) { USAGE_SHARE } else { 0 };
    let mut limits = arguments.implementations.limits;
    // The implementation whose answers are right: one by its name, or an adapter by its command.
    let connect_judge = |name: &String| -> Result<Make> {
        let adapter = || vec![Implementation::new(ImplementationKind::Adapter(name.clone()), limits)];
        let chosen = config.choose(slice::from_ref(name), Vec::new(), limits).unwrap_or_else(|_| adapter());
        Ok(connect_all(&chosen, true, &editions)?.remove(0))
    };
    let against = arguments.against.as_ref().map(connect_judge).transpose()?;
    limits.jobs = limits.jobs.or(config.jobs);
    let limit = match (arguments.runs, arguments.time) {
        (Some(runs), _) => Some(Limit::Runs(runs)),
        (None, Some(time)) => Some(Limit::Time(time)),
        // The limit of robotspec.toml is one for generated inputs.
        (None, None) if !files.is_empty() || arguments.replay.is_some() => None,
        (None, None) => Some(config.fuzz.limit().unwrap_or(Limit::Time(Duration::from_secs(60)))),
    };
    let source = if let Some(file) = &arguments.replay {
        let bytes = read_file(file)?;
        Source::Given(rendered::read(&bytes).unwrap_or_else(|| rendered::about_file(&bytes)))
    } else if files.is_empty() {
        Source::Generated(Shares { usage, access: usize::from(arguments.access), ..Shares::default() })
    } else {
        let read = |file: &PathBuf| Ok(read_file(file)?.into());
        Source::Files(files.iter().map(read).collect::<Result<_>>()?)
    };
    // A different one each time; the report names it.
    let random_seed = || {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |since| since.as_nanos() as u64 % 1_000_000_000)
    };
    Ok(SearchPlan {
        editions,
        source,
        seed: arguments.seed.or(config.fuzz.seed).unwrap_or_else(random_seed),
        limit,
        time_for_divergence: TIME_FOR_DIVERGENCE,
        max_findings: arguments.max_findings.map(|most| most as usize),
        jobs: limits.jobs(),
        against,
    })
}

/// An adapter that needs a millisecond for an answer gives thousands in this time.
const TIME_FOR_DIVERGENCE: Duration = Duration::from_secs(10);

/// The usage queries, out of a thousand, where an edition with usage preferences judges.
const USAGE_SHARE: usize = 150;
