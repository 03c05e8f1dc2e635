//! A run of a differential target: the implementations under test, and the output of findings.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use robotspec::{Edition, KnownFailures};
use robotspec_built_in::BuiltIn;
use robotspec_fuzz::Finding;
use robotspec_fuzz::generate::rendered::Rendered;
use robotspec_fuzz::guided::{Guided, Subject};

use crate::progress;

/// The time between two reports of how time was spent.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// The number of inputs after which the time is checked.
const REPORT_INPUTS: u64 = 256;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::from_environment());
}

/// Judges an input, and reports the combinations of answers to libFuzzer.
///
/// Environment variables configure the session:
///
/// - `ROBOTSPEC_ADAPTER`: the command of the adapter to test; otherwise
/// - `ROBOTSPEC_IMPLEMENTATIONS`: built-in implementations to test, separated by commas. Default: all except the
///   reference and those that may hang, which would end every run;
/// - `ROBOTSPEC_EDITION`: the editions that judge, separated by commas. Default: `rfc9309`;
/// - `ROBOTSPEC_KNOWN_FAILURES`: a list of known failures;
/// - `ROBOTSPEC_OUT`: the folder for new findings, each a file of cases. Default: `fuzz/findings`;
/// - `ROBOTSPEC_ABORT`: `1` to end the run at the first new finding, whose input libFuzzer keeps;
/// - `ROBOTSPEC_TIMES`: `1` to report how time was spent.
///
/// # Panics
///
/// A variable has a wrong value, or a new finding ends the run.
pub fn judge(input: &Rendered) {
    SESSION.with_borrow_mut(|session| session.judge(input));
}

/// Minimises the divergences since the last call. A mutator calls this, because it has no time limit.
pub fn minimise() {
    SESSION.with_borrow_mut(Session::minimise);
}

/// The state that all inputs of a run share.
struct Session {
    guided: Guided,
    known: KnownFailures,
    out: PathBuf,
    aborts: bool,
    reported: BTreeSet<String>,
    is_replay: bool,
    times: Option<Times>,
}

/// The state of the reports of how time was spent.
struct Times {
    started: Instant,
    reported: Instant,
    inputs: u64,
}

impl Session {
    fn from_environment() -> Session {
        let now = Instant::now();
        let editions = editions();
        let subjects = subjects(&editions);
        Session {
            guided: Guided::new(editions, subjects),
            known: variable("ROBOTSPEC_KNOWN_FAILURES")
                .map(|file| read_known(Path::new(&file)))
                .unwrap_or_default(),
            out: variable("ROBOTSPEC_OUT").unwrap_or_else(|| "fuzz/findings".to_owned()).into(),
            aborts: is_set("ROBOTSPEC_ABORT"),
            reported: BTreeSet::new(),
            is_replay: is_replay(),
            times: is_set("ROBOTSPEC_TIMES").then_some(Times { started: now, reported: now, inputs: 0 }),
        }
    }

    fn judge(&mut self, input: &Rendered) {
        for combination in self.guided.judge(input.batch()) {
            progress::mark(combination);
        }
        // Minimising usually waits for the next mutation. But a replay makes no mutations, and libFuzzer keeps an input
        // only where the run ends while it is judged.
        if self.aborts || self.is_replay {
            self.minimise();
        }
        self.report_times();
    }

    fn minimise(&mut self) {
        for finding in self.guided.minimise() {
            if finding.is_known(&self.known) || !self.reported.insert(finding.slug()) {
                continue;
            }
            self.report(&finding);
            assert!(!self.aborts, "a new finding: {}: {}", finding.class.implementation, finding.class);
        }
    }

