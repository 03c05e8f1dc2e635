//! Tests of the documentation: the examples print the output that the chapters show, the program reads the
//! files that the chapters show, and the targets of the links exist.
//!
//! If an example prints different output, and this output is correct,
//! `SNAPSHOTS=overwrite cargo test -p robotspec-cli docs` writes the output into the chapter.

pub(crate) mod commands;
mod links;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::support::{folder, robotspec, write};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use regex::Regex;
use robotspec::KnownFailures;

pub(crate) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src")
}

pub(crate) fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Lists the Markdown files of a folder and its subfolders.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in folder.read_dir().expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        // Tools create these folders; their files are not part of the documentation.
        if path.is_dir() && !name.starts_with(['.', '_']) && name != "node_modules" && name != "target" {
            pages.extend(self::pages(&path));
        } else if name.ends_with(".md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

pub(crate) fn chapters() -> Vec<PathBuf> {
    let chapters = pages(&book());
    assert!(chapters.len() > 9, "{chapters:?}");
    chapters
}

/// A fenced code block; the range is the text between the fences.
pub(crate) struct Block {
    pub(crate) language: String,
    /// The name of the file that the block shows, if the fence contains `file=NAME`.
    file: Option<String>,
    pub(crate) range: Range<usize>,
}

pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_within = false;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let mut words = info.split_whitespace();
                let mut language = words.next().unwrap_or_default().to_owned();
                // The block shows a mistake, so that no test reads it.
                if info.contains(" wrong ") {
                    language = "wrong".to_owned();
                }
                let file = words.find_map(|word| word.strip_prefix("file=")).map(str::to_owned);
                let start = range.start + page[range.clone()].find('\n').map_or(0, |end| end + 1);
                blocks.push(Block { language, file, range: start..start });
                is_within = true;
            }
            Event::Text(_) if is_within => blocks.last_mut().expect("a block").range.end = range.end,
            Event::End(TagEnd::CodeBlock) => is_within = false,
            _ => {}
        }
    }
    blocks
}

/// Runs the examples of a chapter and returns the chapter with their current output.
fn run_examples(chapter: &str, has_python: bool) -> String {
    let folder = folder(&[]);
    let (mut current, mut end) = (String::new(), 0);
    for block in blocks(chapter) {
        let text = &chapter[block.range.clone()];
        if let Some(file) = &block.file {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
            fs::write(path, text).expect("the file can be written");
        } else if block.language == "console" && (has_python || !text.contains("python3")) {
            current.push_str(&chapter[end..block.range.start]);
            current.push_str(&run_session(text, folder.path()));
            end = block.range.end;
        }
    }
    current.push_str(&chapter[end..]);
    current
}

/// Runs the commands of a session and returns each command with its current output.
fn run_session(text: &str, folder: &Path) -> String {
    let mut current = String::new();
    let mut code = None;
    let mut lines_left = text.lines().filter(|line| line.starts_with("$ ")).peekable();
    while let Some(line) = lines_left.next() {
        current.push_str(&format!("{line}\n"));
        if line == "$ echo $?" {
            current.push_str(&format!("{}\n", code.expect("a command precedes `echo $?`")));
            continue;
        }
        let words = shell_words::split(&line[2..]).expect("every quotation mark is closed");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (words, target) = match &words[..] {
            [words @ .., ">", file] => (words, Some(folder.join(file))),
            words => (words, None),
        };
        assert_eq!(words.first(), Some(&"robotspec"), "an example runs only robotspec: {line}");
        let done = robotspec(words[1..].iter().copied()).within(folder).run();
        code = done.code;
        // A session shows exit code 2 explicitly, because `...` would hide an unintended error.
        let shows_exit_code = lines_left.peek() == Some(&"$ echo $?");
        assert!(shows_exit_code || code != Some(2), "{line}: {}", done.stderr);
        match target {
            Some(file) => fs::write(file, done.stdout).expect("the file can be written"),
            None => current.push_str(&trim_lines(&done.stdout)),
        }
        current.push_str(&trim_lines(&done.stderr));
    }
    current
}

/// Removes trailing spaces, which tables contain and editors delete, and the duration of a run.
fn trim_lines(text: &str) -> String {
    let duration = Regex::new(r"Summary \[.*? s\]").expect("a pattern");
    let text = duration.replace_all(text, "Summary [0.1 s]");
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Asserts that the examples of a page print what the page shows.
pub(crate) fn assert_examples(file: &Path, has_python: bool) {
    // A backslash in a chapter is not a path separator.
    let assert = snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false);
    assert.eq(run_examples(&read(file), has_python), snapbox::Data::read_from(file, None));
}

#[test]
fn the_examples_print_what_the_chapters_show() {
    let mut commands = 0;
    for file in chapters().into_iter().chain([top().join("README.md")]) {
        commands += read(&file).lines().filter(|line| line.starts_with("$ robotspec ")).count();
        assert_examples(&file, false);
    }
    assert!(commands > 20, "{commands}");
}

#[test]
fn outdated_output_of_an_example_is_found() {
    let shown = "```text file=robots.txt\nuser-agent: *\ndisallow: /fish\n```\n\n```console\n\
                 $ robotspec check --agent FooBot --url /fish robots.txt\nallow\n$ echo $?\n0\n```\n";
    let current = run_examples(shown, false);
    assert_eq!(current, shown.replace("\nallow\n", "\ndisallow\n").replace("\n0\n", "\n1\n"));
}

