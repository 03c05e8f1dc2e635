//! Tests of `robotspec.toml` in commands other than `run`.

use std::fs;

use crate::support::{json_lines, run_in, write};
use serde_json::Value;
use tempfile::TempDir;

/// Creates a folder with a configuration.
fn folder(config: &str) -> TempDir {
    crate::support::folder(&[("robotspec.toml", config)])
}

fn refusal(config: &str, line: &str) -> String {
    let done = run_in(folder(config).path(), line);
    assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{line}\n{config}");
    done.stderr
}

const PROJECT: &str = r#"
editions = ["google-2019"]

[[implementation]]
name = "mine"
builtin = "robotxt"

[[implementation]]
name = "spider"
crawler = "no-such-crawler {url}"

[fuzz]
runs = 20
seed = 2
out = "findings"
"#;

const LEFT_OUT: &str = "warning: spider is a crawler, which only `robotspec run` can judge: left out\n";

#[test]
fn fuzz_uses_the_settings_of_the_project_and_skips_crawlers() {
    let folder = folder(PROJECT);
    let done = run_in(folder.path(), "fuzz --format jsonl --max-findings 2");
    assert_eq!((done.code, &*done.stderr), (Some(1), LEFT_OUT));
    let events = json_lines(&done.stdout);
    let (last, found) = events.split_last().expect("events");
    assert_eq!((&last["seed"], &last["editions"]), (&2.into(), &serde_json::json!(["google-2019"])));
    assert!((20..600).contains(&last["checks"].as_u64().expect("a number")), "{last}");
    assert!(!found.is_empty() && found.iter().all(|event| event["implementation"] == "mine"));
    let written = folder.path().join("findings").read_dir().expect("the folder can be read").count();
    assert!(written > 0);

    let rows: Vec<&str> = found.iter().filter_map(|event| event["row"].as_str()).collect();
    let list = format!("known-failures: [{{reason: So., rows: [{}]}}]\n", rows.join(", "));
    write(&folder, "known.yaml", list);
    write(&folder, "robotspec.toml", format!("{PROJECT}known-failures = 'known.yaml'\n"));
    let done = run_in(folder.path(), "fuzz");
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let elsewhere = crate::support::folder(&[]);
    let config = folder.path().join("robotspec.toml");
    let done = run_in(elsewhere.path(), &format!("fuzz --config {}", config.display()));
    assert_eq!(done.code, Some(0), "{}", done.stdout);
}

#[test]
fn the_command_line_of_fuzz_overrides_the_project() {
    let folder = folder(PROJECT);
    let line = "fuzz reference --edition rfc9309 --seed 7 --runs 500 --out elsewhere --format jsonl";
    let done = run_in(folder.path(), line);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let last = json_lines(&done.stdout).pop().expect("an event");
    assert_eq!((&last["seed"], &last["editions"]), (&7.into(), &serde_json::json!(["rfc9309"])));
    assert!(last["checks"].as_u64() < Some(2000), "{last}");
    assert!(!folder.path().join("findings").exists());
    let done = run_in(folder.path(), "fuzz reference --time 10ms --format jsonl");
    let last = json_lines(&done.stdout).pop().expect("an event");
    assert!(last["checks"].as_u64() < Some(2000), "the run ends after 10 ms: {last}");
}

#[test]
fn profile_measures_each_implementation_of_the_project() {
    let folder = folder(&format!("{PROJECT}\n[[implementation]]\nbuiltin = 'robots_txt'\n"));
    let done = run_in(folder.path(), "profile --format jsonl");
    assert_eq!((done.code, &*done.stderr), (Some(0), LEFT_OUT));
    let names: Vec<Value> = json_lines(&done.stdout)
        .into_iter()
        .map(|profile| profile["implementation"]["name"].clone())
        .collect();
    assert_eq!(names, ["mine", "robots_txt"]);
    let done = run_in(folder.path(), "profile reference --format jsonl");
    assert_eq!((json_lines(&done.stdout).len(), &*done.stderr), (1, ""));
}

#[test]
fn fuzz_and_profile_refuse_a_project_with_only_crawlers() {
    let config = "[[implementation]]\ncrawler = 'spider {url}'\n";
    for command in ["fuzz", "profile"] {
        let message = refusal(config, command);
        assert!(message.starts_with("warning: spider {url} is a crawler"), "{message}");
        assert!(message.ends_with("error: no implementation is left; name another one\n"), "{message}");
    }
}

#[test]
fn a_mistake_in_the_fuzz_table_is_reported_with_its_place() {
    for (config, expected) in [
        ("[fuzz]\ntime = 'soon'", "robotspec.toml:2:8: `soon` is not a duration; write `60s`, `10m` or `2h`"),
        ("[fuzz]\ntime = '1s'\nruns = 1", "robotspec.toml:3:8: give either `time` or `runs`, not both"),
        ("[fuzz]\nruns = -1", "robotspec.toml:2:8: "),
        ("[fuzz]\nlimit = 1", "robotspec.toml:2:1: unknown field `limit`"),
    ] {
        for command in ["fuzz", "profile", "run", "known update"] {
            let message = refusal(config, command);
            assert!(message.starts_with(&format!("error: {expected}")), "{command}: {message}");
        }
    }
}

