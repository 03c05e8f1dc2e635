//! `robotspec import`, through its front door: what is read comes out as a
//! suite that can be run, and nothing is left out in silence.

use std::fs;
use std::path::Path;

use crate::support::{Done, assert_told, robotspec, run_in};
use robotspec_cases::suite::{Expected, Request, Suite, load};
use robotspec_reference::Ruling;
use tempfile::TempDir;

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import")
}

/// A folder with one file in it, `suite.textproto`.
fn folder(text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("suite.textproto"), text).expect("the folder takes files");
    folder
}

/// What an import of a text told, without its own output.
fn imported(text: &str, options: &str) -> Done {
    run_in(folder(text).path(), &format!("import suite.textproto {options}"))
}

fn suite(done: &Done) -> Suite {
    load(Path::new("imported.yaml"), &done.stdout).unwrap_or_else(|error| panic!("{error}\n{}", done.stderr))
}

/// Each check of an import: agent, URL and expected outcome.
fn checks(done: &Done) -> Vec<String> {
    let suite = suite(done);
    let rows = suite.cases.iter().flat_map(|case| &case.rows).map(|row| {
        let Request::Match { agent, url, .. } = &row.request else { panic!("{}: no match", row.id) };
        let expected: Vec<String> = row.expected.values().map(ToString::to_string).collect();
        format!("{agent} {url} {}", expected.join(" "))
    });
    rows.collect()
}

/// Each file of an import.
fn files(done: &Done) -> Vec<Vec<u8>> {
    let suite = suite(done);
    let first = suite.cases.iter().map(|case| match &case.rows[0].request {
        Request::Match { robots, .. } => robots.to_vec(),
        request => panic!("{request:?}"),
    });
    first.collect()
}

#[test]
fn messages_within_a_file_become_the_rows_of_its_case() {
    let done = run_in(&data(), "import nested.textproto");
    assert_eq!(done.code, Some(0));
    assert_told!(done.told());
    let files = files(&done);
    assert_eq!(files[0], b"user-agent: FooBot\ndisallow: /fish\nallow: /fish/salmon\n");
    assert_eq!(files[1], b"user-agent: *\ndisallow: /caf\xE9\n", "what is no UTF-8 stays as it is");
}

#[test]
fn messages_with_the_same_file_become_one_case() {
    let done = run_in(&data(), "import flat.textproto --edition google-2019 --edition rfc9309 --id mine");
    assert_eq!(done.code, Some(0));
    assert_told!(done.told());
}

#[test]
fn several_files_become_one_suite() {
    let done = run_in(&data(), "import nested.textproto flat.textproto");
    assert_eq!((done.code, checks(&done).len(), files(&done).len()), (Some(0), 11, 5));
    assert!(done.stderr.starts_with("11 checks in 2 files: 5 cases\n"), "{}", done.stderr);
}

#[test]
fn what_is_imported_is_linted_and_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("imported.yaml");
    let done = run_in(&data(), &format!("import flat.textproto --out {}", out.display()));
    assert_eq!((done.code, &*done.stdout), (Some(0), ""));
    let done = run_in(folder.path(), "cases lint imported.yaml");
    assert_eq!((done.code, &*done.stdout), (Some(0), "1 suite, 3 cases, 4 rows, 0 variants: no error\n"));
    let done = run_in(folder.path(), "run reference robotxt --suite imported.yaml --edition google-2026");
    assert_eq!(done.code, Some(1));
    assert_told!(done.told());
    let other = run_in(folder.path(), "run reference --suite imported.yaml --edition rfc9309");
    let told = "error: no check is left to run; these suites have some for --edition google-2026, before any filter\n";
    assert_eq!((other.code, &*other.stderr), (Some(2), told));
    // A list of what is built in is not blamed for what is not run.
    let right = "run robotxt --suite imported.yaml --filter 'id:flat/file-1#*'";
    assert_eq!(run_in(folder.path(), right).code, Some(0));
    let again = done.stdout.lines().find_map(|line| line.trim().strip_prefix("again: robotspec "));
    let again = run_in(folder.path(), again.expect("a command that repeats it"));
    assert_eq!(again.code, Some(1), "{}", again.stdout);
    assert!(again.stdout.contains("1 judgement: 1 fail"), "{}", again.stdout);
}

