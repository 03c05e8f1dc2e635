//! The specification as the tests of a parser in Rust: the `main` of a test program with one test for each case in each
//! edition.

mod failure;
mod found;
mod list;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, FormatSetting, Trial};
use robotspec_reference::Edition;

use robotspec_cases::suite::{built_in, built_in_suite};
use robotspec_cases::{Case, FileError, Level, Query, Suite};
use robotspec_text::{visible, visible_lines, visible_path};

use crate::again::send;
use crate::answer::Fault;
use crate::endpoint::{Batch, InProcess};
use crate::event::{Event, Status};
use crate::known::KnownFailures;
use crate::parser::Parser;
use crate::record::RunRecord;
use crate::run::{Plan, Subject, run};
use failure::Failure;
use found::{FailedTest, Found};
use robotspec_text::sentences::counted;

/// The time that a parser may take for a file.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The `main` of a test program that checks a parser with every case.
///
/// The `[[test]]` of the file in `Cargo.toml` needs `harness = false`. Each case is a test with a name such as
/// `rfc9309::path-values/fish`, so that `cargo test` and `cargo nextest` can list, filter and repeat it.
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
/// The first argument is an expression that makes a parser; each test makes a new one. The options may occur in any
/// order:
///
/// | option | meaning | if absent |
/// | --- | --- | --- |
/// | `editions = [Rfc9309, Google2026]` | the [`Edition`]s that judge | `[Rfc9309]` |
/// | `known_failures = "tests/known-failures.yaml"` | the [list](crate::known) of known failures; the path is relative to the package | none |
/// | `level = Must` | the weakest [`Level`] of failures that fail a test: with `Must`, departures from recommendations are only reported | `Should` |
/// | `variants = false` | excludes the same files with other line ends, comments and so on | `true` |
///
/// The list of failed tests has a line for each. After it are the likely causes of the failures, then some failures in
/// full. A test that is run alone, with its name and `--exact`, prints its failure in full, and so do all tests with
/// `--format json` and in `cargo nextest`.
///
/// With `level = Must`, a test passes where the parser departs only from recommendations of an edition (SHOULD), and
/// violates nothing that the edition requires. The standard error then has a note for each such test, with its departures.
///
/// The names of tests contain the name of the edition on the command line, such as `google-2026` for `Google2026`:
/// `cargo test google-2026::path-values`.
///
/// A test of something that the parser does not support is *ignored*, and has `[not supported]` before its name. A test
/// with a row that the list has is marked `[known failure]`; it passes as long as nothing else in it fails. The test
/// `known-failures` fails where the list is out of date. With `ROBOTSPEC_UPDATE=1` in the environment, this is the only
/// test, and it updates the list. A new entry has no reason yet, and the tests refuse the list until it has one. More than
/// half of the list is removed only with `ROBOTSPEC_UPDATE=force`.
#[macro_export]
macro_rules! conformance {
    ($parser:expr $(, $option:ident = $value:expr)* $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            let conformance = $crate::Conformance::of(|| $parser);
            {
                #[allow(unused_imports)]
                use $crate::{Edition::*, Level::*};
                conformance $(.$option($value))* .test()
            }
        }

        /// This test exists only in a test program that does not run `main`.
        #[test]
        fn this_test_needs_harness_false() {
            panic!("no case was run; write `harness = false` under the `[[test]]` of this file in Cargo.toml");
        }
    };
}

type Make = dyn Fn() -> Box<dyn Parser + Send> + Send + Sync;

/// The tests that [`conformance!`](crate::conformance!) runs. The methods are its options.
pub struct Conformance {
    make: Arc<Make>,
    editions: Vec<Edition>,
    known_failures: Option<PathBuf>,
    level: Level,
    variants: bool,
}

