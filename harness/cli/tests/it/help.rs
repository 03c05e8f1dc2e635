//! `--help` and `--version`.

use crate::docs::commands::{command_in, mistake_in};
use crate::support::{FISH, assert_output, command, commands, folder, run, run_in};

/// Commands whose examples are run: they take no time, and need nothing but a robots.txt and a list of URLs.
const QUICK: [&str; 13] = [
    "init",
    "check",
    "scope",
    "sitemaps",
    "lint",
    "cases list",
    "cases show",
    "cases lint",
    "cases schema",
    "cases coverage",
    "editions",
    "completions",
    "man",
];

#[test]
fn every_command_has_help_with_an_example_that_is_valid() {
    let all = commands("");
    assert!(all.len() > 20, "{all:?}");
    let site = folder(&[
        ("project/robots.txt", FISH),
        ("project/urls.txt", "/fish\n"),
        ("project/my-suite.yaml", include_str!("../../../../cases/suites/answers.yaml")),
    ]);
    for command in all {
        let help = run(&format!("{command} --help"));
        assert_eq!((help.code, &*help.stderr), (Some(0), ""));
        let lines = help.stdout.lines().filter_map(|line| line.strip_prefix("  "));
        let examples: Vec<String> = lines.filter_map(command_in).collect();
        let has_own = examples.iter().any(|example| example.starts_with(&format!("robotspec {command}")));
        let is_group = help.stdout.contains(&format!("Usage: robotspec {command} <COMMAND>"));
        assert!(has_own || is_group, "no example in {}", help.stdout);
        for example in examples {
            assert_eq!(mistake_in(&example), None);
            if QUICK.contains(&&*command) {
                let line = example.trim_start_matches("robotspec ");
                let done = run_in(&site.path().join("project"), line);
                assert!(done.code.is_some_and(|code| code != 2), "{}", done.transcript());
            }
        }
    }
}

#[test]
fn the_program_lists_its_commands_and_a_run_its_options() {
    assert_output!("help", run("--help").transcript());
    assert_output!("help_run", run("run --help").transcript());
}

#[test]
fn the_short_help_of_run_is_short() {
    let [short, long] = ["-h", "--help"].map(|option| run(&format!("run {option}")).stdout);
    let lines = |text: &str| text.lines().count();
    assert!(lines(&short) < 100 && lines(&short) < lines(&long), "{short}");
    let option = |line: &str| line.trim_start().starts_with("--").then(|| line.trim_start().to_owned());
    for option in long.lines().filter_map(option) {
        let name = option.split([' ', '=']).next().unwrap_or_default();
        assert!(short.contains(name), "{name} is not in {short}");
    }
}

#[test]
fn paragraphs_and_items_of_help_are_wrapped_once_and_examples_stay() {
    let help = |columns| command("diff --help").env("COLUMNS", columns).run().stdout;
    let wide = help("100");
    for text in [
        "\nThe runs are files of events, from `robotspec run --report jsonl=FILE`. Implementations are paired\nby name, ",
        "\nExamples:\n  robotspec run --adapter ./old --report jsonl=old.jsonl\n  robotspec run --adapter ./new ",
        "\n  3  results of a run are missing, or the runs have nothing in common\n",
    ] {
        assert!(wide.contains(text), "{text}\n{wide}");
    }
    let narrow = help("40");
    for text in [
        "\nThe runs are files of events, from\n`robotspec run --report jsonl=FILE`.\nImplementations are paired ",
        "\n  2  the command or a file is wrong\n  3  results of a run are missing, or\n     the runs have nothing in common",
    ] {
        assert!(narrow.contains(text), "{text}\n{narrow}");
    }
}

#[test]
fn version_prints_the_version() {
    for line in ["--version", "run --version"] {
        let done = run(line);
        assert!(done.stdout.contains(env!("CARGO_PKG_VERSION")) && done.code == Some(0), "{}", done.stdout);
    }
}
