//! Names, messages, paths and file contents that a terminal, a document or a CI system would obey: every command and every
//! format shows them as text. A new command needs a row in a table here.

use std::sync::OnceLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use robotspec_test_support::hostile::{TEXT, describe_harm, is_command};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{self, Done, commands, events_of, json_lines, robotspec};

/// The name of a file. It has no `/`, which a name cannot contain.
fn file_name() -> String {
    TEXT.replace('/', ":").chars().take(60).collect()
}

/// A URL without the characters at which a value ends in some readings.
const SITEMAP: &str = "http://example.com/\u{202e}\u{9b}2J\u{200b}";

/// A robots.txt with hostile lines.
fn robots() -> String {
    let line = TEXT.replace(['\r', '\n'], " ");
    format!(
        "sitemap: {SITEMAP}\nuser-agent: *\ndisallow: /{line}\nsitemap: http://example.com/{line}\n{line}: x\nallow: /x{line}\n{line}\n"
    )
}

/// Returns a text in quotation marks, as YAML and TOML write it.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A file of cases whose texts are hostile.
fn suite() -> String {
    let (text, robots) = (quoted(TEXT), quoted(&robots()));
    format!(
        "suite: hostile\ntitle: {text}\nsource: {text}\ncases:\n  - id: one\n    clauses: [M-default]\n    about: \
         {text}\n    editions: [rfc9309]\n    variants: none\n    robots: {robots}\n    rows:\n      - {{id: a, agent: \
         {text}, url: /x, expect: disallow}}\n"
    )
}

/// A suite of one's own, whose case names a file.
fn own_suite(file: &str) -> String {
    format!(
        "suite: own\ncases:\n  - id: one\n    about: {text}\n    robots-file: {}\n    rows:\n      - {{id: a, agent: {}, \
         url: {}, expect: allow}}\n",
        quoted(file),
        quoted(&format!("%0A{TEXT}")),
        quoted(&format!("/{TEXT}")),
        text = quoted(TEXT)
    )
}

const CHECKS: &str = "--edition rfc9309 --no-variants --filter id:path-values/fish#*";

const ADAPTER: &str = "--adapter 'misbehaving_adapter hostile'";

/// A folder with a file of each kind. `FILE` in a command line is the hostile name; it starts each name here.
fn folder() -> TempDir {
    let folder = support::folder(&[]);
    let write = |extension: &str, text: &str| {
        let name = format!("{}{extension}", file_name());
        support::write(&folder, name, text);
    };
    let text = quoted(TEXT);
    write(".txt", &robots());
    write(".suite.yaml", &suite());
    write(".own.yaml", &own_suite(&format!("{}.txt", file_name())));
    write(".nowhere.yaml", &own_suite(&format!("{}.none", file_name())));
    write(".broken.yaml", &format!("{text}: {text}"));
    write(
        ".known.yaml",
        &format!("known-failures:\n  - reason: {text}\n    rows: [path-values/fish#exact]\n"),
    );
    write(".toml", &format!("[[implementation]]\nname = {text}\nadapter = 'misbehaving_adapter hostile'\n"));
    write(".broken.toml", &format!("editions = [{text}]"));
    let events_of = |way: &str| {
        let adapter = format!("misbehaving_adapter {way}");
        let known = format!("{}.known.yaml", file_name());
        let words = ["run", "--adapter", &adapter, "--known-failures", &known, "--report", "jsonl=-"];
        let words = words.into_iter().chain(CHECKS.split(' '));
        let done = robotspec(words).within(folder.path()).run();
        assert_eq!(done.code, Some(1), "{}", done.stderr);
        done.stdout
    };
    static RUNS: OnceLock<[String; 2]> = OnceLock::new();
    let [run, other] = RUNS.get_or_init(|| ["hostile", "always-allows"].map(events_of));
    write(".run.jsonl", run);
    write(".other.jsonl", other);
    // The events of a run that does not end, whose texts are all hostile.
    let events: Vec<String> = run
        .lines()
        .map(|line| {
            let mut event: Value = serde_json::from_str(line).expect("JSON");
            if event["event"] == "check-finished" {
                event["clause"] = TEXT.into();
            }
            if event["event"] == "run-started" {
                event["shard"] = "1/2".into();
            }
            if event["event"] == "implementation-finished" {
                event["stale-known-failures"] = serde_json::json!([TEXT]);
            }
            format!("{event}\n")
        })
        .collect();
    write(".hostile.jsonl", &events.concat());
    write(".cut.jsonl", &events[..events.len() - 1].concat());
    write(".broken.jsonl", &format!("{text}\n"));
    folder
}

