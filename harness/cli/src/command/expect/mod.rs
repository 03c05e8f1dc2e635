//! `robotspec expect`: one's own robots.txt against a table of expectations.

mod human;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use robotspec::event::Event;
use robotspec::{KnownFailures, Plan, RunRecord, Source, Subject};
use robotspec_cases::expectation_table::{ExpectationTable, propose, read, suite};
use robotspec_cases::{Level, Suite, checks, visible, visible_path};
use robotspec_reference::Edition;

use crate::command::check::remark_on_agents;
use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::{OK, USAGE};
use crate::command::files::refuse_overwriting;
use crate::command::implementation::{Implementation, ImplementationKind, refuse_same_names};
use crate::command::implementations::Implementations;
use crate::command::reports::{Finished, ReportTo, Reports};
use crate::command::robots_file::{LARGEST, read_robots};
use crate::command::run::Output;
use crate::command::signals;
use crate::command::values::{EditionChoice, chosen_editions, edition_or_all, read_at_most, sorted};
use crate::output;
use crate::report::Catalog;
use crate::report::origin::Origin;

const EXIT_CODES: &str = "\
Exit codes of expect:
  0  every edition, and every implementation, answers as the table expects
  1  one answers otherwise, or an edition does not specify the answer
  2  the command, the table or a file is wrong
  3  an implementation could not be run, or not to the end";

// With --init, the command takes neither file.
const USAGE_TEXT: &str = "robotspec expect [OPTIONS] <TABLE> <FILE> [IMPLEMENTATION]...\n       \
                          robotspec expect --init <FILE>";

/// Check your own robots.txt against a table of agents, URLs and expected answers
///
/// An expectation holds if each edition answers as the table says. It does not hold if an edition
/// answers otherwise or does not specify the answer, because crawlers may then differ. For each
/// expectation that does not hold, the output shows the line of the robots.txt that decides.
/// Implementations that are named after FILE must answer as the table says, too.
///
/// A table is YAML:
///
///   expectations:
///     - {agent: Googlebot, url: /shop, expect: allow}
///     - {agent: ExampleBot, url: /private/a, expect: disallow}
///
/// or CSV, if its name ends in `.csv`, with the columns `agent`, `url` and `expect`.
///
/// Examples:
///   robotspec expect --init robots.txt > expectations.yaml
///   robotspec expect expectations.yaml robots.txt
///   robotspec expect expectations.yaml robots.txt --edition rfc9309 --edition google-2026
///   robotspec expect expectations.yaml robots.txt robotxt --report junit=robots.xml
///   robotspec expect expectations.yaml https://example.com/robots.txt
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = EXIT_CODES,
    override_usage = USAGE_TEXT,
    mut_arg("names", |names| names.help("Implementations by name, which must answer as expected too: names from robotspec.toml, or built-in ones [default: none; with --config, all of that file]")),
)]
pub(super) struct Arguments {
    /// The table of expectations
    #[arg(value_name = "TABLE", required_unless_present = "init")]
    table: Option<PathBuf>,

    /// The robots.txt: a file, `-` for standard input, or an http or https URL, which is fetched
    #[arg(value_name = "FILE", required_unless_present = "init")]
    file: Option<PathBuf>,

    #[command(flatten)]
    implementations: Implementations,

    /// Print a table for this robots.txt, with the answers of one edition, and exit
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "file", "format", "report"])]
    init: Option<PathBuf>,

    /// An edition that answers, of those that `robotspec editions` lists, or `all`; repeatable [default:
    /// those of robotspec.toml, or rfc9309]
    #[arg(long, value_name = "EDITION", value_parser = edition_or_all(), hide_possible_values = true)]
    edition: Vec<EditionChoice>,

    /// The format of the output
    #[arg(long, value_parser = Output::parser(), default_value = Output::HUMAN)]
    format: Output,

    #[arg(long, value_name = "FORMAT=FILE", help = ReportTo::help())]
    report: Vec<ReportTo>,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn expect(arguments: &Arguments) -> Result<u8> {
    let config = Config::find(&arguments.config)?;
    let editions = editions(arguments, &config);
    if let Some(file) = &arguments.init {
        return init(file, &editions);
    }
    let (Some(table_file), Some(file)) = (&arguments.table, &arguments.file) else { return Ok(USAGE) };
    let reports: Vec<ReportTo> = arguments.report.iter().cloned().chain(arguments.format.report()).collect();
    let inputs = [table_file, file].into_iter().chain(&config.file).map(PathBuf::as_path);
    refuse_overwriting(inputs, reports.iter().map(|report| report.file.as_path()))?;
    if table_file == Path::new("-") && file == Path::new("-") {
        bail!("TABLE and FILE are both standard input; name a file for one of them");
    }
    let table = read_table(table_file)?;
    let robots: Arc<[u8]> = read_robots(file)?.into();
    remark_on_agents(unique_agents(&table), &robots);
    let suites = [suite(&table, &robots, &editions)];
    let implementations = match arguments.implementations.names_any() || arguments.config.file.is_some() {
        true => arguments.implementations.choose(&config)?,
        false => Vec::new(),
    };
    let origin = Origin::of_this_run();
    let subjects = subjects(&implementations, &editions, &origin)?;
    let jobs = arguments.implementations.limits().jobs();
    run(&table, &suites, editions, subjects, jobs, origin, &reports)
}

