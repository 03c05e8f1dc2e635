//! `robotspec fuzz`

mod human;
mod json;
mod progress;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use robotspec_reference::Edition;

use crate::command::config::{Config, ConfigArgument};
use crate::command::fuzz::progress::ProgressLine;
use crate::command::implementations::{Implementations, duration};
use crate::command::output;
use crate::command::{FAILED, Format, OK, edition};
use robotspec::run::INCOMPLETE;
use robotspec_fuzz::generate::Shares;
use robotspec_fuzz::{self, Finding, KnownFindings, Limit, Make, Plan, Progress};

const EXIT_CODES: &str = "\
Exit codes of fuzz:
  0  nothing was found, or nothing that is not known
  1  a finding that no list knows, or a list that names one which does not occur any more
  2  the command or a file is wrong, and nothing was run
  3  an implementation could not be run, or not to the end
  4  a fault of robotspec itself";

const SEARCH: &str = "Search";
const OUTPUT: &str = "Output";

/// Find inputs on which implementations depart from the text
///
/// Makes files, agents and URLs, holds every answer against an edition, and shows what departs: as
/// small as it can be, with the clause that it breaks and the lines that decide. Where the text
/// leaves an answer open, any will do. The same seed finds the same, however many jobs there are.
///
/// Examples:
///   robotspec fuzz robotxt --time 10s
///   robotspec fuzz --adapter 'python3 my_adapter.py' --time 60s --out findings/
///   robotspec fuzz --adapter ./port --against texting_robots --runs 1000000
///
/// In a project, robotspec.toml names implementations, editions and jobs, as for `robotspec run`, so
/// that the command is `robotspec fuzz`. Crawlers are left out. What the command line gives takes the
/// place of what the file says, which may have besides:
///
///   [fuzz]
///   known = "known-findings.yaml"     # as --known
///   out = "findings"                  # as --out
///   runs = 30000                      # as --runs; or time = "60s"
///   seed = 1                          # as --seed
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(flatten)]
    implementations: Implementations,

    /// How long to ask, such as `60s`, `10m` or `2h` [default: 60s, without --runs]; what departed by then
    /// is minimised in half a minute more at most, and how the cost grows is looked at last
    #[arg(long, help_heading = SEARCH, value_name = "TIME", value_parser = duration, conflicts_with = "runs")]
    time: Option<Duration>,

    /// How many checks to make, at least
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    runs: Option<u64>,

    /// What all inputs are made from [default: another number each time]
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    seed: Option<u64>,

    /// An edition that judges; repeatable [default: rfc9309]
    #[arg(long, help_heading = SEARCH, value_name = "EDITION", value_parser = edition())]
    edition: Vec<Edition>,

    /// An implementation by its name, or the command of an adapter, that is right instead of the editions
    #[arg(long, help_heading = SEARCH, value_name = "IMPLEMENTATION")]
    against: Option<String>,

    /// A directory for the findings, each a file of cases; and for what --known wants of the new ones,
    /// but for their reasons
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Findings that are accepted, with reasons; a new one then stands out
    #[arg(long, help_heading = SEARCH, value_name = "FILE")]
    known: Option<PathBuf>,

    /// How many findings to end after
    #[arg(long, help_heading = SEARCH, value_name = "N")]
    max_findings: Option<usize>,

    /// How many of a thousand inputs are about fetching the file, for implementations that do so; a
    /// live server plays them
    #[arg(long, help_heading = SEARCH, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(0..=1000))]
    access: u16,

    /// How the output is written; json is one object a line
    #[arg(long, help_heading = OUTPUT, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn fuzz(arguments: &Arguments) -> Result<u8> {
    let config = Config::find(&arguments.config)?;
    let known = known(arguments.known.as_ref().or(config.fuzz.known.as_ref()))?;
    let implementations = arguments.implementations.apart();
    let makes = match config.makes(&implementations)? {
        Some(makes) => makes,
        None => all_built_in(&implementations)?,
    };
    let plan = plan(arguments, &config)?;
    let directory = arguments.out.as_ref().or(config.fuzz.out.as_ref());
    if let Some(directory) = directory {
        std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    end_on_interrupt(&stop)?;

    let mut out = output::stdout();
    let mut written: Result<()> = Ok(());
    let line = ProgressLine::new(&plan);
    let report = robotspec_fuzz::fuzz(&plan, &makes, &stop, &mut |progress| {
        let told = match progress {
            Progress::Checked(report) => {
                line.take(report);
                return;
            }
            Progress::Found(finding) => line.aside(|| {
                if let Some(directory) = directory {
                    save(directory, finding)?;
                }
                let is_known = known.has(&finding.class);
                match arguments.format {
                    Format::Human => human::write_finding(finding, is_known, &mut out),
                    Format::Json => output::json(&mut out, &json::found(finding, is_known)),
                }
            }),
        };
        if written.is_ok() {
            written = told;
            // Who does not read on wants no more.
            stop.fetch_or(written.is_err(), Ordering::Relaxed);
        }
    });
    line.finish();
    written?;
    let gone = known.gone(&makes, &report.findings);
    let new: Vec<&Finding> = report.findings.iter().filter(|finding| !known.has(&finding.class)).collect();
    if let Some(directory) = directory.filter(|_| !new.is_empty()) {
        let file = directory.join("known-findings.yaml");
        std::fs::write(&file, robotspec_fuzz::known::list_of(&new))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let new = new.len();
    match arguments.format {
        Format::Human => human::write_report(&plan, &report, new, &gone, &mut out)?,
        Format::Json => output::json(&mut out, &json::finished(&plan, &report, new, &gone))?,
    }
    out.flush()?;
    Ok(match () {
        () if new > 0 || !gone.is_empty() => FAILED,
        () if !report.incomplete.is_empty() => INCOMPLETE,
        () => OK,
    })
}

fn all_built_in(implementations: &Implementations) -> Result<Vec<Make>> {
    Ok(implementations.makes(robotspec_built_in::NAMES)?.into_iter().map(|(_, make)| make).collect())
}

fn known(file: Option<&PathBuf>) -> Result<KnownFindings> {
    let Some(file) = file else { return Ok(KnownFindings::default()) };
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(KnownFindings::read(file, &text)?)
}

fn plan(arguments: &Arguments, config: &Config) -> Result<Plan> {
    let mut editions =
        if arguments.edition.is_empty() { config.editions.clone() } else { arguments.edition.clone() };
    if editions.is_empty() {
        editions.push(Edition::Rfc9309);
    }
    editions.sort();
    editions.dedup();
    let against = match &arguments.against {
        Some(name) => Some(against(name, arguments, config)?),
        None => None,
    };
    let jobs = arguments.implementations.jobs.or(config.jobs);
    let jobs = jobs.map_or_else(|| arguments.implementations.jobs(), usize::from);
    let limit = match (arguments.runs, arguments.time) {
        (Some(runs), _) => Some(Limit::Runs(runs)),
        (None, Some(time)) => Some(Limit::Time(time)),
        (None, None) => config.fuzz.limit,
    };
    if arguments.max_findings == Some(0) {
        bail!("--max-findings 0 would end before it begins; leave it out, or give at least 1");
    }
    Ok(Plan {
        editions,
        seed: arguments.seed.or(config.fuzz.seed).unwrap_or_else(some_seed),
        limit: limit.unwrap_or(Limit::Time(Duration::from_secs(60))),
        most_findings: arguments.max_findings,
        jobs,
        shares: Shares { access: usize::from(arguments.access), ..Shares::default() },
        looks_at_cost: against.is_none(),
        against,
    })
}

/// What is taken for right: an implementation by its name, or an adapter by its command.
fn against(name: &str, arguments: &Arguments, config: &Config) -> Result<Make> {
    let mut one = arguments.implementations.without_any().apart();
    if robotspec_built_in::NAMES.contains(&name) || config.named(name).is_some() {
        one.names.push(name.to_owned());
    } else {
        one.adapter.push(name.to_owned());
    }
    let makes = config.makes(&one)?.unwrap_or_default();
    makes.into_iter().next().with_context(|| format!("{name} cannot be asked"))
}

/// A seed that is another one each time; the report names it.
fn some_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64 % 1_000_000_000)
}

/// Ends the run at the first Ctrl-C, with its report; the second one ends the program.
fn end_on_interrupt(stop: &Arc<AtomicBool>) -> Result<()> {
    let stop = Arc::clone(stop);
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot wait for Ctrl-C")
}

/// Saves a finding as a case, where the format has words for it.
fn save(directory: &Path, finding: &Finding) -> Result<()> {
    let Some(case) = finding.case() else { return Ok(()) };
    let file = directory.join(format!("{}.yaml", finding.slug()));
    std::fs::write(&file, case).with_context(|| format!("cannot write {}", file.display()))
}
