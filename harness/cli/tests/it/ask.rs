//! `robotspec check`, `scope` and `sitemaps`.

use crate::support::{FISH, assert_output, command, folder, json_lines, robotspec, transcripts};

// ---- check ----

/// Returns the transcript of `check --explain` for a robots.txt.
fn explained(options: &str, robots: impl Into<Vec<u8>>) -> String {
    command(&format!("check --explain {options} -")).input(robots).run().transcript()
}

#[test]
fn check_prints_one_word_and_sets_the_exit_code() {
    let check = |url: &str| command(&format!("check --agent FooBot --url {url} -")).input(FISH).run();
    for (url, answer, code) in [("/", "allow\n", 0), ("https://example.com/fish.html?a#b", "disallow\n", 1)] {
        let done = check(url);
        assert_eq!((&*done.stdout, done.code, &*done.stderr), (answer, Some(code), ""));
    }
    let done = command("check --edition google-pre-2019 --agent FooBot --url /page.htm -").input(FISH).run();
    assert_eq!((&*done.stdout, done.code, &*done.stderr), ("unspecified\n", Some(4), ""));
}

#[test]
fn check_remarks_on_an_agent_that_is_no_product_token() {
    let remark = |agent: &str| {
        let robots = "user-agent: Googlebot\ndisallow: /\n";
        robotspec(["check", "--agent", agent, "--url", "/x", "-"]).input(robots).run().stderr
    };
    assert!(remark("Mozilla/5.0 (compatible; Googlebot/2.1)").contains("did you mean `Googlebot`?"));
    assert!(remark("").contains("no product token") && remark("*").contains("no product token"));
    assert_eq!(remark("FooBot"), "");
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
fn a_url_in_place_of_a_file_is_refused_with_the_command_that_fetches_it() {
    for (line, url, rest) in [
        (
            "check --agent 'Foo Bot' --url http://a.test/robots.txt http://a.test/robots.txt robotxt",
            "http://a.test/robots.txt",
            "check --agent 'Foo Bot' --url http://a.test/robots.txt - robotxt",
        ),
        (
            "check HTTPS://a.test/r?a=1&b=2 --agent FooBot --url /fish",
            "'HTTPS://a.test/r?a=1&b=2'",
            "check - --agent FooBot --url /fish",
        ),
        ("lint http:///", "http:///", "lint -"),
        ("sitemaps --format jsonl hTTps:a", "hTTps:a", "sitemaps --format jsonl -"),
    ] {
        let done = command(line).run();
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{}", done.transcript());
        let end = format!(" run: curl -sSL --compressed {url} | robotspec {rest}\n");
        assert!(done.stderr.ends_with(&end), "{}", done.stderr);
        let piped = command(rest).input(FISH).run();
        assert_ne!(piped.code, Some(2), "{}", piped.transcript());
    }
    let folder = folder(&[("http-robots.txt", FISH.as_bytes())]);
    let done = command("check --agent FooBot --url /fish http-robots.txt").within(folder.path()).run();
    assert_eq!(done.code, Some(1), "{}", done.transcript());
}

#[test]
fn check_reads_bytes_that_are_not_utf_8() {
    let done = command("check --agent FooBot --url /caf%E9 --explain -")
        .input(*b"\xEF\xBB\xBFuser-agent: *\r\0\xFF\rdisallow: /caf\xE9")
        .run();
    assert_output!(done.transcript());
}

#[test]
fn check_explains_a_single_matching_rule() {
    assert_output!(explained("--agent FooBot --url /fish", FISH));
}

#[test]
fn check_explains_the_longest_of_two_rules() {
    assert_output!(explained("--agent FooBot --url https://example.com/fish/salmon.html", FISH));
}

#[test]
fn check_explains_two_rules_of_equal_length() {
    let robots = "user-agent: *\ndisallow: /page\nallow: /page\n";
    assert_output!(explained("--agent FooBot --url /page", robots));
}

#[test]
fn check_explains_a_wildcard_against_a_longer_rule() {
    assert_output!(explained("--edition google-2019 --agent FooBot --url /page.htm", FISH));
}

#[test]
fn check_explains_that_no_rule_matches() {
    assert_output!(explained("--agent FooBot --url /none", FISH));
}

#[test]
fn check_explains_that_there_is_no_rule() {
    assert_output!(explained("--agent FooBot --url /", "user-agent: FooBot\ndisallow:\n"));
}

#[test]
fn check_explains_that_no_group_applies_to_the_agent() {
    assert_output!(explained("--agent FooBot --url /", "user-agent: BarBot\ndisallow: /\n"));
}

#[test]
fn check_explains_that_the_star_group_applies() {
    assert_output!(explained("--agent Other --url /x", FISH));
}

#[test]
fn check_explains_that_several_lines_name_the_agent() {
    assert_output!(explained("--agent foobot --url /a.gif", FISH));
}

#[test]
fn check_explains_that_the_robots_txt_itself_is_allowed() {
    assert_output!(explained("--agent Other --url /robots.txt", FISH));
}

#[test]
fn check_explains_each_question_that_changes_the_verdict() {
    let robots = "user-agent: *\nallow: /page\ndisallow: /*.htm\nalow: /page.htm\n";
    assert_output!(explained("--edition google-pre-2019 --agent FooBot --url /page.htm", robots));
}

#[test]
fn check_explains_a_question_that_depends_on_the_answer_to_another() {
    let robots = "user-agent: *\ndisallow fish\n";
    assert_output!(explained("--agent FooBot --url /fish", robots));
}

#[test]
fn check_prints_the_answer_and_its_reasons_as_json() {
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
        all.push(done.transcript());
    }
    let nested = command("check --format json --explain --agent FooBot --url /fish -")
        .input("user-agent: *\ndisallow fish\n")
        .run();
    all.push(nested.transcript());
    assert_output!(all.join("\n"));
}

// ---- scope ----

#[test]
fn scope_prints_one_word_and_sets_the_exit_code() {
    assert_output!(transcripts([
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
fn sitemaps_are_listed_in_order_and_uncertain_ones_are_marked() {
    let robots = "sitemap: https://example.com/b.xml\nuser-agent: *\nSITEMAP: https://example.com/a.xml # new\n\
                  disallow:\nsitemap: /relative.xml\nsitemap: https://example.com/b.xml\nsite-map: http://example.com/c.xml\n";
    let of = |options: &str| command(&format!("sitemaps {options} -")).input(robots).run().transcript();
    assert_output!([of(""), of("--edition google-2026"), of("--format jsonl")].join("\n"));
}

#[test]
fn a_file_without_sitemaps_is_not_a_failure() {
    let done = command("sitemaps -").input(FISH).run();
    assert_eq!((&*done.stdout, &*done.stderr, done.code), ("", "", Some(0)));
}
