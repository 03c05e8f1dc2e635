//! The results of `robotspec run`. What it prints is in `tests/commands/runs.md`.

use std::collections::BTreeSet;

use robotspec::Clause;
use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, checks};

use crate::support::{command, events_of, folder, json_lines, outcome_of, read, run, run_in};
use serde_json::json;

/// The options that select one small table in one edition.
const ONE_TABLE: &str = "--no-variants --edition rfc9309 --filter id:path-values/fish#*";

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
    let done = run(&done.repeating());
    assert_eq!(done.code, Some(1));
    assert!(done.stdout.contains(" 1 judgement: 1 fail\n"), "{}", done.stdout);
}

#[test]
fn an_implementation_is_judged_by_an_edition_that_it_does_not_claim_only_if_it_is_named() {
    let of_all = run(&format!("run {ONE_TABLE} --format jsonl")).stdout;
    assert!(of_all.contains("\"robotxt\"") && !of_all.contains("\"robots_txt\""), "{of_all}");
    let named = run(&format!("run robots_txt {ONE_TABLE}"));
    let said = "robots_txt claims to follow koster-1994; it is judged by rfc9309, as you named both";
    assert!(named.stderr.contains(said) && named.stdout.contains("robots_txt"), "{}", named.transcript());
}

#[test]
fn known_failures_are_no_news() {
    let numbers = |arguments: &str| {
        let coloured = command(arguments).env("NO_COLOR", "").env("CLICOLOR_FORCE", "1").run();
        assert!(coloured.stdout.contains(" fail"), "{}", coloured.stdout);
        coloured.stdout.contains("\u{1b}[31m")
    };
    assert!(numbers(&format!("run {ONE_TABLE} --adapter 'misbehaving_adapter always-allows'")));
    assert!(!numbers("run robotxt --no-variants"));
}

#[test]
fn the_totals_of_each_clause_come_first_in_a_comparison_then_rows_of_different_clauses() {
    let folder = folder(&[]);
    for (file, subject) in [("old", "reference"), ("new", "--adapter 'misbehaving_adapter always-allows'")] {
        let line =
            format!("run {subject} --no-variants --edition rfc9309 --filter kind:M --report jsonl={file}");
        run_in(folder.path(), &line);
    }
    let done = run_in(folder.path(), "diff old new");
    let (totals, rows) = done.stdout.split_once("newly fails: ").expect("rows");
    let lost = totals.lines().filter_map(|line| line.split_whitespace().next_back()?.parse::<usize>().ok());
    assert_eq!(rows.split_whitespace().next(), Some(&*lost.sum::<usize>().to_string()), "{}", done.stdout);
    let named = rows.lines().filter_map(|line| line.split_once(" in rfc9309)")?.0.split_once('('));
    let clauses: BTreeSet<&str> = named.map(|(_, clause)| clause).take(10).collect();
    assert_eq!(clauses.len(), 10, "{}", done.stdout);
}

