//! The specification as the tests of a parser in Rust: a `main` for a test of cargo's, with one test for each
//! case in each edition.

mod failure;
mod list;
mod supported;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, FormatSetting, Trial};
use robotspec_reference::Edition;

use robotspec_cases::suite::{built_in, built_in_suite};
use robotspec_cases::{Case, Check, FileError, Suite};

use crate::diagnosis::{checks_by_id, diagnose};
use crate::endpoint::InProcess;
use crate::event::{Event, Status};
use crate::known::KnownFailures;
use crate::parser::Parser;
use crate::record::RunRecord;
use crate::run::{Plan, Subject, run};
use crate::sentences::counted;
use failure::Failure;
use supported::unsupported;

/// How long a parser may take over a file.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The `main` of a test that puts every case to a parser.
///
/// The test has `harness = false` in `Cargo.toml`. Each case is a test of its own, named
/// `rfc9309::path-values/fish`, so that `cargo test` and `cargo nextest` list, filter and repeat it.
///
/// ```no_run
/// use robotspec::{Fault, Info, MatchQuery, Parser, Verdict};
///
/// struct Mine;
///
/// impl Parser for Mine {
///     fn info(&self) -> Info {
///         Info::named("mine")
///     }
///     fn check(&mut self, _robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
///         Ok(queries.iter().map(|_| Verdict::Allow).collect())
///     }
/// }
///
/// robotspec::conformance!(Mine, editions = [Rfc9309, Google2026], variants = false);
/// ```
///
/// The first argument is an expression that makes the parser; it is made anew for each test. Each option may be
/// left out, and they may stand in any order:
///
/// | option | | if absent |
/// | --- | --- | --- |
/// | `editions = [Rfc9309, Google2026]` | the [`Edition`]s that judge | `[Rfc9309]` |
/// | `known_failures = "tests/known-failures.yaml"` | the [list](crate::known) of what is known to fail; its path starts in the package | none |
/// | `variants = false` | leaves out the same files with other line ends, comments and the like | `true` |
///
/// Names of tests say `google-2026` where the macro says `Google2026`: `cargo test google-2026::path-values`.
///
/// What the parser does not do is *ignored*, and has `[not supported]` before its name. A test with a row that the
/// list has is marked `[known failure]`; it passes while nothing else of it fails. The test `known-failures` fails
/// where the list is out of date. With `ROBOTSPEC_UPDATE=1` in the environment there is that test alone, and it
/// writes the list: new failures wait on it for their reason, and until they have one the tests refuse it.
#[macro_export]
macro_rules! conformance {
    ($parser:expr $(, $option:ident = $value:expr)* $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            let conformance = $crate::Conformance::of(|| $parser);
            {
                #[allow(unused_imports)]
                use $crate::Edition::*;
                conformance $(.$option($value))* .test()
            }
        }

        /// There only where `main` is not run.
        #[test]
        fn this_test_wants_harness_false() {
            panic!("write `harness = false` under the `[[test]]` of this file in Cargo.toml: no case was run");
        }
    };
}

type Make = dyn Fn() -> Box<dyn Parser + Send> + Send + Sync;

/// What [`conformance!`](crate::conformance!) sets up; its methods are the options.
pub struct Conformance {
    make: Arc<Make>,
    editions: Vec<Edition>,
    known_failures: Option<PathBuf>,
    variants: bool,
}

