//! The output to pipes, full devices and terminals.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::support::{FISH, command, folder};

#[test]
fn a_reader_that_closes_the_pipe_causes_no_error() {
    for (line, exit_code) in [
        ("cases list", 0),
        ("cases schema", 0),
        ("editions --format jsonl", 0),
        ("run reference --filter kind:C --format jsonl", 0),
        // What fails still fails.
        ("run --exec 'true {url}' --no-variants --filter id:path-values/fish#* --format jsonl", 1),
        ("run --adapter 'misbehaving_adapter exits-before-hello' --edition rfc9309 --filter kind:C", 3),
        ("fuzz robots_txt --runs 50 --seed 5 --max-findings 2 --format jsonl", 1),
    ] {
        let mut command = command(line).command();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the built program starts");
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().expect("piped"))
            .read_line(&mut first)
            .expect("there is a first line");
        // The reader was dropped, so the other end of the pipe is closed.
        let mut errors = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut errors).expect("the program writes UTF-8");
        let code = child.wait().expect("the program ends").code();
        assert!(!first.is_empty());
        assert_eq!((code, &*errors), (Some(exit_code), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    for line in [
        "cases list",
        "cases schema",
        "cases coverage",
        "editions",
        "scope http://example.com/robots.txt http://example.com/",
        "run reference --filter id:path-values/fish#exact",
        "run reference --filter id:path-values/fish#exact --format jsonl",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = command(line).command();
        let output = command.stdin(Stdio::null()).stdout(full).output().expect("the built program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
        assert!(errors.contains("No space left on device"), "{line}: {errors}");
    }
}

#[test]
fn output_that_does_not_go_to_a_terminal_has_colours_only_where_they_are_forced() {
    for (variable, value, has_colours) in [("TERM", "xterm-256color", false), ("CLICOLOR_FORCE", "1", true)] {
        let check = command("check --explain --agent FooBot --url /fish -").env("NO_COLOR", "");
        let output = check.env(variable, value).run().stdout;
        assert_eq!(output.contains('\x1B'), has_colours, "{output}");
    }
}

/// Commands whose output is long or wide.
pub(crate) const COMMANDS: [&str; 10] = [
    "run reference robotxt robots_txt --no-variants --filter kind:S",
    "run robots_txt --edition rfc9309 --filter kind:M --all",
    "profile robots_txt",
    "fuzz robots_txt --runs 50 --seed 5 --max-findings 3",
    "editions",
    "cases coverage",
    "cases list --long --filter kind:M",
    "cases show path-values/fish",
    "check --agent FooBot --url /fish/salmon --explain robots.txt",
    "lint robots.txt",
];

#[test]
fn output_that_is_not_on_a_terminal_has_a_hundred_columns() {
    for line in COMMANDS {
        let folder = folder(&[("robots.txt", FISH)]);
        let done = command(line).within(folder.path()).env("COLUMNS", "60").run();
        let widths: Vec<usize> = done.stdout.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width <= 100), "`{line}`: {widths:?}");
    }
}