impl Conformance {
    /// Tests of RFC 9309 for the parsers that `make` makes, a new one for each test.
    pub fn of<P: Parser + Send + 'static>(make: impl Fn() -> P + Send + Sync + 'static) -> Self {
        Conformance {
            make: Arc::new(move || Box::new(make())),
            editions: vec![Edition::Rfc9309],
            known_failures: None,
            level: Level::of_runs(),
            variants: true,
        }
    }

    /// Replaces the editions.
    #[must_use]
    pub fn editions(mut self, editions: impl Into<Vec<Edition>>) -> Self {
        self.editions = editions.into();
        self
    }

    /// Sets the list of known failures. The path is relative to the package, because the tests run there.
    #[must_use]
    pub fn known_failures(mut self, file: impl Into<PathBuf>) -> Self {
        self.known_failures = Some(file.into());
        self
    }

    /// Sets the weakest level of failures that fail a test. With [`Level::Must`], departures from recommendations are
    /// reported, and do not fail a test.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Sets whether the variants of each file are tested: with other line ends, comments and so on.
    #[must_use]
    pub fn variants(mut self, variants: bool) -> Self {
        self.variants = variants;
        self
    }

    /// Runs or lists the tests, as the arguments of the test program require. The exit code is 0 where all tests passed,
    /// 101 where a test failed, and 2 where the tests could not be run.
    pub fn test(self) -> ExitCode {
        let this = Arc::new(self);
        let arguments = Arguments::from_args();
        let found = Arc::new(Mutex::new(Found::default()));
        let is_for_person =
            !arguments.list && !arguments.exact && arguments.format != Some(FormatSetting::Json);
        let trials = match this.known_failures.clone() {
            _ if !list::is_to_be_updated() => {
                this.trials(&arguments, is_for_person, &found).map_err(|error| error.to_string())
            }
            // The only test.
            Some(file) => {
                let conformance = Arc::clone(&this);
                Ok(vec![Trial::test(LIST, move || conformance.update(&file))])
            }
            None => {
                let fix = "add `known_failures = \"tests/known-failures.yaml\"`";
                Err(format!("{} is set, but `conformance!` has no list; {fix}", list::UPDATE))
            }
        };
        let trials = match trials {
            Ok(trials) => trials,
            Err(error) => {
                eprintln!("error: {}", visible_lines(&error));
                return ExitCode::from(2);
            }
        };
        let misnamed = this.misnamed(&arguments);
        let unsupported = trials.iter().filter(|trial| {
            trial.kind() == NOT_SUPPORTED && !arguments.is_filtered_out(trial) && arguments.is_ignored(trial)
        });
        let unsupported = unsupported.count();
        let exit_code = libtest_mimic::run(&arguments, trials).exit_code();
        if is_for_person {
            let found = found.lock().unwrap_or_else(PoisonError::into_inner);
            this.editions.iter().for_each(|&edition| found.print_likely_causes(edition));
            found.print_failures();
            if found.tests > 0 {
                let file = visible_path(this.known_failures.as_deref().unwrap_or(Path::new("the list")));
                let tests = counted(found.tests, "test");
                eprintln!(
                    "note: {tests} with known failures ({}); for the reasons see {file}",
                    found.failures
                );
            }
            for (test, departures) in &found.departures {
                let counted = counted(*departures, "departure");
                eprintln!("note: {test} passes with {counted} from recommendations");
            }
            if unsupported > 0 {
                let (tests, name) = (counted(unsupported, "test"), Parser::info((this.make)().as_ref()).name);
                eprintln!("note: {tests} not supported by {} and therefore ignored", visible(&name));
            }
            misnamed.iter().for_each(|misnamed| eprintln!("note: {}", visible(misnamed)));
            if found.run > 0 && found.answered == 0 {
                eprintln!("error: nothing was judged: the parser supports none of these tests");
                // As where a test failed.
                return ExitCode::from(101);
            }
        }
        exit_code
    }

    /// Returns a note for a filter that spells an edition as the macro does, and so selects no test.
    fn misnamed(&self, arguments: &Arguments) -> Option<String> {
        let (edition, rest) = arguments.filter.as_deref()?.split_once("::")?;
        let is_meant =
            |id: &str| id != edition && id.replace('-', "").eq_ignore_ascii_case(&edition.replace('-', ""));
        let meant = Edition::ALL.into_iter().map(Edition::id).find(|id| is_meant(id))?;
        Some(format!("no test has a name with `{edition}::`; write {meant}::{rest}"))
    }

    fn trials(
        self: &Arc<Self>,
        arguments: &Arguments,
        is_for_person: bool,
        found: &Arc<Mutex<Found>>,
    ) -> Result<Vec<Trial>, FileError> {
        let known = match &self.known_failures {
            Some(file) => list::read(file)?,
            None => KnownFailures::default(),
        };
        let mut trials = Vec::new();
        if self.known_failures.is_some() {
            let (conformance, known) = (Arc::clone(self), known.clone());
            trials.push(Trial::test(LIST, move || conformance.check_list(known)));
        }
        let cases: Vec<Arc<Case>> =
            suites(arguments)?.iter().flat_map(|suite| &suite.cases).cloned().map(Arc::new).collect();
        for &edition in &self.editions {
            let cases = || cases.iter().filter(|case| case.editions.contains(&edition));
            let selected = cases().filter(|case| is_selected(arguments, &name(edition, case)));
            let unsupported = unsupported(&self.make, selected.map(Arc::as_ref).collect());
            for case in cases() {
                let is_unsupported = unsupported.contains(case.name.as_str());
                let is_known = case.rows.iter().any(|row| known.has_row(&row.id, edition));
                let kind = match (is_unsupported, is_known) {
                    (true, _) => NOT_SUPPORTED,
                    (_, true) => KNOWN_FAILURE,
                    (_, false) => "",
                };
                let test = Test {
                    place: trials.len(),
                    edition,
                    case: Arc::clone(case),
                    conformance: Arc::clone(self),
                    known: known.clone(),
                    is_for_person,
                    found: Arc::clone(found),
                };
                let trial = Trial::ignorable_test(name(edition, case), move || test.run());
                trials.push(trial.with_kind(kind).with_ignored_flag(is_unsupported));
            }
        }
        Ok(trials)
    }
}

