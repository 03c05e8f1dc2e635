//! `robotspec known update`, from the command line, with lists that are in use.

use std::sync::OnceLock;

use crate::support::{self, assert_output, read, run_in, write};
use tempfile::TempDir;

/// A suite in which a parser has failures of many kinds.
const ANSWERS: &str = include_str!("../../../../cases/suites/answers.yaml");

/// Returns the event stream of a complete run of a parser on that suite.
fn recorded() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let folder = folder_without_run(None);
        run_in(folder.path(), "run robotxt --suite suite.yaml --report jsonl=-").stdout
    })
}

/// The list of known failures of the same parser.
const LIST: &str = include_str!("../../../adapters/built-in/known-failures/robotxt.yaml");

const UPDATE: &str = "known update --known-failures list.yaml --suite suite.yaml --from run.jsonl";

fn folder(list: Option<&str>) -> TempDir {
    let folder = folder_without_run(list);
    write(&folder, "run.jsonl", recorded());
    folder
}

fn folder_without_run(list: Option<&str>) -> TempDir {
    let folder = support::folder(&[]);
    write(&folder, "suite.yaml", ANSWERS);
    if let Some(list) = list {
        write(&folder, "list.yaml", list);
    }
    folder
}

#[test]
fn an_entry_stays_unless_its_check_passed() {
    let folder = folder_without_run(Some(LIST));
    let update = |way: &str| {
        let adapter = format!("--adapter 'misbehaving_adapter {way}'");
        run_in(
            folder.path(),
            &format!("known update --known-failures list.yaml --suite suite.yaml {adapter}"),
        )
    };
    let done = update("supports-nothing");
    assert_eq!((done.code, &*done.stdout), (Some(0), "list.yaml: 0 added, 0 removed\n"), "{}", done.stderr);
    assert_eq!(read(&folder, "list.yaml"), LIST);
}

#[cfg(unix)]
#[test]
fn an_edit_of_the_list_during_the_run_stays() {
    let folder = folder_without_run(Some("# before\nknown-failures: []\n"));
    write(
        &folder,
        "small.yaml",
        "suite: s\ncases:\n  - id: a\n    robots: ''\n    rows: [{id: a, url: /a, expect: allow}]\n",
    );
    write(&folder, "edit.sh", "printf '# after\\n' >>\"$1\"; exit 1\n");
    let list = folder.path().join("list.yaml");
    let exec = format!("--exec \"sh '{}/edit.sh' '{}' {{url}}\"", folder.path().display(), list.display());
    let line = format!("known update --known-failures list.yaml --suite small.yaml --edition rfc9309 {exec}");
    let done = run_in(folder.path(), &line);
    assert_eq!(done.code, Some(0), "{}", done.transcript());
    let list = read(&folder, "list.yaml");
    assert!(list.contains("# before") && list.contains("# after") && list.contains("s/a#a"), "{list}");
}

#[test]
fn more_than_half_of_a_list_is_removed_only_on_request() {
    let list = "known-failures:\n  - reason: It was so.\n    rows: [answers/such#a, answers/such#b]\n";
    let folder = folder(Some(list));
    let done = run_in(folder.path(), UPDATE);
    done.assert_refused("2 of 2 rows and variants");
    assert!(done.stderr.contains("--force"), "{}", done.stderr);
    assert_eq!(read(&folder, "list.yaml"), list);
    let done = run_in(folder.path(), &format!("{UPDATE} --force"));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stdout.contains("\n  removed answers/such#a: It was so.\n"), "{}", done.stdout);
}

/// Returns a list after an update, and asserts that a second update changes nothing.
fn updated(list: &str) -> String {
    let folder = folder(Some(list));
    let done = run_in(folder.path(), &format!("{UPDATE} --force"));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let text = read(&folder, "list.yaml");
    let again = run_in(folder.path(), UPDATE);
    assert!(again.stdout.starts_with("list.yaml: 0 added, 0 removed\n"), "{}", again.stdout);
    assert_eq!(read(&folder, "list.yaml"), text);
    text
}

