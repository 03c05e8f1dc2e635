//! The documentation is true: its examples do what they show, its files are
//! read, and its links lead somewhere.
//!
//! Where a program prints something else than a chapter shows, and is right,
//! `SNAPSHOTS=overwrite cargo test -p robotspec-cli docs` writes it into the chapter.

mod commands;
mod links;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::support::{has, robotspec};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use robotspec::KnownFailures;
use robotspec_fuzz::KnownFindings;
use serde_json::Value;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The Markdown files of a folder, and of those in it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        // What tools put there is none of ours.
        if path.is_dir() && !name.starts_with(['.', '_']) && name != "node_modules" && name != "target" {
            pages.extend(self::pages(&path));
        } else if name.ends_with(".md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

fn chapters() -> Vec<PathBuf> {
    let chapters = pages(&book());
    assert!(chapters.len() > 9, "{chapters:?}");
    chapters
}

/// A fenced block: what is within the fence.
struct Block {
    language: String,
    /// The file that it is, where its fence says `file=NAME`.
    file: Option<String>,
    range: Range<usize>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_within = false;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let mut words = info.split_whitespace();
                let mut language = words.next().unwrap_or_default().to_owned();
                // It is shown for its mistake.
                if info.contains(" wrong ") {
                    language = "wrong".to_owned();
                }
                let file = words.find_map(|word| word.strip_prefix("file=")).map(str::to_owned);
                let start = range.start + page[range.clone()].find('\n').map_or(0, |end| end + 1);
                blocks.push(Block { language, file, range: start..start });
                is_within = true;
            }
            Event::Text(_) if is_within => blocks.last_mut().expect("it has begun").range.end = range.end,
            Event::End(TagEnd::CodeBlock) => is_within = false,
            _ => {}
        }
    }
    blocks
}

/// A chapter as it would be if its examples were run now.
fn performed(chapter: &str, has_python: bool) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut told, mut end) = (String::new(), 0);
    for block in blocks(chapter) {
        let text = &chapter[block.range.clone()];
        if let Some(file) = &block.file {
            fs::write(folder.path().join(file), text).expect("the folder takes files");
        } else if block.language == "console" && (has_python || !text.contains("python3")) {
            told.push_str(&chapter[end..block.range.start]);
            told.push_str(&session(text, folder.path()));
            end = block.range.end;
        }
    }
    told.push_str(&chapter[end..]);
    told
}

/// The commands of a session, each with what it prints now.
fn session(text: &str, folder: &Path) -> String {
    let mut told = String::new();
    let mut code = None;
    let mut lines_left = text.lines().filter(|line| line.starts_with("$ ")).peekable();
    while let Some(line) = lines_left.next() {
        told.push_str(&format!("{line}\n"));
        if line == "$ echo $?" {
            told.push_str(&format!("{}\n", code.expect("a command before it")));
            continue;
        }
        let words = shell_words::split(&line[2..]).expect("every quotation mark is closed");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (words, into) = match &words[..] {
            [words @ .., ">", file] => (words, Some(folder.join(file))),
            words => (words, None),
        };
        assert_eq!(words.first(), Some(&"robotspec"), "an example runs robotspec alone: {line}");
        let done = robotspec(words[1..].iter().copied()).within(folder).run();
        code = done.code;
        // Nobody shows a mistake without saying so, and `...` would hide it.
        let is_told = lines_left.peek() == Some(&"$ echo $?");
        assert!(is_told || code != Some(2), "{line}: {}", done.stderr);
        match into {
            Some(file) => fs::write(file, done.stdout).expect("the folder takes files"),
            None => told.push_str(&lines(&done.stdout)),
        }
        told.push_str(&lines(&done.stderr));
    }
    told
}

/// Without the spaces that fill the lines of a table, which editors take away.
fn lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_examples_print_what_the_chapters_show() {
    let has_python = has("python3", &["--version"], "what the chapters show of Python");
    let mut commands = 0;
    for file in chapters() {
        let chapter = read(&file);
        commands += chapter.lines().filter(|line| line.starts_with("$ robotspec ")).count();
        // A backslash is a backslash here, not what parts a path.
        let assert = snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false);
        assert.eq(performed(&chapter, has_python), snapbox::Data::read_from(&file, None));
    }
    assert!(commands > 20, "{commands}");
}

