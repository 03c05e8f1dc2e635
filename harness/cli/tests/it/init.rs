//! Tests of `robotspec init` as a program: in every language whose tools are installed, the generated adapter
//! runs unchanged, and it passes each query to the parser without changing a byte.

mod languages;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use self::languages::{Language, PROGRAMS};
use crate::support::{filters, run_in};
use robotspec::event::Event;
use robotspec::external::{Adapter, AdapterLimits};
use robotspec::{Answer, Edition, Plan, Subject, Verdict, run};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Level, Query, checks};
use robotspec_test_support::programs;
use serde_json::Value;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Reads all files in a folder and its subfolders.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("the file is in the folder").display().to_string();
            let bytes = fs::read(&path).expect("the file can be read");
            files.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    files
}

// ---- The generated files ----

const LANGUAGES: [&str; 11] =
    ["python", "node", "go", "java", "ruby", "php", "perl", "c", "cpp", "csharp", "rust"];

#[test]
fn init_lists_the_generated_files_and_the_next_steps() {
    let mut transcripts = String::new();
    for language in LANGUAGES {
        transcripts += &run_in(folder().path(), &format!("init --lang {language}")).transcript();
        transcripts += "\n";
    }
    insta::with_settings!({ filters => filters(), omit_expression => true }, {
        insta::assert_snapshot!(transcripts)
    });
}

#[test]
fn each_language_has_one_place_to_fill_in() {
    for language in LANGUAGES {
        let folder = folder();
        assert_eq!(run_in(folder.path(), &format!("init --lang {language}")).code, Some(0));
        let files = files(folder.path());
        let places: usize = files.values().map(|text| text.matches("FILL IN").count()).sum();
        assert_eq!(places, 1, "{language}: {:?}", files.keys());
        for (name, text) in &files {
            assert!(!text.contains("{adapter}") && !text.contains("{build}"), "{language}: {name}");
        }
    }
}

#[test]
fn the_configuration_and_the_ci_job_run_the_adapter() {
    let folder = folder();
    run_in(folder.path(), "init --lang go");
    let files = files(folder.path());
    let generated = format!("{}----\n{}", files["robotspec.toml"], files[".github/workflows/robotspec.yml"]);
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(generated) });
}

#[test]
fn init_does_not_overwrite_files_without_force() {
    let folder = folder();
    fs::write(folder.path().join("robotspec.toml"), "mine").expect("the file can be written");
    let refused = run_in(folder.path(), "init --lang python");
    assert_eq!((refused.code, &*refused.stdout), (Some(2), ""));
    let message = "error: robotspec.toml already exists, and nothing was written; --force overwrites it\n";
    assert_eq!(refused.stderr, message);
    assert_eq!(files(folder.path()), BTreeMap::from([("robotspec.toml".to_owned(), "mine".to_owned())]));

    assert_eq!(run_in(folder.path(), "init --lang python --force").code, Some(0));
    assert_eq!(files(folder.path()).len(), 3);
    assert!(files(folder.path())["robotspec.toml"].contains("python3 robotspec_adapter.py"));
    let again = run_in(folder.path(), "init --lang python");
    assert_eq!(again.code, Some(2));
    assert!(
        again
            .stderr
            .contains("robotspec_adapter.py, robotspec.toml, .github/workflows/robotspec.yml already exist")
    );
}

#[test]
fn init_writes_into_the_given_folder() {
    let folder = folder();
    let done = run_in(folder.path(), "init --lang perl --out 'a parser/of mine'");
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    assert!(done.stdout.contains("  1. cd 'a parser/of mine'\n"), "{}", done.stdout);
    assert!(files(folder.path()).contains_key("a parser/of mine/robotspec_adapter.pl"));
}

#[test]
fn a_folder_that_cannot_be_created_is_reported() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").expect("the file can be written");
    let done = run_in(folder.path(), "init --lang perl --out file");
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.starts_with("error: cannot write file/robotspec_adapter.pl"), "{}", done.stderr);
}

// ---- The behaviour of the adapters ----

