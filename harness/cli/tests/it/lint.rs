//! `robotspec lint`.

use std::collections::BTreeSet;

use crate::support::{assert_output, command, folder, json_lines, run_in};
use serde_json::Value;

/// A file with a line for each result that a grammar can give.
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
Disalow: /misspelt
# a comment with a bell \x07
no field
disallow: /without-an-end";

#[test]
fn lint_reports_each_line_by_the_grammar_of_each_edition() {
    for edition in ["google-pre-2019", "google-2021", "rfc9309"] {
        let done = command(&format!("lint --edition {edition} -")).input(ODD_LINES).run();
        assert_output!(format!("lint_{edition}"), done.transcript());
    }
}

#[test]
fn lint_prints_a_json_object_for_each_line() {
    let done = command("lint --format jsonl -").input(ODD_LINES).run();
    assert_eq!(json_lines(&done.stdout).len(), 24);
    assert_output!(done.transcript());
}

#[test]
fn lint_exits_with_0_if_every_line_is_derived_or_unspecified() {
    for (robots, code) in [
        ("user-agent: *\ndisallow: /\n", 0),
        ("user-agent: *\ncrawl-delay: 3\n", 0),
        ("", 0),
        ("user-agent: *\ndisallow: fish\n", 1),
    ] {
        assert_eq!(command("lint -").input(robots).run().code, Some(code), "{robots:?}");
    }
}

#[test]
fn lint_says_what_is_odd_about_the_whole_file() {
    for (robots, remark) in [
        ("\n<!DOCTYPE html>\n<title>404</title>\n", "this is an HTML page and not a robots.txt"),
        ("<HTML>\n", "this is an HTML page and not a robots.txt"),
        ("\u{FEFF}user-agent: *\ndisallow: /\n", "starts with a byte order mark"),
    ] {
        let done = command("lint -").input(robots).run();
        assert!(done.words().contains(remark) || done.stderr.contains(remark), "{}", done.transcript());
    }
    assert_eq!(command("lint -").input("user-agent: *\n").run().stderr, "");
}

/// A file with a piece of advice of each kind that a file with groups can have, apart from a large one.
const MEANT_OTHERWISE: &str = "disallow: /before
user-agent: FooBot/2.1
disallow: /

user-agent: BarBot
crawl-delay: 10

user-agent: *
disallow: /private/
disallow: /shop
allow: /shop

user-agent: BazBot
disallow: /a
user-agent: bazbot
disallow: /b
";

#[test]
fn advice_is_about_what_a_file_means() {
    let of = |options: &str| command(&format!("lint --advice {options} -")).input(MEANT_OTHERWISE).run();
    assert_eq!(of("").code, Some(1));
    assert_output!([of("").transcript(), of("--format jsonl").transcript()].join("\n"));
    let kinds: BTreeSet<String> =
        json_lines(&of("--format jsonl").stdout).iter().map(|advice| advice["kind"].to_string()).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}

#[test]
fn advice_says_how_many_recorded_parsers_give_each_answer() {
    let robots = "user-agent: FooBot/2.1\ndisallow: /\n\nuser-agent: *\ndisallow: /a%62\n";
    let of = |options: &str| command(&format!("lint --advice {options} -")).input(robots).run();
    let advice = json_lines(&of("--format jsonl").stdout);
    let questions: Vec<&Value> = advice.iter().map(|advice| &advice["question"]).collect();
    assert_eq!(questions, ["AgentSuffix", "AsciiEscape"]);
    for advice in &advice {
        let recorded = &advice["recorded"];
        let answers = recorded["answers"].as_object().expect("answers");
        assert!(answers.len() > 1, "{recorded}");
        let sum: u64 = answers.values().filter_map(Value::as_u64).sum();
        assert_eq!(recorded["parsers"], sum);
        let question = advice["question"].as_str().expect("an id");
        let said = format!("{sum} recorded parsers answer {question} with");
        assert!(of("").words().contains(&said), "{}", of("").stdout);
        let log: Value = serde_json::from_str(&of("--format sarif").stdout).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let result = results.iter().find(|result| result["properties"]["question"] == question);
        let result = result.unwrap_or_else(|| panic!("{question} has no result"));
        assert_eq!(result["properties"]["recorded"], *recorded);
        assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains(&said)), "{result}");
    }
}

#[test]
fn lint_writes_sarif_with_and_without_advice() {
    let folder = folder(&[("my robots.txt", MEANT_OTHERWISE.as_bytes())]);
    let of = |options: &str| {
        let done = run_in(folder.path(), &format!("lint {options} --format sarif 'my robots.txt'"));
        assert_eq!(done.code, Some(1), "{}", done.stderr);
        done.stdout
    };
    assert_output!(of("--advice"));
    let log: Value = serde_json::from_str(&of("")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let rules: Vec<&Value> =
        log["runs"][0]["results"].as_array().expect("results").iter().map(|r| &r["ruleId"]).collect();
    assert!(
        rules
            .iter()
            .all(|rule| ["not-derived", "unspecified-field"].contains(&rule.as_str().unwrap_or_default()))
    );
    assert!(!rules.is_empty());
}

#[test]
fn advice_fails_only_with_an_error() {
    for (robots, code) in [
        ("user-agent: *\ndisallow: /\n", 0),
        ("user-agent: Foo/1\ndisallow: /\n", 0),
        ("disallow: /a\nuser-agent: *\ndisallow: /b\n", 1),
        ("<html>\n", 1),
    ] {
        let done = command("lint --advice -").input(robots).run();
        assert_eq!(done.code, Some(code), "{}", done.transcript());
    }
}