#[test]
fn a_list_that_is_up_to_date_is_unchanged() {
    assert_eq!(updated(LIST), LIST);
}

#[test]
fn a_run_of_all_suites_updates_every_entry() {
    let stale = format!("{LIST}\n  # The last.\n  - {{reason: Never., variants: [bom]}}\n");
    assert_eq!(updated(&stale), stale, "the rows of other suites may fail in this variant");
    let folder = folder(Some(&stale));
    let done = run_in(folder.path(), "known update --known-failures list.yaml robotxt");
    assert_eq!(
        (done.code, &*done.stdout),
        (Some(0), "list.yaml: 0 added, 1 removed\n  removed bom: Never.\n"),
        "{}",
        done.stderr
    );
    let list = read(&folder, "list.yaml");
    assert_eq!(list, format!("{LIST}\n  # The last.\n"), "an entry in braces, without its comment");
}

#[test]
fn only_stale_entries_are_removed() {
    let entry = "  - reason: Once.\n    rows:\n      - answers/blank#gone\n      - answers/such#row\n\n";
    let (head, first) = LIST.split_once("  - reason: ").expect("an entry");
    let stale = format!("{head}{entry}  - reason: {first}");
    assert_eq!(updated(&stale), LIST, "an entry");
    let row = "      - answers/typo#rule\n";
    let stale = LIST.replacen(
        row,
        &format!("      - answers/such#row # as it was\n{row}      - answers/such#other\n"),
        1,
    );
    assert_ne!(stale, LIST);
    assert_eq!(updated(&stale), LIST, "a row");
}

#[test]
fn stale_rows_of_a_list_in_brackets_are_removed() {
    let from =
        "    editions: [google-pre-2019]\n    rows: [answers/such#a, answers/no-such#b, answers/such#c]\n";
    let list = format!("known-failures:\n  - reason: Why.\n{from}");
    let kept = LIST.lines().find(|line| line.trim_start().starts_with("- answers/")).expect("a row");
    let kept = kept.trim_start().trim_start_matches("- ");
    let list = list.replace("    editions: [google-pre-2019]\n", "").replace("answers/no-such#b", kept);
    assert!(updated(&list).contains(&format!("  - reason: Why.\n    rows: [{kept}]\n")));
}

#[test]
fn a_new_list_has_all_failures_without_reasons() {
    let folder = folder(None);
    let done = run_in(folder.path(), UPDATE);
    let list = read(&folder, "list.yaml");
    assert_output!(format!("{}\n{list}", done.transcript()));
    assert!(list.lines().filter(|line| line.contains("reason:")).all(|line| line.contains("TODO say why")));
}

#[test]
fn a_list_with_only_comments_is_empty() {
    let comments = "# What it gets wrong.\n# known-failures: []\n";
    let list = updated(comments);
    assert!(list.starts_with(&format!("{comments}known-failures:\n  - reason: TODO say why")), "{list}");
    let folder = folder(Some(comments));
    let done =
        run_in(folder.path(), "run --exec 'true {url}' --filter id:no/such --known-failures list.yaml");
    assert!(!done.stderr.contains("list.yaml"), "{}", done.stderr);
    run_in(folder.path(), "run --exec 'true {url}' --known-failures none.yaml")
        .assert_refused("none.yaml does not exist; `robotspec known update --known-failures none.yaml --exec 'true {url}'` writes it");
}

#[test]
fn run_rejects_a_reason_that_is_still_todo() {
    let folder = folder(Some("known-failures: []\n"));
    run_in(folder.path(), UPDATE);
    let done = run_in(folder.path(), "run --adapter adapter --known-failures list.yaml");
    assert_eq!((done.code, &*done.stdout), (Some(2), ""));
    assert_eq!(done.stderr, "error: list.yaml:2:5: replace TODO with the reason of these failures\n");
}