#[test]
fn an_example_that_is_not_so_any_more_is_noticed() {
    let shown = "```text file=robots.txt\nuser-agent: *\ndisallow: /fish\n```\n\n```console\n\
                 $ robotspec check --agent FooBot --url /fish robots.txt\nallow\n$ echo $?\n0\n```\n";
    let told = performed(shown, false);
    assert_eq!(told, shown.replace("\nallow\n", "\ndisallow\n").replace("\n0\n", "\n1\n"));
}

#[test]
fn the_files_that_the_chapters_show_are_read() {
    let mut read_as = std::collections::BTreeMap::<&str, usize>::new();
    for file in chapters() {
        let chapter = read(&file);
        for block in blocks(&chapter) {
            let text = &chapter[block.range];
            let kind = match &*block.language {
                "yaml" => yaml(text),
                "toml" => toml(text, block.file.as_deref()),
                "json" => {
                    serde_json::from_str(text).map(|_: Value| "json").map_err(|error| error.to_string())
                }
                _ => continue,
            };
            let kind = kind.unwrap_or_else(|error| panic!("{}: {error}\n{text}", file.display()));
            *read_as.entry(kind).or_default() += 1;
        }
    }
    let kinds: Vec<&str> = read_as.into_keys().collect();
    assert_eq!(
        kinds,
        ["cases", "configuration", "known failures", "known findings", "manifest", "workflow"],
        "one of each is shown"
    );
}

fn yaml(text: &str) -> Result<&'static str, String> {
    let name = Path::new("shown.yaml");
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let told = |error: robotspec::FileError| error.to_string();
    match first.split(':').next().unwrap_or_default() {
        "suite" => robotspec_cases::suite::load(name, text).map(|_| "cases").map_err(told),
        "known-failures" => KnownFailures::read(name, text).map(|_| "known failures").map_err(told),
        "known-findings" => KnownFindings::read(name, text).map(|_| "known findings").map_err(told),
        _ => workflow(text).map(|()| "workflow"),
    }
}

/// Reads the job of a CI, and whether our actions take what it gives them.
fn workflow(text: &str) -> Result<(), String> {
    let of_yaml =
        |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).map_err(|error| error.to_string());
    let workflow = of_yaml(text)?;
    let steps = workflow["jobs"]["robots"]["steps"].as_sequence().ok_or("there is no step")?;
    for step in steps {
        let uses = step["uses"].as_str().unwrap_or_default();
        let Some(action) = uses.strip_prefix("robotspec/robotspec/") else { continue };
        let action = action.strip_suffix("@main").ok_or("an action has a branch")?;
        let action = of_yaml(&read(&top().join(action).join("action.yml")))?;
        for (input, _) in step["with"].as_mapping().ok_or("an action is given something")? {
            action["inputs"].get(input).ok_or_else(|| format!("{uses} has no input {input:?}"))?;
        }
    }
    Ok(())
}

fn toml(text: &str, file: Option<&str>) -> Result<&'static str, String> {
    if file != Some("robotspec.toml") {
        return toml::from_str::<toml::Table>(text).map(|_| "manifest").map_err(|error| error.to_string());
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("robotspec.toml"), text).expect("the folder takes files");
    // It is read before it is seen that nothing is left to do.
    let done = robotspec(["run", "--filter", "kind:M", "--skip", "kind:M"]).within(folder.path()).run();
    let is_read = done.stderr.contains("no check is selected");
    if is_read { Ok("configuration") } else { Err(done.stderr) }
}

#[test]
fn the_table_of_contents_has_every_chapter() {
    let contents = read(&book().join("SUMMARY.md"));
    for chapter in chapters() {
        let name = chapter.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(
            name == "SUMMARY.md" || contents.contains(&format!("]({name})")),
            "{name} is not in SUMMARY.md"
        );
    }
}

#[test]
fn the_book_tells_of_every_command() {
    let book: String = chapters().iter().map(|chapter| read(chapter)).collect();
    for command in crate::support::commands("") {
        let command = format!("robotspec {command}");
        assert!(book.contains(command.trim_end()), "the book does not tell of `{command}`");
    }
}

#[test]
fn the_book_tells_of_every_report() {
    let chapter = read(&book().join("reports.md"));
    let help = robotspec(["run", "--report", "none=none"]).run().stderr;
    let formats =
        help.split("available: ").nth(1).and_then(|rest| rest.lines().next()).expect("a list of formats");
    for format in formats.trim().split(", ") {
        assert!(chapter.contains(&format!("`{format}`")), "reports.md does not tell of `{format}`");
    }
}
