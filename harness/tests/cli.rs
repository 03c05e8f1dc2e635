//! The command line, through its front door: every form of output, every
//! message, every exit code. Snapshots hold what a person sees.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use robotspec::Clause;
use robotspec::suite::{built_in, checks};
use robotspec_reference::Edition;
use robotspec_reference::question::TABLE;
use serde_json::Value;
use support::{Done, Robotspec, assert_told, commands, robotspec};
use tempfile::TempDir;

/// What a command line told, its words parted by spaces as in a shell.
fn run(line: &str) -> Done {
    command(line).run()
}

fn command(line: &str) -> Robotspec {
    let words = shell_words::split(line).expect("every quotation mark is closed");
    robotspec(words.iter().map(String::as_str))
}

/// What several command lines told, one after the other.
fn told<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    lines.into_iter().map(|line| run(line).told()).collect::<Vec<_>>().join("\n")
}

/// A folder with files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, octets) in files {
        fs::write(folder.path().join(name), octets).expect("the folder takes files");
    }
    folder
}

/// Each line as a value.
fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect()
}

// ---- check ----

/// What `check` told of a robots.txt, with its answer explained.
fn explained(options: &str, robots: impl Into<Vec<u8>>) -> String {
    command(&format!("check --explain {options} -")).input(robots).run().told()
}

