//! The specification as the tests of a parser in Rust: a `main` for a test of cargo's, with one test for each
//! case in each edition.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use robotspec_reference::{Edition, split_lines};

use crate::event::Event;
use crate::guard::Guarded;
use crate::implementation::Implementation;
use crate::known::KnownFailures;
use crate::run::{Plan, Subject, run};
use crate::suite::{Case, Check, Request, Suite, bytes, checks, load};
use crate::yaml::FileError;

/// How long a parser may take over a file.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The `main` of a test that puts every case to a parser.
///
/// The test has `harness = false` in `Cargo.toml`. Each case is a test of its own, named
/// `rfc9309::path-values/fish`, so that `cargo test` and `cargo nextest` list, filter and repeat it.
///
/// ```no_run
/// use robotspec::{Fault, Implementation, Info, Query, Verdict};
///
/// struct Mine;
///
/// impl Implementation for Mine {
///     fn info(&self) -> Info {
///         Info::named("mine")
///     }
///     fn check(&mut self, _robots: &[u8], queries: &[Query]) -> Result<Vec<Verdict>, Fault> {
///         Ok(queries.iter().map(|_| Verdict::Allow).collect())
///     }
/// }
///
/// robotspec::conformance!(Mine, editions = [Rfc9309, Google2026], known_failures = "tests/known-failures.yaml");
/// ```
///
/// The editions are RFC 9309 alone where none are named, and the list of known failures may be left out.
#[macro_export]
macro_rules! conformance {
    ($parser:expr $(, editions = [$($edition:ident),+ $(,)?])? $(, known_failures = $file:expr)? $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::Conformance::of(|| $parser)
                $(.editions(&[$($crate::Edition::$edition),+]))?
                $(.known_failures($file))?
                .test()
        }
    };
}

type Make = dyn Fn() -> Box<dyn Implementation + Send> + Send + Sync;

/// What [`conformance!`](crate::conformance!) sets up.
pub struct Conformance {
    make: Arc<Make>,
    editions: Vec<Edition>,
    known_failures: Option<PathBuf>,
}

impl Conformance {
    /// Puts the cases of RFC 9309 to what `make` makes, which is made anew for each.
    pub fn of<I: Implementation + Send + 'static>(make: impl Fn() -> I + Send + Sync + 'static) -> Self {
        Conformance {
            make: Arc::new(move || Box::new(make())),
            editions: vec![Edition::Rfc9309],
            known_failures: None,
        }
    }

    /// Puts those of these editions.
    #[must_use]
    pub fn editions(mut self, editions: &[Edition]) -> Self {
        self.editions = editions.to_vec();
        self
    }

    /// Takes what this file lists for known. Its path starts where the tests run: in the package.
    #[must_use]
    pub fn known_failures(mut self, file: impl Into<PathBuf>) -> Self {
        self.known_failures = Some(file.into());
        self
    }

    /// Does what the command line of a test asks for. The exit code is 0 where all tests passed, 101 where one did
    /// not, and 2 where they could not be run.
    pub fn test(self) -> ExitCode {
        let arguments = Arguments::from_args();
        match self.trials(&arguments) {
            Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(2)
            }
        }
    }

    fn trials(self, arguments: &Arguments) -> Result<Vec<Trial>, FileError> {
        let known = match &self.known_failures {
            Some(file) => read_list(file)?,
            None => KnownFailures::default(),
        };
        let suites = suites(arguments)?;
        let mut trials = Vec::new();
        if self.known_failures.is_some() {
            let (make, known, editions) = (Arc::clone(&self.make), known.clone(), self.editions.clone());
            trials.push(Trial::test(STALE, move || none_is_stale(&make, known, &editions)));
        }
        for case in suites.into_iter().flat_map(|suite| suite.cases).map(Arc::new) {
            for &edition in self.editions.iter().filter(|edition| case.editions.contains(edition)) {
                let (make, known, case) = (Arc::clone(&self.make), known.clone(), Arc::clone(&case));
                let name = format!("{edition}::{}", case.id);
                trials.push(Trial::test(name, move || passes(&make, known, edition, &case)));
            }
        }
        Ok(trials)
    }
}

/// The test that no entry of the list is outdated.
const STALE: &str = "known-failures";

