//! `robotspec check` about several agents, URLs and editions, and with implementations.

use crate::support::{FISH, assert_output, folder, json_lines, run_in, write};
use serde_json::json;
use tempfile::TempDir;

fn site() -> TempDir {
    folder(&[
        ("robots.txt", FISH),
        ("urls.txt", "# the shop\n/fish/salmon\n\n/page.htm\r\n"),
        ("robotspec.toml", "[[implementation]]\nname = 'mine'\nexec = 'true {url}'\n"),
    ])
}

#[test]
fn only_a_definite_ruling_is_contradicted() {
    let site = site();
    let check = |edition: &str, implementation: &str| {
        let line = format!(
            "check --agent FooBot --url /page.htm --edition {edition} --format json robots.txt {implementation}"
        );
        let done = run_in(site.path(), &line);
        (json_lines(&done.stdout)[0]["queries"][0]["implementations"][0]["contradicts"].clone(), done.code)
    };
    assert_eq!(check("rfc9309", "--exec 'true {url}'"), (json!(["rfc9309"]), Some(1)));
    assert_eq!(check("google-pre-2019", "--exec 'true {url}'"), (json!([]), Some(0)));
    assert_eq!(check("rfc9309", "--exec 'false {url}'"), (json!([]), Some(0)));
}

#[test]
fn an_answer_with_the_line_that_decided_is_a_verdict() {
    let site = site();
    let adapter = r#"while read -r line; do case $line in
*hello*) echo '{"id":0,"protocol":1,"name":"lines","ops":["match"]}' ;;
*) echo '{"id":1,"verdicts":[{"verdict":"allow","line":9}]}' ;;
esac; done
"#;
    write(&site, "adapter.sh", adapter);
    let check = "check --agent FooBot --url /fish robots.txt --adapter 'sh adapter.sh'";
    let done = run_in(site.path(), check);
    assert_eq!(done.code, Some(1), "{}", done.transcript());
    assert!(done.words().contains("lines allow by line 9 contradicts rfc9309"), "{}", done.transcript());
    let answer = &json_lines(&run_in(site.path(), &format!("{check} --format json")).stdout)[0];
    let answer = &answer["queries"][0]["implementations"][0];
    assert_eq!((&answer["answer"], &answer["line"]), (&json!("allow"), &json!(9)));
}

#[test]
fn check_uses_the_implementations_of_a_configuration_only_if_they_are_named() {
    let site = site();
    let of = |more: &str| run_in(site.path(), &format!("check --agent FooBot --url /fish robots.txt {more}"));
    assert_eq!((&*of("").stdout, of("").code), ("disallow\n", Some(1)));
    for named in ["mine", "--config robotspec.toml"] {
        let done = of(named);
        assert!(done.words().contains("mine allow contradicts rfc9309"), "{}", done.transcript());
    }
    assert!(of("nobody").stderr.contains("unknown implementation `nobody`"));
}

#[test]
fn an_implementation_without_an_answer_is_incomplete() {
    let site = site();
    let done = run_in(site.path(), "check --agent FooBot --url /fish robots.txt --adapter nowhere");
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(done.words().contains("`nowhere` cannot be started"), "{}", done.transcript());
}

#[test]
fn a_case_of_the_queries_is_one_that_the_reference_passes() {
    let site = site();
    let done = run_in(
        site.path(),
        "check --agent FooBot --agent Other --url /page.htm --edition google-2019 --edition rfc9309 --as-case robots.txt",
    );
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    write(&site, "new.yaml", &done.stdout);
    assert!(done.stdout.contains("question"), "an open answer has its question: {}", done.stdout);
    assert_output!(done.transcript());
    let judged = run_in(site.path(), "run --config robotspec.toml --suite new.yaml reference");
    assert_eq!(judged.code, Some(0), "{}", judged.transcript());
}

#[test]
fn a_wrong_list_of_urls_is_refused_with_its_place() {
    for (urls, message) in [
        (&b"/a\n  fish\n"[..], "urls.txt:2:3: `fish` is not an absolute URL"),
        (b"# nothing\n", "urls.txt has no URL; write one URL or path per line"),
        (b"/caf\xe9\n", "urls.txt is not UTF-8; percent-encode the bytes"),
    ] {
        let folder = folder(&[("robots.txt", FISH)]);
        write(&folder, "urls.txt", urls);
        run_in(folder.path(), "check --agent FooBot --urls urls.txt robots.txt").assert_refused(message);
    }
    let done = run_in(site().path(), "check --agent FooBot --url / robots.txt --exec nowhere");
    assert_eq!(done.code, Some(2), "an `--exec` without a URL is refused: {}", done.stderr);
    let done = run_in(site().path(), "check --agent FooBot --urls - -");
    assert!(done.stderr.contains("are both standard input"), "{}", done.stderr);
}
