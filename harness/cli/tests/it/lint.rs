//! `robotspec lint`.

use crate::support::{assert_output, command, json_lines};

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

#[test]
fn each_edition_is_judged_by_the_grammar_of_its_own_text() {
    let statuses = |edition: &str, robots: &str| -> Vec<String> {
        let done = command(&format!("lint --edition {edition} --format jsonl -")).input(robots).run();
        let status = |line: &serde_json::Value| {
            let of = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            format!("{} {}{}", of("status"), of("production"), of("expected")).trim_end().to_owned()
        };
        json_lines(&done.stdout).iter().map(status).collect()
    };
    let usage = "content-usage: train-ai=n\nuser-agent: a\ncontent-usage: /b train-ai=y\n";
    let in_draft = ["not-derived startgroupline", "derived startgroupline", "derived rule"];
    assert_eq!(statuses("rfc9309-aipref", usage), in_draft);
    assert_eq!(statuses("rfc9309", usage), ["additional", "derived startgroupline", "additional"]);
    let record = "user-agent: a.b\ndisallow: /\nuser-agent: c\n\nuser-agent: d/1\n";
    let of_1996 = [
        "derived agentline",
        "derived ruleline",
        "not-derived blank-line",
        "derived blank",
        "not-derived http-token",
    ];
    assert_eq!(statuses("koster-1996", record), of_1996);
    command("lint --edition koster-1994 -").input(record).run().assert_refused("koster-1994 has no grammar");
}