#[test]
fn run_sends_only_the_checks_that_the_filters_select() {
    let ids = |filters: &str| -> Vec<String> {
        let done = run(&format!("run reference --edition rfc9309 --format jsonl {filters}"));
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
fn a_run_of_all_built_in_implementations_fits_a_screen_and_says_what_to_do_next() {
    // Parsers that are not optimised are slow on a busy machine.
    let brief = run("run --no-variants --timeout 60");
    assert_eq!(brief.code, Some(0), "{}", brief.stdout);
    assert!(brief.stdout.lines().count() <= 30, "{}", brief.stdout);
    assert!(brief.stdout.contains("--known shows them by clause"), "{}", brief.stdout);
    let own = run("run robotxt --no-variants --filter kind:O").stdout;
    for advice in ["\n  robotspec run --exec ", "\n  robotspec init "] {
        assert!(brief.stdout.contains(advice) && !own.contains(advice), "{}{own}", brief.stdout);
    }
    let known = run("run robotstxt --no-variants --filter kind:O --known").stdout;
    assert!(known.contains(" known  ") && !brief.stdout.contains(" known  "), "{known}");
}

#[test]
fn run_omits_google_specific_checks_on_request() {
    let count = |options: &str| {
        let done = run(&format!("run reference --no-variants --filter kind:S --format jsonl {options}"));
        json_lines(&done.stdout)[0]["checks"].as_u64().expect("a count")
    };
    let is_counted = |check: &Check| {
        check.google_specific && check.clauses.iter().any(|clause| clause.id.starts_with("S-"))
    };
    let google_specific = checks(built_in().expect("the cases"), false);
    let google_specific = google_specific.iter().filter(|check| is_counted(check)).count();
    assert!(google_specific > 0);
    assert_eq!(count("") - count("--no-google-specific"), google_specific as u64);
}

#[test]
fn run_gives_the_same_results_with_any_number_of_jobs() {
    let filter = "--filter id:path-values/* --no-variants";
    let by = |jobs| run(&format!("run {filter} --jobs {jobs} --format jsonl")).stdout;
    assert!(by(4) == by(1), "the stream does not depend on --jobs");
}

/// A parser that ignores the case of paths departs from a recommendation of RFC 9309, and violates nothing. The editions
/// of Google require the case.
#[test]
fn departures_from_recommendations_fail_a_run_only_with_the_level_should() {
    let of = |edition: &str, level: &str| {
        let command =
            "run --adapter 'misbehaving_adapter ignores-path-case' --filter id:path-values/fish#other-case*";
        run(&format!("{command} --edition {edition}{level}"))
    };
    let recommended = of("rfc9309", "");
    assert_eq!(recommended.code, Some(1), "{}", recommended.stdout);
    assert_eq!(of("rfc9309", " --level should").words(), recommended.words());
    let required = of("rfc9309", " --level must");
    assert_eq!(required.code, Some(0), "{}", required.stdout);
    let outcome = required.stdout.lines().last();
    let departs = "1 row with new departures from recommendations, which do not fail this run";
    assert_eq!(outcome, Some(departs));
    assert_eq!(of("google-2026", " --level must").code, Some(1));
    assert_eq!(of("rfc9309", " --level may").code, Some(2));
}

#[test]
fn every_report_shows_departures_apart_from_violations() {
    let folder = folder(&[]);
    let command = "run --adapter 'misbehaving_adapter ignores-path-case' --filter id:path-values/* --edition rfc9309 \
                   --no-variants";
    let formats = ["jsonl", "junit", "tap", "markdown", "badge"];
    let reports: String = formats.iter().map(|format| format!(" --report {format}=r.{format}")).collect();
    let report = |format: &str| read(&folder, &format!("r.{format}"));
    assert_eq!(run_in(folder.path(), &format!("{command}{reports}")).code, Some(1));
    let totals = &outcome_of(&report("jsonl"))["totals"];
    let departures = totals["departures"].as_u64().expect("a number");
    assert!(departures > 0, "{totals}");
    assert_eq!((&totals["violations"], &totals["fail"]), (&json!(0), &json!(departures)));
    assert_eq!(events_of(&report("jsonl"), "run-started")[0]["level"], "should");
    let checks = events_of(&report("jsonl"), "check-finished");
    let judged = checks.iter().map(|check| &check["editions"]["rfc9309"]);
    let mut failed = judged.filter(|judged| judged["status"] == "fail");
    assert!(failed.all(|failed| failed["level"] == "should"));
    let junit = report("junit");
    let count = |rest: &str| rest.split('"').next().and_then(|count| count.parse::<u64>().ok());
    let sum = |name: &str| -> u64 {
        let property = format!("<property name=\"{name}\" value=\"");
        junit.split(&property).skip(1).map(|rest| count(rest).expect("a count")).sum()
    };
    assert_eq!((sum("departures"), sum("violations")), (departures, 0), "{junit}");
    assert!(report("tap").contains("\n  level: \"should\"\n"), "{}", report("tap"));
    let departs = format!("{departures} rows with new departures from recommendations");
    assert!(report("markdown").contains(&departs), "{}", report("markdown"));
    assert!(
        report("badge").contains(&format!("clauses, {departures} new departures")),
        "{}",
        report("badge")
    );

    // With the level `must`, no report of tests has a failure.
    assert_eq!(run_in(folder.path(), &format!("{command}{reports} --level must")).code, Some(0));
    assert!(report("junit").contains("failures=\"0\" errors=\"0\""), "{}", report("junit"));
    let tap = report("tap");
    let fails = |line: &&str| line.starts_with("not ok") && !line.contains("# TODO only a departure: ");
    assert_eq!(tap.lines().find(fails), None);
    assert!(report("markdown").contains("which do not fail this run"), "{}", report("markdown"));

    // The reports of recorded runs have the same level and totals.
    let again = run_in(folder.path(), "report r.jsonl --report jsonl=-");
    assert_eq!((again.code, &*again.stdout), (Some(0), &*report("jsonl")));
    let outcome = outcome_of(&again.stdout);
    assert_eq!((&outcome["totals"], &outcome["exit-code"]), (totals, &json!(0)));
}

#[test]
fn a_finding_that_departs_only_from_a_recommendation_fails_fuzzing_only_with_the_level_should() {
    let fuzz = "fuzz --adapter 'misbehaving_adapter ignores-path-case' --runs 600 --jobs 1 --seed 1";
    let found = run(fuzz);
    assert_eq!(found.code, Some(1), "{}", found.stdout);
    let departs = "departs from a recommendation of rfc9309 (should); ";
    assert!(found.stdout.contains(departs), "{}", found.stdout);
    let required = run(&format!("{fuzz} --level must"));
    assert_eq!(required.code, Some(0), "{}", required.stdout);
    let json = json_lines(&run(&format!("{fuzz} --format jsonl")).stdout);
    let class = (&json[0]["clause"], &json[0]["in-play"], &json[0]["levels"]);
    assert_eq!(class, (&json!("M-default"), &json!("M-case"), &json!({ "rfc9309": "should" })));
}

#[test]
fn equal_errors_are_shown_together_and_before_the_clauses() {
    let run = "run --adapter 'misbehaving_adapter lacks-a-function' --no-variants --edition rfc9309";
    let done = command(&format!("{run} --filter id:percent-encoding/unreserved*")).run();
    let place = |text: &str| done.stdout.find(text).unwrap_or_else(|| panic!("{text}: {}", done.stdout));
    let errors = place("the same error, ");
    assert!(errors < place("Is the installation complete?"));
    assert!(errors < place("rows that fail, by clause"));
    let rows = done.stdout.lines().filter(|line| line.contains("got error: undefined function")).count();
    assert!(rows > 0 && done.stdout.matches("the same error, ").count() == 1, "{}", done.stdout);
}

#[test]
fn a_suite_with_many_timeouts_is_named() {
    let advice = "4 of them in the suite path-values: `--skip 'id:path-values/*'` leaves it out";
    let run = "run --adapter 'misbehaving_adapter hangs guilty=/' --timeout 2 --jobs 4 --no-variants --edition rfc9309";
    let rows =
        ["exact", "suffix", "query", "other-case"].map(|row| format!("--filter 'id:path-values/fish#{row}'"));
    let of = |rows: &[String]| command(&format!("{run} {}", rows.join(" "))).run().words();
    assert!(of(&rows).contains(advice), "{}", of(&rows));
    assert!(!of(&rows[..3]).contains("of them in the suite"), "{}", of(&rows[..3]));
}

/// One row of two thousand fails, because the parser allows everything.
#[test]
fn an_answer_that_cannot_fail_in_an_edition_is_named_with_one_that_judges_it() {
    let run_in = |options: &str| {
        run(&format!(
            "run --adapter 'misbehaving_adapter names-one-sitemap' --filter clause:S-sitemap {options}"
        ))
    };
    let note = "differ from what the editions of this run only permit (";
    let done = run_in("--edition rfc9309");
    for part in [note, "S-sitemap", "and cannot fail: --edition google-2026 requires it"] {
        assert!(done.words().contains(part), "no `{part}`: {}", done.transcript());
    }
    let judged = run_in("--edition rfc9309 --edition google-2026");
    assert!(!judged.words().contains(note), "{}", judged.transcript());
}

#[test]
fn only_a_whole_is_a_hundred_per_cent() {
    let rows = (0..2000).map(|row| format!("      - {{id: r-{row}, url: /{row}, expect: allow}}\n"));
    let suite = |allowed: usize, disallowed: usize| {
        let fails = "      - {id: fails, url: /fish, expect: disallow}\n".repeat(disallowed);
        let rows: String = rows.clone().take(allowed).collect();
        let start = "suite: own\ncases:\n  - id: one\n    robots: |\n      user-agent: *\n      disallow: /fish\n    rows:\n";
        folder(&[("own.yaml", &format!("{start}{rows}{fails}"))])
    };
    for (allowed, disallowed, share) in [(2000, 1, "99.9 %"), (2, 1, "66.6 %"), (3, 0, "100 %")] {
        let run = "run --suite own.yaml --adapter 'misbehaving_adapter always-allows' --no-variants --edition rfc9309";
        let done = run_in(suite(allowed, disallowed).path(), run);
        let shown = format!("{allowed} pass ({share} of those judged)");
        assert!(done.stdout.contains(&shown), "{shown}: {}", done.transcript());
    }
}
