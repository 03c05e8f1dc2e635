//! The errors in case files.

use crate::support::{assert_output, command, folder, run_in};

const VALID_CASES: &str = "\
suite: probe
title: A table
source: A document
cases:
  - id: fish
    clauses: [M-prefix]
    robots: |
      user-agent: *
      disallow: /fish
    rows:
      - {id: exact, url: /fish, expect: disallow}
      - {id: other, url: /cat, expect: allow}
";

/// Errors: a text of the valid file and its replacement.
const ERRORS: &[(&str, &str)] = &[
    // YAML
    ("[M-prefix]", "[M-prefix"),
    ("title: A table", "title: A table\n\ttab: yes"),
    ("title: A table", "title: A table\ntitle: Another table"),
    ("{id: exact, url: /fish, expect: disallow}", "{id: exact, url: /fish, expect: allow, expect: disallow}"),
    ("suite: probe", "suit: probe"),
    ("    clauses", "    about: [what]\n    clauses"),
    ("    clauses", "    edition: [rfc9309]\n    clauses"),
    ("{id: exact, url: /fish, expect: disallow}", "{id: exact, url: /fish, expected: disallow}"),
    ("{id: exact, url: /fish, expect: disallow}", "{id: exact, url: /fish}"),
    ("{id: exact, url: /fish, expect: disallow}", "exact"),
    ("expect: allow}", "expect: allow}\n---\nsuite: another"),
    ("suite: probe\ntitle: A table\nsource: A document\ncases:\n", ""),
    // Ids
    ("suite: probe", "suite: Probe"),
    ("id: fish", "id: fish and chips"),
    ("id: exact", "id: ''"),
    ("id: other", "id: exact"),
    (
        "  - id: fish",
        "  - {id: fish, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes}]}\n  - id: fish",
    ),
    // Clauses
    ("[M-prefix]", "[]"),
    ("[M-prefix]", "[M-prefix, M-postfix]"),
    ("[M-prefix]", "[M-prefix, N-privacy]"),
    ("[M-prefix]", "[M-prefix, M-star, M-prefix]"),
    ("[M-prefix]", "[M-percent, L-bom]"),
    // Editions
    ("    robots:", "    editions: [rfc9309, rfc9310]\n    robots:"),
    ("    robots:", "    editions: [rfc9309, rfc9309]\n    robots:"),
    ("[M-prefix]\n", "[L-bom]\n    editions: [google-2021, rfc9309]\n"),
    // Contents
    ("    robots: |\n      user-agent: *\n      disallow: /fish\n", ""),
    ("    rows:", "    sitemaps: []\n    rows:"),
    (
        "      - {id: exact, url: /fish, expect: disallow}\n      - {id: other, url: /cat, expect: allow}",
        "      []",
    ),
    ("    robots:", "    variants: some\n    robots:"),
    ("url: /fish", r"url: {escaped: '/\xe9'}"),
    // Expectations
    ("expect: disallow", "expect: deny"),
    ("expect: disallow", "expect: {rfc9309: disallow}"),
    ("expect: disallow", "expect: {rfc9310: disallow, otherwise: allow}"),
    (
        "expect: disallow",
        "expect: {koster-1994: allow, koster-1996: allow, google-pre-2019: allow, google-2019: allow, google-2021: allow, rfc9309: allow, google-2026: allow, otherwise: allow}",
    ),
    (
        "[M-prefix]\n    robots: |\n      user-agent: *\n      disallow: /fish\n    rows:\n      - {id: exact, url: /fish, expect: disallow}",
        "[L-bom]\n    robots: ''\n    rows:\n      - {id: exact, url: /fish, expect: {rfc9309: allow, otherwise: allow}}",
    ),
    // Questions
    ("expect: disallow", "expect: unspecified"),
    ("expect: disallow", "expect: unspecified, question: Misspelling"),
    ("expect: disallow", "expect: unspecified, question: [Typo, Misspelling]"),
    ("expect: disallow", "expect: disallow, question: Typo"),
    // Reasons
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow, kept: disallow}"),
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow}"),
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow, keep: allow}"),
    ("expect: disallow", "expect: unspecified, question: Bom, gives: {drop: allow, keep: unspecified}"),
    ("expect: disallow", "expect: unspecified, question: [Bom, Typo], gives: {drop: allow, keep: disallow}"),
    ("expect: disallow", "expect: disallow, decided-by: {lines: [2, 1], clauses: []}"),
    ("expect: disallow", "expect: disallow, decided-by: {lines: [0], clauses: []}"),
    ("expect: disallow", "expect: disallow, decided-by: {lines: [1], clauses: [M-prefix, M-postfix]}"),
    ("expect: disallow", "expect: disallow, decided-by: {line: 1}"),
    ("expect: disallow", "expect: unspecified, question: Bom, decided-by: {lines: [1], clauses: []}"),
    (
        "  - id: fish",
        "  - {id: a, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes, lines: [white]}]}\n  - id: fish",
    ),
    (
        "  - id: fish",
        "  - {id: a, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes, lines: [{column: 1, expected: blank}]}]}\n  - id: fish",
    ),
    (
        "  - id: fish",
        "  - {id: a, clauses: [X-abnf], grammar: [{id: a, text: '', valid: yes, lines: [{column: 1}]}]}\n  - id: fish",
    ),
    (
        "  - id: fish",
        "  - {id: a, clauses: [S-sitemap], robots: '', sitemaps: [], open-sitemaps: [/a]}\n  - id: fish",
    ),
    ("    rows:", "    open-sitemaps: [/a]\n    rows:"),
    // Bytes
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {escaped: '', base64: ''}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {hex: ''}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", r"robots: {escaped: 'a\qb'}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", r"robots: {escaped: 'a\x9'}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", r"robots: {escaped: 'a\'}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {base64: YQ}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {parts: [a, {repeat: b}]}"),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {parts: [a, {repeat: b, times: -1}]}"),
    (
        "robots: |\n      user-agent: *\n      disallow: /fish",
        "robots: {parts: [{repeat: abc, times: 99999999}]}",
    ),
    (
        "robots: |\n      user-agent: *\n      disallow: /fish",
        "robots: {parts: [{repeat: a, times: 50000000}, {repeat: a, times: 50000000}]}",
    ),
    ("robots: |\n      user-agent: *\n      disallow: /fish", "robots: {parts: [abc, {fill: '#', to: 2}]}"),
    // Size
    (
        "id: exact",
        "id: a-name-that-says-everything-about-the-row-and-then-says-everything-about-the-row-again-and-then-says-everything-about-the-row-once-more-and-then-says-everything-about-the-row-a-last-time-before-it-comes-to-its-end",
    ),
    (
        "      - {id: exact, url: /fish, expect: disallow}",
        "      - {id: exact, url: {parts: [/, {repeat: a, times: 60000000}]}, expect: allow}\n      - {id: second, url: {parts: [/, {repeat: a, times: 60000000}]}, expect: allow}\n      - {id: third, url: {parts: [/, {repeat: a, times: 60000000}]}, expect: allow}",
    ),
];

