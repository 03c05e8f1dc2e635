//! What the tests that start programs share.

#![allow(dead_code, unused_imports, unused_macros)] // each test file uses its part

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use robotspec::event::{Event, Judged, Status};
use robotspec::implementation::Incident;
use robotspec::suite::{Check, Expected, Request};
use robotspec::{Clause, Implementation, KnownFailures, Outcome, Plan, Subject, run};
use robotspec_reference::{Edition, Ruling};

/// Holds what was told against a snapshot, by the name of the test or another; with other filters than the usual ones
/// where they are given.
macro_rules! assert_told {
    ($told:expr) => {
        crate::support::assert_told!($told; crate::support::filters())
    };
    ($told:expr; $filters:expr) => {
        insta::with_settings!({ filters => $filters, omit_expression => true }, { insta::assert_snapshot!($told) })
    };
    ($name:expr, $told:expr) => {
        crate::support::assert_told!($name, $told; crate::support::filters())
    };
    ($name:expr, $told:expr; $filters:expr) => {
        insta::with_settings!({ filters => $filters, omit_expression => true }, {
            insta::assert_snapshot!($name, $told)
        })
    };
}
pub(crate) use assert_told;

/// The edition that judges where one is enough.
pub(crate) const EDITION: Edition = Edition::Rfc9309;

/// The folder of the example programs. `cargo test` builds them; when it is
/// told to build one test file alone, it does not.
pub(crate) fn examples() -> PathBuf {
    let test = env::current_exe().expect("a test knows where it is");
    test.ancestors().nth(2).expect("target/<profile>/deps/<test>").join("examples")
}

/// An example program, as it is in the sources now.
fn program(name: &str) -> PathBuf {
    let changed = |file: &Path| file.metadata().and_then(|metadata| metadata.modified()).ok();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).with_extension("rs");
    let program = examples().join(name).with_extension(env::consts::EXE_EXTENSION);
    let is_fresh = changed(&program) >= changed(&source);
    assert!(is_fresh, "{} is out of date: run `cargo build --examples` first", program.display());
    program
}

/// An example program with its arguments, as a word list for a POSIX shell.
pub(crate) fn example(name: &str, arguments: &[&str]) -> String {
    let program = program(name);
    let program = program.to_string_lossy();
    shell_words::join(std::iter::once(&*program).chain(arguments.iter().copied()))
}

/// May FooBot fetch this URL, given this file?
pub(crate) fn check(id: &str, robots: &Arc<[u8]>, url: &str, expected: Ruling) -> Check {
    Check {
        id: id.to_owned(),
        row: id.to_owned(),
        variant: None,
        clauses: vec![Clause::find("M-prefix").expect("a clause")],
        google_specific: false,
        request: Request::Match {
            robots: Arc::clone(robots),
            agent: "FooBot".to_owned(),
            url: url.to_owned(),
        },
        expected: BTreeMap::from([(EDITION, Expected::Ruling(expected))]),
        questions: Vec::new(),
    }
}

/// A file that allows all but `/private`, told from others by its number.
pub(crate) fn numbered_file(number: usize) -> Arc<[u8]> {
    format!("# {number}\nuser-agent: *\ndisallow: /private\n").into_bytes().into()
}

/// What came of a run of one implementation.
pub(crate) struct Ran {
    pub(crate) checks: BTreeMap<String, Judged>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) events: Vec<Event>,
    pub(crate) outcome: Outcome,
}

/// Runs checks, and makes sure that none of them is lost.
pub(crate) fn run_checks(implementation: impl Implementation + Send + 'static, checks: Vec<Check>) -> Ran {
    let subject = Subject { implementation: Box::new(implementation), known: KnownFailures::default() };
    let plan = Plan { checks, editions: vec![EDITION], lists_are_about: None, shard: None, jobs: 1 };
    let mut events = Vec::new();
    let outcome = run(&plan, vec![subject], &mut |event| events.push(event.clone()));
    let mut judged = BTreeMap::new();
    let mut incidents = Vec::new();
    for event in &events {
        match event {
            Event::CheckFinished(check) => {
                for verdict in check.editions.values() {
                    let twice = judged.insert(check.id.clone(), verdict.clone());
                    assert_eq!(twice, None, "{} came out twice", check.id);
                }
            }
            Event::Incident { incident, .. } => incidents.push(incident.clone()),
            _ => {}
        }
    }
    assert_eq!(judged.len(), plan.checks.len(), "every check comes out");
    assert_eq!(outcome.totals.sum(), plan.checks.len(), "the counts add up to the checks");
    for status in Status::ALL {
        let count = judged.values().filter(|judged| judged.status == status).count();
        assert_eq!(outcome.totals.of(status), count, "{status:?}");
    }
    assert!(matches!(events.last(), Some(Event::RunFinished { .. })), "the stream is closed");
    Ran { checks: judged, incidents, events, outcome }
}