#[test]
fn an_input_that_is_not_one_complete_run_is_rejected_and_the_list_is_unchanged() {
    let folder = folder(Some(LIST));
    let record = |name: &str, line: &str| {
        run_in(folder.path(), &format!("run {line} --suite suite.yaml --report jsonl={name}"));
    };
    record("filtered.jsonl", "robotxt --filter kind:O");
    record("sharded.jsonl", "robotxt --shard 1/2");
    record("edition.jsonl", "robotxt --edition rfc9309");
    record("plain.jsonl", "robotxt --no-variants");
    record("not-run.jsonl", "--exec 'no-such-tool {url}'");
    let cut = &recorded()[..recorded().len() / 2];
    write(&folder, "cut.jsonl", cut);
    let other = recorded().replacen(r#""robotspec":""#, r#""robotspec":"9."#, 1);
    write(&folder, "other.jsonl", other);
    let inputs = ["filtered", "sharded", "edition", "plain", "not-run", "cut", "other", "nowhere"];
    let rejected = inputs
        .map(|input| {
            format!("known update --known-failures list.yaml --suite suite.yaml --from {input}.jsonl")
        })
        .into_iter()
        .chain([
            "known update --from run.jsonl".to_owned(),
            "known update --known-failures list.yaml".to_owned(),
            "known update --known-failures list.yaml --from run.jsonl robotxt".to_owned(),
            "known update --known-failures list.yaml --adapter a --adapter b".to_owned(),
        ])
        .map(|line| {
            let done = run_in(folder.path(), &line);
            assert_eq!(done.code, Some(2), "{line}");
            done.refusal()
        });
    assert_output!(rejected.collect::<String>().replace(env!("CARGO_PKG_VERSION"), "X.Y.Z"));
    assert_eq!(read(&folder, "list.yaml"), LIST);
}

/// A suite of two rows, of which a parser that always allows fails one.
const SUITE: &str = "\
suite: mine
title: Mine
source: none
cases:
  - id: fish
    clauses: [M-prefix]
    robots: |
      user-agent: *
      disallow: /fish
    rows:
      - {id: exact, url: /fish, expect: disallow}
      - {id: other, url: /salmon, expect: allow}
";

#[test]
fn a_suite_updates_only_the_entries_of_its_rows() {
    let entries = "  - reason: Once.\n    rows:\n      - mine/fish#other\n      - answers/blank#gone\n";
    let list = format!("known-failures:\n{entries}  - reason: Marks.\n    variants: [bom]\n");
    let folder = folder(Some(&list));
    write(&folder, "mine.yaml", SUITE);
    let update = "known update --known-failures list.yaml --suite mine.yaml \
                  --adapter 'misbehaving_adapter always-allows'";
    let done = run_in(folder.path(), update);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stdout.starts_with("list.yaml: 1 added, 1 removed\n"), "{}", done.stdout);
    let added = "\n  - reason: TODO say why (M-prefix)\n    rows:\n      - mine/fish#exact\n";
    let expected = list.replace("      - mine/fish#other\n", "") + added;
    assert_eq!(read(&folder, "list.yaml"), expected);
}

#[test]
fn failures_of_checks_that_the_project_excludes_are_not_added() {
    let list_with = |config: &str| {
        let folder = folder(None);
        write(&folder, "robotspec.toml", config);
        let done = run_in(folder.path(), UPDATE);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        read(&folder, "list.yaml")
    };
    let rows = |list: &str| list.lines().filter(|line| line.starts_with("      - ")).count();
    let all = list_with("variants = true\n");
    let (_, row) = all.split_once("      - ").expect("a row that fails");
    let row = row.lines().next().unwrap_or_default();
    let skipping = list_with(&format!("skip = ['id:{row}']\n"));
    assert!(!skipping.contains(row) && rows(&skipping) + 1 == rows(&all), "{skipping}");
    assert_eq!(rows(&list_with(&format!("filters = ['id:{row}']\nvariants = false\n"))), 1);
}
