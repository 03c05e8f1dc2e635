//! Support for the tests that start the built program.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::inflate::decompress_to_vec;
use robotspec_test_support::programs;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) use robotspec_test_support::programs::command as example;

/// Compares a text with a snapshot. The name of the snapshot is the name of the test unless one is given; the
/// filters are [`filters`] unless others are given.
macro_rules! assert_output {
    ($text:expr) => {
        crate::support::assert_output!($text; crate::support::filters())
    };
    ($text:expr; $filters:expr) => {
        insta::with_settings!({ filters => $filters, omit_expression => true }, { insta::assert_snapshot!($text) })
    };
    ($name:expr, $text:expr) => {
        crate::support::assert_output!($name, $text; crate::support::filters())
    };
    ($name:expr, $text:expr; $filters:expr) => {
        insta::with_settings!({ filters => $filters, omit_expression => true }, {
            insta::assert_snapshot!($name, $text)
        })
    };
}
pub(crate) use assert_output;

/// A call of the built program.
pub(crate) struct Robotspec {
    /// The command line as a user types it.
    line: String,
    command: Command,
    input: Vec<u8>,
}

/// The exit code and the output of a call.
#[derive(Debug)]
pub(crate) struct Done {
    line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command line in a folder; the words are split as in a shell.
pub(crate) fn run_in(folder: &Path, line: &str) -> Done {
    let words = shell_words::split(line).expect("every quotation mark is closed");
    robotspec(words.iter().map(String::as_str)).within(folder).run()
}

/// Prepares a call of `robotspec` without a terminal, with a width of 100 columns, and with the example
/// programs on its `PATH`.
pub(crate) fn robotspec<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Robotspec {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let line = format!("$ robotspec {}", shell_words::join(&arguments));
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotspec"));
    command.args(arguments);
    command.env("PATH", path()).env("COLUMNS", "100").env("TERM", "dumb").env("NO_COLOR", "1");
    // The date of a run is in its events.
    command.env("SOURCE_DATE_EPOCH", "1767225600");
    for variable in ["CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    Robotspec { line, command, input: Vec::new() }
}

fn path() -> OsString {
    for name in ["adapter", "echo_adapter", "foreign_tool", "misbehaving_adapter"] {
        programs::program(name);
    }
    let rest = env::var_os("PATH").unwrap_or_default();
    let own = Path::new(env!("CARGO_BIN_EXE_robotspec")).parent().expect("a folder").to_owned();
    let folders = [programs::folder(), own].into_iter().chain(env::split_paths(&rest));
    env::join_paths(folders).expect("no folder has a colon in its name")
}

impl Robotspec {
    /// Sets the standard input.
    pub(crate) fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Sets the working folder, so that messages do not contain its path.
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets a variable of the environment; an empty value removes the variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        match value {
            "" => self.command.env_remove(name),
            value => self.command.env(name, value),
        };
        self
    }

    /// Returns the command, for a test that starts the program itself.
    pub(crate) fn command(self) -> Command {
        self.command
    }

    pub(crate) fn run(mut self) -> Done {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the built program starts");
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let input = self.input;
        // The program may end before it has read all input; the test does not treat this as an error.
        let writer = thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends");
        Done { line: self.line, ..Done::of(output) }
    }
}

impl Done {
    /// Returns the output of a program that a test started itself.
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        Done { line: String::new(), code: output.status.code(), stdout, stderr }
    }

    /// Returns the standard output in one line, without the duration of a run.
    pub(crate) fn words(&self) -> String {
        let words = self.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let duration = regex::Regex::new(r"Summary \[.*? s\]").expect("a pattern");
        duration.replace_all(&words, "Summary").into_owned()
    }

    /// Returns the arguments of the first command that repeats a check.
    pub(crate) fn repeating(&self) -> String {
        let (_, command) =
            self.stdout.split_once("again: robotspec ").expect("a command that repeats a check");
        let mut lines = command.lines();
        let mut whole = String::new();
        while let Some(continued) = whole.strip_suffix('\\').or(whole.is_empty().then_some("")) {
            whole = format!("{continued}{}", lines.next().unwrap_or_default().trim());
        }
        whole
    }

    /// Asserts that the command was refused: it printed only an error, which has this text.
    pub(crate) fn assert_refused(&self, text: &str) {
        assert_eq!((self.code, &*self.stdout), (Some(2), ""), "{}", self.transcript());
        assert!(self.stderr.contains(text), "no `{text}`: {}", self.transcript());
    }

