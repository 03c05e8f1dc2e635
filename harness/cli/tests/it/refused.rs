//! What is wrong with a command.

use crate::support::{FISH, assert_output, command, folder};

/// What is told of commands that cannot be carried out: never with an answer
/// on standard output, always with exit code 2.
fn refused<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let folder = folder(&[("robots.txt", FISH.as_bytes()), ("latin-1.yaml", b"suite: caf\xE9\n")]);
    let refused = |line: &'a str| {
        let done = command(line).within(folder.path()).run();
        assert_eq!((&*done.stdout, done.code), ("", Some(2)), "{line}");
        done.transcript()
    };
    lines.into_iter().map(refused).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_command_that_is_none_is_refused() {
    assert_output!(refused(["", "frobnicate", "cases", "editions frobnicate", "run --frobnicate"]));
}

#[test]
fn a_wrong_run_is_refused_with_the_mend() {
    assert_output!(refused([
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
    assert_output!(refused([
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
    assert_output!(refused([
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
    assert_output!(lists.map(refused).join("\n"));
}
