//! `robotspec fuzz` and `robotspec profile`, run from the command line.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Done, events_of, folder, json, json_lines, read, run, run_in, write};

/// The built program, as an adapter of an implementation.
const BINARY: &str = env!("CARGO_BIN_EXE_robotspec");

/// Returns the report without the lines that contain durations.
fn timeless(done: &Done) -> String {
    done.stdout.lines().filter(|line| !line.contains(" a second)")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_reference_has_no_findings() {
    for edition in ["google-2026", "rfc9309"] {
        let done = run(&format!("fuzz reference --runs 5000 --seed 1 --edition {edition}"));
        assert_eq!(done.code, Some(0), "{}", done.transcript());
        assert!(done.stdout.contains("0 findings, 0 not known"), "{}", done.stdout);
    }
}

#[test]
fn the_reference_is_left_out_where_several_editions_judge() {
    run("fuzz reference --edition google-2026 --edition rfc9309")
        .assert_refused("reference answers as one --edition at a time");
}

#[test]
fn a_finding_is_reported_with_its_clause_and_lines() {
    let done = run("fuzz robots_txt --runs 700 --seed 5 --jobs 1");
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    let output = &done.stdout;
    for part in [
        "FOUND robots_txt: violation ",
        "rfc9309: 2.2",
        "    agent ",
        "  expected ",
        "  got ",
        "breaks rfc9309",
        "seed 5",
    ] {
        assert!(output.contains(part), "no `{part}` in\n{output}");
    }
    // The command repeats it, in a shell.
    let (_, command) = output.split_once("again: ").expect("a command");
    let (command, _) = command.split_once("\n  breaks").expect("its end");
    let program = format!("robotspec() {{ '{BINARY}' \"$@\"; }}; {command}");
    let repeated = Done::of(Command::new("bash").args(["-c", &program]).output().expect("bash"));
    assert_eq!(repeated.code, Some(1), "{command}\n{}", repeated.transcript());
    // The deciding lines are marked.
    assert!(output.lines().any(|line| line.starts_with("    ▸   1 | user-agent: ")), "{output}");
}

#[test]
fn the_same_seed_gives_the_same_findings_with_any_number_of_jobs() {
    // A later finding has a file that is minimised for so long that its time limit ends this on a loaded machine.
    let fuzz = |jobs| timeless(&run(&format!("fuzz robots_txt --runs 1200 --seed 5 --jobs {jobs}")));
    let alone = fuzz(1);
    assert!(alone.contains("FOUND"), "{alone}");
    assert_eq!(fuzz(2), alone);
}

#[test]
fn findings_are_saved_as_cases_that_lint_and_that_the_reference_passes() {
    let folder = folder(&[]);
    let done = run_in(folder.path(), "fuzz robots_txt --runs 2500 --seed 2 --out found");
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    let found = folder.path().join("found").read_dir().expect("a folder");
    let found = found.map(|file| file.expect("a file").path().display().to_string());
    let cases = shell_words::join(found.collect::<Vec<_>>());
    assert!(cases.matches(".yaml").count() >= 5, "{cases}\n{}", done.stdout);
    let lint = run(&format!("cases lint {cases}"));
    assert_eq!(lint.code, Some(0), "{}", lint.transcript());
}

#[cfg(unix)]
#[test]
fn a_finding_replaces_a_link_and_not_the_file_that_it_leads_to() {
    let folder = folder(&[("precious.txt", "precious")]);
    let fuzz = || run_in(folder.path(), "fuzz robots_txt --runs 300 --seed 2 --out found").code;
    assert_eq!(fuzz(), Some(1));
    let found = folder.path().join("found").read_dir().expect("a folder").next().expect("a finding");
    let found = found.expect("a file").path();
    std::fs::remove_file(&found).expect("the finding can be removed");
    std::os::unix::fs::symlink("../precious.txt", &found).expect("a link");
    assert_eq!(fuzz(), Some(1));
    assert_eq!(read(&folder, "precious.txt"), "precious");
    assert!(!found.is_symlink());
    // To open a pipe would wait for its reader.
    std::fs::remove_file(&found).expect("the finding can be removed");
    assert!(std::process::Command::new("mkfifo").arg(&found).status().expect("mkfifo").success());
    assert_eq!(fuzz(), Some(1));
    assert!(found.is_file());
}

#[test]
fn the_json_format_has_one_event_per_line_and_a_final_event() {
    let events = json_lines(&run("fuzz robots_txt --runs 700 --seed 5 --format jsonl").stdout);
    let (last, found) = events.split_last().expect("events");
    assert_eq!(last["event"], "fuzz-finished");
    assert_eq!(last["seed"], 5);
    assert!(last["checks"].as_u64() >= Some(700));
    assert_eq!(last["findings"].as_array().map(Vec::len), Some(found.len()));
    for event in found {
        assert_eq!(event["event"], "found");
        assert_eq!(event["known"], false);
        assert!(event["clause"].is_string() && event["request"].is_object(), "{event}");
    }
    let keys: Vec<&String> = found[0].as_object().expect("an object").keys().collect();
    insta::assert_debug_snapshot!(keys, @r#"
    [
        "after",
        "against",
        "answers",
        "because",
        "clause",
        "editions",
        "event",
        "expected",
        "file",
        "finding",
        "got",
        "implementation",
        "in-play",
        "kind",
        "known",
        "levels",
        "request",
        "row",
        "unexplained",
    ]
    "#);
}

/// Accepts the findings of an adapter as a user does: from the first search to the fix of the parser.
#[test]
fn a_finding_is_accepted_as_a_known_failure_until_it_no_longer_occurs() {
    let folder = folder(&[]);
    let adapter = "--adapter echo_adapter";
    let list = "--known-failures known.yaml";
    let run = |line: &str| run_in(folder.path(), line);
    let fuzz = format!("fuzz {adapter} --runs 2000 --seed 1 --jobs 1 --out findings");
    assert_eq!(run(&fuzz).code, Some(1));
    let update = format!("known update --suite findings {list}");
    assert_eq!(run(&format!("{update} {adapter}")).code, Some(0));
    run(&format!("{fuzz} {list}")).assert_refused("replace TODO with the reason");

    let text = read(&folder, "known.yaml");
    write(&folder, "known.yaml", text.replace("TODO say why", "It allows everything"));
    let known = run(&format!("{fuzz} {list}"));
    assert_eq!(known.code, Some(0));
    assert!(known.stdout.contains("known echo: violation "), "{}", known.stdout);
    let repeat = format!("run --suite findings {list}");
    assert_eq!(run(&format!("{repeat} {adapter}")).code, Some(0));

    // Another parser does not show them. One notion of stale, one editor.
    let fixed = format!("--adapter \"'{BINARY}' adapter reference\"");
    let stale = run(&format!("{repeat} {fixed}"));
    assert_eq!(stale.code, Some(1));
    assert!(stale.stdout.contains("/found#row no longer fails"), "{}", stale.stdout);
    assert_eq!(run(&format!("{update} {fixed}")).code, Some(2));
    assert_eq!(run(&format!("{update} --force {fixed}")).code, Some(0));
    assert_eq!(run(&format!("{repeat} {fixed}")).code, Some(0));
}

#[test]
fn a_class_of_findings_is_accepted_by_a_pattern() {
    let folder = folder(&[]);
    let fuzz = |rows: &str| {
        let list = format!("known-failures: [{{reason: So., rows: ['{rows}']}}]\n");
        write(&folder, "known.yaml", list);
        let fuzz = "fuzz robots_txt --runs 700 --seed 5 --jobs 1 --known-failures known.yaml";
        let done = run_in(folder.path(), fuzz);
        (done.code, done.stdout.matches("\nknown robots_txt: ").count() > 0)
    };
    assert_eq!(fuzz("robots-txt-*"), (Some(0), true));
    assert_eq!(fuzz("robotxt-*"), (Some(1), false));
}

#[test]
fn what_depends_on_earlier_queries_is_reported_with_them() {
    let fuzz = |way: &str, more: &str| {
        let adapter = format!("--adapter 'misbehaving_adapter {way}'");
        let done = run(&format!("fuzz {adapter} --runs 3000 --seed 1 --jobs 1 {more}"));
        assert_eq!(done.code, Some(1), "{}", done.transcript());
        done.stdout
    };
    let remembers = fuzz("remembers-verdicts", "");
    assert!(remembers.contains("earlier misbehaving: "), "{remembers}");
    assert!(remembers.contains("only after another query:\n"), "{remembers}");
    assert!(remembers.contains("\n    then\n"), "{remembers}");
    assert!(!remembers.contains("FOUND"), "{remembers}");
    let last = remembers.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("0 findings, 0 not known; ") && last.ends_with(" did not occur alone"),
        "{last}"
    );
    let errs = fuzz("errs-at-first", "");
    assert!(errs.contains("only in the first answer of a new process:\n"), "{errs}");
    assert!(!errs.contains("FOUND"), "{errs}");

    let last = json_lines(&fuzz("remembers-verdicts", "--format jsonl")).pop().expect("an event");
    let requests = last["depends-on-earlier"]["misbehaving"]["requests"].as_array().expect("requests");
    assert_eq!(requests.len(), 2, "{last}");
    assert_eq!(requests[0]["url"], requests[1]["url"]);
    assert_ne!(requests[0]["robots"], requests[1]["robots"]);
}

#[test]
fn a_search_without_a_running_implementation_has_no_rate() {
    for adapter in ["no-such-program-anywhere", "'misbehaving_adapter exits-before-hello'"] {
        let done = run(&format!("fuzz --time 60s --adapter {adapter}"));
        assert_eq!(done.code, Some(3), "{}", done.transcript());
        assert!(done.stdout.contains("did not answer to the end"), "{}", done.stdout);
        assert!(done.stdout.contains("no check was answered"), "{}", done.stdout);
        assert!(!done.stdout.contains("a second"), "{}", done.stdout);
    }
}

#[test]
fn a_profile_infers_nothing_from_answers_that_never_came() {
    for adapter in ["no-such-program-anywhere", "'misbehaving_adapter exits-before-hello'"] {
        let done = run(&format!("profile --adapter {adapter}"));
        assert_eq!((done.code, &*done.stdout), (Some(3), ""), "{}", done.transcript());
        assert!(done.stderr.contains(" was not asked "), "{}", done.transcript());
        let profile = run(&format!("profile --adapter {adapter} --format jsonl")).stdout;
        assert!(!profile.contains("rfc9309"), "no edition: {profile}");
    }
}

/// The adapter answers no query of the search, so that the time limit ends the search during the first inputs, and the result
/// does not depend on the speed of the machine.
#[test]
fn a_time_out_before_the_time_limit_is_a_finding_that_breaks_no_edition_and_cannot_be_accepted() {
    let folder = folder(&[]);
    write(&folder, "known.yaml", "known-failures: [{reason: So., rows: ['*']}]\n");
    let search =
        "fuzz --time 1s --seed 1 --jobs 1 --max-findings 1 --known-failures known.yaml --out findings";
    let done = run_in(
        folder.path(),
        &format!(
            "{search} --timeout 2 --format jsonl --adapter 'misbehaving_adapter hangs guilty=!.com/fish'"
        ),
    );
    assert_eq!(done.code, Some(1), "{}{}", done.stdout, done.stderr);
    let found = &json_lines(&done.stdout)[0];
    assert_eq!((&found["finding"], &found["kind"]), (&json!("timeout"), &json!("timeout")));
    assert_eq!(
        (&found["clause"], &found["row"], &found["editions"]),
        (&json!(null), &json!(null), &json!([]))
    );
    assert_eq!(found["known"], false);
    // No case can state when an answer has to come.
    assert_eq!(folder.path().join("findings").read_dir().expect("a folder").count(), 0);
}

#[test]
fn a_built_in_parser_gives_the_same_results_through_the_protocol() {
    let statuses = |subject: &str| {
        let done = run(&format!("run --edition rfc9309 --no-variants --format jsonl {subject}"));
        let events = events_of(&done.stdout, "check-finished");
        events.iter().map(|event| event["editions"]["rfc9309"]["status"].clone()).collect::<Vec<_>>()
    };
    let through_protocol = statuses(&format!("--adapter \"'{BINARY}' adapter robotxt\""));
    assert!(through_protocol.len() > 500);
    assert!(through_protocol.contains(&"fail".into()) && through_protocol.contains(&"not-supported".into()));
    assert_eq!(through_protocol, statuses("robotxt"));
}

/// Follows the message about the list that a configuration names, from the first search on.
#[test]
fn a_search_without_its_list_states_the_command_that_writes_it() {
    let config = "editions = ['rfc9309']\n[[implementation]]\nname = 'my-parser'\nadapter = 'echo_adapter'\n\
                  [fuzz]\nknown-failures = 'list of mine.yaml'\nout = 'findings'\nruns = 300\nseed = 1\n";
    let folder = folder(&[("robotspec.toml", config)]);
    let first = run_in(folder.path(), "fuzz");
    first.assert_refused("list of mine.yaml does not exist; `touch` creates it");
    write(&folder, "list of mine.yaml", "");
    assert_eq!(run_in(folder.path(), "fuzz").code, Some(1));
    let update = first.stderr.split('`').find_map(|part| part.strip_prefix("robotspec ")).expect("a command");
    assert_eq!(update, "known update --known-failures 'list of mine.yaml' my-parser --suite findings");
    let updated = run_in(folder.path(), update);
    assert_eq!(updated.code, Some(0), "{}", updated.stderr);
    let list = read(&folder, "list of mine.yaml").replace("TODO say why", "It allows everything");
    write(&folder, "list of mine.yaml", list);
    assert_eq!(run_in(folder.path(), "fuzz").code, Some(0));
}

#[test]
fn wrong_commands_are_rejected() {
    for (line, message) in [
        ("fuzz nobody", "unknown implementation `nobody`; available: reference,"),
        ("fuzz --time soon", "write `60s`"),
        ("fuzz --time 1s --runs 1", "cannot be used with"),
        ("fuzz --known-failures no-such-file", "no-such-file does not exist; `touch` creates it"),
        ("fuzz --max-findings 0", "0 is not in 1.."),
        ("fuzz --runs 0", "0 is not in 1.."),
        ("fuzz --time 0s", "write `60s`"),
        ("profile", "name an implementation"),
    ] {
        run(line).assert_refused(message);
    }
}

/// Returns the row of a question in a profile.
fn row<'p>(profile: &'p Value, question: &str) -> &'p Value {
    let questions = profile["questions"].as_array().expect("a list");
    let row = questions.iter().find(|row| row["question"] == question);
    row.unwrap_or_else(|| panic!("the profile lacks {question}"))
}