/// Runs a command line in which `FILE` is the hostile name, and `TEXT` the hostile text.
fn run(folder: &TempDir, line: &str, variables: &[(&str, &str)]) -> Done {
    let words = shell_words::split(line).expect("every quotation mark is closed");
    let words: Vec<String> =
        words.iter().map(|word| word.replace("FILE", &file_name()).replace("TEXT", TEXT)).collect();
    let mut command = robotspec(words.iter().map(String::as_str)).within(folder.path());
    for (name, value) in variables {
        command = command.env(name, value);
    }
    command.run()
}

/// Command lines with output for people, and the exit code of each.
const HUMAN: &[(&str, i32)] = &[
    ("run ADAPTER CHECKS", 1),
    ("run ADAPTER CHECKS --all", 1),
    ("run ADAPTER --no-variants --edition rfc9309 --filter kind:S", 3),
    ("run ADAPTER --no-variants --edition rfc9309 --filter clause:S-sitemap --all", 1),
    ("run ADAPTER CHECKS --known-failures FILE.known.yaml", 1),
    ("run ADAPTER CHECKS --known-failures FILE.none", 2),
    ("run ADAPTER CHECKS --known-failures FILE.broken.yaml", 2),
    ("run --exec 'no-such-tool \"TEXT\" {url}' CHECKS", 3),
    (r#"run --exec "sh -c 'printf %s \"$1\" >&2; exit 9' x \"TEXT\" {url}" CHECKS"#, 1),
    ("run --adapter 'misbehaving_adapter exits-before-hello \"TEXT\"' CHECKS", 3),
    ("run ADAPTER --edition rfc9309 --suite FILE.suite.yaml", 1),
    ("run reference ADAPTER --edition rfc9309 --suite FILE.own.yaml", 1),
    ("run ADAPTER --suite FILE.broken.yaml", 2),
    ("run ADAPTER --suite FILE.nowhere.yaml", 2),
    ("run ADAPTER --suite FILE.none", 2),
    ("run --config FILE.toml CHECKS", 1),
    ("run --config FILE.broken.toml", 2),
    ("run --config FILE.none", 2),
    ("run TEXT", 2),
    ("TEXT", 2),
    ("--TEXT", 2),
    ("run TEXT --TEXT", 2),
    ("run --format TEXT", 2),
    ("run --report TEXT=FILE.out", 2),
    ("run --filter TEXT", 2),
    ("run --shard TEXT", 2),
    ("run --timeout TEXT", 2),
    ("run --exec 'a {url}' --allow-pattern '[TEXT'", 2),
    ("fuzz --time TEXT", 2),
    ("run ADAPTER CHECKS --report tap=FILE.txt/FILE", 2),
    ("diff FILE.run.jsonl FILE.other.jsonl", 0),
    ("diff FILE.other.jsonl FILE.run.jsonl --all", 1),
    ("diff FILE.other.jsonl FILE.hostile.jsonl", 1),
    ("diff FILE.run.jsonl FILE.cut.jsonl", 3),
    ("diff FILE.run.jsonl FILE.broken.jsonl", 2),
    ("known update --known-failures FILE.new --from FILE.run.jsonl", 2),
    ("known update --known-failures FILE.new --from FILE.none", 2),
    ("report FILE.hostile.jsonl FILE.cut.jsonl --report jsonl=out.jsonl", 3),
    ("report FILE.run.jsonl --html FILE.txt", 2),
    ("report FILE.none --html site", 2),
    ("check --agent TEXT --url /TEXT --explain FILE.txt", 4),
    ("check --agent FooBot --url '/::error::E' FILE.txt", 4),
    ("check --agent FooBot --url / FILE.none", 2),
    ("check --agent TEXT --url /TEXT --edition all --explain FILE.txt", 0),
    ("check --agent TEXT --url /TEXT FILE.txt ADAPTER", 3),
    ("check --agent FooBot --urls FILE.txt FILE.txt", 2),
    ("check --agent TEXT --url /TEXT FILE.txt --as-case", 2),
    ("check --agent FooBot --url / http://TEXT", 2),
    ("scope http://TEXT/robots.txt http://TEXT/", 2),
    ("sitemaps FILE.txt", 0),
    ("sitemaps FILE.none", 2),
    ("lint FILE.txt", 1),
    ("lint FILE.none", 2),
    ("fuzz ADAPTER --runs 20 --seed 1 --jobs 1 --max-findings 2", 1),
    ("fuzz ADAPTER --runs 20 --seed 1 --known-failures FILE.broken.yaml", 2),
    ("fuzz ADAPTER --files . --seed 1 --jobs 1 --max-findings 2", 1),
    ("fuzz ADAPTER --files FILE.txt", 2),
    (
        "fuzz reference --runs 2000 --seed 2 --jobs 1 --against 'misbehaving_adapter hostile' --max-findings 1",
        1,
    ),
    ("profile ADAPTER", 3),
    ("serve TEXT", 2),
    ("adapter reference", 0),
    ("cases list", 0),
    ("cases show TEXT", 2),
    ("cases show answers/control-character", 0),
    ("cases lint FILE.suite.yaml", 0),
    ("cases lint FILE.suite.yaml FILE.suite.yaml", 2),
    ("cases lint FILE.broken.yaml", 2),
    ("cases schema", 0),
    ("cases coverage", 0),
    ("editions", 0),
    ("editions diff google-2019 rfc9309", 0),
    ("export --schema", 0),
    ("init --lang python --out FILE.new", 0),
    ("init --lang python --out FILE.txt", 2),
    ("completions bash", 0),
    ("man --out FILE.txt", 2),
];

#[test]
fn hostile_text_is_shown_as_text() {
    let folder = folder();
    let mut problems = Vec::new();
    for (line, code) in HUMAN {
        let line = line.replace("ADAPTER", ADAPTER).replace("CHECKS", CHECKS);
        let done = run(&folder, &line, &[]);
        let harm = [&done.stdout, &done.stderr].into_iter().filter_map(|output| describe_harm(output));
        problems.extend(harm.map(|harm| format!("{line}: {harm}")));
        if done.code != Some(*code) {
            problems.push(format!("{line}: {:?}\n{}{}", done.code, done.stdout, done.stderr));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_command_is_tested_with_hostile_text() {
    let all = commands("");
    let tested = |command: &&String| {
        HUMAN.iter().any(|(line, _)| format!("{line} ").starts_with(&format!("{command} ")))
    };
    let is_group = |command: &String| all.iter().any(|other| other.starts_with(&format!("{command} ")));
    let untested: Vec<&String> =
        all.iter().filter(|command| !command.is_empty() && !is_group(command) && !tested(command)).collect();
    assert!(untested.is_empty(), "{untested:?}");
}

/// Colours are the only escape sequences, and only those of the program itself.
#[test]
fn hostile_text_is_shown_as_text_between_colours() {
    let folder = folder();
    for line in [
        "run ADAPTER CHECKS --all",
        "sitemaps FILE.txt",
        "lint FILE.txt",
        "diff FILE.other.jsonl FILE.run.jsonl",
    ] {
        let line = line.replace("ADAPTER", ADAPTER).replace("CHECKS", CHECKS);
        let done = run(&folder, &line, &[("NO_COLOR", ""), ("CLICOLOR_FORCE", "1"), ("TERM", "xterm")]);
        let (mut plain, mut styles) = (done.stdout.clone(), 0_usize);
        for style in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"] {
            styles += plain.matches(style).count();
            plain = plain.replace(style, "");
        }
        assert!(styles > 0, "{line}");
        assert_eq!(describe_harm(&plain), None, "{line}");
        // The text names a colour, too.
        assert!(!done.stdout.contains("J\x1b[31m"), "{line}\n{}", done.stdout.escape_debug());
    }
}

/// Returns the report of two runs in a format.
fn report(folder: &TempDir, format: &str) -> String {
    let done = run(folder, &format!("report FILE.hostile.jsonl --report {format}=-"), &[]);
    assert_eq!(done.code, Some(3), "{}", done.stderr);
    done.stdout
}

#[test]
fn hostile_text_is_shown_as_text_in_reports() {
    let folder = folder();
    for format in ["junit", "tap", "markdown"] {
        // A line break in an attribute of XML is a space.
        let output =
            report(&folder, format).replace(if format == "junit" { "\nforged" } else { "\0" }, " forged");
        assert_eq!(describe_harm(&output), None, "{format}");
        assert!(output.contains(r"E\u{1b}[2J") || output.contains(r"E\\u{1b}[2J"), "{format}\n{output}");
    }
    let page = report(&folder, "html");
    let (_, overview) = page.split_once("<noscript>").expect("an overview");
    assert_eq!(describe_harm(overview.split("</noscript>").next().expect("a part")), None);
    // A `#` that is not escaped would start a directive, and the text has one before a number.
    let tap = report(&folder, "tap");
    let is_point = |line: &&str| line.starts_with("ok") || line.starts_with("not ok");
    assert_eq!(tap.lines().filter(is_point).find(|line| line.contains(" #1")), None);
}

#[test]
fn hostile_text_is_not_markup_in_markdown() {
    let markdown = report(&folder(), "markdown");
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let (mut code, mut text, mut is_code) = (Vec::new(), String::new(), false);
    for event in Parser::new_ext(&markdown, options) {
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis | Tag::Strikethrough)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_) => panic!("{event:?} in\n{markdown}"),
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(part) if is_code => {
                assert_eq!(describe_harm(&part.replace("forged", " forged")), None)
            }
            Event::Text(part) => text.push_str(&part),
            Event::Code(part) => code.push(part.into_string()),
            _ => text.push('\n'),
        }
    }
    // GitHub makes links of these, unless they are code.
    for link in ["http", "www.", "@user", "#1", "GH-1"] {
        assert!(!text.contains(link), "`{link}` in\n{markdown}");
    }
    let shown = robotspec_text::visible(TEXT);
    assert!(code.contains(&format!("{shown} {shown}")), "the name and the version are not in\n{markdown}");
    assert!(code.iter().any(|code| code.starts_with(&format!("error: {}", &shown[..100]))), "{markdown}");
}