fn succeeds(folder: &Path, command: &str) -> bool {
    let words = shell_words::split(command).expect("every quotation mark is closed");
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether the tools of a language are installed. Prints a message if they are not.
fn is_installed(language: &Language) -> bool {
    let is_installed = succeeds(Path::new("."), language.tool);
    if !is_installed {
        let message = format!(
            "SKIPPED: the adapter for {} is not tested, because `{}` fails\n",
            language.name, language.tool
        );
        // The test harness captures the output of `eprintln!`; a direct write is always visible.
        std::io::Write::write_all(&mut std::io::stderr(), message.as_bytes())
            .expect("standard error can be written");
    }
    is_installed
}

/// Checks that the generated adapter runs unchanged, and that the report names its constant verdict as the
/// likely cause.
fn test_unchanged_adapter(language: &Language, folder: &Path) {
    let done = run_in(folder, "run --no-variants --filter kind:M --report json=robotspec.json");
    let name = language.name;
    assert_eq!(done.code, Some(1), "{name}: {}{}", done.stdout, done.stderr);
    assert_eq!(done.stderr, "", "{name}");
    let summary: Value = serde_json::from_str(&files(folder)["robotspec.json"]).expect("the report is JSON");
    let totals = &summary["totals"];
    for status in ["crash", "timeout", "protocol-error", "error", "not-run"] {
        assert_eq!(totals[status], 0, "{name}: {status} in {totals}");
    }
    assert!(totals["pass"].as_u64() > Some(100) && totals["fail"].as_u64() > Some(100), "{name}: {totals}");
    assert!(done.stdout.contains("likely cause: every verdict is allow\n"), "{name}: {}", done.stdout);
    assert_eq!(done.stdout.matches("likely cause: ").count(), 1, "{name}: {}", done.stdout);
}

/// Computes the verdict that the adapters give after the test has inserted its code.
fn sum_is_even(check: &Check) -> Option<bool> {
    let Query::Match { robots, agent, url } = &check.query else { return None };
    let bytes = robots.iter().chain(agent.as_bytes()).chain(url.as_bytes());
    Some(bytes.fold(0_u32, |sum, &byte| (sum * 31 + u32::from(byte)) % 65521) % 2 == 0)
}

/// Checks that the inserted code receives every byte of the query, and that it may print.
fn test_bytes_of_queries(language: &Language, folder: &Path) {
    let file = folder.join(language.file);
    let text = fs::read_to_string(&file).expect("the adapter was generated");
    assert_eq!(text.matches(language.blank).count(), 1, "{}", language.name);
    fs::write(&file, text.replace(language.blank, language.filled)).expect("the adapter can be written");
    if let Some(build) = language.build {
        assert!(succeeds(folder, build), "{build}");
    }
    let command = format!("sh -c 'cd \"$0\" && exec {}' {}", language.adapter, folder.display());
    let checks = checks(&built_in().expect("the built-in suites load"), false);
    let expected: BTreeMap<String, bool> =
        checks.iter().filter_map(|check| Some((check.id.to_string(), sum_is_even(check)?))).collect();
    let adapter = Adapter::start(&command, AdapterLimits::default()).expect("the command can be parsed");
    let plan = Plan {
        checks,
        editions: Edition::ALL.to_vec(),
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let mut answered = BTreeMap::new();
    run(&plan, vec![Subject::new(adapter)], &mut |event| {
        let Event::CheckFinished(check) = event else { return };
        let Some(&is_even) = expected.get(&check.id.to_string()) else { return };
        let expected_answer = Ok(Answer::Match(Verdict::from(is_even)));
        for judged in check.editions.values() {
            assert_eq!(judged.got, expected_answer, "{}: {}", language.name, check.id);
        }
        answered.insert(check.id.clone(), ());
    });
    assert_eq!(answered.len(), expected.len(), "{}", language.name);
}

fn test_adapter(name: &str) {
    let language =
        PROGRAMS.iter().find(|language| language.name == name).expect("the language has an adapter");
    if !is_installed(language) {
        return;
    }
    let folder = folder();
    let done = run_in(folder.path(), &format!("init --lang {name}"));
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    if let Some(build) = language.build {
        assert!(succeeds(folder.path(), build), "{build}");
    }
    test_unchanged_adapter(language, folder.path());
    test_bytes_of_queries(language, folder.path());
}

macro_rules! adapters {
    ($($name:ident)*) => {
        $(#[test] fn $name() { test_adapter(stringify!($name)) })*

        #[test]
        fn every_language_is_tested() {
            assert_eq!([$(stringify!($name)),*], PROGRAMS.map(|language| language.name));
        }
    };
}

adapters! { python node go java ruby php perl c cpp csharp }

/// Inserts the parser of the Python standard library, which fails many checks, and one mistake at a time.
#[test]
fn a_mistake_in_an_adapter_is_reported_as_the_likely_cause() {
    const ALLOWED: &str = "    from urllib.robotparser import RobotFileParser
    parser = RobotFileParser()
    parser.parse(robots.decode(errors='replace').splitlines())
    return parser.can_fetch(agent, url)";
    let python = &PROGRAMS[0];
    if !is_installed(python) {
        return;
    }
    let mistakes = [
        ("parser.can_fetch", "not parser.can_fetch", "likely cause: the verdicts are inverted"),
        ("can_fetch(agent", "can_fetch('*'", "likely cause: the agent is ignored"),
        ("agent, url)\n\n", "url, agent)\n\n", "likely cause: agent and URL are swapped"),
        (
            "robots.decode(",
            "robots.encode(",
            "likely cause: every check ends in failure, the first with error: Attrib",
        ),
        (
            r#"if "robots_base64" in request"#,
            "if False",
            "likely cause: no rule of a file that is not UTF-8 has an effect",
        ),
        (
            r#"in request["checks"]]"#,
            r#"in request["checks"][:1]]"#,
            "likely cause: the adapter answers only the first check of a request",
        ),
    ];
    let folder = folder();
    run_in(folder.path(), "init --lang python");
    let file = folder.path().join(python.file);
    let correct =
        fs::read_to_string(&file).expect("the adapter was generated").replace(python.blank, ALLOWED);
    fs::write(&file, &correct).expect("the adapter can be written");
    // These causes belong to the parser itself; its list of known failures gives them too.
    let of_parser = [
        "likely cause: `*` in a path is taken literally",
        "likely cause: the first rule that matches decides",
        "likely cause: `$` at the end of a path is taken literally",
        "likely cause: a group applies to an agent although it names only the start of the agent's name",
    ];
    let causes = || {
        let output = run_in(folder.path(), "run --no-variants --edition rfc9309 --skip id:size/*").stdout;
        let causes = output
            .lines()
            .filter(|line| line.trim_start().starts_with("likely cause: "))
            .map(|line| line.trim().to_owned());
        causes.collect::<Vec<_>>()
    };
    assert_eq!(causes(), of_parser);
    for (right, wrong, expected) in mistakes {
        assert!(correct.contains(right), "{right}");
        fs::write(&file, correct.replace(right, wrong)).expect("the adapter can be written");
        let causes = causes();
        let (first, others) = causes.split_first().expect("the output names a cause");
        assert!(first.starts_with(expected), "{wrong}: {causes:?}");
        assert!(others.is_empty() || others == of_parser, "{wrong}: {causes:?}");
    }
}

#[test]
fn the_generated_rust_test_runs_the_cases() {
    let mut test = Command::new(programs::folder().join("init_rust"));
    let mut test = test
        .args(["--quiet", "path-values"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example starts");
    let mut output = String::new();
    test.stdout
        .take()
        .expect("standard output is piped")
        .read_to_string(&mut output)
        .expect("the test writes UTF-8");
    assert_eq!(test.wait().expect("the test ends").code(), Some(101), "{output}");
    assert!(output.contains("expected disallow, got allow"), "{output}");
    assert!(output.contains("test result: FAILED"), "{output}");
}
