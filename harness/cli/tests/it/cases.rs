//! `robotspec cases`.

use std::collections::BTreeSet;

use robotspec::Clause;
use robotspec_cases::suite::built_in;
use robotspec_cases::{checks, minimal_rows};

use crate::support::{folder, json_lines, run, run_in, write};

#[test]
fn cases_list_prints_every_row_once() {
    let rows = checks(built_in().expect("the built-in cases load"), false);
    let listed = run("cases list").stdout;
    let first_lines = listed.lines().filter(|line| !line.starts_with(' '));
    let listed: Vec<&str> = first_lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, rows.iter().map(|row| row.id.to_string()).collect::<Vec<_>>());
    assert_eq!(json_lines(&run("cases list --format jsonl").stdout).len(), rows.len());
}

#[test]
fn cases_show_prints_all_rows_of_a_case() {
    let done = run("cases show path-values/fish-allowed");
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    let shown: Vec<&str> =
        done.stdout.lines().filter(|line| line.starts_with("path-values/fish-allowed#")).collect();
    let rows = checks(built_in().expect("the built-in cases load"), false);
    let rows: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
    let rows: Vec<String> =
        rows.into_iter().filter(|id| id.starts_with("path-values/fish-allowed#")).collect();
    assert!(rows.len() > 5, "{rows:?}");
    assert_eq!(shown, rows);
    run("cases show path-values/no-such").assert_refused("unknown row or case `path-values/no-such`");
    let misspelt = run("cases show path-value/fish#exat");
    assert!(misspelt.stderr.contains("did you mean `path-values/fish#exact`?"), "{}", misspelt.transcript());
}

#[test]
fn at_most_twenty_lines_of_a_file_are_shown() {
    for (id, omission) in [
        ("size/many-groups-of-one-crawler#last", "of them marked"),
        ("size/many-rules#last-allow", "more lines"),
    ] {
        for command in [
            format!("cases show '{id}'"),
            format!("run --edition rfc9309 --filter 'id:{id}' --adapter 'misbehaving_adapter always-exits'"),
        ] {
            let done = run(&command);
            let shown = done.stdout.lines().filter(|line| line.contains(" | ")).count();
            assert_eq!(shown, 20, "{}", done.transcript());
            let left_out: Vec<&str> = done.stdout.lines().filter(|line| line.contains("… ")).collect();
            assert!(left_out[0].contains(omission), "{left_out:?}");
            assert!(done.stdout.lines().count() < 60, "{}", done.transcript());
        }
    }
}

#[test]
fn a_failure_of_a_row_about_two_files_shows_both_files() {
    let done = run(
        "run --edition rfc9309 --filter 'id:alike/comment#root' --adapter 'misbehaving_adapter always-exits'",
    );
    let lines: Vec<&str> = done.stdout.lines().map(str::trim).collect();
    let place = |wanted: &str| lines.iter().position(|line| *line == wanted).expect(wanted);
    assert!(place("the file") < place("its twin, which means the same"));
    assert!(done.stdout.contains("user-agent: foo bar # or for both"), "{}", done.transcript());
}

#[test]
fn the_failing_variants_of_a_failing_row_are_listed_in_one_line() {
    let one =
        "--edition rfc9309 --adapter 'misbehaving_adapter always-allows' --filter id:path-values/fish#exact";
    for format in ["", "--report markdown=-"] {
        let done = run(&format!("run {one} {format}"));
        let count = done.stdout.matches("and in 9 variants: crlf, cr, no-final-newline, ").count();
        assert_eq!(count, 1, "{}", done.transcript());
        assert!(!done.stdout.contains("#exact~"), "{}", done.transcript());
    }
    // A variant that fails alone has its own entry, without a list of variants.
    let done = run(&format!("run {one}~cr"));
    assert!(done.stdout.contains("path-values/fish#exact~cr\n"), "{}", done.transcript());
    assert!(!done.stdout.contains("variants: "), "{}", done.transcript());
}

#[test]
fn every_row_can_be_shown() {
    for check in checks(built_in().expect("the built-in cases load"), false).iter().step_by(197) {
        let done = run(&format!("cases show '{}'", check.id));
        assert_eq!(done.code, Some(0), "{}", done.transcript());
        assert!(done.stdout.starts_with(&check.id.to_string()), "{}", done.transcript());
    }
}

#[test]
fn cases_lint_finds_no_error_in_the_built_in_cases() {
    let done = run("cases lint");
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    assert!(done.stdout.contains(" suites in this program, "), "{}", done.stdout);
    assert!(done.stdout.ends_with(" variants: no error\n"), "{}", done.stdout);
}

#[test]
fn cases_lint_reads_the_files_of_a_copy_of_the_sources() {
    let suite = "suite: a\ntitle: A\nsource: RFC 9309\ncases:\n  - id: b\n    clauses: [M-prefix]\n    \
                 robots: \"user-agent: *\\ndisallow: /a\\n\"\n    rows: [{id: c, url: /a, expect: disallow}]\n";
    let folder = folder(&[("cases/clauses.yaml", ""), ("cases/suites/a.yaml", suite)]);
    let lint = || run_in(folder.path(), "cases lint");
    let stdout = lint().stdout;
    assert!(stdout.starts_with("1 suite in cases/suites, 1 case, 1 row, "), "{stdout}");
    write(&folder, "cases/suites/a.yaml", suite.replace("M-prefix", "M-prefixes"));
    lint().assert_refused("cases/suites/a.yaml:6:15: unknown clause `M-prefixes`; see cases/clauses.yaml");
}

#[test]
fn cases_coverage_has_a_line_for_every_clause() {
    let done = run("cases coverage");
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    for clause in Clause::all() {
        let is_its_line = |line: &str| line.split_whitespace().next() == Some(&clause.id);
        assert!(done.stdout.lines().any(is_its_line), "{}", clause.id);
    }
    let lines = json_lines(&run("cases coverage --format jsonl").stdout);
    let ids: Vec<&str> = lines.iter().filter_map(|line| line["clause"].as_str()).collect();
    assert_eq!(ids, Clause::all().iter().map(|clause| clause.id.as_str()).collect::<Vec<_>>());
    insta::assert_snapshot!(
        lines.iter().find(|line| line["clause"] == "N-privacy").expect("a clause that no case can test")
    );
}

#[test]
fn the_minimal_set_is_listed_and_runs() {
    let listed = json_lines(&run("cases list --filter minimal --format jsonl").stdout);
    let ids: BTreeSet<&str> = listed.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(ids, *minimal_rows());
    let done = run("run robotxt --edition rfc9309 --filter minimal");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stdout.contains("known"), "{}", done.stdout);
}