/// Returns the editions of the command line, or else those of the configuration, or else RFC 9309.
fn editions(arguments: &Arguments, config: &Config) -> Vec<Edition> {
    match arguments.edition.is_empty() && !config.editions.is_empty() {
        true => sorted(&config.editions),
        false => chosen_editions(&arguments.edition),
    }
}

/// Prints a proposal for a table.
fn init(file: &Path, editions: &[Edition]) -> Result<u8> {
    let [edition] = editions else {
        bail!("--init proposes the answers of one edition; name one with --edition");
    };
    let text = propose(&read_robots(file)?, *edition);
    output::stdout_for_documents().write_all(text.as_bytes())?;
    Ok(OK)
}

fn read_table(file: &Path) -> Result<ExpectationTable> {
    let text = String::from_utf8(read_at_most(file, LARGEST)?)
        .ok()
        .with_context(|| format!("{} is not UTF-8; save the table as UTF-8", visible_path(file)))?;
    Ok(read(file, &text)?)
}

/// Returns the agents of a table, each once.
fn unique_agents(table: &ExpectationTable) -> impl Iterator<Item = &str> {
    std::collections::BTreeSet::from_iter(table.rows.iter().map(|row| row.agent.as_str())).into_iter()
}

/// Returns the reference, which answers as each edition, and the implementations. Their answers do not depend on the
/// edition, so they are judged once, in the first one.
fn subjects(
    implementations: &[Implementation],
    editions: &[Edition],
    origin: &Origin,
) -> Result<Vec<Subject>> {
    let reference = robotspec_built_in::find("reference").context("the reference is built in")?;
    let reference = Implementation::new(ImplementationKind::BuiltIn(reference), Default::default());
    let mut subjects = vec![reference.subject(KnownFailures::default())?];
    for implementation in implementations {
        if let ImplementationKind::Crawler(_) = implementation.kind {
            let label = visible(implementation.label());
            output::warning(&format!("{label} is a crawler, which only `robotspec run` can judge: left out"));
            continue;
        }
        let mut subject = implementation.subject(KnownFailures::default())?;
        subject.editions = editions.first().map(|first| vec![*first]);
        subject.source =
            Source { command: implementation.command().map(str::to_owned), date: Some(origin.date) };
        subjects.push(subject);
    }
    refuse_same_names(subjects.iter().map(|subject| subject.info().name))?;
    Ok(subjects)
}

/// Judges the answers, and writes the reports and the output for people.
fn run(
    table: &ExpectationTable,
    suites: &[Suite],
    editions: Vec<Edition>,
    subjects: Vec<Subject>,
    jobs: usize,
    origin: Origin,
    reports: &[ReportTo],
) -> Result<u8> {
    let checks = checks(suites, false);
    let plan = Plan { checks, editions, level: Level::of_runs(), lists_are_about: None, shard: None, jobs };
    let mut open = Reports::open(reports)?;
    let ids = plan.checks.iter().map(|check| &check.id);
    let places = ids.zip(&table.rows).map(|(id, row)| (id, (table.file.as_path(), row.line)));
    let catalog = Catalog::new(suites, &plan.checks, origin).with_places(places.collect());
    let mut record = RunRecord::default();
    signals::write_results_first();
    let outcome = robotspec::run(&plan, subjects, &mut |event| {
        // Where an edition answers otherwise than the table, the cause is not a mistake of an implementation.
        if !matches!(event, Event::LikelyCause { .. }) {
            open.take(event);
            record.take(event);
        }
    });
    let finished = open.finish(&record, &catalog);
    if !reports.iter().any(ReportTo::is_stdout) {
        let mut out = output::stdout();
        human::write(table, &plan, &record, &mut out)?;
        out.flush()?;
    }
    Ok(match finished {
        Finished::Written => signals::exit_code_or(outcome.exit_code()),
        Finished::Failed => USAGE,
    })
}