    /// Writes a finding to a file of cases, and its explanation to standard error.
    fn report(&self, finding: &Finding) {
        let explanation = finding.explain();
        eprintln!("FOUND {}: {}", finding.class.implementation, finding.class);
        eprintln!("  {}", explanation.clause);
        for line in &explanation.query {
            eprintln!("    {line}");
        }
        eprintln!("  expected {}", explanation.expected.join("; "));
        eprintln!("  got      {}", explanation.got.join("; "));
        if let Some(case) = finding.case() {
            let file = self.out.join(format!("{}.yaml", finding.slug()));
            let written =
                std::fs::create_dir_all(&self.out).and_then(|()| robotspec::replace::write(&file, case));
            if let Err(error) = written {
                eprintln!("  {} cannot be written: {error}", file.display());
            }
        }
    }

    fn report_times(&mut self) {
        let Some(times) = &mut self.times else { return };
        times.inputs += 1;
        if times.inputs.is_multiple_of(REPORT_INPUTS) && times.reported.elapsed() >= REPORT_INTERVAL {
            times.reported = Instant::now();
            let all = times.started.elapsed().as_secs_f64();
            let spent = self.guided.spent();
            let share = |part: Duration| 100.0 * part.as_secs_f64() / all;
            eprintln!(
                "TIMES {} inputs in {all:.1} s: implementations {:.1} %, reference {:.1} %, judging {:.1} %, minimising {:.1} %",
                times.inputs,
                share(spent.implementations),
                share(spent.reference),
                share(spent.judging),
                share(spent.minimising),
            );
        }
    }
}

/// Returns whether libFuzzer runs given inputs again, and not a corpus.
fn is_replay() -> bool {
    std::env::args().skip(1).any(|argument| Path::new(&argument).is_file())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn is_set(name: &str) -> bool {
    variable(name).is_some_and(|value| value == "1")
}

fn read_known(file: &Path) -> KnownFailures {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    KnownFailures::read(file, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn editions() -> Vec<Edition> {
    let ids = variable("ROBOTSPEC_EDITION").unwrap_or_else(|| "rfc9309".to_owned());
    ids.split(',').map(|id| id.parse().unwrap_or_else(|error| panic!("ROBOTSPEC_EDITION: {error}"))).collect()
}

#[cfg(feature = "adapters")]
fn adapter(command: &str) -> Subject {
    use robotspec::external::{Adapter, AdapterLimits};

    /// How long an adapter may take: less than libFuzzer's limit, so that a time-out is a finding.
    const PATIENCE: Duration = Duration::from_secs(2);
    let limits = AdapterLimits { request: PATIENCE, ..AdapterLimits::default() };
    let launch = Adapter::launcher(command, limits).unwrap_or_else(|error| panic!("{error}"));
    Subject::endpoint(move || Box::new(launch()))
}

#[cfg(not(feature = "adapters"))]
fn adapter(_command: &str) -> Subject {
    panic!("ROBOTSPEC_ADAPTER: build the target with `--features adapters`, as fuzz/targets/run does")
}

fn subjects(editions: &[Edition]) -> Vec<Subject> {
    if let Some(command) = variable("ROBOTSPEC_ADAPTER") {
        return vec![adapter(&command)];
    }
    if let Some(names) = variable("ROBOTSPEC_IMPLEMENTATIONS") {
        let find = |name| {
            robotspec_built_in::find(name)
                .unwrap_or_else(|| panic!("ROBOTSPEC_IMPLEMENTATIONS: there is no built-in `{name}`"))
        };
        return names.split(',').map(|name| parser(find(name), editions)).collect();
    }
    let third_party =
        robotspec_built_in::ALL.iter().filter(|built_in| built_in.name != "reference" && !built_in.may_hang);
    third_party.map(|built_in| parser(built_in, editions)).collect()
}

fn parser(built_in: &'static BuiltIn, editions: &[Edition]) -> Subject {
    assert!(
        !built_in.depends_on_edition || editions.len() == 1,
        "ROBOTSPEC_EDITION: {} answers as one edition at a time",
        built_in.name
    );
    let edition = editions[0];
    Subject::parser(move || (built_in.make)(edition))
}