/// Returns a line of a file with a mark before a column.
fn marked(text: &str, line: usize, column: usize) -> String {
    let shown = text.lines().nth(line - 1).unwrap_or_default();
    let (before, after) = shown.split_at(column.saturating_sub(1));
    format!("{before}▸{after}\n")
}

#[test]
fn every_error_in_a_case_file_is_reported_with_its_position_and_the_fix() {
    let mut all = Vec::new();
    for (good, bad) in ERRORS {
        assert_eq!(VALID_CASES.matches(good).count(), 1, "{good}");
        let text = VALID_CASES.replace(good, bad);
        let folder = folder(&[("cases.yaml", &text)]);
        let done = command("cases lint cases.yaml").within(folder.path()).run();
        assert_eq!((&*done.stdout, done.code), ("", Some(2)), "{text}");
        let position = done.stderr.strip_prefix("error: cases.yaml:").unwrap_or_default();
        let position: Vec<usize> = position.split(':').map_while(|number| number.parse().ok()).collect();
        let [line, column] = position[..] else { panic!("no position for {bad}: {}", done.stderr) };
        all.push(format!("{}{}", marked(&text, line, column), done.stderr));
    }
    let folder = folder(&[("a.yaml", VALID_CASES), ("b.yaml", VALID_CASES), ("empty.yaml", "")]);
    let lint = |line: &str| command(line).within(folder.path()).run();
    assert_eq!(lint("cases lint a.yaml").stdout, "1 suite, 1 case, 2 rows, 20 variants: no error\n");
    all.extend(["cases lint a.yaml b.yaml", "cases lint empty.yaml"].map(|line| lint(line).refusal()));
    assert_output!(all.concat());
}

#[test]
fn a_suite_of_ones_own_needs_no_title_source_and_clauses() {
    for part in ["title: A table\n", "source: A document\n", "    clauses: [M-prefix]\n"] {
        let text = VALID_CASES.replace(part, "");
        let folder = folder(&[("cases.yaml", &text)]);
        let done = command("cases lint cases.yaml").within(folder.path()).run();
        assert_eq!(done.code, Some(0), "{}", done.transcript());
    }
}

#[test]
fn every_file_may_start_with_a_byte_order_mark() {
    let with_bom = |text: &str| format!("\u{FEFF}{text}");
    let folder = folder(&[
        ("cases.yaml", &with_bom(VALID_CASES)),
        (
            "known.yaml",
            &with_bom("# A list\nknown-failures:\n  - {reason: Why., rows: [probe/fish#exact]}\n"),
        ),
        ("robotspec.toml", &with_bom("editions = ['rfc9309']\n")),
        ("wrong.toml", &with_bom("editions = ['rfc']\n")),
    ]);
    let run = |line: &str| command(line).within(folder.path()).run();
    assert_eq!(run("cases lint cases.yaml").code, Some(0));
    let done = run("run --suite cases.yaml --adapter false --known-failures known.yaml");
    assert!(!done.stderr.contains("known.yaml"), "{}", done.stderr);
    assert_eq!(run("fuzz reference --runs 1 --known-failures known.yaml").code, Some(0));
    run("run reference --config wrong.toml").assert_refused("wrong.toml:1:13: ");
}

#[cfg(target_os = "linux")]
#[test]
fn no_file_is_read_without_end() {
    let folder = folder(&[("robots.txt", "")]);
    run_in(folder.path(), "run reference --filter id:path-values/fish#exact --report jsonl=run.jsonl");
    for line in [
        "run --suite /dev/zero",
        "run --config /dev/zero",
        "run --adapter false --known-failures /dev/zero",
        "report /dev/zero --report tap=-",
        "report run.jsonl --report tap=- --suite /dev/zero",
        "report run.jsonl --report html=- --real-files /dev/zero",
        "diff run.jsonl /dev/zero",
        "known update reference --known-failures /dev/zero",
        "known update --known-failures known.yaml --from /dev/zero",
        "fuzz reference --runs 1 --known-failures /dev/zero",
        "fuzz reference --replay /dev/zero",
        "cases lint /dev/zero",
        "check --url /a --agent FooBot /dev/zero",
        "check --urls /dev/zero --agent FooBot robots.txt",
        "lint /dev/zero",
        "sitemaps /dev/zero",
    ] {
        run_in(folder.path(), line).assert_refused("/dev/zero");
    }
}