/// The name of the test of the list.
const LIST: &str = "known-failures";

/// The mark of a test of something that the parser does not support.
const NOT_SUPPORTED: &str = "not supported";

/// The mark of a test with a row that the list of known failures has.
const KNOWN_FAILURE: &str = "known failure";

/// A case in an edition.
struct Test {
    /// The place in the list of tests.
    place: usize,
    edition: Edition,
    case: Arc<Case>,
    conformance: Arc<Conformance>,
    known: KnownFailures,
    /// Whether the message is printed after all tests and the likely causes: the list of failed tests then has one line for
    /// each. A test that is run alone, as by `cargo nextest`, prints its message, and so does each for a program that reads it.
    is_for_person: bool,
    found: Arc<Mutex<Found>>,
}

fn name(edition: Edition, case: &Case) -> String {
    format!("{edition}::{}", case.name)
}

/// Returns whether the arguments may select a test. Its name may have a mark, which is not known yet.
fn is_selected(arguments: &Arguments, name: &str) -> bool {
    match arguments.filter.as_deref() {
        Some(filter) if arguments.exact => without_mark(filter) == name,
        // The filter may be a part of the mark.
        Some(filter) => name.contains(filter) || !filter.contains("::"),
        None => true,
    }
}

fn without_mark(name: &str) -> &str {
    name.strip_prefix('[').and_then(|name| name.split_once("] ")).map_or(name, |(_, name)| name)
}

/// Returns the suites of the tests that the command line selects. `cargo nextest` starts a process for each test, which
/// then reads one suite only.
fn suites(arguments: &Arguments) -> Result<Cow<'static, [Suite]>, FileError> {
    let test = arguments.filter.as_deref().filter(|_| arguments.exact);
    let case =
        test.and_then(|name| without_mark(name).split_once("::")).and_then(|(_, case)| case.split_once('/'));
    match case {
        Some((suite, _)) => Ok(built_in_suite(suite)?.into_iter().collect()),
        None => built_in().map(Cow::Borrowed),
    }
}