    /// Returns the command line and the error of a command that was refused, without the hints that are the same for all.
    pub(crate) fn refusal(&self) -> String {
        assert_eq!(self.stdout, "", "{}", self.line);
        let is_hint = |line: &&str| {
            line.is_empty() || line.starts_with("Usage: ") || line.starts_with("For more information")
        };
        let lines = self.stderr.lines().filter(|line| !is_hint(line));
        lines.fold(format!("{}\n", self.line), |text, line| text + "  " + line + "\n")
    }

    /// Returns the command line, the exit code and the output as one text for a snapshot.
    pub(crate) fn transcript(&self) -> String {
        let end = match self.code {
            Some(code) => format!("exit code {code}"),
            None => "ended by a signal".to_owned(),
        };
        let mut transcript = format!("{}\n{end}\n", self.line.trim_end());
        for (name, text) in [("output", &self.stdout), ("errors", &self.stderr)] {
            if !text.is_empty() {
                transcript.push_str(&format!("---- {name} ----\n{text}"));
            }
        }
        transcript
    }
}

/// Lists a command and all its subcommands, which are read from its help.
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

/// Returns the filters of snapshots, which replace text that differs between versions of the programs.
pub(crate) fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        // These patterns match versions, but not the section numbers of documents.
        (
            r"(robotspec[-a-z]*|reference|robotstxt|texting_robots|robotxt|robots_txt) \d+\.\d+\.\d+\b",
            "$1 X.Y.Z",
        ),
        (r"Summary \[\d+\.\d s\]", "Summary [X s]"),
        (r#""(robotspec|version)":( ?)"\d+\.\d+\.\d+""#, r#""$1":$2"X.Y.Z""#),
    ]
}

/// A suite of three rows with variants, for tests of a run that do not depend on its rows.
pub(crate) const FEW: &str = "\
suite: path-values
cases:
  - id: fish
    robots: |
      user-agent: *
      disallow: /fish
    rows:
      - {id: exact, url: /fish, expect: disallow}
      - {id: suffix, url: /fish.html, expect: disallow}
      - {id: other, url: /page, expect: allow}
";

pub(crate) const FISH: &str = "\
# a small shop
user-agent: FooBot
disallow: /fish
allow: /fish/salmon
allow: /page
disallow: /*.htm

user-agent: *
user-agent: BarBot
disallow: /

user-agent: FooBot
disallow: /*.gif$
";

/// Runs a command line; the words are split as in a shell.
pub(crate) fn run(line: &str) -> Done {
    command(line).run()
}

pub(crate) fn command(line: &str) -> Robotspec {
    let words = shell_words::split(line).expect("every quotation mark is closed");
    robotspec(words.iter().map(String::as_str))
}

/// Creates a temporary folder with files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    files.iter().for_each(|(name, text)| write(&folder, name, text));
    folder
}

/// Writes a file into a folder.
pub(crate) fn write(folder: &TempDir, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, content).expect("the file can be written");
}

/// Reads a file of a folder.
pub(crate) fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect(name)
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the text is JSON")
}

/// Parses each line as a JSON value.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect()
}

/// Returns the events of a run that have this name.
pub(crate) fn events_of(events: &str, name: &str) -> Vec<Value> {
    json_lines(events).into_iter().filter(|event| event["event"] == name).collect()
}

/// Returns the last event of a run, which has its outcome.
pub(crate) fn outcome_of(events: &str) -> Value {
    json_lines(events).pop().filter(|event| event["event"] == "run-finished").expect("the end of a run")
}

/// Returns the data in a page, in its packed form.
pub(crate) fn data_of(page: &str) -> String {
    let (_, text) =
        page.split_once(r#"<script type="text/plain" id="data">"#).expect("the start of the data");
    let (text, _) = text.split_once("</script>").expect("the end of the data");
    let compressed = STANDARD.decode(text).expect("Base64");
    String::from_utf8(decompress_to_vec(&compressed).expect("DEFLATE")).expect("UTF-8")
}

/// Returns a page without the date and the command, which differ between pages of the same results.
pub(crate) fn without_origin(page: &str) -> String {
    let (before, rest) = page.split_once("<dl class=\"origin\">").expect("the origin");
    let (_, after) = rest.split_once("</dl>").expect("the end of the origin");
    format!("{before}{after}")
}