/// Command lines whose standard output is a document that is no report of runs.
const DOCUMENTS: &[&str] = &[
    "run ADAPTER CHECKS --format jsonl",
    "fuzz ADAPTER --runs 20 --seed 1 --jobs 1 --max-findings 2 --format jsonl",
    "profile ADAPTER --format jsonl",
    "fuzz ADAPTER --files . --seed 1 --jobs 1 --max-findings 2 --format jsonl",
    "diff FILE.other.jsonl FILE.run.jsonl --format json",
    "check --agent TEXT --url /TEXT --explain FILE.txt --format json",
    "sitemaps FILE.txt --format jsonl",
    "lint FILE.txt --format jsonl",
    "check --agent TEXT --url /TEXT --edition all FILE.txt ADAPTER --format json",
    "check --agent FooBot --url /TEXT FILE.txt --as-case",
    "run reference ADAPTER --edition rfc9309 --suite FILE.own.yaml --format markdown",
];

/// The annotations are commands, but no text of a parser or a file makes one of its own.
#[test]
fn hostile_text_is_text_in_annotations() {
    let folder = folder();
    let line = format!("run reference {ADAPTER} --edition rfc9309 --suite FILE.own.yaml --format github");
    let done = run(&folder, &line, &[]);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "one for the reference, and one for the parser: {}", done.stdout);
    for line in lines {
        let command = line.strip_prefix("::error ").expect("an annotation");
        let (properties, message) = command.split_once("::").expect("properties");
        let names: Vec<&str> =
            properties.split(',').filter_map(|property| property.split('=').next()).collect();
        assert_eq!(names, ["file", "line", "title"], "{line}");
        assert!(message.contains("%250A") && !line.contains("##["), "{line}");
        assert!(!properties.replace("%3A", "").replace("%2C", "").contains([':', '%']), "{line}");
    }
}