#[test]
fn a_configuration_without_content_is_refused() {
    for config in ["", "\u{FEFF}", "# editions = ['rfc9309']\n\n  # more\n"] {
        for command in ["run", "run reference", "fuzz", "profile", "known update"] {
            let message = refusal(config, command);
            assert!(message.starts_with("error: robotspec.toml is empty; "), "{command}: {message}");
        }
    }
}

#[test]
fn a_configuration_that_the_command_line_names_has_implementations_or_the_command_line_has() {
    for command in ["run", "fuzz", "profile", "known update"] {
        let message = refusal("editions = ['rfc9309']", &format!("{command} --config robotspec.toml"));
        assert!(
            message.starts_with("error: robotspec.toml lists no implementation: "),
            "{command}: {message}"
        );
    }
    let config = folder("editions = ['rfc9309']\nvariants = false\nfilters = ['id:path-values/fish#*']");
    for line in ["run", "run reference --config robotspec.toml"] {
        assert_eq!(run_in(config.path(), line).code, Some(0), "{line}");
    }
}

/// A suite in which both adapters of [`LISTS`] fail.
const SUITE: &str = include_str!("../../../../cases/suites/path-values.yaml");

const LISTS: &str = r#"
[[implementation]]
name = "one"
adapter = "misbehaving_adapter only-matches"
known-failures = "one.yaml"

[[implementation]]
name = "two"
adapter = "echo_adapter"
known-failures = "two.yaml"

[[implementation]]
builtin = "reference"
"#;

#[test]
fn known_update_writes_the_lists_of_the_project() {
    let folder = folder(LISTS);
    write(&folder, "suite.yaml", SUITE);
    let lists = || ["one.yaml", "two.yaml"].map(|list| folder.path().join(list).exists());
    let done = run_in(folder.path(), "known update one --suite suite.yaml");
    assert_eq!((done.code, lists()), (Some(0), [true, false]), "{}", done.stderr);
    assert!(done.stdout.starts_with("one.yaml: "), "{}", done.stdout);
    let done = run_in(folder.path(), "known update --suite suite.yaml");
    assert_eq!((done.code, lists()), (Some(0), [true, true]), "{}", done.stderr);
    assert!(done.stdout.starts_with("one.yaml: 0 added, 0 removed\n"), "{}", done.stdout);
    for list in ["one.yaml", "two.yaml"] {
        let list = folder.path().join(list);
        let text = fs::read_to_string(&list)
            .expect("the list can be read")
            .replace("TODO say why", "It has read another text");
        fs::write(list, text).expect("the file can be written");
    }
    let done = run_in(folder.path(), "run --suite suite.yaml");
    assert_eq!(done.code, Some(0), "{}", done.stdout);
}

#[test]
fn known_update_accepts_only_a_run_of_the_implementation_of_the_list() {
    let folder = folder(LISTS);
    write(&folder, "suite.yaml", SUITE);
    let run = "run --config robotspec.toml --adapter 'misbehaving_adapter only-matches' --suite suite.yaml \
               --report jsonl=run.jsonl";
    run_in(folder.path(), run);
    let done = run_in(folder.path(), "known update one --suite suite.yaml --from run.jsonl");
    assert_eq!(
        done.stderr,
        "error: the list of one is unchanged: run.jsonl: this is a run of misbehaving, and the list is about one\n"
    );
    let named = LISTS.replace("\"one\"", "\"misbehaving\"");
    write(&folder, "robotspec.toml", named);
    let done = run_in(folder.path(), "known update misbehaving --suite suite.yaml --from run.jsonl");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(folder.path().join("one.yaml").exists());
}

#[test]
fn an_implementation_has_the_name_that_the_project_gives_it() {
    let folder = folder(LISTS);
    for list in ["one.yaml", "two.yaml"] {
        write(&folder, list, "known-failures: []\n");
    }
    let names = |line: &str, key: &str| {
        let done = run_in(folder.path(), line);
        assert!(done.code.is_some_and(|code| code < 2), "{line}: {}", done.stderr);
        let events = done.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut names: Vec<String> =
            events.filter_map(|event| Some(event.pointer(key)?.as_str()?.to_owned())).collect();
        names.dedup();
        names
    };
    let run = "run --filter id:path-values/fish#exact --format jsonl";
    assert_eq!(names(&format!("{run} two"), "/implementation"), ["two"]);
    assert_eq!(names(&format!("{run} robotxt two"), "/implementation"), ["robotxt", "two"]);
    assert_eq!(names(&format!("{run} one --adapter echo_adapter"), "/implementation"), ["one", "echo"]);
    assert_eq!(names("profile two --format jsonl", "/implementation/name"), ["two"]);
    let fuzz = "fuzz --runs 50 --seed 1 --max-findings 1 --format jsonl";
    assert_eq!(names(&format!("{fuzz} two"), "/implementation"), ["two"]);
    // With `--against`, fuzz reports no finding about the implementation that replaces the editions.
    assert_eq!(names(&format!("{fuzz} two --against two"), "/implementation"), [""; 0]);
}