impl Ran {
    pub(crate) fn status(&self, id: &str) -> Status {
        self.checks[id].status
    }

    pub(crate) fn got(&self, id: &str) -> &str {
        &self.checks[id].got
    }

    /// The reasons for which it was started again.
    pub(crate) fn restarts(&self) -> Vec<&str> {
        fn reason(incident: &Incident) -> Option<&str> {
            match incident {
                Incident::Restarted { reason } => Some(reason.as_str()),
                _ => None,
            }
        }
        self.incidents.iter().filter_map(reason).collect()
    }

    /// Why it was given up, if it was.
    pub(crate) fn gave_up(&self) -> Option<&str> {
        self.incidents.iter().find_map(|incident| match incident {
            Incident::GaveUp { reason } => Some(reason.as_str()),
            _ => None,
        })
    }
}

/// The built program.
pub(crate) struct Robotspec {
    /// As a person would type it.
    line: String,
    command: Command,
    input: Vec<u8>,
}

/// What it did.
#[derive(Debug)]
pub(crate) struct Done {
    line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// What a command line does in a folder, its words as in a shell.
pub(crate) fn run_in(folder: &Path, line: &str) -> Done {
    let words = shell_words::split(line).expect("every quotation mark is closed");
    robotspec(words.iter().map(String::as_str)).within(folder).run()
}

/// `robotspec` with these arguments, without a terminal, as wide as a
/// hundred columns, and with the example programs on its path.
pub(crate) fn robotspec<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Robotspec {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let line = format!("$ robotspec {}", shell_words::join(&arguments));
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotspec"));
    command.args(arguments);
    command.env("PATH", path()).env("COLUMNS", "100").env("TERM", "dumb").env("NO_COLOR", "1");
    for variable in ["CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    Robotspec { line, command, input: Vec::new() }
}

fn path() -> OsString {
    for name in ["adapter", "foreign_tool", "misbehaving_adapter"] {
        program(name);
    }
    let rest = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(examples()).chain(env::split_paths(&rest));
    env::join_paths(folders).expect("no folder has a colon in its name")
}

impl Robotspec {
    /// With this on its standard input.
    pub(crate) fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// In this folder, so that no message has to name it.
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// The command itself, for a test that does more with it.
    pub(crate) fn command(self) -> Command {
        self.command
    }

    pub(crate) fn run(mut self) -> Done {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the built program starts");
        let mut stdin = child.stdin.take().expect("piped");
        let input = self.input;
        // It may end without having read all; that is its business.
        let writer = thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends");
        let text = |octets| String::from_utf8(octets).expect("it writes UTF-8");
        Done {
            line: self.line,
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Done {
    /// All of it, for a snapshot.
    pub(crate) fn told(&self) -> String {
        let end = match self.code {
            Some(code) => format!("exit code {code}"),
            None => "ended by a signal".to_owned(),
        };
        let mut told = format!("{}\n{end}\n", self.line.trim_end());
        for (name, text) in [("output", &self.stdout), ("errors", &self.stderr)] {
            if !text.is_empty() {
                told.push_str(&format!("---- {name} ----\n{text}"));
            }
        }
        told
    }
}

/// Every command, found in the help of the one above it.
pub(crate) fn commands(above: &str) -> Vec<String> {
    let help = robotspec(above.split_whitespace().chain(["--help"])).run().stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| format!("{above} {name}").trim().to_owned())
    });
    let below: Vec<String> = names.flat_map(|name| commands(&name)).collect();
    [vec![above.to_owned()], below].concat()
}

/// Whether a program is there; tells loudly what is not tested where it is not.
pub(crate) fn has(program: &str, arguments: &[&str], what: &str) -> bool {
    let is_there = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("SKIPPED: {what} is not tested, as there is no `{program} {}`", arguments.join(" "));
    }
    is_there
}

/// What differs between two runs of the same program, or between two
/// versions of it, and is no matter of a snapshot.
pub(crate) fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        // Versions, but not the section numbers of documents.
        (
            r"\b(robotspec[-a-z]*|reference|robotstxt|texting_robots|robotxt|robots_txt) \d+\.\d+\.\d+\b",
            "$1 X.Y.Z",
        ),
        (r"(?m)^ \d+\.\d+\.\d+ ", " X.Y.Z "),
        (r#""(robotspec|version)":"\d+\.\d+\.\d+""#, r#""$1":"X.Y.Z""#),
    ]
}