#[test]
fn no_line_of_a_document_is_a_command_of_a_ci_system() {
    let folder = folder();
    let mut problems = Vec::new();
    let formats = ["jsonl", "junit", "tap", "markdown", "maintainers", "html", "badge"];
    let reports =
        formats.map(|format| format!("report FILE.hostile.jsonl FILE.other.jsonl --report {format}=-"));
    for line in reports.iter().map(String::as_str).chain(DOCUMENTS.iter().copied()) {
        let line = line.replace("ADAPTER", ADAPTER).replace("CHECKS", CHECKS);
        let Done { stdout, stderr, .. } = run(&folder, &line, &[]);
        if stdout.is_empty() {
            problems.push(format!("{line}: {stderr}"));
        }
        let command = stdout.lines().chain(stderr.lines()).find(|line| is_command(line));
        problems.extend(command.map(|command| format!("{line}: {command}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The formats for programs keep the exact text.
#[test]
fn hostile_text_is_exact_in_json() {
    let folder = folder();
    let report = report(&folder, "jsonl");
    assert_eq!(events_of(&report, "implementation-started")[0]["name"], TEXT);
    let failure = &events_of(&report, "check-finished")[0]["editions"]["rfc9309"];
    assert_eq!(failure["got"]["answer"]["match"]["error"], TEXT, "{failure}");
    let events = run(&folder, &format!("run {ADAPTER} {CHECKS} --format jsonl"), &[]);
    assert!(json_lines(&events.stdout).iter().any(|event| event["implementation"] == TEXT));
    let sitemaps = run(&folder, "sitemaps FILE.txt --format jsonl", &[]);
    assert_eq!(json_lines(&sitemaps.stdout)[0]["url"], SITEMAP);
    let profile = run(&folder, &format!("profile {ADAPTER} --format jsonl"), &[]);
    assert_eq!(json_lines(&profile.stdout)[0]["implementation"]["name"], TEXT);
    let diff = run(&folder, "diff FILE.other.jsonl FILE.run.jsonl --format json", &[]);
    let diff: Value = serde_json::from_str(&diff.stdout).expect("JSON");
    assert_eq!(diff["implementations"][0]["new"]["name"], TEXT);
}