#[test]
fn a_choice_that_is_ambiguous_or_unknown_and_a_name_or_list_that_is_shared_are_refused() {
    let same_name = &*LISTS.replace("two", "one");
    let built_in_name = &*LISTS.replace("\"two\"", "\"robotxt\"");
    for (config, line, expected) in [
        ("level = 'must'", "known update", "which list, of which implementation?"),
        (LISTS, "known update three", "unknown implementation `three`; available: one, two, reference,"),
        (
            LISTS,
            "known update --known-failures list.yaml",
            "about one implementation, and 3 are chosen; name one",
        ),
        (LISTS, "known update --from run.jsonl", "about one implementation, and 2 are chosen; name one"),
        (LISTS, "known update robotxt --from run.jsonl", "give either --from or an implementation to run"),
        (LISTS, "known update robotxt", "give the list of this implementation with --known-failures"),
        ("[[implementation]]\nbuiltin = 'reference'\n", "known update", "the configuration has no list"),
        // Unknown names.
        (LISTS, "run twoo", "error: unknown implementation `twoo`; available: one, two, reference,"),
        (LISTS, "fuzz twoo", "; did you mean `two`?\ndefine it in robotspec.toml, or give its command"),
        (LISTS, "profile robotstx", "; did you mean `robotstxt`?"),
        (LISTS, "run nobody", "robots_txt\ndefine it in robotspec.toml"),
        // A name, or a list.
        (same_name, "run", "robotspec.toml:7:1: another implementation has the name `one`"),
        (built_in_name, "fuzz", "a built-in implementation has the name `robotxt`"),
        (
            LISTS,
            "known update two --known-failures one.yaml",
            "one.yaml is the list of one, and would lose its reasons",
        ),
        (LISTS, "known update --known-failures one.yaml --adapter adapter", "is the list of one"),
    ] {
        let message = refusal(config, line);
        assert!(message.contains(expected), "{line}: {message}");
    }
}

#[test]
fn a_filter_that_matches_no_check_is_refused_with_a_suggestion() {
    for (line, expected) in [
        (
            "run --skip clause:M-strar",
            "error: `clause:M-strar` matches no check; did you mean `clause:M-star`?",
        ),
        (
            "run --filter id:path-values/* --filter id:nothing/*",
            "error: `id:nothing/*` matches no check; `robotspec cases list`",
        ),
        ("cases list --skip id:nothing", "error: `id:nothing` matches no check;"),
        ("export --filter clause:Z-*", "error: `clause:Z-*` matches no check;"),
    ] {
        let message = refusal("level = 'must'", line);
        assert!(message.starts_with(expected), "{line}: {message}");
    }
    let message = refusal("skip = ['clause:Mprefix']", "run");
    assert!(message.contains("did you mean `clause:M-prefix`?"), "{message}");
}

#[test]
fn skipped_checks_are_not_run() {
    let folder = folder("filters = ['id:path-values/fish#*']\nskip = ['id:*#exact']\n");
    let ids = |line: &str| {
        let done = run_in(
            folder.path(),
            &format!("{line} --no-variants --edition rfc9309 --format jsonl reference"),
        );
        let events = done.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        events.filter_map(|event| Some(event["id"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let all = ids("run --skip clause:O-longest");
    let without_exact: Vec<String> = all.iter().filter(|id| !id.ends_with("#exact")).cloned().collect();
    assert!(!without_exact.is_empty() && without_exact.len() < all.len());
    assert_eq!(ids("run"), without_exact);
    // `--filter` overrides only the filters of the project, and `--skip` only its skips.
    let filtered = ids("run --filter id:path-values/fish-star#*");
    assert!(
        !filtered.is_empty()
            && filtered.iter().all(|id| id.starts_with("path-values/fish-star#") && !id.ends_with("#exact"))
    );
    assert_eq!(ids("run --skip id:*#exact --skip clause:*"), [""; 0]);
}

/// A cloned repository may bring a configuration with it.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_what_a_configuration_starts() {
    let adapter = "misbehaving_adapter always-allows";
    let folder = folder(&format!("[[implementation]]\nname = 'mine'\nadapter = '{adapter}'\n"));
    let line = format!("{} run mine --filter id:path-values/fish#exact", env!("CARGO_BIN_EXE_robotspec"));
    let mut terminal = std::process::Command::new("script");
    terminal.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(folder.path());
    let shown = terminal.output().expect("the program script of util-linux").stdout;
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains(&format!("robotspec.toml starts: {adapter}")), "{shown}");
}