fn subject(make: &Arc<Make>, known: KnownFailures) -> Subject {
    let make = Arc::clone(make);
    let mut subject = Subject::new(move || Box::new(in_process(&make, TIMEOUT)));
    subject.known = known;
    subject
}

fn in_process(make: &Arc<Make>, timeout: Duration) -> InProcess {
    let make = Arc::clone(make);
    InProcess::new(move || make(), timeout)
}

/// The time limit for an answer before the tests are listed. A query that takes longer counts as supported; its test judges the answer.
const SHORT_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the names of the cases of which no row is supported, which are listed as ignored. Match queries are supported by every
/// implementation.
fn unsupported<'c>(make: &Arc<Make>, mut undecided: Vec<&'c Case>) -> BTreeSet<&'c str> {
    undecided.retain(|case| query(case, 0).is_some());
    let mut unsupported = BTreeSet::new();
    if undecided.is_empty() {
        return unsupported;
    }
    let mut implementation = in_process(make, SHORT_TIMEOUT);
    let mut row = 0;
    while !undecided.is_empty() {
        let batches: Vec<Batch> =
            undecided.iter().filter_map(|case| query(case, row).cloned().map(Batch::single)).collect();
        let mut answers = send(&mut implementation, &batches).into_iter();
        undecided.retain(|_| answers.next().is_some_and(|answer| answer.contains(&Err(Fault::NotSupported))));
        row += 1;
        unsupported.extend(
            undecided.extract_if(.., |case| query(case, row).is_none()).map(|case| case.name.as_str()),
        );
    }
    unsupported
}

/// Returns the query of a row, unless every implementation supports it.
fn query(case: &Case, row: usize) -> Option<&Query> {
    let query = &case.rows.get(row)?.query;
    (!matches!(query, Query::Match { .. } | Query::Alike { .. })).then_some(query)
}

impl Test {
    fn run(self) -> Result<Completion, Failed> {
        let name = name(self.edition, &self.case);
        let (editions, level) = (vec![self.edition], self.conformance.level);
        let checks = self.case.checks(self.conformance.variants, &editions, &|_| true);
        let plan = Plan { checks, editions, level, lists_are_about: None, shard: None, jobs: 1 };
        let (mut failures, mut known, mut departures, mut is_answered) = (Vec::new(), 0, 0, false);
        let mut record = RunRecord::default();
        run(&plan, vec![subject(&self.conformance.make, self.known)], &mut |event| {
            record.take(event);
            let Event::CheckFinished(finished) = event else { return };
            let Some(check) = plan.checks.iter().find(|check| check.id == finished.id) else { return };
            for judgement in finished.editions.values() {
                is_answered |= judgement.status != Status::NotSupported;
                known += usize::from(judgement.known.is_some());
                if judgement.is_new_failure() && !judgement.is_failure_at(level) {
                    departures += 1;
                } else if judgement.is_new_failure() || judgement.status == Status::NotRun {
                    failures.push(Failure { check, judgement: judgement.clone() });
                }
            }
        });
        let message =
            (!failures.is_empty()).then(|| failure::describe_failures(&name, self.edition, &failures));
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let of_edition = found.records.entry(self.edition).or_default();
        record.events().iter().for_each(|event| of_edition.take(event));
        found.checks.extend(plan.checks.iter().cloned());
        found.run += 1;
        found.answered += usize::from(is_answered);
        found.tests += usize::from(known > 0);
        found.failures += known;
        if departures > 0 && failures.is_empty() {
            found.departures.insert(name.clone(), departures);
        }
        match message {
            Some(message) if !self.is_for_person => Err(message.into()),
            Some(message) => {
                let clause = failure::broken_clause(&failures).map(|clause| &*clause.id);
                found.failed.insert(self.place, FailedTest { name, clause, message });
                Err(failure::describe_briefly(self.edition, &failures).into())
            }
            None if is_answered => Ok(Completion::Completed),
            None => Ok(Completion::ignored_with(NOT_SUPPORTED)),
        }
    }
}