#[test]
fn a_suite_to_run_is_a_file_of_cases_and_has_its_own_id() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("none.yaml"), "suite: none\n").expect("the folder takes files");
    let done = run_in(folder.path(), "run reference --suite none.yaml");
    assert_eq!(
        (done.code, done.stderr.starts_with("error: none.yaml:1:")),
        (Some(2), true),
        "{}",
        done.stderr
    );
    run_in(&data(), &format!("import flat.textproto --out {}/a.yaml", folder.path().display()));
    let done = run_in(folder.path(), "run reference --suite a.yaml --suite a.yaml");
    assert!(done.stderr.contains("a.yaml: another file has the suite `flat`"), "{}", done.stderr);
}

/// A check, with the field of each role as it is written here.
fn spelled(robots: &str, agent: &str, url: &str, expected: &str) -> String {
    format!(
        "t {{ {robots}: 'user-agent: *\\ndisallow: /a\\n' {agent}: 'FooBot' {url}: 'http://x.example/a' {expected} }}"
    )
}

#[test]
fn the_usual_names_are_known_in_their_spellings() {
    let lines = [
        spelled("robotstxt", "user_agent", "url", "expected: DISALLOW"),
        spelled("robots_txt", "useragent", "uri", "expected_outcome: DISALLOWED"),
        spelled("robots_txt_content", "agent", "path", "outcome: 'disallow'"),
        spelled("robotsTxtContent", "userAgent", "URL", "verdict: RESULT_DISALLOWED"),
        spelled("content", "user_agents", "urls", "allowed: false"),
        spelled("body", "[my.suite.agent]", "[my.suite/url]", "is_allowed: false"),
        spelled("body", "agent", "url", "disallowed: true"),
        spelled("body", "agent", "url", "match_outcome: MATCH_NOT_ALLOWED"),
    ];
    for line in &lines {
        let done = imported(line, "");
        assert_eq!(
            (done.code, checks(&done)),
            (Some(0), vec!["FooBot http://x.example/a disallow".to_owned()]),
            "{line}"
        );
    }
    let all = imported(&lines.join("\n"), "");
    assert_eq!((checks(&all).len(), files(&all).len()), (lines.len(), 1));
}

#[test]
fn other_names_and_values_are_taken_as_they_are_said_to_be() {
    let line = "t { file: 'x' bot: 'FooBot' address: '/a' verdict: 2 owner: 'me' more { deep: 1 } }\n\
                t { file: 'x' bot: 'FooBot' address: '/b' verdict: 1 }\n\
                t { file: 'x' bot: 'FooBot' address: '/c' verdict: 0 }\n";
    let options = "--field file=robots --field bot=agent --field address=url --field owner=ignore --field more=ignore \
                   --value 2=disallow --value 1=allow --value 0=ignore";
    let done = imported(line, options);
    let expected = ["FooBot http://example.com/a disallow", "FooBot http://example.com/b allow"];
    assert_eq!((done.code, checks(&done)), (Some(0), expected.map(str::to_owned).to_vec()));
    assert!(done.stderr.contains("left out, as you say: 2 values\n"), "{}", done.stderr);
    assert!(done.stderr.contains("left out, as you say: 1 check\n"), "{}", done.stderr);
}

#[test]
fn what_messages_have_in_common_stands_around_them_or_beside_them() {
    let expected = ["FooBot http://example.com/a disallow", "FooBot http://example.com/b allow"]
        .map(str::to_owned)
        .to_vec();
    for text in [
        // around
        "f { robots: 'x' agent: 'FooBot' c { url: '/a' allowed: false } c { url: '/b' allowed: true } }",
        // around, but behind
        "f { c { url: '/a' allowed: false } c { url: '/b' allowed: true } robots: 'x' agent: 'FooBot' }",
        // around all
        "robots: 'x' c { url: '/a' allowed: false } c { url: '/b' allowed: true } agent: 'FooBot'",
        // beside
        "f { file { body: 'x' } who { agent: 'FooBot' } c { url: '/a' allowed: false } c { url: '/b' allowed: true } }",
        // in parts
        "c { r { body: 'x' } q { agent: 'FooBot' u { path: '/a' } } e { allowed: false } }\n\
         c { e { allowed: true } q { agent: 'FooBot' u { path: '/b' } } r { body: 'x' } }",
        // what is nearer is meant
        "f { robots: 'x' agent: 'Other' c { agent: 'FooBot' url: '/a' allowed: false }\n\
         c { agent: 'FooBot' url: '/b' allowed: true } }",
    ] {
        let done = imported(text, "");
        assert_eq!(checks(&done), expected, "{text}");
    }
}

