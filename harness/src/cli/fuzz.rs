//! `robotspec fuzz`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use robotspec_reference::Edition;
use serde_json::{Value, json};

use crate::builtin;
use crate::clause::{Clause, Kind};
use crate::cli::config::{self, Config, ConfigArgument};
use crate::cli::implementations::{Implementations, duration};
use crate::cli::output::{self, BAD, FAINT, GOOD, OPEN, STRONG, counted, styled};
use crate::cli::{FAILED, Format, OK, edition};
use crate::fuzz::generate::Shares;
use crate::fuzz::{self, CLAUSES_IN_PLAY, Finding, KnownFindings, Limit, Make, Plan, Progress, Report};
use crate::suite::Request;

/// An implementation could not be run, or not to the end.
const INCOMPLETE: u8 = 3;

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

    /// How long to go on, such as `60s`, `10m` or `2h` [default: 60s, without --runs]
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

    /// A built-in implementation, or the command of an adapter, that is right instead of the editions
    #[arg(long, help_heading = SEARCH, value_name = "IMPLEMENTATION")]
    against: Option<String>,

    /// A directory for the findings, each a file of cases
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
    let makes = match config::makes(&arguments.implementations, &config)? {
        Some(makes) => makes,
        None => all_built_in(&arguments.implementations)?,
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
    let report = fuzz::fuzz(&plan, &makes, &stop, &mut |progress| {
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
                    Format::Human => write_finding(finding, is_known, &mut out),
                    Format::Json => output::json(&mut out, &as_json(finding, is_known)),
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
    let gone = known.gone(&makes);
    let new = report.findings.iter().filter(|finding| !known.has(&finding.class)).count();
    match arguments.format {
        Format::Human => write_report(&plan, &report, new, &gone, &mut out)?,
        Format::Json => output::json(&mut out, &report_as_json(&plan, &report, new, &gone))?,
    }
    out.flush()?;
    Ok(match () {
        () if new > 0 || !gone.is_empty() => FAILED,
        () if !report.incomplete.is_empty() => INCOMPLETE,
        () => OK,
    })
}

fn all_built_in(implementations: &Implementations) -> Result<Vec<Make>> {
    Ok(implementations.makes(builtin::NAMES)?.into_iter().map(|(_, make)| make).collect())
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
        Some(name) => Some(arguments.implementations.make_one(name)?),
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

fn write_finding(finding: &Finding, is_known: bool, out: &mut impl Write) -> Result<()> {
    let explanation = finding.explain();
    let (mark, style) = if is_known { ("known", FAINT) } else { ("FOUND", BAD) };
    writeln!(
        out,
        "{} {}: {}",
        styled(style, mark),
        finding.class.implementation,
        styled(STRONG, &finding.class)
    )?;
    writeln!(out, "  {}", explanation.clause)?;
    for line in &explanation.request {
        writeln!(out, "    {line}")?;
    }
    write_lines("expected", GOOD, &explanation.expected, out)?;
    write_lines("got", BAD, &explanation.got, out)?;
    let editions: Vec<&str> = finding.editions.iter().map(|edition| edition.id()).collect();
    let broken =
        if editions.is_empty() { String::new() } else { format!("breaks {}; ", editions.join(", ")) };
    writeln!(
        out,
        "  {}\n",
        styled(FAINT, format!("{broken}found after {}", counted(finding.after as usize, "check")))
    )?;
    out.flush()?;
    Ok(())
}

fn write_lines(label: &str, style: anstyle::Style, lines: &[String], out: &mut impl Write) -> Result<()> {
    for (index, line) in lines.iter().enumerate() {
        match index {
            0 => writeln!(out, "  {label:<8} {}", styled(style, line))?,
            _ => writeln!(out, "           {line}")?,
        }
    }
    Ok(())
}

fn write_report(
    plan: &Plan,
    report: &Report,
    new: usize,
    gone: &[String],
    out: &mut impl Write,
) -> Result<()> {
    let seconds = report.elapsed.as_secs_f64();
    writeln!(
        out,
        "{} in {seconds:.1} s ({:.0} a second), seed {}, {}",
        counted(report.checks as usize, "check"),
        report.checks as f64 / seconds.max(0.001),
        plan.seed,
        plan.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>().join(", "),
    )?;
    let tally = &report.tally;
    let share = |count: u64| 100.0 * count as f64 / tally.sampled.max(1) as f64;
    writeln!(
        out,
        "a rule matched in {:.0} %, rules of both kinds in {:.0} %; a question arose in {:.0} %",
        share(tally.matched),
        share(tally.in_conflict),
        share(tally.open),
    )?;
    let in_reach = clauses_in_reach(plan);
    let reached = |count: usize, of: usize, what: &str| format!("{count} of {of} {what}");
    writeln!(
        out,
        "in play: {}, {}",
        reached(
            in_reach.iter().filter(|clause| tally.clauses.contains_key(**clause)).count(),
            in_reach.len(),
            "clauses"
        ),
        reached(tally.questions.len(), questions_in_reach(plan), "open questions of matching"),
    )?;
    for (question, open_end) in &report.open_ends {
        let verdicts: Vec<String> =
            open_end.verdicts.iter().map(|(name, verdict)| format!("{name} {verdict}")).collect();
        writeln!(out, "{} {question}: {}", styled(OPEN, "open"), verdicts.join(", "))?;
    }
    for (name, reason) in &report.incomplete {
        writeln!(out, "{} {name} was not asked to the end: {reason}", styled(BAD, "incomplete"))?;
    }
    for entry in gone {
        writeln!(out, "{} {entry} does not occur any more; remove it from the list", styled(BAD, "gone"))?;
    }
    if !report.findings.is_empty() {
        writeln!(out)?;
        for finding in &report.findings {
            let times = report.departed.get(&finding.class).copied().unwrap_or_default();
            writeln!(out, "{:>9}  {}: {}", times, finding.class.implementation, finding.class)?;
        }
        writeln!(out)?;
    }
    let style = if new > 0 { BAD } else { GOOD };
    writeln!(out, "{}, {new} not known", styled(style, counted(report.findings.len(), "finding")))?;
    Ok(())
}

/// The clauses that the inputs of this run can bring into play.
fn clauses_in_reach(plan: &Plan) -> Vec<&'static str> {
    let is_in_reach = |id: &&str| {
        let Some(clause) = Clause::find(id) else { return false };
        let is_of_access = matches!(clause.kind, Kind::H | Kind::C);
        (plan.shares.access > 0 || !is_of_access)
            && plan.editions.iter().any(|&edition| clause.section(edition).is_some())
    };
    CLAUSES_IN_PLAY.iter().copied().filter(is_in_reach).collect()
}

/// How many questions of matching the last edition leaves open.
fn questions_in_reach(plan: &Plan) -> usize {
    let Some(&edition) = plan.editions.last() else { return 0 };
    let rows = robotspec_reference::question::TABLE.iter();
    rows.filter(|row| row.question < robotspec_reference::Question::IdnHost && row.answers(edition).len() > 1)
        .count()
}

fn as_json(finding: &Finding, is_known: bool) -> Value {
    let explanation = finding.explain();
    json!({
        "event": "found",
        "implementation": finding.class.implementation,
        "finding": finding.class.to_string(),
        "kind": finding.class.kind.id(),
        "clause": finding.class.clause,
        "answers": finding.class.answers.map(|(question, answer)| json!({ "question": question.id(), "answer": answer.id() })),
        "editions": finding.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>(),
        "request": request_as_json(&finding.request),
        "expected": finding.expected.to_string(),
        "because": explanation.expected.get(1..).unwrap_or_default(),
        "got": finding.got,
        "after": finding.after,
        "known": is_known,
    })
}

fn request_as_json(request: &Request) -> Value {
    use base64::Engine;
    let file = |robots: &[u8]| match std::str::from_utf8(robots) {
        Ok(text) => ("robots", text.to_owned()),
        Err(_) => ("robots_base64", base64::engine::general_purpose::STANDARD.encode(robots)),
    };
    match request {
        Request::Match { robots, agent, url } => {
            let (key, value) = file(robots);
            json!({ key: value, "agent": agent, "url": url })
        }
        Request::Alike { robots, twin, agent, url } => {
            let ((key, value), (twin_key, twin_value)) = (file(robots), file(twin));
            json!({ key: value, twin_key.replace("robots", "twin"): twin_value, "agent": agent, "url": url })
        }
        Request::Sitemaps { robots } => {
            let (key, value) = file(robots);
            json!({ key: value })
        }
        Request::Scope { robots_url, url } => json!({ "robots_url": robots_url, "url": url }),
        Request::Access { visits, agent, paths } => json!({
            "visits": visits.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "agent": agent,
            "paths": paths.to_vec(),
        }),
        Request::Grammar { text } => {
            let (key, value) = file(text);
            json!({ key: value })
        }
    }
}

fn report_as_json(plan: &Plan, report: &Report, new: usize, gone: &[String]) -> Value {
    let tally = &report.tally;
    let findings = report.findings.iter().map(|finding| {
        json!({
            "implementation": finding.class.implementation,
            "finding": finding.class.to_string(),
            "times": report.departed.get(&finding.class),
        })
    });
    json!({
        "event": "fuzz-finished",
        "seed": plan.seed,
        "editions": plan.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>(),
        "checks": report.checks,
        "seconds": report.elapsed.as_secs_f64(),
        "sampled": tally.sampled,
        "matched": tally.matched,
        "in-conflict": tally.in_conflict,
        "open": tally.open,
        "clauses": tally.clauses,
        "questions": tally.questions.iter().map(|(question, count)| (question.id(), count)).collect::<std::collections::BTreeMap<_, _>>(),
        "findings": findings.collect::<Vec<_>>(),
        "not-known": new,
        "gone": gone,
        "incomplete": report.incomplete,
    })
}

/// A line that tells how it goes, on a terminal.
struct ProgressLine {
    bar: ProgressBar,
    started: Instant,
    limit: Limit,
}

impl ProgressLine {
    fn new(plan: &Plan) -> Self {
        let length = match plan.limit {
            Limit::Runs(runs) => runs,
            Limit::Time(time) => time.as_millis() as u64,
        };
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
        ProgressLine { bar, started: Instant::now(), limit: plan.limit }
    }

    fn take(&self, report: &Report) {
        let elapsed = self.started.elapsed();
        if self.bar.is_hidden() && elapsed > Duration::from_secs(2) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(match self.limit {
            Limit::Runs(_) => report.checks,
            Limit::Time(_) => elapsed.as_millis() as u64,
        });
        self.bar.set_message(format!(
            "{:.0} checks/s, {}, {} in play",
            report.checks as f64 / elapsed.as_secs_f64().max(0.001),
            counted(report.findings.len(), "finding"),
            counted(report.tally.clauses.len(), "clause"),
        ));
    }

    /// Writes something else, out of the way of the line.
    fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
