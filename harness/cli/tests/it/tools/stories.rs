//! The ways to test an implementation, each followed from an empty folder with the text of the book. The adapters that
//! `init` writes have tests of their own.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::require;
use crate::docs::{blocks, read, top};
use crate::support::{Done, folder, robotspec, run_in};

/// Returns the section of the chapter with this heading.
fn section(heading: &str) -> String {
    let chapter = read(&top().join("harness/docs/src/ten-minutes.md"));
    let (_, section) = chapter.split_once(&format!("\n## {heading}\n")).expect("the section");
    let section = section.split("\n## ").next().and_then(|section| section.split("\n### ").next());
    section.unwrap_or_default().to_owned()
}

/// Returns the code blocks of a section in a language.
fn code(section: &str, language: &str) -> String {
    let shown = blocks(section).into_iter().filter(|block| block.language == language);
    shown.map(|block| section[block.range].to_owned()).collect()
}

fn assert_shows(section: &str, command: &str) {
    assert!(section.contains(command), "the section does not show {command}: {section}");
}

#[test]
#[ignore = "builds a crate"]
fn a_parser_in_rust() {
    let section = section("A parser in Rust");
    let shown = code(&section, "toml");
    let git = "git = \"https://github.com/robotspec/robotspec\"";
    assert!(shown.contains(git), "{shown}");
    // The sources of this test, in place of those on the server.
    let path = format!("path = {:?}", top().join("harness").canonicalize().expect("the library"));
    let manifest =
        format!("[package]\nname = \"my-parser\"\nedition = \"2024\"\n\n{}", shown.replace(git, &path));
    let test = format!("use my_parser::my_parser;\n{}", code(&section, "rust"));
    let parser = "pub fn my_parser(_: &[u8], _: &str, url: &str) -> bool { !url.ends_with(\"/fish\") }\n";
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in
        [("Cargo.toml", manifest), ("tests/robotstxt.rs", test), ("src/lib.rs", parser.into())]
    {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("the folder can be created");
        fs::write(file, text).expect("the file can be written");
    }
    // The versions of this repository are on this machine.
    fs::copy(top().join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("the file can be copied");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args("test --offline --test robotstxt -- path-values/fish".split(' '));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parser/target");
    let done = cargo.env("CARGO_TARGET_DIR", target).current_dir(folder.path()).output();
    let done = Done::of(done.expect("cargo starts"));
    assert_eq!(done.code, Some(101), "{}{}", done.stdout, done.stderr);
    for line in ["test rfc9309::path-values/fish ... FAILED", "expected disallow, got allow"] {
        assert!(done.words().contains(line), "{line}: {}", done.stdout);
    }
}

#[test]
#[ignore = "needs a POSIX shell"]
fn a_command_line_tool() {
    use std::os::unix::fs::PermissionsExt;

    let tool = "--exec 'robots {file} {agent} {url}'";
    assert_shows(&section("A command line tool"), tool);
    // It looks for the path of the URL in the file, and exits with 1 if there is a rule with it.
    let script = "#!/bin/sh\ngrep -q \": /${3#*://*/}$\" \"$1\" && exit 1\nexit 0\n";
    let folder = folder(&[("robots", script)]);
    let file = folder.path().join("robots");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the file can be made executable");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let command = format!("run {tool} --edition rfc9309 --no-variants --filter 'id:path-values/fish#*'");
    let words = shell_words::split(&command).expect("words");
    let done = robotspec(words.iter().map(String::as_str)).env("PATH", &path).within(folder.path()).run();
    assert_eq!(done.code, Some(1), "{}", done.stderr);
    // It knows `/fish`, and the URLs that no rule matches.
    assert!(
        done.words().contains("Summary 9 judgements: 4 pass (44.4 % of those judged), 5 fail"),
        "{}",
        done.stdout
    );
}

#[test]
#[ignore = "needs Wget"]
fn a_crawler() {
    let crawler = "--crawler 'wget --recursive --tries=1 --timeout=1 {url}'";
    assert_shows(&section("A crawler"), crawler);
    require("wget", &["--version"]);
    let folder = TempDir::new().expect("a temporary folder");
    let command = format!("run {crawler} --edition rfc9309 --filter 'id:access/success#status-200'");
    let done = run_in(folder.path(), &command);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    assert!(done.words().contains("1 judgement: 1 pass"), "{}", done.stdout);
}
