//! Tests of the commands that appear in the Markdown files without being run.

use std::path::PathBuf;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::{pages, read, top};
use crate::support::robotspec;

/// Extracts the commands from the inline code and the code blocks of a page.
fn extract_commands(page: &str) -> Vec<String> {
    let mut code = String::new();
    let mut is_within = false;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_within = true,
            Event::End(TagEnd::CodeBlock) => is_within = false,
            Event::Text(text) if is_within => code.push_str(&text),
            Event::Code(text) => code.push_str(&format!("{text}\n")),
            _ => {}
        }
    }
    code.replace("\\\n", " ").lines().filter_map(command_in).collect()
}

/// Returns the command of this program in a line as in a shell, without what belongs to the shell.
pub(crate) fn command_in(line: &str) -> Option<String> {
    let line = line.trim_start_matches("$ ").split(" #").next()?.split(" > ").next()?.trim_end();
    let line = line.split(" | ").find(|command| command.starts_with("robotspec "))?;
    // A manifest and the output of a command start with the name, too.
    let is_command = !line.starts_with("robotspec = ") && !line.starts_with("robotspec [..]");
    is_command.then(|| line.to_owned())
}

/// Describes the mistake in a command, if there is one. `--help` is appended, so that the program checks the
/// arguments without running the command.
pub(crate) fn mistake_in(command: &str) -> Option<String> {
    let Ok(words) = shell_words::split(command) else {
        return Some(format!("{command}: a quotation mark is not closed"));
    };
    let done = robotspec(words[1..].iter().map(String::as_str).chain(["--help"])).run();
    // A page may name an option without its value.
    let is_valid = done.code == Some(0) || done.stderr.contains("a value is required for");
    (!is_valid).then(|| format!("{command}: {}", done.stderr))
}

#[test]
fn every_command_in_the_documentation_is_valid() {
    let mut count = 0;
    // The pages of `tests/commands` have wrong commands too, and all of them are run.
    let is_of_commands =
        |page: &PathBuf| page.parent().is_some_and(|folder| folder.ends_with("tests/commands"));
    for page in pages(&top()).into_iter().filter(|page| !is_of_commands(page)) {
        let commands = extract_commands(&read(&page));
        count += commands.len();
        let mistakes: Vec<String> = commands.iter().filter_map(|command| mistake_in(command)).collect();
        assert!(mistakes.is_empty(), "{}: {mistakes:#?}", page.display());
    }
    assert!(count > 60, "{count}");
    assert_eq!(mistake_in("robotspec run --edition rfc9309"), None);
    assert!(mistake_in("robotspec run --edition rfc9308").is_some());
    assert!(mistake_in("robotspec run --no-such-option").is_some());
}