impl Conformance {
    /// Puts the cases of RFC 9309 to what `make` makes, which is made anew for each.
    pub fn of<P: Parser + Send + 'static>(make: impl Fn() -> P + Send + Sync + 'static) -> Self {
        Conformance {
            make: Arc::new(move || Box::new(make())),
            editions: vec![Edition::Rfc9309],
            known_failures: None,
            variants: true,
        }
    }

    /// Puts those of these editions.
    #[must_use]
    pub fn editions(mut self, editions: impl Into<Vec<Edition>>) -> Self {
        self.editions = editions.into();
        self
    }

    /// Takes what this file lists for known. Its path starts where the tests run: in the package.
    #[must_use]
    pub fn known_failures(mut self, file: impl Into<PathBuf>) -> Self {
        self.known_failures = Some(file.into());
        self
    }

    /// Whether each file is asked about in its variants too: with other line ends, comments and the like.
    #[must_use]
    pub fn variants(mut self, variants: bool) -> Self {
        self.variants = variants;
        self
    }

    /// Does what the command line of a test asks for. The exit code is 0 where all tests passed, 101 where one did
    /// not, and 2 where they could not be run.
    pub fn test(self) -> ExitCode {
        let arguments = Arguments::from_args();
        let found = Arc::new(Mutex::new(Found::default()));
        let trials = if list::is_to_be_updated() {
            self.update()
        } else {
            self.trials(&arguments, &found).map_err(|error| error.to_string())
        };
        let trials = match trials {
            Ok(trials) => trials,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(2);
            }
        };
        let is_for_a_person =
            !arguments.list && !arguments.exact && arguments.format != Some(FormatSetting::Json);
        let misnamed = self.misnamed(&arguments);
        let unsupported = trials.iter().filter(|trial| {
            trial.kind() == NOT_SUPPORTED && !arguments.is_filtered_out(trial) && arguments.is_ignored(trial)
        });
        let unsupported = unsupported.count();
        let exit_code = libtest_mimic::run(&arguments, trials).exit_code();
        if is_for_a_person {
            let found = found.lock().unwrap_or_else(PoisonError::into_inner);
            self.editions.iter().for_each(|&edition| found.print_likely_causes(edition));
            if found.tests > 0 {
                let file = self.known_failures.as_deref().unwrap_or(Path::new("the list")).display();
                let tests = counted(found.tests, "test");
                eprintln!("note: {tests} with known failures ({}): {file} says why", found.failures);
            }
            if unsupported > 0 {
                let (tests, name) = (counted(unsupported, "test"), Parser::info((self.make)().as_ref()).name);
                eprintln!("note: {tests} not supported by {name}, and ignored");
            }
            misnamed.iter().for_each(|misnamed| eprintln!("note: {misnamed}"));
        }
        exit_code
    }

    /// What is said to somebody who spells an edition as Rust does, and so names no test.
    fn misnamed(&self, arguments: &Arguments) -> Option<String> {
        let (edition, rest) = arguments.filter.as_deref()?.split_once("::")?;
        let is_meant =
            |id: &str| id != edition && id.replace('-', "").eq_ignore_ascii_case(&edition.replace('-', ""));
        let meant = Edition::ALL.into_iter().map(Edition::id).find(|id| is_meant(id))?;
        Some(format!("no test is named `{edition}::`; write {meant}::{rest}"))
    }

    fn trials(&self, arguments: &Arguments, found: &Arc<Mutex<Found>>) -> Result<Vec<Trial>, FileError> {
        let known = match &self.known_failures {
            Some(file) => list::read(file)?,
            None => KnownFailures::default(),
        };
        let mut trials = Vec::new();
        if self.known_failures.is_some() {
            let (asked, known) = (self.asked(), known.clone());
            trials.push(Trial::test(STALE, move || asked.none_is_stale(known)));
        }
        let cases: Vec<Arc<Case>> =
            suites(arguments)?.into_iter().flat_map(|suite| suite.cases).map(Arc::new).collect();
        for &edition in &self.editions {
            let unsupported = self.unsupported(arguments, edition, &cases);
            for case in cases.iter().filter(|case| case.editions.contains(&edition)) {
                let is_unsupported = unsupported.contains(case.name.as_str());
                let is_known = case.rows.iter().any(|row| known.has_row(&row.id, edition));
                let kind = match (is_unsupported, is_known) {
                    (true, _) => NOT_SUPPORTED,
                    (_, true) => KNOWN_FAILURE,
                    (_, false) => "",
                };
                let name = name(edition, case);
                let test = Test {
                    name: name.clone(),
                    edition,
                    case: Arc::clone(case),
                    asked: self.asked(),
                    known: known.clone(),
                    found: Arc::clone(found),
                };
                let trial = Trial::ignorable_test(name, move || test.run());
                trials.push(trial.with_kind(kind).with_ignored_flag(is_unsupported));
            }
        }
        Ok(trials)
    }

    /// Of the cases that may be run, those that the parser does not do.
    fn unsupported<'c>(
        &self,
        arguments: &Arguments,
        edition: Edition,
        cases: &'c [Arc<Case>],
    ) -> BTreeSet<&'c str> {
        let cases = cases.iter().map(Arc::as_ref).filter(|case| case.editions.contains(&edition));
        let asked_for = cases.filter(|case| is_asked_for(arguments, &name(edition, case)));
        unsupported(&self.make, edition, &asked_for.collect::<Vec<_>>())
    }

    /// The one test there is where the list is to be updated.
    fn update(&self) -> Result<Vec<Trial>, String> {
        let Some(file) = self.known_failures.clone() else {
            return Err(format!(
                "{} is set, and `conformance!` names no list; add `known_failures = \"tests/known-failures.yaml\"`",
                list::UPDATE
            ));
        };
        let asked = self.asked();
        Ok(vec![Trial::test(STALE, move || asked.update(&file))])
    }

    fn asked(&self) -> Asked {
        Asked { make: Arc::clone(&self.make), editions: self.editions.clone(), variants: self.variants }
    }
}