#[test]
fn every_field_that_nobody_knows_is_told_at_once() {
    let text = "t {\n  robots_txt: 'x'\n  owner: 'a'\n  bot: 'FooBot'\n  url: '/'\n  outcome: MAYBE\n}\nt { owner: 'b' }\n";
    let done = imported(text, "");
    assert_eq!((done.code, &*done.stdout), (Some(2), ""));
    assert_told!(done.stderr);
}

#[test]
fn a_mistake_is_told_with_its_place_and_nothing_is_written() {
    let told = [
        ("t { robots: 'x' ", ""),
        ("robots: 'x'\nrobots: 'y' agent: 'a' url: '/' allowed: true", ""),
        ("robots: 'x' agent: 'a' url: '/' allowed: true\ndisallowed: true", ""),
        ("robots: 1 agent: 'a' url: FOO", ""),
        ("robots: 'x' agent: '\\xff' url: '/\\xff'", ""),
        ("robots: 'x' agent: 'a' url: '/'", ""),
        ("# nothing\n", ""),
        ("robots: 'x' agent: 'a' url: '/' allowed: true", "--field owner=ignore --value 7=allow"),
        ("", "--field owner"),
        ("", "--field owner=nobody"),
        ("", "--value 7"),
        ("", "--id 'My Suite'"),
    ]
    .map(|(text, options)| {
        let done = imported(text, &format!("{options} --out out.yaml"));
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{text}");
        format!("{text}\n{options}\n{}", done.stderr)
    });
    assert_told!(told.join("\n"));
    let done = run_in(&data(), "import nowhere.textproto");
    assert_eq!((done.code, done.stderr.contains("cannot read nowhere.textproto")), (Some(2), true));
}

#[test]
fn what_is_in_no_check_is_told_and_makes_the_exit_code_1() {
    let text = "t { name: 'whole' robots: 'x' agent: 'a' url: '/' allowed: true }\n\
                t { name: 'half' robots: 'y' url: '/y' }\n\
                meta { description: 'about nothing' }\nmeta { note: 'likewise' }\n";
    let done = imported(text, "");
    assert_eq!((done.code, checks(&done).len()), (Some(1), 1));
    assert_told!(done.stderr);
}

#[test]
fn where_the_reference_thinks_otherwise_the_first_few_are_told() {
    let text: String =
        (0..9).map(|n| format!("t {{ robots: '' agent: 'a' url: '/{n}' allowed: false }}\n")).collect();
    let done = imported(&text, "");
    assert_eq!(done.code, Some(0), "other people's expectations are their own");
    assert_told!(done.stderr);
    assert!(suite(&done).cases[0].rows.iter().all(|row| {
        row.expected.values().all(|expected| *expected == Expected::Ruling(Ruling::Disallow))
    }));
}

#[test]
fn hostile_texts_end_soon_and_well() {
    let multiplied =
        format!("robots: '' allowed: true {} {}", "agent: 'a' ".repeat(2000), "url: '/' ".repeat(2000));
    let line = "a".repeat(1_000_000);
    let notes = format!(
        "note: '{line}' t {{ robots: '' {} }}",
        "c { agent: 'a' url: '/' allowed: true } ".repeat(2000)
    );
    for (text, code, says) in [
        ("a { ".repeat(100_000), 2, "more than 100 deep"),
        (multiplied, 2, "more than 100000 checks"),
        (format!("robots: '{line}' agent: 'a' url: '/' allowed: true"), 0, "1 check in 1 file"),
        (notes, 0, "2000 checks in 1 file"),
    ] {
        let done = imported(&text, "");
        assert_eq!((done.code, done.stderr.contains(says)), (Some(code), true), "{}", done.stderr);
    }
}

#[test]
fn standard_input_is_read() {
    let text = spelled("robots", "agent", "url", "allowed: true");
    let done = robotspec(["import", "-"]).input(text).run();
    assert_eq!((done.code, &*suite(&done).id), (Some(0), "imported"), "{}", done.stderr);
}