fn read_list(file: &Path) -> Result<KnownFailures, FileError> {
    let text = std::fs::read_to_string(file).map_err(|error| FileError {
        file: file.to_owned(),
        line: 0,
        column: 0,
        message: error.to_string(),
    })?;
    KnownFailures::read(file, &text)
}

/// The suites that have what is asked for. `cargo nextest` starts a process for each test: it need not read them all.
fn suites(arguments: &Arguments) -> Result<Vec<Suite>, FileError> {
    let suite = arguments.filter.as_deref().filter(|_| arguments.exact).and_then(|name| {
        let (_, case) = name.split_once("::")?;
        Some(case.split_once('/')?.0)
    });
    let is_asked_for = |text: &str| match suite {
        Some(suite) => text.lines().any(|line| line.strip_prefix("suite: ") == Some(suite)),
        None => true,
    };
    let files = robotspec_cases::suites().into_iter().filter(|file| is_asked_for(file.text));
    files.map(|file| load(&Path::new("cases/suites").join(file.name), file.text)).collect()
}

fn subject(make: &Arc<Make>, known: KnownFailures) -> Subject {
    let make = Arc::clone(make);
    Subject { implementation: Box::new(Guarded::new(move || make(), TIMEOUT)), known }
}

fn passes(make: &Arc<Make>, known: KnownFailures, edition: Edition, case: &Case) -> Result<(), Failed> {
    let plan = Plan { checks: case.checks(true), editions: vec![edition], lists_are_about: None, jobs: 1 };
    let mut failures = Vec::new();
    run(&plan, vec![subject(make, known)], &mut |event| {
        let Event::CheckFinished(finished) = event else { return };
        for judged in finished.editions.values().filter(|judged| judged.status.is_failure() && !judged.known)
        {
            let check = plan.checks.iter().find(|check| check.id == finished.id);
            failures.push(format!(
                "{} ({}): expected {}, got {}\n{}",
                finished.id,
                finished.clause,
                judged.expected,
                judged.got,
                check.map(shown).unwrap_or_default()
            ));
        }
    });
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn none_is_stale(make: &Arc<Make>, known: KnownFailures, editions: &[Edition]) -> Result<(), Failed> {
    let suites = crate::suite::built_in().map_err(|error| error.to_string())?;
    let mut checks = checks(&suites, true);
    checks.retain(|check| editions.iter().any(|edition| check.expected.contains_key(edition)));
    let plan =
        Plan { checks, editions: editions.to_vec(), lists_are_about: Some(editions.to_vec()), jobs: 1 };
    let mut stale = Vec::new();
    run(&plan, vec![subject(make, known)], &mut |event| {
        if let Event::ImplementationFinished { stale_known_failures, .. } = event {
            stale.clone_from(stale_known_failures);
        }
    });
    if stale.is_empty() { Ok(()) } else { Err(format!("remove from the list:\n{}", stale.join("\n")).into()) }
}

/// How many lines of a file are shown.
const LINES: usize = 20;

/// What was asked, for a person.
fn shown(check: &Check) -> String {
    let (file, asked) = match &check.request {
        Request::Match { robots, agent, url } | Request::Alike { robots, agent, url, .. } => {
            (Some(robots), format!("may {agent} fetch {url}?"))
        }
        Request::Sitemaps { robots } => (Some(robots), "which sitemaps does it name?".to_owned()),
        Request::Scope { robots_url, url } => (None, format!("does {robots_url} govern {url}?")),
        Request::Access { visits, agent, paths } => {
            let visits: Vec<String> = visits.iter().map(ToString::to_string).collect();
            (None, format!("{}\n  may {agent} then fetch {}?", visits.join("\n  "), paths.join(", ")))
        }
        Request::Grammar { text } => (Some(text), "is it derived?".to_owned()),
    };
    let mut shown = String::new();
    if let Some(file) = file {
        for (number, line) in (1..=LINES).zip(split_lines(file)) {
            let text = bytes::escaped(&line.text[..line.text.len().min(200)]);
            shown.push_str(&format!("  {number:>3} | {text}\n"));
        }
    }
    shown.push_str(&format!("  {asked}\n"));
    shown
}
