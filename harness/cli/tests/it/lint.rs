//! `robotspec lint`.

use crate::support::{assert_output, command, json_lines};

/// Files of site owners with one mistake each, or with none.
const MISTAKES: &[(&str, &str)] = &[
    ("two fields in one line", "user-agent: * disallow: /\n"),
    ("two rules in one line", "user-agent: *\ndisallow: /a disallow: /b\n"),
    ("a line end that is none", "user-agent: *\\ndisallow: /\n"),
    ("a rule without a slash", "user-agent: *\ndisallow: private\n"),
    ("a whole URL as a rule", "user-agent: *\ndisallow: https://example.com/private\n"),
    ("no colon", "user-agent: FooBot\ndisallow /private\n"),
    ("a list with commas", "user-agent: *\ndisallow: /a, /b\n"),
    ("a list with spaces", "user-agent: *\ndisallow: /a /b\n"),
    ("a misspelt rule", "user-agent: *\nDisalow: /a\n"),
    ("a misspelt name of a field", "useragent: *\ndisallow: /a\n"),
    ("a rule in a comment", "user-agent: * # disallow: /a\n"),
    ("a path in a comment", "user-agent: *\ndisallow: /a#b\n"),
    ("groups that another record joins", "user-agent: a\ncrawl-delay: 10\n\nuser-agent: b\ndisallow: /\n"),
    ("a name with a space", "user-agent: Foo Bot\ndisallow: /\n"),
    ("a name with a version", "user-agent: FooBot/2.1\ndisallow: /\n"),
    ("a name with digits", "user-agent: 360Spider\ndisallow: /\n"),
    ("a name with digits, whose group has no rule", "user-agent: MJ12bot\n"),
    ("no name", "user-agent:\ndisallow: /\n"),
    ("a page", "<!DOCTYPE html>\n<title>404</title>\n<p>Not found: /robots.txt\n"),
    ("a byte order mark", "\u{FEFF}user-agent: *\ndisallow: /\n"),
    ("a relative sitemap", "sitemap: /sitemap.xml\n"),
    ("an empty rule next to another", "user-agent: *\ndisallow:\ndisallow: /a\n"),
    ("a dollar sign within a path", "user-agent: *\ndisallow: /a$b\n"),
    ("an escaped letter", "user-agent: *\ndisallow: /%66ish\n"),
    ("capitals in a path", "user-agent: *\ndisallow: /Fish\n"),
    ("a rule before any group", "disallow: /\nuser-agent: *\n"),
    ("two groups for all", "user-agent: *\ndisallow: /a\n\nuser-agent: *\ndisallow: /b\n"),
    ("two groups for one", "user-agent: a\ndisallow: /a\n\nuser-agent: a\ndisallow: /b\n"),
    (
        "no mistake",
        "# all\nuser-agent: *\ndisallow: /a\nallow: /a/*.css$\n\nsitemap: https://example.com/s.xml\n",
    ),
];

/// Returns what `lint` prints about each of the files by an edition.
fn about_mistakes(edition: &str) -> String {
    let about = |(mistake, file): &(&str, &str)| {
        let done = command(&format!("lint --edition {edition} -")).input(*file).run();
        assert!(done.stdout.lines().count() <= 6, "{mistake}: {}", done.stdout);
        format!("== {mistake}: {}\n{}", file.escape_debug(), done.stdout)
    };
    MISTAKES.iter().map(about).collect()
}

#[test]
fn lint_says_what_a_line_does_that_seems_to_do_something_else() {
    for edition in ["rfc9309", "google-2026", "koster-1994", "koster-1996"] {
        assert_output!(format!("lint_{edition}"), about_mistakes(edition));
    }
}

#[test]
fn findings_are_also_data_with_the_query_and_the_question() {
    let robots = "user-agent: FooBot\ndisallow: fish\nhost: a\nallow: meat\nhost: b\n";
    let found = json_lines(&command("lint --format jsonl -").input(robots).run().stdout);
    let of = |key: &str| found.iter().map(|finding| finding[key].clone()).collect::<serde_json::Value>();
    assert_eq!(of("severity"), serde_json::json!(["warning", "note", "note"]));
    assert_eq!(of("lines"), serde_json::json!([[2], [3, 5], [4]]));
    assert_eq!(of("question"), serde_json::json!(["LeadingSlash", null, null]));
    assert_eq!(of("query"), serde_json::json!([{ "agent": "FooBot", "url": "/fish" }, null, null]));
}

