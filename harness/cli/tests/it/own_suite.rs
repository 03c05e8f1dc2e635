//! Suites of one's own: expectations about a robots.txt, without clauses, next to a file that a case names.

use std::fs::{self, File};
use std::os::unix::fs::symlink;

use crate::support::{Done, assert_output, folder, json_lines, read, run_in, write};
use tempfile::TempDir;

const ROBOTS: &str = "\
user-agent: Googlebot
disallow: /fish
allow: /fish/salmon

user-agent: *
allow: /page
disallow: /*.htm
disallow: /private/
";

const SUITE: &str = "\
suite: shop
cases:
  - id: public
    robots-file: robots.txt
    rows:
      - {id: salmon, agent: Googlebot, url: /fish/salmon, expect: allow}
      - {id: others, agent: ExampleBot, url: https://example.com/private/a, expect: disallow}
";

/// A row that fails, because Googlebot has a group of its own.
const WRONG_ROW: &str = "      - {id: private, agent: Googlebot, url: /private/a, expect: disallow}\n";

/// A folder with the robots.txt, the suite, and the suite with a row that fails.
fn site() -> TempDir {
    let wrong = format!("{SUITE}{WRONG_ROW}");
    folder(&[("robots.txt", ROBOTS), ("holds.yaml", SUITE), ("breaks.yaml", &wrong)])
}

/// Runs `cases lint` on a text as a suite of the site.
fn lint(site: &TempDir, text: &str) -> Done {
    write(site, "new.yaml", text);
    run_in(site.path(), "cases lint new.yaml")
}

#[test]
fn a_row_that_fails_is_shown_under_its_case_with_the_line_that_decides() {
    let site = site();
    let editions = "--edition rfc9309 --edition google-2026";
    let done = run_in(site.path(), &format!("run reference --suite holds.yaml {editions}"));
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    let done = run_in(site.path(), &format!("run reference --suite breaks.yaml {editions}"));
    assert_eq!(done.code, Some(1));
    assert_output!(done.transcript());
}

#[test]
fn an_expectation_that_the_reference_contradicts_is_listed_as_one_of_the_file() {
    let site = site();
    let done = run_in(site.path(), "cases lint breaks.yaml");
    let difference = "the file expects disallow; the reference answers allow";
    let listed = format!("shop/public#private: {difference} (");
    assert_eq!((done.code, done.stdout.starts_with(&listed)), (Some(0), true), "{}", done.transcript());
    assert!(done.words().contains("but the reference answers 1 row otherwise"), "{}", done.transcript());
    for format in ["human", "markdown", "junit", "maintainers"] {
        let line = format!("run reference --suite breaks.yaml --edition rfc9309 --format {format}");
        let text = run_in(site.path(), &line).stdout.replace('`', "");
        let said = "rfc9309: the file expects disallow, got allow; the reference answers allow";
        assert!(text.contains(said), "{format}: {text}");
    }
    let text =
        run_in(site.path(), "run reference --suite breaks.yaml --edition rfc9309 --format github").stdout;
    let said = "the file expects disallow, got allow; the reference answers allow";
    assert!(text.contains(said), "{text}");
}

#[test]
fn a_report_of_recorded_runs_knows_who_wrote_an_own_row() {
    let site = site();
    let run = "run reference --suite breaks.yaml --edition rfc9309 --report jsonl=own.jsonl";
    assert_eq!(run_in(site.path(), run).code, Some(1));
    let rows = |options: &str| {
        let done = run_in(site.path(), &format!("report own.jsonl --report markdown=report.md {options}"));
        assert_eq!(done.code, Some(0), "{}", done.transcript());
        read(&site, "report.md").contains("the file expects")
    };
    assert_eq!(["", "--suite breaks.yaml"].map(rows), [false, true]);
}

#[test]
fn every_report_has_the_rows_under_their_case() {
    let site = site();
    let report = |format: &str| {
        let line = format!("run reference --suite breaks.yaml --edition rfc9309 --format {format}");
        let done = run_in(site.path(), &line);
        assert_eq!(done.code, Some(1), "{}", done.transcript());
        done
    };
    let reports = ["junit", "tap", "markdown", "github", "maintainers", "badge"];
    let reports = reports.map(|format| report(format).transcript());
    assert_output!(reports.join("\n"));
    let events = json_lines(&report("jsonl").stdout);
    let finished = events.iter().filter(|event| event["event"] == "check-finished");
    let clauses: Vec<&str> = finished.filter_map(|event| event["clause"].as_str()).collect();
    assert_eq!(clauses, ["shop/public"; 3]);
}

#[test]
fn an_answer_that_the_edition_does_not_specify_is_not_the_expected_one() {
    let site = site();
    for answer in ["allow", "disallow"] {
        let row = format!("      - {{id: open, agent: ExampleBot, url: /page.htm, expect: {answer}}}\n");
        write(&site, "open.yaml", format!("{SUITE}{row}"));
        let done = run_in(site.path(), "run reference --suite open.yaml --edition google-2019");
        assert_eq!(done.code, Some(1), "{}", done.transcript());
        let said = format!("the file expects {answer}, got unspecified");
        assert!(done.words().contains(&said), "{}", done.transcript());
        let done = run_in(site.path(), "run reference --suite open.yaml --edition google-2026");
        assert_eq!(done.code, Some(i32::from(answer == "allow")), "{}", done.transcript());
    }
}

#[test]
fn an_implementation_must_answer_as_expected_too() {
    let site = site();
    for (implementation, code) in [("robotxt", 0), ("--exec 'true {url}'", 1), ("--adapter nowhere", 3)] {
        let line = format!("run reference {implementation} --suite holds.yaml --edition rfc9309");
        let done = run_in(site.path(), &line);
        assert_eq!(done.code, Some(code), "{}", done.transcript());
    }
}

/// Where the reference does not answer as the author expects, that is not a mistake of the reference.
#[test]
fn no_cause_is_named_where_every_row_fails() {
    let site = site();
    // As if the reference inverted its verdicts.
    let case = |number: usize| {
        format!(
            "  - id: c-{number}\n    robots-file: robots.txt\n    rows:\n      - {{id: a, url: /private/{number}, expect: \
             allow}}\n      - {{id: b, url: /open/{number}, expect: disallow}}\n"
        )
    };
    let text = "suite: shop\ncases:\n".to_owned() + &(0..60).map(case).collect::<String>();
    write(&site, "all.yaml", text);
    let done = run_in(site.path(), "run reference --suite all.yaml --edition rfc9309 --format jsonl");
    assert_eq!(done.code, Some(1));
    let events = json_lines(&done.stdout);
    assert!(!events.iter().any(|event| event["event"] == "likely-cause"), "{}", done.stdout);
}

#[test]
fn only_rows_that_cite_clauses_have_variants() {
    let site = site();
    let done = lint(&site, SUITE);
    assert_eq!(done.stdout, "1 suite, 1 case, 2 rows, 0 variants: no error\n", "{}", done.transcript());
    let cited = SUITE.replace("    robots-file", "    clauses: [M-prefix]\n    robots-file");
    let done = lint(&site, &cited);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    assert!(!done.stdout.contains(" 0 variants"), "{}", done.stdout);
}

#[test]
fn a_file_is_found_next_to_the_suite_or_below() {
    let site = site();
    let below = site.path().join("below/deeper");
    fs::create_dir_all(&below).expect("a folder");
    write(&site, "below/suite.yaml", SUITE.replace("robots.txt", "deeper/robots.txt"));
    symlink("real.txt", below.join("robots.txt")).expect("a link");
    fs::write(below.join("real.txt"), ROBOTS).expect("a file");
    let line = "run reference --suite below/suite.yaml --edition rfc9309";
    let done = run_in(site.path(), line);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    fs::write(below.join("real.txt"), "").expect("a file");
    let done = run_in(site.path(), line);
    assert_eq!(done.code, Some(1), "{}", done.transcript());
}

#[test]
fn a_file_that_cannot_be_read_or_is_outside_the_folder_is_refused_where_it_is_named() {
    let site = site();
    let outside = folder(&[("robots.txt", ROBOTS)]);
    symlink(outside.path().join("robots.txt"), site.path().join("link.txt")).expect("a link");
    symlink(outside.path(), site.path().join("link")).expect("a link");
    fs::create_dir(site.path().join("folder")).expect("a folder");
    let large = File::create(site.path().join("large.txt")).expect("a file");
    large.set_len((16 << 20) + 1).expect("a large file");
    let absolute = outside.path().join("robots.txt").display().to_string();
    for (path, message) in [
        ("../robots.txt", "`../robots.txt` is not in the folder of the suite; name a file in it"),
        ("folder/../robots.txt", "`folder/../robots.txt` is not in the folder of the suite"),
        (&absolute, &*format!("`{absolute}` is not in the folder of the suite")),
        ("link.txt", "`link.txt` is a link that leads out of the folder of the suite; copy the file"),
        ("link/robots.txt", "`link/robots.txt` is a link that leads out of the folder"),
        (
            "nowhere.txt",
            "cannot read `nowhere.txt`: No such file or directory (os error 2); the path is relative",
        ),
        ("folder", "`folder` is not a file; name a robots.txt"),
        ("large.txt", "cannot read `large.txt`: it has more than 16777216 bytes, and no larger file is read"),
        ("''", "the path is empty; name a file, such as `robots.txt`"),
    ] {
        lint(&site, &SUITE.replace("robots.txt", path))
            .assert_refused(&format!("error: new.yaml:4:5: {message}"));
    }
    let both = SUITE.replace("    rows", "    robots: ''\n    rows");
    let done = lint(&site, &both);
    let start = "error: new.yaml:4:5: the case has `robots`, too; remove one of the two";
    assert!(done.stderr.starts_with(start), "{}", done.stderr);
    let scope = SUITE.replace("    rows", "    robots-url: http://example.com/robots.txt\n    rows");
    let done = lint(&site, &scope);
    let start =
        "error: new.yaml:3:5: a case has one kind of content: `robots` (or `robots-file`) with `rows`,";
    assert!(done.stderr.starts_with(start), "{}", done.stderr);
}

#[test]
fn a_report_does_not_overwrite_a_file_that_a_case_names() {
    let site = site();
    for line in [
        "run reference --suite holds.yaml --report junit=./robots.txt",
        "known update --adapter adapter --known-failures ./robots.txt --suite holds.yaml",
    ] {
        let done = run_in(site.path(), line);
        let start = "error: ./robots.txt cannot be an output: this command would also read it as robots.txt;";
        assert!(done.stderr.starts_with(start), "{line}: {}", done.stderr);
        assert_eq!(done.code, Some(2));
    }
    assert_eq!(read(&site, "robots.txt"), ROBOTS);
}