#[test]
fn a_profile_states_the_traits_of_a_port_of_googles_library() {
    let done = run("profile robotstxt --format jsonl");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let mut profile = json(&done.stdout);
    let answers = |question: &str| row(&profile, question)["answers"].clone();
    assert_eq!(answers("SameAgentGroups"), json!(["combine"]));
    assert_eq!(answers("AgentMatch"), json!(["equal"]));
    let typos = &row(&profile, "Typo")["by-subject"];
    assert_eq!((&typos["dissallow"], &typos["alow"]), (&json!(["accept"]), &json!(["ignore"])));
    assert_eq!(row(&profile, "IdnHost")["supported"], false);
    let questions = profile["questions"].take();
    let lines = [&profile].into_iter().chain(questions.as_array().expect("a list"));
    insta::assert_snapshot!(lines.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn a_command_that_answers_nothing_is_not_started_for_each_worker_and_input() {
    for way in ["exits-before-hello", "always-exits"] {
        let folder = folder(&[]);
        let adapter = format!("sh -c 'echo >>starts; exec misbehaving_adapter {way}'");
        let adapter = shell_words::quote(&adapter).into_owned();
        let done = run_in(folder.path(), &format!("fuzz --runs 10 --jobs 2 --adapter {adapter}"));
        assert_eq!(done.code, Some(3), "{}", done.transcript());
        let starts = std::fs::read(folder.path().join("starts")).expect("the file").len();
        assert!(starts < 20, "{way}: {starts} starts");
    }
}

#[test]
fn a_search_is_incomplete_where_the_implementation_that_decides_gives_no_answer() {
    for (judge, reason) in [
        ("no-such-adapter", "`no-such-adapter` cannot be started"),
        ("misbehaving_adapter exits-before-hello", "ended before it answered `hello`"),
        ("misbehaving_adapter supports-nothing", "it supports none of these checks"),
    ] {
        let done = run(&format!("fuzz reference --runs 100 --seed 1 --against '{judge}'"));
        assert_eq!(done.code, Some(3), "{}", done.transcript());
        assert!(done.words().contains(reason), "{}", done.transcript());
    }
}

#[test]
fn a_profile_of_errors_alone_names_no_edition_as_consistent() {
    let done = run(r#"profile --exec 'sh -c "exit 7" x {url}'"#);
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(done.stdout.contains("nothing shown against rfc9309"), "{}", done.stdout);
    assert!(!done.stdout.contains("\nconsistent with"), "{}", done.stdout);
}
