//! Wrong commands.

use crate::support::{FISH, assert_output, command, folder, robotspec, write};

/// Returns the errors of wrong commands, and asserts that each prints nothing on standard output and exits with 2.
fn rejected<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let folder = folder(&[("robots.txt", FISH)]);
    write(&folder, "latin-1.yaml", b"suite: caf\xE9\n");
    let rejected = |line: &'a str| {
        let done = command(line).within(folder.path()).run();
        assert_eq!(done.code, Some(2), "{line}");
        done.refusal()
    };
    lines.into_iter().map(rejected).collect()
}

#[test]
fn an_unknown_command_is_rejected() {
    assert_output!(rejected(["frobnicate", "editions frobnicate", "run --frobnicate"]));
    for group in ["", "cases"] {
        let (done, help) = (command(group).run(), command(&format!("{group} -h")).run());
        assert_eq!((done.code, &*done.stdout, done.stderr), (Some(2), "", help.stdout));
    }
}

#[test]
fn a_wrong_run_is_rejected_with_the_fix() {
    assert_output!(rejected([
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
        "run --exec 'tool {url}' --allow-pattern allow --disallow-pattern disallow",
        "run --exec 'tool {url}' --allow-pattern yes --disallow-pattern no --allow-exit 3",
    ]));
}

#[test]
fn a_filter_that_is_too_long_for_a_matcher_is_rejected() {
    let filter = format!("id:{}", "*".repeat(100_000));
    robotspec(["run", "--filter", &filter]).run().assert_refused("the filter has more than 4096 bytes");
}

#[test]
fn a_wrong_query_to_the_reference_is_rejected_with_the_fix() {
    assert_output!(rejected([
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
fn a_list_of_known_failures_that_cannot_be_used_is_rejected_with_the_fix() {
    assert_output!(rejected([
        "run --known-failures known.yaml",
        "run reference --known-failures known.yaml",
        "run --adapter a --adapter b --known-failures known.yaml",
        "run --adapter a reference --known-failures known.yaml",
        "run --adapter a --known-failures nowhere.yaml",
    ]));
}

#[test]
fn an_error_in_a_list_of_known_failures_is_reported_with_its_position() {
    let lists = [
        "known-failures: [",
        "failures: []",
        "known-failures: [{rows: [a/b#c]}]",
        "known-failures: [{reason: Why., editions: [rfc], rows: [a/b#c]}]",
        "known-failures: [{reason: Why., variants: [upside-down]}]",
    ];
    let rejected = |list: &str| {
        let folder = folder(&[("known.yaml", list)]);
        let line = "run --adapter adapter --no-variants --known-failures known.yaml";
        let done = command(line).within(folder.path()).run();
        assert_eq!((&*done.stdout, done.code), ("", Some(2)), "{list}");
        format!("{list}\n{}", done.stderr)
    };
    assert_output!(lists.map(rejected).join("\n"));
}

#[test]
fn two_implementations_of_one_name_are_rejected() {
    for (line, name) in [
        ("run robotxt robotxt", "robotxt"),
        ("run --adapter 'misbehaving_adapter' --adapter 'misbehaving_adapter always-allows'", "misbehaving"),
        (
            "fuzz --runs 100 --adapter 'misbehaving_adapter' --adapter 'misbehaving_adapter always-allows'",
            "misbehaving",
        ),
    ] {
        let done = command(line).run();
        done.assert_refused(&format!(
            "two implementations have the name `{name}`; give each its own `name` in robotspec.toml"
        ));
        assert_eq!(done.stdout, "");
    }
}