/// The test that no entry of the list is outdated.
const STALE: &str = "known-failures";

/// What stands before the name of a test whose questions the parser does not answer.
const NOT_SUPPORTED: &str = "not supported";

/// What stands before the name of a test that the list has a row of.
const KNOWN_FAILURE: &str = "known failure";

/// What the tests met.
#[derive(Default)]
struct Found {
    /// Tests with known failures, and the checks of them that fail.
    tests: usize,
    failures: usize,
    /// What happened, by edition.
    records: BTreeMap<Edition, RunRecord>,
    /// The checks that were put.
    checks: Vec<Check>,
}

impl Found {
    /// Tells, on standard error, what likely makes many checks of an edition fail.
    fn print_likely_causes(&self, edition: Edition) {
        let checks = checks_by_id(&self.checks);
        let records = self.records.get(&edition).into_iter().flat_map(|record| &record.implementations);
        for likely in records.flat_map(|record| diagnose(record, &checks)) {
            eprintln!("likely cause, in {edition}: {}", likely.describe());
        }
    }
}

/// Who is asked, and what.
struct Asked {
    make: Arc<Make>,
    editions: Vec<Edition>,
    variants: bool,
}

/// A case in an edition.
struct Test {
    name: String,
    edition: Edition,
    case: Arc<Case>,
    asked: Asked,
    known: KnownFailures,
    found: Arc<Mutex<Found>>,
}

fn name(edition: Edition, case: &Case) -> String {
    format!("{edition}::{}", case.name)
}

/// Whether a test may be run by this command line. `[kind]` stands before some names.
fn is_asked_for(arguments: &Arguments, name: &str) -> bool {
    match arguments.filter.as_deref() {
        Some(filter) if arguments.exact => without_kind(filter) == name,
        // It may be a part of the kind.
        Some(filter) => name.contains(filter) || !filter.contains("::"),
        None => true,
    }
}

fn without_kind(name: &str) -> &str {
    name.strip_prefix('[').and_then(|name| name.split_once("] ")).map_or(name, |(_, name)| name)
}

/// The suites of the tests that the command line selects. `cargo nextest` starts a process for each test, which then
/// reads one suite only.
fn suites(arguments: &Arguments) -> Result<Vec<Suite>, FileError> {
    let test = arguments.filter.as_deref().filter(|_| arguments.exact);
    let case =
        test.and_then(|name| without_kind(name).split_once("::")).and_then(|(_, case)| case.split_once('/'));
    match case {
        Some((suite, _)) => Ok(built_in_suite(suite)?.into_iter().collect()),
        None => built_in(),
    }
}

fn subject(make: &Arc<Make>, known: KnownFailures) -> Subject {
    Subject { known, ..Subject::new(in_process(make, TIMEOUT)) }
}

fn in_process(make: &Arc<Make>, timeout: Duration) -> InProcess {
    let make = Arc::clone(make);
    InProcess::new(move || make(), timeout)
}

impl Test {
    fn run(self) -> Result<Completion, Failed> {
        let checks = self.case.checks(self.asked.variants);
        let plan = Plan { checks, editions: vec![self.edition], lists_are_about: None, shard: None, jobs: 1 };
        let (mut failures, mut known, mut is_answered) = (Vec::new(), 0, false);
        let mut record = RunRecord::default();
        run(&plan, vec![subject(&self.asked.make, self.known)], &mut |event| {
            record.take(event);
            let Event::CheckFinished(finished) = event else { return };
            let Some(check) = plan.checks.iter().find(|check| check.id == finished.id) else { return };
            for judgement in finished.editions.values() {
                is_answered |= judgement.status != Status::NotSupported;
                known += usize::from(judgement.known.is_some());
                if judgement.is_new_failure() || judgement.status == Status::NotRun {
                    failures.push(Failure { check, judgement: judgement.clone() });
                }
            }
        });
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let of_edition = found.records.entry(self.edition).or_default();
        record.events().iter().for_each(|event| of_edition.take(event));
        found.checks.extend(plan.checks.iter().cloned());
        found.tests += usize::from(known > 0);
        found.failures += known;
        drop(found);
        match (failures.is_empty(), is_answered) {
            (false, _) => Err(failure::describe_failures(&self.name, self.edition, &failures).into()),
            (true, true) => Ok(Completion::Completed),
            (true, false) => Ok(Completion::ignored_with(NOT_SUPPORTED)),
        }
    }
}
