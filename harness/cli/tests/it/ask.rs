//! `robotspec check` and `sitemaps`, where `tests/commands` does not show them.

use crate::support::{FISH, assert_output, command, folder, robotspec};

#[test]
fn check_prints_one_word_and_sets_the_exit_code() {
    let check = |url: &str| command(&format!("check --agent FooBot --url {url} -")).input(FISH).run();
    for (url, answer, code) in [("/", "allow\n", 0), ("https://example.com/fish.html?a#b", "disallow\n", 1)] {
        let done = check(url);
        assert_eq!((&*done.stdout, done.code, &*done.stderr), (answer, Some(code), ""));
    }
    let done = command("check --edition google-pre-2019 --agent FooBot --url /page.htm -").input(FISH).run();
    assert_eq!(
        (&*done.stdout, done.code, &*done.stderr),
        ("unspecified\n", Some(4), "depends on WildcardPrecedence; --explain gives the reasons\n")
    );
}

#[test]
fn an_answer_that_exceeds_the_bounds_of_the_reference_says_so() {
    // A reader with a limit may stop at any byte of the rules behind the smallest one.
    let rules = |count: usize| (0..count).map(|n| format!("disallow: /{n}{:90}\n", "").replace("  ", "ab"));
    let [short, long] = [500_000, 560_000].map(|size| {
        let mut robots = "user-agent: *\n".to_owned();
        robots.extend(rules(size / 110));
        robots
    });
    let check = |more: &str, robots: &str| {
        let line = format!("check --agent FooBot --url /fish {more} -");
        command(&line).input(robots).run()
    };
    let definite = check("", &short);
    assert_eq!((&*definite.stdout, &*definite.stderr), ("allow\n", ""));
    let done = check("", &long);
    let expected = "depends on more readings than the reference evaluates; --explain gives the reasons\n";
    assert_eq!((&*done.stdout, &*done.stderr), ("unspecified\n", expected));
    let table = check("--edition all", &long).stdout;
    assert!(table.contains("depends on more readings than the reference evaluates"), "{table}");
    let explained = check("--explain", &long).stdout;
    let reason = "unspecified\nthis file has more readings than the reference evaluates, which are 4,096";
    assert!(explained.starts_with(reason), "{explained}");
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
    let folder = folder(&[("robots.txt", FISH)]);
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
    let folder = folder(&[("http-robots.txt", FISH)]);
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
fn a_file_without_sitemaps_is_not_a_failure() {
    let done = command("sitemaps -").input(FISH).run();
    assert_eq!((&*done.stdout, &*done.stderr, done.code), ("", "", Some(0)));
}
