//! A run of a differential target: the implementations under test, and the output of findings.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use robotspec::{Batch, Edition, InProcess, KnownFailures};
use robotspec_built_in::BuiltIn;
use robotspec_fuzz::generate::Shares;
use robotspec_fuzz::{Finding, Guided, Make, SearchPlan, Source};
use robotspec_text::document::plain_lines;

use crate::progress;

/// The variable that has options of `robotspec fuzz`.
const VARIABLE: &str = "ROBOTSPEC_FUZZ";

/// How long an answer may take: less than libFuzzer's limit, so that a time-out is a finding.
const PATIENCE: Duration = Duration::from_secs(2);

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::start(Options::read()));
}

/// Judges an input, and reports the combinations of answers to libFuzzer.
///
/// # Panics
///
/// The variable `ROBOTSPEC_FUZZ` has a wrong value, or a new finding ends the run.
pub fn judge(input: Batch) {
    SESSION.with_borrow_mut(|session| session.judge(input));
}

/// Examines the divergences since the last call. A mutator calls this, because it has no time limit.
pub fn examine() {
    SESSION.with_borrow_mut(Session::examine);
}

/// The options that a run has from `robotspec fuzz`.
#[derive(clap::Parser)]
#[command(no_binary_name = true)]
struct Options {
    /// Without implementations: all that are built in, except the reference and those that may hang, which would end
    /// every run.
    implementations: Vec<String>,
    #[arg(long = "adapter")]
    adapters: Vec<String>,
    #[arg(long = "edition", default_values_t = [Edition::Rfc9309])]
    editions: Vec<Edition>,
    #[arg(long)]
    known_failures: Option<PathBuf>,
    #[arg(long, default_value = "fuzz/findings")]
    out: PathBuf,
    #[arg(long)]
    max_findings: Option<usize>,
}

impl Options {
    fn read() -> Options {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let words = shell_words::split(&text).unwrap_or_else(|error| refuse(error));
        Options::try_parse_from(words).unwrap_or_else(|error| refuse(error))
    }
}

fn refuse(reason: impl std::fmt::Display) -> ! {
    panic!("{VARIABLE}: {reason}")
}

fn read_known(file: &Path) -> KnownFailures {
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|error| refuse(format!("{}: {error}", file.display())));
    KnownFailures::read(file, &text).unwrap_or_else(|error| refuse(error))
}

/// The state that all inputs of a run share.
struct Session {
    guided: Guided<'static>,
    known: KnownFailures,
    out: PathBuf,
    /// After how many more new findings the run ends.
    left: Option<usize>,
}

impl Session {
    fn start(options: Options) -> Session {
        let subjects = Box::leak(subjects(&options).into_boxed_slice());
        let plan = SearchPlan {
            editions: options.editions,
            source: Source::Generated(Shares::default()),
            seed: 0,
            limit: None,
            time_for_divergence: Duration::from_secs(10),
            max_findings: None,
            jobs: 1,
            against: None,
        };
        Session {
            guided: Guided::new(Box::leak(Box::new(plan)), subjects),
            known: options.known_failures.as_deref().map(read_known).unwrap_or_default(),
            out: options.out,
            left: options.max_findings,
        }
    }

    fn judge(&mut self, input: Batch) {
        for combination in self.guided.judge(input) {
            progress::mark(combination);
        }
        // libFuzzer keeps an input only where the run ends while it is judged.
        if self.left.is_some() {
            self.examine();
        }
    }

    fn examine(&mut self) {
        let Session { guided, known, out, left } = self;
        guided.examine(&mut |finding| {
            if !finding.is_known(known) {
                report(finding, out);
                *left = left.map(|left| left.saturating_sub(1));
                assert!(
                    *left != Some(0),
                    "a new finding: {}: {}",
                    finding.class.implementation,
                    finding.class
                );
            }
        });
    }
}

/// Writes a finding to a file of cases, and its explanation to standard error.
fn report(finding: &Finding, out: &Path) {
    eprintln!("FOUND {}: {}", finding.class.implementation, finding.class);
    for line in plain_lines(&finding.explain(), usize::MAX) {
        eprintln!("  {line}");
    }
    if let Err(error) = std::fs::create_dir_all(out).and_then(|()| finding.save(out)) {
        eprintln!("  the case cannot be written to {}: {error}", out.display());
    }
}

fn subjects(options: &Options) -> Vec<Make> {
    let find = |name: &String| {
        robotspec_built_in::find(name)
            .unwrap_or_else(|| refuse(format!("there is no built-in `{name}`; an adapter needs --adapter")))
    };
    let third_party = || {
        robotspec_built_in::ALL.iter().filter(|built_in| built_in.name != "reference" && !built_in.may_hang)
    };
    let built_in: Vec<&BuiltIn> = match (&options.implementations[..], &options.adapters[..]) {
        ([], []) => third_party().collect(),
        (names, _) => names.iter().map(find).collect(),
    };
    let parsers = built_in.into_iter().map(|built_in| parser(built_in, &options.editions));
    parsers.chain(options.adapters.iter().map(|command| adapter(command))).collect()
}

fn parser(built_in: &'static BuiltIn, editions: &[Edition]) -> Make {
    if built_in.depends_on_edition && editions.len() > 1 {
        refuse(format!("{} answers as one edition at a time", built_in.name));
    }
    let edition = editions[0];
    Box::new(move || Box::new(InProcess::new(move || (built_in.make)(edition), PATIENCE)))
}

#[cfg(feature = "adapters")]
fn adapter(command: &str) -> Make {
    use robotspec::external::{Adapter, AdapterLimits};

    let limits = AdapterLimits { request: PATIENCE, ..AdapterLimits::default() };
    let launch = Adapter::launcher(command, limits).unwrap_or_else(|error| refuse(error));
    Box::new(move || Box::new(launch()))
}

#[cfg(not(feature = "adapters"))]
fn adapter(_command: &str) -> Make {
    refuse("--adapter: build the target with `--features adapters`, as fuzz/targets/run does")
}