#[test]
fn the_program_reads_the_files_that_the_chapters_show() {
    let mut read_as = std::collections::BTreeMap::<&str, usize>::new();
    for file in chapters().into_iter().chain([top().join("README.md")]) {
        let chapter = read(&file);
        for block in blocks(&chapter) {
            let text = &chapter[block.range];
            let kind = match &*block.language {
                "yaml" => yaml(text),
                "toml" => toml(text, block.file.as_deref()),
                "json" => robotspec_cases::suite::load(Path::new("shown.json"), text)
                    .map(|_| "cases")
                    .map_err(|error| error.to_string()),
                _ => continue,
            };
            let kind = kind.unwrap_or_else(|error| panic!("{}: {error}\n{text}", file.display()));
            *read_as.entry(kind).or_default() += 1;
        }
    }
    let kinds: Vec<&str> = read_as.into_keys().collect();
    assert_eq!(
        kinds,
        ["cases", "configuration", "known failures", "manifest", "workflow"],
        "the chapters show a file of each kind"
    );
}

fn yaml(text: &str) -> Result<&'static str, String> {
    let name = Path::new("shown.yaml");
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let describe = |error: robotspec::FileError| error.to_string();
    match first.split(':').next().unwrap_or_default() {
        "suite" => {
            // A case may name a file of the chapter.
            let folder = folder(&[("robots.txt", "")]);
            let file = folder.path().join(name);
            robotspec_cases::suite::load_file(&file, text).map(|_| "cases").map_err(describe)
        }
        "known-failures" => KnownFailures::read(name, text).map(|_| "known failures").map_err(describe),
        _ => workflow(text).map(|()| "workflow"),
    }
}

/// Reads a CI workflow and checks that the actions of this repository have the inputs that it sets.
fn workflow(text: &str) -> Result<(), String> {
    let parse_yaml =
        |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).map_err(|error| error.to_string());
    let workflow = parse_yaml(text)?;
    let steps = workflow["jobs"]["robots"]["steps"].as_sequence().ok_or("the job has no steps")?;
    for step in steps {
        let uses = step["uses"].as_str().unwrap_or_default();
        let Some(action) = uses.strip_prefix("robotspec/robotspec/") else { continue };
        let version = concat!("@v", env!("CARGO_PKG_VERSION"));
        let action = action.strip_suffix(version).ok_or(format!("the action is not pinned: {version}"))?;
        let action = parse_yaml(&read(&top().join(action).join("action.yml")))?;
        for (input, _) in step["with"].as_mapping().into_iter().flatten() {
            action["inputs"].get(input).ok_or_else(|| format!("{uses} has no input {input:?}"))?;
        }
    }
    Ok(())
}

fn toml(text: &str, file: Option<&str>) -> Result<&'static str, String> {
    if file != Some("robotspec.toml") {
        return toml::from_str::<toml::Table>(text).map(|_| "manifest").map_err(|error| error.to_string());
    }
    let folder = folder(&[]);
    write(&folder, "robotspec.toml", text);
    // The program reads the configuration before it reports that no check is selected.
    let done = robotspec(["run", "--filter", "kind:M", "--skip", "kind:M"]).within(folder.path()).run();
    let is_read = done.stderr.contains("no check is selected");
    if is_read { Ok("configuration") } else { Err(done.stderr) }
}

#[test]
fn the_readme_is_a_page_and_no_chapter_is_long() {
    let words = |file: &Path| read(file).split_whitespace().count();
    assert!(
        words(&top().join("README.md")) <= 1000,
        "README.md has {} words",
        words(&top().join("README.md"))
    );
    // The chapter of the tables is written by a program.
    for chapter in chapters().into_iter().filter(|chapter| !chapter.ends_with("tables.md")) {
        assert!(words(&chapter) <= 1800, "{} has {} words", chapter.display(), words(&chapter));
    }
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
fn the_functions_of_the_chapter_are_those_that_init_writes() {
    let templates = crate::init::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/command/init"));
    let chapter = read(&book().join("urls.md"));
    let functions =
        blocks(&chapter).into_iter().filter(|block| !["text", "console"].contains(&&*block.language));
    let mut languages = 0;
    for block in functions {
        let text = &chapter[block.range];
        assert!(templates.values().any(|template| template.contains(text)), "no template has {text}");
        languages += 1;
    }
    assert_eq!(languages, 11);
}

#[test]
fn the_book_describes_every_command() {
    let book: String = chapters().iter().map(|chapter| read(chapter)).collect();
    for command in crate::support::commands("") {
        let command = format!("robotspec {command}");
        assert!(book.contains(command.trim_end()), "the book does not describe `{command}`");
    }
}

#[test]
fn the_book_describes_every_report_format() {
    let chapter = read(&book().join("reports.md"));
    let help = robotspec(["run", "--report", "none=none"]).run().stderr;
    let formats =
        help.split("available: ").nth(1).and_then(|rest| rest.lines().next()).expect("a list of formats");
    for format in formats.trim().split(", ") {
        assert!(chapter.contains(&format!("`{format}`")), "reports.md does not describe `{format}`");
    }
}
