//! `robotspec run`

mod arguments;
mod settings;

use std::io::Write;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::Result;
use robotspec::RunRecord;
use robotspec::event::Event;

pub(super) use self::arguments::Arguments;
use self::settings::Settings;
use crate::command::config::Config;
use crate::command::exit::{OK, USAGE};
use crate::command::files::refuse_overwriting;
use crate::command::progress::Progress;
use crate::command::reports::{ReportTo, Reports, link_to_page};
use crate::command::signals;
use crate::command::suites::{find_files, load_or_built_in, robots_files};
use crate::output::{for_programs, stdout};
use crate::report::{Catalog, Format, Origin, terminal};

/// How a project checks its own parser.
const ADVICE: &str = "\
To check your own parser:
  robotspec run --exec 'my-tool {file} {agent} {url}'   a program that is started for each check
  robotspec init --lang python                          an adapter to fill in (--help: in which languages)";

pub(super) fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(schema) = arguments.schema.and_then(Format::schema) {
        for_programs().write_all(schema().as_bytes())?;
        return Ok(OK);
    }
    let config = Config::find(&arguments.config)?;
    let settings = Settings::new(arguments, &config)?;
    let lists = settings.implementations.iter().filter_map(|one| one.known_failures.as_ref());
    let files = find_files(settings.suites)?;
    let inputs = config.file.iter().chain(lists).chain(&files).map(PathBuf::as_path);
    refuse_overwriting(inputs, settings.report_files())?;
    let progress = Progress::of("reading the cases");
    let suites = load_or_built_in(settings.suites, settings.filters.suites())?;
    refuse_overwriting(robots_files(&suites), settings.report_files())?;
    let plan = settings.plan(&suites)?;
    let started = Instant::now();
    progress.start("starting");
    let origin = Origin::of_files(&[], None);
    let subjects = settings.subjects(&suites, &origin.date)?;
    // From here on, nothing can refuse the run, which replaces what the files contain.
    let mut reports = Reports::open(&settings.reports)?;
    let sent = |place: usize| {
        plan.checks.iter().filter(|check| settings.implementations[place].can_be_sent(&check.query)).count()
    };
    progress.count((0..subjects.len()).map(sent).sum::<usize>() as u64, "checks");
    let mut started_implementations = 0;
    let mut record = RunRecord::default();
    let mut catalog = Catalog::new(&suites, &plan.checks, origin);
    catalog.again = settings.arguments();
    catalog.page = link_to_page(&settings.reports);
    signals::write_results_first();
    let outcome = thread::scope(|scope| {
        if settings.reports.iter().any(|report| report.format == Format::Html) {
            // The page has the reasons for the rulings. It is there soon after the run, also where a signal ends it.
            scope.spawn(|| catalog.rows());
        }
        robotspec::run(&plan, subjects, &mut |event| {
            match event {
                Event::ImplementationStarted { info, .. } => {
                    started_implementations += 1;
                    progress.say(&info.name);
                }
                Event::CheckFinished(check) => {
                    let implementation = &settings.implementations[started_implementations - 1];
                    let check = catalog.find(&check.id);
                    if check.is_some_and(|check| implementation.can_be_sent(&check.query)) {
                        progress.bar.inc(1);
                    }
                }
                Event::RunFinished { .. } => progress.start("writing the reports"),
                _ => {}
            }
            reports.take(event);
            record.take(event);
        })
    });
    let are_written = reports.finish(&record, &catalog);
    drop(progress);
    if !settings.reports.iter().any(ReportTo::is_stdout) {
        let Arguments { all, known, only_in_variants, .. } = *arguments;
        let detail = terminal::detail(all, known || all, only_in_variants);
        let mut out = stdout();
        terminal::write(&record, &catalog, detail, started.elapsed(), &mut out)?;
        if settings.names_none {
            writeln!(out, "\n{ADVICE}")?;
        }
        out.flush()?;
    }
    Ok(if are_written { signals::exit_code_or(outcome.exit_code()) } else { USAGE })
}
