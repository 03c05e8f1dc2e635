//! The output of `robotspec run`, as text and as JSON.

use robotspec::Clause;
use robotspec_cases::checks;
use robotspec_cases::suite::built_in;

use crate::support::{assert_output, command, folder, json_lines, run};

#[test]
fn run_reports_the_results_of_the_reference_on_one_table() {
    assert_output!(run("run reference --filter 'id:path-values/fish#*'").transcript());
}

#[test]
fn run_prints_every_event_as_json() {
    let done = run("run reference --filter 'id:path-values/fish#exact*' --edition rfc9309 --format json");
    let events = json_lines(&done.stdout);
    assert_eq!(events[0]["event"], "run-started");
    assert_eq!(events[events.len() - 1]["event"], "run-finished");
    assert_output!(done.transcript());
}

#[test]
fn run_reports_the_known_failures_of_a_third_party_parser() {
    let done = run("run robots_txt --no-variants --filter 'id:path-values/fish-star#*'");
    assert_eq!(done.code, Some(0));
    assert_output!(done.transcript());
}

/// The options that select one small table in one edition.
const ONE_TABLE: &str = "--no-variants --edition rfc9309 --filter id:path-values/fish#*";

const KNOWN: &str = "\
known-failures:
  - reason: It lets everybody in.
    rows:
      - path-values/fish#exact
      - path-values/fish#suffix
";

#[test]
fn run_distinguishes_known_failures_from_new_ones() {
    let folder = folder(&[("known.yaml", KNOWN.as_bytes())]);
    let adapter = "--adapter 'misbehaving_adapter always-allows'";
    let line = format!("run {ONE_TABLE} {adapter} --known-failures known.yaml");
    assert_output!(command(&line).within(folder.path()).run().transcript());
}

#[test]
fn run_exits_with_0_if_all_failures_are_known() {
    let folder = folder(&[("known.yaml", KNOWN.as_bytes())]);
    let line = "run --no-variants --edition rfc9309 --filter id:path-values/fish#exact \
                --adapter 'misbehaving_adapter always-allows' --known-failures known.yaml";
    let done = command(line).within(folder.path()).run();
    assert_eq!(done.code, Some(0));
    assert_output!(done.transcript());
}

#[test]
fn run_reports_a_stale_list_of_known_failures() {
    let known = "known-failures: [{reason: Once., rows: [path-values/fish#exact, no/such#row]}]";
    let folder = folder(&[("known.yaml", known.as_bytes())]);
    let done = command("run --adapter 'misbehaving_adapter only-matches' --known-failures known.yaml")
        .within(folder.path())
        .run();
    assert_eq!(done.code, Some(1));
    let reported: Vec<&str> =
        done.stdout.lines().filter(|line| line.starts_with("  known failures")).collect();
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn run_with_all_shows_every_new_failure() {
    let adapter = "--adapter 'misbehaving_adapter always-allows'";
    let failures = |text: &str| text.lines().filter(|line| line.trim().starts_with("again: ")).count();
    assert_eq!(failures(&run(&format!("run {ONE_TABLE} {adapter}")).stdout), 3);
    assert_eq!(failures(&run(&format!("run {ONE_TABLE} {adapter} --all")).stdout), 6);
}

#[test]
fn the_command_that_repeats_a_check_repeats_it() {
    let done = run(&format!("run {ONE_TABLE} --adapter 'misbehaving_adapter always-allows'"));
    let again = done.stdout.lines().find_map(|line| line.trim().strip_prefix("again: robotspec "));
    let done = run(again.expect("a failure is shown"));
    assert_eq!(done.code, Some(1));
    assert!(done.stdout.contains("\n1 judgement: 1 fail\n"), "{}", done.stdout);
}

#[test]
fn run_sends_only_the_checks_that_the_filters_select() {
    let ids = |filters: &str| -> Vec<String> {
        let done = run(&format!("run reference --edition rfc9309 --format json {filters}"));
        let events = json_lines(&done.stdout).into_iter().filter(|event| event["event"] == "check-finished");
        events.filter_map(|event| Some(event["id"].as_str()?.to_owned())).collect()
    };
    let row = "--filter id:path-values/fish#exact";
    assert_eq!(ids(&format!("{row} --no-variants")), ["path-values/fish#exact"]);
    assert!(ids(row).iter().any(|id| id == "path-values/fish#exact~crlf"));
    assert_eq!(ids("--filter id:path-values/fish#exact~crlf"), ["path-values/fish#exact~crlf"]);
    let two = "--filter id:path-values/fish#exact --filter id:path-values/fish#suffix --no-variants";
    assert_eq!(ids(two).len(), 2, "a row is selected if any filter matches it");
    let clauses = Clause::all().iter().filter(|clause| clause.id.starts_with("S-")).count();
    assert!(ids("--filter clause:S-* --no-variants").len() >= clauses);
    assert_eq!(ids("--filter kind:S --no-variants"), ids("--filter clause:S-* --no-variants"));
}

#[test]
fn run_omits_google_specific_checks_on_request() {
    let count = |options: &str| {
        let done = run(&format!("run reference --no-variants --format json {options}"));
        json_lines(&done.stdout)[0]["checks"].as_u64().expect("a count")
    };
    let google_specific =
        checks(&built_in().expect("the cases"), false).iter().filter(|check| check.google_specific).count();
    assert!(google_specific > 0);
    assert_eq!(count("") - count("--no-google-specific"), google_specific as u64);
}

#[test]
fn run_gives_the_same_results_with_any_number_of_jobs() {
    let filter = "--filter id:path-values/* --no-variants";
    let by = |jobs| run(&format!("run {filter} --jobs {jobs} --format json")).stdout;
    assert!(by(4) == by(1), "the stream does not depend on --jobs");
}