#[test]
fn parsers_are_counted_where_rows_are_about_a_line_of_the_same_form() {
    let counted = |robots: &str| {
        let found = json_lines(&command("lint --format jsonl -").input(robots).run().stdout);
        let parsers = found[0]["parsers"].as_object()?;
        let said = found[0]["message"].as_str()?.contains("; in rows about such lines, ");
        let count = |side: &str| parsers[side].as_u64().filter(|_| said).expect("a number");
        Some((count("allow"), count("disallow")))
    };
    // No row has another misspelling, and each version is like another.
    assert_eq!(counted("user-agent: *\ndisaloww: /a\n"), None);
    let (allow, disallow) = counted("user-agent: FooBot/7.31\ndisallow: /a\n").expect("rows about versions");
    assert!(allow > 0 && disallow > 0, "{allow}, {disallow}");
    assert!(counted("user-agent: 7Bot\ndisallow: /a\n").is_some());
    assert_eq!(counted("user-agent: 7!Bot\ndisallow: /a\n"), None);
}

#[test]
fn lint_exits_with_1_if_there_is_an_error_or_a_warning() {
    for (robots, code) in [
        ("user-agent: *\ndisallow: /\n", 0),
        ("user-agent: *\ncrawl-delay: 3\n", 0),
        ("", 0),
        ("user-agent: *\ndisallow: fish\n", 1),
        ("disallow: /\n", 1),
    ] {
        assert_eq!(command("lint -").input(robots).run().code, Some(code), "{robots:?}");
    }
}

#[test]
fn every_command_that_answers_about_a_page_says_that_it_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("robots.txt", "\n<HTML>\n");
    let case = "{id: page, robots-file: robots.txt, rows: [{id: a, agent: FooBot, url: /, expect: allow}]}";
    write("page.yaml", &format!("suite: page\ncases:\n  - {case}\n"));
    for line in [
        "lint robots.txt",
        "check --agent FooBot --url / robots.txt",
        "run reference --suite page.yaml --edition rfc9309",
    ] {
        let done = command(line).within(folder.path()).run();
        assert!(done.transcript().contains("HTML page and not a robots.txt"), "{}", done.transcript());
    }
}

#[test]
fn a_rule_of_the_draft_before_any_group_is_an_error_and_an_edition_without_a_grammar_says_so() {
    let robots = "content-usage: train-ai=n\nuser-agent: *\ncontent-usage: train-ai=n\n";
    let lint = |edition: &str| command(&format!("lint --edition {edition} -")).input(robots).run();
    let done = lint("rfc9309-aipref");
    let said = "error    line 1: the rule is ignored: there is no user-agent line before it\nrfc9309-aipref: 1 error, ";
    assert_eq!((done.code, done.stdout.starts_with(said)), (Some(1), true), "{}", done.transcript());
    let ends = |edition: &str| lint(edition).stdout.ends_with("; it has no grammar\n");
    assert_eq!(["koster-1994", "koster-1996"].map(ends), [true, false]);
}

#[test]
fn check_names_the_line_that_raises_a_question() {
    let robots = "user-agent: FooBot\ndisalow: /meat\ndisalow: /fish\n";
    let check =
        |options: &str| command(&format!("check --agent FooBot --url /fish {options} -")).input(robots).run();
    assert_eq!(check("").stdout, "unspecified\n");
    assert_eq!(check("").stderr, "depends on Typo; --explain gives the reasons\n");
    let explained = check("--explain").stdout;
    assert!(explained.contains("\n  raised by line 3\n"), "{explained}");
    let data: serde_json::Value =
        serde_json::from_str(&check("--explain --format json").stdout).expect("JSON");
    assert_eq!(data["explanation"]["questions"][0]["lines"], serde_json::json!([3]));
}

#[test]
fn every_rule_of_a_large_group_is_evaluated_unless_each_has_to_be_compared_with_all_others() {
    let note_in = |edition: &str, rule: &dyn Fn(usize) -> String| {
        let rules: String = (0..18_000).map(rule).collect();
        let lint = command(&format!("lint --edition {edition} -"));
        let done = lint.input(format!("user-agent: *\n{rules}")).run();
        done.words().contains("the file is so large that not every name and path")
    };
    let note = |path: &dyn Fn(usize) -> String| note_in("rfc9309", &|n| format!("disallow: {}\n", path(n)));
    assert!(!note(&|n| format!("/folder/{n:06}")));
    assert!(!note(&|n| format!("/{}", n % 2)));
    assert!(note(&|n| format!("*{n:06}")));
    // Why the answer for one path is open is found once.
    assert!(!note_in("google-pre-2019", &|n| format!("{}: /x\n", ["allow", "disallow"][n % 2])));
}

#[test]
fn a_large_file_ends_soon_and_says_that_not_all_of_it_was_evaluated() {
    let group = |n: usize| format!("user-agent: bot{n}x\ndisallow: /a{n}\ndisallow: b{n}\n\n");
    let robots: String = (0..10_000).map(group).collect();
    let done = command("lint -").input(robots).run();
    assert!(done.words().contains("the file is so large that not every name and path"), "{}", done.stderr);
}
