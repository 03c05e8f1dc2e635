//! The command line, through its front door: every form of output, every
//! message, every exit code. Snapshots hold what a person sees.

mod ask;
mod case_files;
mod cases;
mod editions;
mod help;
mod lint;
mod output;
mod refused;
mod results;
#[path = "../support/mod.rs"]
mod support;

use std::fs;

use serde_json::Value;
use support::{Done, Robotspec, robotspec};
use tempfile::TempDir;

const FISH: &str = "\
# a small shop
user-agent: FooBot
disallow: /fish
allow: /fish/salmon
allow: /page
disallow: /*.htm

user-agent: *
user-agent: BarBot
disallow: /

user-agent: FooBot
disallow: /*.gif$
";

/// What a command line told, its words parted by spaces as in a shell.
fn run(line: &str) -> Done {
    command(line).run()
}

fn command(line: &str) -> Robotspec {
    let words = shell_words::split(line).expect("every quotation mark is closed");
    robotspec(words.iter().map(String::as_str))
}

/// What several command lines told, one after the other.
fn told<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    lines.into_iter().map(|line| run(line).told()).collect::<Vec<_>>().join("\n")
}

/// A folder with files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, octets) in files {
        fs::write(folder.path().join(name), octets).expect("the folder takes files");
    }
    folder
}

/// Each line as a value.
fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect()
}