const FISH: &str = "\
# a small shop
user-agent: FooBot
disallow: /fish
allow: /fish/salmon
allow: /page
disallow: /*.htm

user-agent: *
user-agent: BarBot
disallow: /

user-agent: FooBot
disallow: /*.gif$
";

#[test]
fn check_answers_in_a_word_and_by_its_exit_code() {
    let check = |url: &str| command(&format!("check --agent FooBot --url {url} -")).input(FISH).run();
    for (url, answer, code) in [("/", "allow\n", 0), ("https://example.com/fish.html?a#b", "disallow\n", 1)] {
        let done = check(url);
        assert_eq!((&*done.stdout, done.code, &*done.stderr), (answer, Some(code), ""));
    }
    let done = command("check --edition google-pre-2019 --agent FooBot --url /page.htm -").input(FISH).run();
    assert_eq!((&*done.stdout, done.code, &*done.stderr), ("unspecified\n", Some(4), ""));
}

#[test]
fn check_reads_a_file_or_standard_input() {
    let folder = folder(&[("robots.txt", FISH.as_bytes())]);
    let of_file = command("check --agent FooBot --url /fish robots.txt").within(folder.path()).run();
    assert_eq!((&*of_file.stdout, of_file.code), ("disallow\n", Some(1)));
    let of_input = command("check --agent FooBot --url /fish -").input(FISH).run();
    assert_eq!((of_input.stdout, of_input.code), (of_file.stdout, of_file.code));
}

#[test]
fn check_reads_whatever_octets_there_are() {
    let done = command("check --agent FooBot --url /caf%E9 --explain -")
        .input(*b"\xEF\xBB\xBFuser-agent: *\r\0\xFF\rdisallow: /caf\xE9")
        .run();
    assert_told!(done.told());
}

#[test]
fn check_explains_a_rule_that_matches_alone() {
    assert_told!(explained("--agent FooBot --url /fish", FISH));
}

#[test]
fn check_explains_the_longest_of_two_rules() {
    assert_told!(explained("--agent FooBot --url https://example.com/fish/salmon.html", FISH));
}

#[test]
fn check_explains_two_rules_of_equal_length() {
    let robots = "user-agent: *\ndisallow: /page\nallow: /page\n";
    assert_told!(explained("--agent FooBot --url /page", robots));
}

#[test]
fn check_explains_a_wildcard_against_a_longer_rule() {
    assert_told!(explained("--edition google-2019 --agent FooBot --url /page.htm", FISH));
}

#[test]
fn check_explains_that_no_rule_matches() {
    assert_told!(explained("--agent FooBot --url /none", FISH));
}

#[test]
fn check_explains_that_there_is_no_rule() {
    assert_told!(explained("--agent FooBot --url /", "user-agent: FooBot\ndisallow:\n"));
}

#[test]
fn check_explains_that_no_group_is_for_the_agent() {
    assert_told!(explained("--agent FooBot --url /", "user-agent: BarBot\ndisallow: /\n"));
}

#[test]
fn check_explains_that_the_star_group_applies() {
    assert_told!(explained("--agent Other --url /x", FISH));
}

#[test]
fn check_explains_that_several_lines_name_the_agent() {
    assert_told!(explained("--agent foobot --url /a.gif", FISH));
}

#[test]
fn check_explains_that_the_robots_txt_itself_is_allowed() {
    assert_told!(explained("--agent Other --url /robots.txt", FISH));
}

#[test]
fn check_explains_each_question_that_turns_the_verdict_alone() {
    let robots = "user-agent: *\nallow: /page\ndisallow: /*.htm\nalow: /page.htm\n";
    assert_told!(explained("--edition google-pre-2019 --agent FooBot --url /page.htm", robots));
}

#[test]
fn check_explains_a_question_that_matters_only_when_another_is_answered_first() {
    let robots = "user-agent: *\ndisallow fish\n";
    assert_told!(explained("--agent FooBot --url /fish", robots));
}

#[test]
fn check_tells_programs_the_answer_and_its_reasons() {
    let mut all = Vec::new();
    for options in [
        "--agent FooBot --url /none",
        "--agent FooBot --url /none --explain",
        "--agent FooBot --url /fish/salmon --explain",
        "--agent Other --url /robots.txt --explain",
        "--edition google-2019 --agent FooBot --url /page.htm --explain",
    ] {
        let done = command(&format!("check --format json {options} -")).input(FISH).run();
        assert_eq!(json_lines(&done.stdout).len(), 1);
        all.push(done.told());
    }
    let nested = command("check --format json --explain --agent FooBot --url /fish -")
        .input("user-agent: *\ndisallow fish\n")
        .run();
    all.push(nested.told());
    assert_told!(all.join("\n"));
}

// ---- scope ----

#[test]
fn scope_answers_in_a_word_and_by_its_exit_code() {
    assert_told!(told([
        "scope http://example.com/robots.txt http://example.com:80/page",
        "scope http://example.com/robots.txt https://example.com/page",
        "scope http://example.com/robots.txt http://example.com./page",
        "scope --edition google-2026 http://example.com/folder/robots.txt http://example.com/folder/",
        "scope --format json http://example.com/robots.txt http://example.com/",
        "scope --format json http://example.com/robots.txt?v=2 http://example.com/",
    ]));
}

// ---- sitemaps ----

#[test]
fn sitemaps_are_told_in_order_and_what_is_uncertain_is_marked() {
    let robots = "sitemap: https://example.com/b.xml\nuser-agent: *\nSITEMAP: https://example.com/a.xml # new\n\
                  disallow:\nsitemap: /relative.xml\nsitemap: https://example.com/b.xml\nsite-map: http://example.com/c.xml\n";
    let of = |options: &str| command(&format!("sitemaps {options} -")).input(robots).run().told();
    assert_told!([of(""), of("--edition google-2026"), of("--format json")].join("\n"));
}

#[test]
fn a_file_without_sitemaps_is_no_failure() {
    let done = command("sitemaps -").input(FISH).run();
    assert_eq!((&*done.stdout, &*done.stderr, done.code), ("", "", Some(0)));
}

// ---- lint ----

/// A file with a line for each thing that a grammar can say.
const ODD_LINES: &[u8] = b"\xEF\xBB\xBF# a byte order mark
disallow: /before-any-group

User-Agent : FooBot # a comment
user-agent: Foo Bot
user-agent: *
user-agent: foobot/2.1
allow: /page$
disallow:
disallow: fish
disallow: //
allow: /caf\xC3\xA9\r\nallow: /caf\xE9
disallow: /a b
disallow: /a\tb # tab
disallow: /bell\x07
disallow /fish
Sitemap: https://example.com/sitemap.xml
Sitemap: sitemap.xml
crawl-delay: 10
# a comment with a bell \x07
no field
disallow: /without-an-end";

#[test]
fn lint_tells_what_the_grammar_of_each_edition_makes_of_each_line() {
    for edition in ["google-pre-2019", "google-2021", "rfc9309"] {
        let done = command(&format!("lint --edition {edition} -")).input(ODD_LINES).run();
        assert_told!(format!("lint_{edition}"), done.told());
    }
}

#[test]
fn lint_tells_programs_a_line_for_each_line() {
    let done = command("lint --format json -").input(ODD_LINES).run();
    assert_eq!(json_lines(&done.stdout).len(), 23);
    assert_told!(done.told());
}

#[test]
fn lint_exits_with_0_where_every_line_is_derived_or_left_open() {
    for (robots, code) in [
        ("user-agent: *\ndisallow: /\n", 0),
        ("user-agent: *\ncrawl-delay: 3\n", 0),
        ("", 0),
        ("user-agent: *\ndisallow: fish\n", 1),
    ] {
        assert_eq!(command("lint -").input(robots).run().code, Some(code), "{robots:?}");
    }
}

// ---- run ----

#[test]
fn run_tells_how_the_reference_does_on_one_table() {
    assert_told!(run("run reference --filter 'id:path-values/fish#*'").told());
}

#[test]
fn run_tells_programs_every_event() {
    let done = run("run reference --filter 'id:path-values/fish#exact*' --edition rfc9309 --format json");
    let events = json_lines(&done.stdout);
    assert_eq!(events[0]["event"], "run-started");
    assert_eq!(events[events.len() - 1]["event"], "run-finished");
    assert_told!(done.told());
}

#[test]
fn run_tells_what_a_third_party_is_known_to_get_wrong() {
    let done = run("run robots_txt --no-variants --filter 'id:path-values/fish-star#*'");
    assert_eq!(done.code, Some(0));
    assert_told!(done.told());
}

/// Options for one small table in one edition.
const ONE_TABLE: &str = "--no-variants --edition rfc9309 --filter id:path-values/fish#*";

const KNOWN: &str = "\
known-failures:
  - reason: It lets everybody in.
    rows:
      - path-values/fish#exact
      - path-values/fish#suffix
";

#[test]
fn run_tells_known_failures_from_new_ones() {
    let folder = folder(&[("known.yaml", KNOWN.as_bytes())]);
    let adapter = "--adapter 'misbehaving_adapter always-allows'";
    let line = format!("run {ONE_TABLE} {adapter} --known-failures known.yaml");
    assert_told!(command(&line).within(folder.path()).run().told());
}

#[test]
fn run_exits_with_0_where_all_failures_are_known() {
    let folder = folder(&[("known.yaml", KNOWN.as_bytes())]);
    let line = "run --no-variants --edition rfc9309 --filter id:path-values/fish#exact \
                --adapter 'misbehaving_adapter always-allows' --known-failures known.yaml";
    let done = command(line).within(folder.path()).run();
    assert_eq!(done.code, Some(0));
    assert_told!(done.told());
}

#[test]
fn run_tells_a_list_of_known_failures_that_is_out_of_date() {
    let known = "known-failures: [{reason: Once., rows: [path-values/fish#exact, no/such#row]}]";
    let folder = folder(&[("known.yaml", known.as_bytes())]);
    let done = command("run --adapter adapter --known-failures known.yaml").within(folder.path()).run();
    assert_eq!(done.code, Some(1));
    let told: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("  known failures")).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn run_shows_every_new_failure_if_asked_to() {
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
fn run_asks_only_what_the_filters_leave() {
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
    assert_eq!(ids(two).len(), 2, "any may hold");
    let clauses = Clause::all().iter().filter(|clause| clause.id.starts_with("S-")).count();
    assert!(ids("--filter clause:S-* --no-variants").len() >= clauses);
    assert_eq!(ids("--filter kind:S --no-variants"), ids("--filter clause:S-* --no-variants"));
}

#[test]
fn run_leaves_out_what_is_google_specific_if_asked_to() {
    let count = |options: &str| {
        let done = run(&format!("run reference --no-variants --format json {options}"));
        json_lines(&done.stdout)[0]["checks"].as_u64().expect("a count")
    };
    let of_google =
        checks(&built_in().expect("the cases"), false).iter().filter(|check| check.google_specific).count();
    assert!(of_google > 0);
    assert_eq!(count("") - count("--no-google-specific"), of_google as u64);
}

#[test]
fn run_judges_the_same_however_many_work_at_a_time() {
    let filter = "--filter id:path-values/* --no-variants";
    let by = |jobs| run(&format!("run {filter} --jobs {jobs} --format json")).stdout;
    assert!(by(4) == by(1), "the stream does not depend on --jobs");
}

// ---- cases ----

#[test]
fn cases_list_tells_each_row_with_its_clauses_and_expectations() {
    assert_told!(told([
        "cases list --filter 'id:path-values/fish#*'",
        "cases list --filter id:path-values/fish#exact --format json",
        "cases list --filter id:no/such#row",
    ]));
}

#[test]
fn cases_list_tells_every_row_once() {
    let rows = checks(&built_in().expect("the cases"), false);
    let listed = run("cases list").stdout;
    let listed: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>());
    assert_eq!(json_lines(&run("cases list --format json").stdout).len(), rows.len());
}

#[test]
fn cases_show_tells_a_row_of_each_kind_and_a_variant() {
    assert_told!(told([
        "cases show path-values/fish#exact",
        "cases show path-values/fish#exact~unrelated-group",
        "cases show scope/general#root",
        "cases show sitemaps/usage",
        "cases show grammar/robotstxt#one-group",
        "cases show alike/comment#root",
    ]));
}

#[test]
fn cases_show_tells_all_rows_of_a_case() {
    let done = run("cases show path-values/fish-allowed");
    assert_eq!(done.code, Some(0), "{}", done.told());
    let shown: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("path-values/")).collect();
    let rows = checks(&built_in().expect("the cases"), false);
    let rows: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let rows: Vec<&str> = rows.into_iter().filter(|id| id.starts_with("path-values/fish-allowed#")).collect();
    assert!(rows.len() > 5, "{rows:?}");
    assert_eq!(shown, rows);
    let done = run("cases show path-values/no-such");
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("there is no row and no case `path-values/no-such`"), "{}", done.told());
}

#[test]
fn of_a_file_no_more_than_twenty_lines_are_shown_however_many_decide() {
    for (id, rest) in [
        ("size/many-groups-of-one-crawler#last", "of them marked"),
        ("size/many-rules#last-allow", "more lines"),
    ] {
        for command in [
            format!("cases show '{id}'"),
            format!("run --edition rfc9309 --filter 'id:{id}' --adapter 'misbehaving_adapter always-exits'"),
        ] {
            let done = run(&command);
            let shown = done.stdout.lines().filter(|line| line.contains(" | ")).count();
            assert_eq!(shown, 20, "{}", done.told());
            let left_out: Vec<&str> = done.stdout.lines().filter(|line| line.contains("… ")).collect();
            assert!(left_out[0].contains(rest), "{left_out:?}");
            assert!(done.stdout.lines().count() < 60, "{}", done.told());
        }
    }
}

#[test]
fn a_row_about_two_files_is_told_with_both() {
    let done = run(
        "run --edition rfc9309 --filter 'id:alike/comment#root' --adapter 'misbehaving_adapter always-exits'",
    );
    let lines: Vec<&str> = done.stdout.lines().map(str::trim).collect();
    let place = |wanted: &str| lines.iter().position(|line| *line == wanted).expect(wanted);
    assert!(place("the file") < place("its twin"));
    assert!(done.stdout.contains("user-agent: foo bar # or for both"), "{}", done.told());
}

#[test]
fn the_variants_of_a_row_that_fail_as_well_are_told_in_a_line() {
    let one =
        "--edition rfc9309 --adapter 'misbehaving_adapter always-allows' --filter id:path-values/fish#exact";
    for format in ["", "--report markdown=-"] {
        let done = run(&format!("run {one} {format}"));
        let told = done.stdout.matches("and in 9 variants: crlf, cr, no-final-newline, ").count();
        assert_eq!(told, 1, "{}", done.told());
        assert!(!done.stdout.contains("#exact~"), "{}", done.told());
    }
    // There is nothing else to tell of a variant that fails alone.
    let done = run(&format!("run {one}~cr"));
    assert!(done.stdout.contains("path-values/fish#exact~cr\n"), "{}", done.told());
    assert!(!done.stdout.contains("variants: "), "{}", done.told());
}

#[test]
fn every_row_can_be_shown() {
    for check in checks(&built_in().expect("the cases"), false).iter().step_by(97) {
        let done = run(&format!("cases show '{}'", check.id));
        assert_eq!(done.code, Some(0), "{}", done.told());
        assert!(done.stdout.starts_with(&check.id), "{}", done.told());
    }
}

#[test]
fn cases_lint_finds_no_error_in_the_cases_inside() {
    let done = run("cases lint");
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    insta::with_settings!({ filters => vec![(r"\d+", "N")] }, { insta::assert_snapshot!(done.stdout) });
}

#[test]
fn cases_schema_is_the_json_schema_of_a_file_of_cases() {
    let done = run("cases schema");
    let schema: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(schema["required"], serde_json::json!(["suite", "title", "source", "cases"]));
    assert_told!(done.told());
}

#[test]
fn cases_coverage_has_a_line_for_every_clause() {
    let done = run("cases coverage");
    assert_eq!(done.code, Some(0), "{}", done.told());
    for clause in Clause::all() {
        let is_its_line = |line: &str| line.split_whitespace().next() == Some(&clause.id);
        assert!(done.stdout.lines().any(is_its_line), "{}", clause.id);
    }
    let lines = json_lines(&run("cases coverage --format json").stdout);
    let ids: Vec<&str> = lines.iter().filter_map(|line| line["clause"].as_str()).collect();
    assert_eq!(ids, Clause::all().iter().map(|clause| clause.id.as_str()).collect::<Vec<_>>());
    insta::assert_snapshot!(
        lines.iter().find(|line| line["clause"] == "N-privacy").expect("a clause that no case can test")
    );
}

// ---- editions ----

#[test]
fn editions_tells_every_question_with_the_answers_of_each_edition() {
    assert_told!(run("editions").told());
}

#[test]
fn editions_tells_programs_an_object_for_each_question() {
    let done = run("editions --format json");
    let questions = json_lines(&done.stdout);
    assert_eq!(questions.len(), TABLE.len());
    for (question, row) in questions.iter().zip(TABLE) {
        assert_eq!(question["question"], row.question.id());
        for edition in Edition::ALL {
            let answers: Vec<&str> = row.answers(edition).iter().map(|answer| answer.id()).collect();
            assert_eq!(question["answers"][edition.id()], serde_json::json!(answers));
        }
    }
    insta::assert_snapshot!(done.stdout.lines().next().unwrap_or_default());
}

#[test]
fn editions_diff_tells_where_two_editions_part_with_a_row_that_shows_it() {
    assert_told!(run("editions diff google-2021 rfc9309").told());
    assert_told!("editions_diff_for_programs", run("editions diff google-2021 rfc9309 --format json").told());
}

#[test]
fn an_edition_does_not_differ_from_itself() {
    let done = run("editions diff rfc9309 rfc9309");
    assert_eq!((&*done.stdout, done.code), ("", Some(0)));
}

// ---- Help ----

#[test]
fn every_command_has_a_help() {
    let commands = commands("");
    assert_eq!(commands.len(), 28, "{commands:?}");
    for command in commands {
        let done = run(&format!("{command} --help"));
        assert_eq!((done.code, &*done.stderr), (Some(0), ""));
        assert_told!(format!("help {command}").trim_end().replace(' ', "_"), done.told());
    }
}

#[test]
fn the_short_help_of_run_is_short() {
    assert_told!(run("run -h").told());
}

#[test]
fn the_version_is_told() {
    assert_told!(told(["--version", "run --version"]));
}

// ---- What is wrong with a command ----

/// What is told of commands that cannot be carried out: never with an answer
/// on standard output, always with exit code 2.
fn refused<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let folder = folder(&[("robots.txt", FISH.as_bytes()), ("latin-1.yaml", b"suite: caf\xE9\n")]);
    let refused = |line: &'a str| {
        let done = command(line).within(folder.path()).run();
        assert_eq!((&*done.stdout, done.code), ("", Some(2)), "{line}");
        done.told()
    };
    lines.into_iter().map(refused).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_command_that_is_none_is_refused() {
    assert_told!(refused(["", "frobnicate", "cases", "editions frobnicate", "run --frobnicate"]));
}

#[test]
fn a_wrong_run_is_refused_with_the_mend() {
    assert_told!(refused([
        "run nonesuch",
        "run --edition rfc",
        "run --format xml",
        "run --filter path",
        "run --filter colour:red",
        "run --filter id:[",
        "run --filter kind:Z",
        "run --filter id:no/such#row",
        "run --edition rfc9309 --filter clause:L-bom",
        "run --timeout soon",
        "run --timeout 0",
        "run --timeout=-1",
        "run --timeout inf",
        "run --jobs 0",
        "run --allow-exit 1",
        "run --exec 'tool {url}' --allow-exit one",
        "run --exec 'tool {url}' --allow-pattern yes",
        "run --exec 'tool {url}' --allow-pattern [ --disallow-pattern no",
        "run --exec 'tool {url}' --allow-pattern yes --disallow-pattern no --allow-exit 3",
    ]));
}

#[test]
fn a_question_to_the_reference_that_is_none_is_refused_with_the_mend() {
    assert_told!(refused([
        "check",
        "check --agent FooBot --url fish robots.txt",
        "check --agent FooBot --url 1://example.com/ robots.txt",
        "check --agent FooBot --url /fish nowhere.txt",
        "check --agent FooBot --url /fish .",
        "check --agent FooBot --url /fish --edition 2019 robots.txt",
        "scope /robots.txt http://example.com/",
        "scope http://example.com/robots.txt http://exa mple.com/",
        "scope http://example.com/robots.txt http:///",
        "scope http://example.com/robots.txt",
        "sitemaps nowhere.txt",
        "lint nowhere.txt",
        "lint",
        "editions diff rfc9309",
        "editions diff rfc9309 rfc9310",
        "cases show no/such#row",
        "cases lint nowhere.yaml",
        "cases lint latin-1.yaml",
    ]));
}

#[test]
fn a_list_of_known_failures_that_cannot_be_used_is_refused_with_the_mend() {
    assert_told!(refused([
        "run --known-failures known.yaml",
        "run reference --known-failures known.yaml",
        "run --adapter a --adapter b --known-failures known.yaml",
        "run --adapter a reference --known-failures known.yaml",
        "run --adapter a --known-failures nowhere.yaml",
    ]));
}

#[test]
fn a_list_of_known_failures_with_a_mistake_is_refused_with_its_place() {
    let lists = [
        "known-failures: [",
        "failures: []",
        "known-failures: [{rows: [a/b#c]}]",
        "known-failures: [{reason: '', rows: [a/b#c]}]",
        "known-failures: [{reason: Why., rows: [a/b#c, a/b#c]}]",
        "known-failures: [{reason: Why., editions: [rfc], rows: [a/b#c]}]",
        "known-failures: [{reason: Why.}]",
        "known-failures: [{reason: Why., variants: [upside-down]}]",
    ];
    let refused = |list: &str| {
        let folder = folder(&[("known.yaml", list.as_bytes())]);
        let line = "run --adapter adapter --known-failures known.yaml";
        let done = command(line).within(folder.path()).run();
        assert_eq!((&*done.stdout, done.code), ("", Some(2)), "{list}");
        format!("{list}\n{}", done.stderr)
    };
    assert_told!(lists.map(refused).join("\n"));
}

// ---- What is wrong with a file of cases ----

const GOOD_CASES: &str = "\
suite: probe
title: A table
source: A document
cases:
  - id: fish
    clauses: [M-prefix]
    robots: |
      user-agent: *
      disallow: /fish
    rows:
      - {id: exact, url: /fish, expect: disallow}
      - {id: other, url: /cat, expect: allow}
";

/// Mistakes: what to replace in the good file, and by what.
const MISTAKES: &[(&str, &str)] = &[
    // YAML
    ("[M-prefix]", "[M-prefix"),
    ("title: A table", "title: A table\n\ttab: yes"),
    ("title: A table", "title: A table\ntitle: Another table"),
    ("{id: exact, url: /fish, expect: disallow}", "{id: exact, url: /fish, expect: allow, expect: disallow}"),
    ("title: A table\n", ""),
    ("suite: probe", "suit: probe"),
    ("    clauses", "    about: [what]\n    clauses"),
    ("    clauses", "    edition: [rfc9309]\n    clauses"),
    ("{id: exact, url: /fish, expect: disallow}", "{id: exact, url: /fish, expected: disallow}"),
    ("{id: exact, url: /fish, expect: disallow}", "{id: exact, url: /fish}"),
    ("{id: exact, url: /fish, expect: disallow}", "exact"),
    ("expect: allow}", "expect: allow}\n---\nsuite: another"),
    ("suite: probe\ntitle: A table\nsource: A document\ncases:\n", ""),
    // Ids
    ("suite: probe", "suite: Probe"),
    ("id: fish", "id: fish and chips"),
    ("id: exact", "id: ''"),
    ("id: other", "id: exact"),
    (
        "  - id: fish",
        "  - {id: fish, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes}]}\n  - id: fish",
    ),
    // Clauses
    ("[M-prefix]", "[]"),
    ("[M-prefix]", "[M-prefix, M-postfix]"),
    ("[M-prefix]", "[M-prefix, N-privacy]"),
    ("[M-prefix]", "[M-prefix, M-star, M-prefix]"),
    ("[M-prefix]", "[M-percent, L-bom]"),
    // Editions
    ("    robots:", "    editions: [rfc9309, rfc9310]\n    robots:"),
    ("    robots:", "    editions: [rfc9309, rfc9309]\n    robots:"),
    ("[M-prefix]\n", "[L-bom]\n    editions: [google-2021, rfc9309]\n"),
    // Contents
    ("    robots: |\n      user-agent: *\n      disallow: /fish\n", ""),
    ("    rows:", "    sitemaps: []\n    rows:"),
    (
        "      - {id: exact, url: /fish, expect: disallow}\n      - {id: other, url: /cat, expect: allow}",
        "      []",
    ),
    ("    robots:", "    variants: some\n    robots:"),
    ("url: /fish", r"url: {escaped: '/\xe9'}"),
    // Expectations
    ("expect: disallow", "expect: deny"),
    ("expect: disallow", "expect: {rfc9309: disallow}"),
    ("expect: disallow", "expect: {rfc9310: disallow, otherwise: allow}"),
    (
        "expect: disallow",
        "expect: {google-pre-2019: allow, google-2019: allow, google-2021: allow, rfc9309: allow, google-2026: allow, otherwise: allow}",
    ),
    (
        "[M-prefix]\n    robots: |\n      user-agent: *\n      disallow: /fish\n    rows:\n      - {id: exact, url: /fish, expect: disallow}",
        "[L-bom]\n    robots: ''\n    rows:\n      - {id: exact, url: /fish, expect: {rfc9309: allow, otherwise: allow}}",
    ),
    // Questions
    ("expect: disallow", "expect: unspecified"),
    ("expect: disallow", "expect: unspecified, question: Misspelling"),
    ("expect: disallow", "expect: unspecified, question: [Typo, Misspelling]"),
    ("expect: disallow", "expect: disallow, question: Typo"),
    // Reasons
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow, kept: disallow}"),
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow}"),
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow, keep: allow}"),
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow, keep: unspecified}"),
    ("expect: disallow", "expect: unspecified, question: [Bom, Typo], gives: {drop: allow, keep: disallow}"),
    ("expect: disallow", "expect: disallow, decided-by: {lines: [2, 1], clauses: []}"),
    ("expect: disallow", "expect: disallow, decided-by: {lines: [0], clauses: []}"),
    ("expect: disallow", "expect: disallow, decided-by: {lines: [1], clauses: [M-prefix, M-postfix]}"),
    ("expect: disallow", "expect: disallow, decided-by: {line: 1}"),
    ("expect: disallow", "expect: unspecified, question: Bom, decided-by: {lines: [1], clauses: []}"),
    (
        "  - id: fish",
        "  - {id: a, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes, lines: [blank]}]}\n  - id: fish",
    ),
    (
        "  - id: fish",
        "  - {id: a, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes, lines: [{column: 1, expected: blank}]}]}\n  - id: fish",
    ),
    (
        "  - id: fish",
        "  - {id: a, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes, lines: [{column: 1}]}]}\n  - id: fish",
    ),
    (
        "  - id: fish",
        "  - {id: a, clauses: [S-sitemap], robots: '', sitemaps: [], open-sitemaps: [/a]}\n  - id: fish",
    ),
    ("    rows:", "    open-sitemaps: [/a]\n    rows:"),
    // Octets
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {escaped: '', base64: ''}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {hex: ''}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", r"robots: {escaped: 'a\qb'}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", r"robots: {escaped: 'a\x9'}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", r"robots: {escaped: 'a\'}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {base64: YQ}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {parts: [a, {repeat: b}]}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {parts: [a, {repeat: b, times: -1}]}"),
    (
        "robots: |\n      user-agent: *\n      disallow: /fish",
        "robots: {parts: [{repeat: abc, times: 99999999}]}",
    ),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {parts: [abc, {fill: '#', to: 2}]}"),
];

/// A line of a file with a mark under a column.
fn marked(text: &str, line: usize, column: usize) -> String {
    let shown = text.lines().nth(line - 1).unwrap_or_default();
    let mark = if column > 0 { format!("{}^\n", " ".repeat(column - 1)) } else { String::new() };
    format!("{shown}\n{mark}")
}

#[test]
fn every_mistake_in_a_file_of_cases_is_told_with_its_place_and_the_mend() {
    let mut all = Vec::new();
    for (good, bad) in MISTAKES {
        assert_eq!(GOOD_CASES.matches(good).count(), 1, "{good}");
        let text = GOOD_CASES.replace(good, bad);
        let folder = folder(&[("cases.yaml", text.as_bytes())]);
        let done = command("cases lint cases.yaml").within(folder.path()).run();
        assert_eq!((&*done.stdout, done.code), ("", Some(2)), "{text}");
        let place = done.stderr.strip_prefix("error: cases.yaml:").unwrap_or_default();
        let place: Vec<usize> = place.split(':').map_while(|number| number.parse().ok()).collect();
        let [line, column] = place[..] else { panic!("no place for {bad}: {}", done.stderr) };
        all.push(format!("{}{}", marked(&text, line, column), done.stderr));
    }
    assert_told!(all.join("\n"));
}

#[test]
fn a_good_file_of_cases_has_no_mistake() {
    let folder = folder(&[("cases.yaml", GOOD_CASES.as_bytes())]);
    assert_told!(command("cases lint cases.yaml").within(folder.path()).run().told());
}

#[test]
fn an_empty_file_is_no_file_of_cases() {
    let folder = folder(&[("cases.yaml", b"")]);
    let done = command("cases lint cases.yaml").within(folder.path()).run();
    assert_eq!(done.code, Some(2));
    assert_told!(done.told());
}

#[test]
fn a_suite_has_one_file() {
    let folder = folder(&[("a.yaml", GOOD_CASES.as_bytes()), ("b.yaml", GOOD_CASES.as_bytes())]);
    let done = command("cases lint a.yaml b.yaml").within(folder.path()).run();
    assert_eq!(done.code, Some(2));
    assert_told!(done.told());
}

// ---- Where the output goes ----

#[test]
fn who_reads_no_further_has_seen_enough() {
    for line in ["cases list", "cases schema", "editions --format json", "run reference --format json"] {
        let mut command = command(line).command();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the built program starts");
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().expect("piped"))
            .read_line(&mut first)
            .expect("there is a first line");
        // The reader is gone, and with it the other end of the pipe.
        let mut errors = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut errors).expect("it writes UTF-8");
        let code = child.wait().expect("the program ends").code();
        assert!(!first.is_empty());
        assert_eq!((code, &*errors), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_no_success() {
    for line in [
        "cases list",
        "cases schema",
        "cases coverage",
        "editions",
        "scope http://example.com/robots.txt http://example.com/",
        "run reference --filter id:path-values/fish#exact",
        "run reference --filter id:path-values/fish#exact --format json",
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
fn nothing_is_coloured_that_is_no_terminal() {
    let mut command = command("check --explain --agent FooBot --url /fish -").command();
    command.env_remove("NO_COLOR").env("TERM", "xterm-256color").stdin(Stdio::null());
    let output = command.output().expect("the built program starts");
    assert!(!output.stdout.contains(&0x1B), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn colours_can_be_forced() {
    let mut command = command("check --explain --agent FooBot --url /fish -").command();
    command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").stdin(Stdio::null());
    let output = command.output().expect("the built program starts");
    assert!(output.stdout.contains(&0x1B), "{}", String::from_utf8_lossy(&output.stdout));
}
