//! A run of a differential target: who is judged, and where findings go.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use robotspec::builtin;
use robotspec::fuzz::guided::Guided;
use robotspec::fuzz::rendered::Rendered;
use robotspec::fuzz::{Finding, KnownFindings, Make};
use robotspec::{Edition, Subprocess, Timeouts};

use crate::progress;

/// How often it is told where time goes, where that is asked for.
const TOLD: Duration = Duration::from_secs(10);

/// How long an adapter may take: less than libFuzzer's own limit, so that it is a finding.
const PATIENCE: Duration = Duration::from_secs(2);

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::from_environment());
}

/// Judges an input by what the environment says, and tells libFuzzer what was said.
///
/// - `ROBOTSPEC_ADAPTER`: the command of an adapter that is judged; or else
/// - `ROBOTSPEC_IMPLEMENTATIONS`: names of built-in implementations, by comma; all but the reference and what may
///   hang, which would end every run;
/// - `ROBOTSPEC_EDITION`: the editions that judge, by comma; `rfc9309`;
/// - `ROBOTSPEC_KNOWN`: a list of findings that are accepted;
/// - `ROBOTSPEC_OUT`: a directory for new findings, each a file of cases; `fuzz/findings`;
/// - `ROBOTSPEC_ABORT`: where it is `1`, the first new finding ends the run, and libFuzzer keeps the input;
/// - `ROBOTSPEC_TIMES`: where it is `1`, it is told where time goes.
///
/// # Panics
///
/// One of them is wrong; or a new finding is to end the run.
pub fn judge(input: &Rendered) {
    SESSION.with_borrow_mut(|session| session.judge(input));
}

/// Minimises what departed: to be called by a mutator.
pub fn between_inputs() {
    SESSION.with_borrow_mut(Session::settle);
}

/// What is set up once, and used for every input.
struct Session {
    guided: Guided,
    known: KnownFindings,
    out: PathBuf,
    aborts: bool,
    written: BTreeSet<String>,
    is_replay: bool,
    timed: Option<Timed>,
}

/// What is told of where time goes.
struct Timed {
    started: Instant,
    told: Instant,
    runs: u64,
}

impl Session {
    fn from_environment() -> Session {
        let known = variable("ROBOTSPEC_KNOWN").map(|file| known(Path::new(&file))).unwrap_or_default();
        let now = Instant::now();
        Session {
            guided: Guided::new(editions(), subjects()),
            known,
            out: variable("ROBOTSPEC_OUT").unwrap_or_else(|| "fuzz/findings".to_owned()).into(),
            aborts: variable("ROBOTSPEC_ABORT").is_some_and(|value| value == "1"),
            written: BTreeSet::new(),
            is_replay: is_replay(),
            timed: variable("ROBOTSPEC_TIMES").map(|_| Timed { started: now, told: now, runs: 0 }),
        }
    }

    fn judge(&mut self, input: &Rendered) {
        for combination in self.guided.judge(&input.request()) {
            progress::mark(combination);
        }
        // Minimising waits for the next mutation, where no time limit runs. But a replay makes none, and to abort
        // anywhere else would not keep the input.
        if self.aborts || self.is_replay {
            self.settle();
        }
        self.tell_times();
    }

    fn settle(&mut self) {
        for finding in self.guided.settle() {
            if self.known.has(&finding.class) || !self.written.insert(finding.slug()) {
                continue;
            }
            self.tell(&finding);
            assert!(!self.aborts, "a new finding: {}: {}", finding.class.implementation, finding.class);
        }
    }

    /// Writes a finding as a case, and what it shows to standard error.
    fn tell(&self, finding: &Finding) {
        let explanation = finding.explain();
        eprintln!("FOUND {}: {}", finding.class.implementation, finding.class);
        eprintln!("  {}", explanation.clause);
        for line in &explanation.request {
            eprintln!("    {line}");
        }
        eprintln!("  expected {}", explanation.expected.join("; "));
        eprintln!("  got      {}", explanation.got.join("; "));
        if let Some(case) = finding.case() {
            let file = self.out.join(format!("{}.yaml", finding.slug()));
            let written = std::fs::create_dir_all(&self.out).and_then(|()| std::fs::write(&file, case));
            if let Err(error) = written {
                eprintln!("  {} cannot be written: {error}", file.display());
            }
        }
    }

    fn tell_times(&mut self) {
        let Some(timed) = &mut self.timed else { return };
        timed.runs += 1;
        if timed.runs.is_multiple_of(256) && timed.told.elapsed() >= TOLD {
            timed.told = Instant::now();
            let all = timed.started.elapsed().as_secs_f64();
            let spent = self.guided.spent();
            let share = |part: Duration| 100.0 * part.as_secs_f64() / all;
            eprintln!(
                "TIMES {} inputs in {all:.1} s: implementations {:.1} %, reference {:.1} %, judging {:.1} %, minimising {:.1} %",
                timed.runs,
                share(spent.implementations),
                share(spent.reference),
                share(spent.judging),
                share(spent.minimising),
            );
        }
    }
}

/// Whether libFuzzer was given inputs to run again, and not directories of them.
fn is_replay() -> bool {
    std::env::args().skip(1).any(|argument| Path::new(&argument).is_file())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn known(file: &Path) -> KnownFindings {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    KnownFindings::read(file, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn editions() -> Vec<Edition> {
    let ids = variable("ROBOTSPEC_EDITION").unwrap_or_else(|| "rfc9309".to_owned());
    ids.split(',').map(|id| id.parse().unwrap_or_else(|error| panic!("ROBOTSPEC_EDITION: {error}"))).collect()
}

fn subjects() -> Vec<Make> {
    if let Some(command) = variable("ROBOTSPEC_ADAPTER") {
        let timeouts = Timeouts { request: PATIENCE, ..Timeouts::default() };
        let launch = Subprocess::launcher(&command, timeouts).unwrap_or_else(|error| panic!("{error}"));
        return vec![Box::new(move || Box::new(launch()))];
    }
    let third_parties =
        builtin::NAMES.iter().filter(|name| **name != "reference" && !builtin::may_hang(name));
    let names = match variable("ROBOTSPEC_IMPLEMENTATIONS") {
        Some(names) => names.split(',').map(str::to_owned).collect(),
        None => third_parties.map(|name| (*name).to_owned()).collect::<Vec<String>>(),
    };
    names.into_iter().map(built_in).collect()
}

/// It is asked as it is, without a thread of its own: the time limit is libFuzzer's.
fn built_in(name: String) -> Make {
    let find = move || {
        builtin::find(&name)
            .unwrap_or_else(|| panic!("ROBOTSPEC_IMPLEMENTATIONS: there is no built-in `{name}`"))
    };
    Box::new(find)
}
