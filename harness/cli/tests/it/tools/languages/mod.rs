//! The adapters that `robotspec init` generates, in every language: each runs unchanged, and it passes each query to the
//! parser without changing a byte.

mod programs;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use robotspec::event::Event;
use robotspec::external::{Adapter, AdapterLimits};
use robotspec::{Answer, Edition, Plan, Subject, UrlParts, Verdict, run};
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, Level, Query, checks};

use self::programs::{Language, PROGRAMS};
use crate::init::files;
use crate::support::{folder, outcome_of, run_in};

fn succeeds(folder: &Path, command: &str) -> bool {
    let words = shell_words::split(command).expect("every quotation mark is closed");
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Asserts that the tools of a language are installed.
fn require(language: &Language) {
    assert!(succeeds(Path::new("."), language.tool), "`{}` fails: install {}", language.tool, language.name);
}

/// Checks that the generated adapter runs unchanged, and that the report names its constant verdict as the
/// likely cause.
fn test_unchanged_adapter(language: &Language, folder: &Path) {
    let done = run_in(folder, "run --no-variants --filter kind:M --report jsonl=robotspec.jsonl");
    let name = language.name;
    assert_eq!(done.code, Some(1), "{name}: {}{}", done.stdout, done.stderr);
    assert_eq!(done.stderr, "", "{name}");
    let totals = &outcome_of(&files(folder)["robotspec.jsonl"])["totals"];
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
    let parts = UrlParts::split(url);
    let rest = parts.path_and_query();
    let path = format!("/{}", rest.strip_prefix('/').unwrap_or(rest));
    let escape = |byte: u8| if byte < 128 { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let encoded: String = url.bytes().map(escape).collect();
    // The functions for parsers that want something else than the URL.
    let text = format!("{agent}{url}{}/robots.txt{path}{encoded}", parts.before_path());
    let bytes = robots.iter().copied().chain(text.into_bytes());
    Some(bytes.fold(0_u32, |sum, byte| (sum * 31 + u32::from(byte)) % 65521) % 2 == 0)
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
    let checks = checks(built_in().expect("the built-in suites load"), false);
    let expected: BTreeMap<String, bool> =
        checks.iter().filter_map(|check| Some((check.id.to_string(), sum_is_even(check)?))).collect();
    let launch = Adapter::launcher(&command, AdapterLimits::default()).expect("the command can be parsed");
    let plan = Plan {
        checks,
        editions: Edition::ALL.to_vec(),
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let mut answered = BTreeMap::new();
    run(&plan, vec![Subject::new(move || Box::new(launch()))], &mut |event| {
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
    require(language);
    let folder = folder(&[]);
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
        $(#[test] #[ignore = "needs the tools of this language"] fn $name() { test_adapter(stringify!($name)) })*

        #[test]
        fn every_language_is_tested() {
            assert_eq!([$(stringify!($name)),*], PROGRAMS.map(|language| language.name));
        }
    };
}

adapters! { python node go java ruby php perl c cpp csharp }

/// Inserts the parser of the Python standard library, which fails many checks, and one mistake at a time.
#[test]
#[ignore = "needs Python"]
fn a_mistake_in_an_adapter_is_reported_as_the_likely_cause() {
    const ALLOWED: &str = "    from urllib.robotparser import RobotFileParser
    parser = RobotFileParser()
    parser.parse(robots.decode(errors='replace').splitlines())
    return parser.can_fetch(agent, url)";
    let python = &PROGRAMS[0];
    require(python);
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
    let folder = folder(&[]);
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
        "likely cause: a group applies to an agent although it names only a part of the agent's name",
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
