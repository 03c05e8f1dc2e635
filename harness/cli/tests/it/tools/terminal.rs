//! Output on a terminal, played by `script` of util-linux: it fits the width, and has colours.

use std::path::Path;
use std::process::Command;

use regex::Regex;

use super::require;
use crate::output::COMMANDS;
use crate::support::{FISH, assert_output, example, filters, folder};

/// Runs a command line on a terminal of this width. Returns what the terminal gets.
fn on_terminal(columns: usize, line: &str, errors: &str) -> String {
    require("script", &["--version"]);
    let folder = folder(&[("robots.txt", FISH)]);
    let program = env!("CARGO_BIN_EXE_robotspec");
    let mut script = Command::new("script");
    let command = format!("stty cols {columns} rows 50; '{program}' {line} {errors}");
    script.args(["--quiet", "--command", &command, "/dev/null"]).current_dir(folder.path());
    script.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CLICOLOR");
    let done = script.output().expect("`script` starts");
    String::from_utf8(done.stdout).expect("UTF-8").replace("\r\n", "\n")
}

/// Returns a text without the codes of styles.
fn plain(text: &str) -> String {
    Regex::new("\u{1b}\\[[0-9;]*m").expect("a pattern").replace_all(text, "").into_owned()
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn no_line_is_wider_than_the_terminal() {
    for columns in [60, 80, 120] {
        for line in COMMANDS {
            let text = plain(&on_terminal(columns, line, "2>/dev/null"));
            assert!(!text.is_empty(), "`{line}` writes nothing");
            // A word that is longer than a line, such as an option of a command, stays whole in it.
            let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
            assert!(widest.chars().count() <= columns, "{columns} columns, `{line}`: {widest}");
        }
    }
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn no_name_is_broken_on_a_narrow_terminal() {
    for line in ["run robotxt texting_robots --no-variants", "run texting_robots --no-variants"] {
        let shown = plain(&on_terminal(60, &format!("{line} --edition rfc9309"), "2>/dev/null"));
        let says = |line: &str| shown.lines().any(|shown| shown.trim() == line);
        assert!(says("texting_robots 0.2.2") && says("rfc9309") || says("edition: rfc9309"), "{shown}");
    }
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn a_run_on_terminals() {
    let line = "run robotxt reference --edition rfc9309 --edition google-2026";
    let on = |columns| on_terminal(columns, line, "2>/dev/null");
    let [narrow, wide] = [on(80).replace('\u{1b}', "␛"), plain(&on(120))];
    assert_output!(format!("80 columns\n\n{narrow}\n120 columns, without colours\n\n{wide}"); filters());
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn the_picture_of_the_book_shows_a_run() {
    let line = "run robotxt --edition rfc9309 --no-variants --filter kind:M";
    let duration = Regex::new(r"Summary \[.*? s\]").expect("a pattern");
    let shown = on_terminal(80, line, "2>/dev/null");
    let shown = duration.replace(&shown, "Summary [0.1 s]").into_owned();
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/images/run.term.svg");
    let assert = snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false);
    assert.eq(shown, snapbox::Data::read_from(&picture, Some(snapbox::data::DataFormat::TermSvg)));
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn progress_is_shown_from_the_start() {
    let shown = plain(&on_terminal(80, "run robotxt --edition rfc9309 --no-variants", ">/dev/null"));
    assert!(
        shown.starts_with("reading the cases, 0s") || shown.starts_with("\rreading the cases, 0s"),
        "{shown}"
    );
    assert!(shown.contains("starting") && shown.contains("checks, 0s"), "{shown}");
    assert!(!shown.contains("left"), "an estimate after less than five seconds: {shown}");
    let commands = [
        ("profile robotxt", "looking for probes, 0s"),
        ("run robotxt --edition rfc9309 --no-variants --report html=r.html", "writing the reports"),
    ];
    for (line, phase) in commands {
        let shown = plain(&on_terminal(80, line, ">/dev/null"));
        assert!(shown.contains(phase), "{line}: {shown}");
    }
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn the_progress_of_a_crawler_counts_the_checks_that_it_is_sent() {
    let filters = "--filter id:path-values/* --filter id:access/success#status-200 --edition rfc9309";
    let crawler = example("crawler", &[]);
    let line = format!("run --crawler \"{crawler} {{url}}\" {filters} --no-variants");
    let shown = plain(&on_terminal(80, &line, ">/dev/null"));
    assert!(shown.contains("/1 checks, "), "{shown}");
}

#[test]
#[ignore = "needs `script` of util-linux"]
fn report_says_what_it_does_and_what_it_wrote() {
    let run = "run robotxt --filter id:path-values/* --report jsonl=r.jsonl >/dev/null 2>&1";
    let line = format!("{run}; '{}' report r.jsonl --html site", env!("CARGO_BIN_EXE_robotspec"));
    let shown = plain(&on_terminal(80, &line, ""));
    for part in ["reading r.jsonl, 0s", "wrote site/index.html\n"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
