//! Command lines that users write.

use robotspec_text::visible;

/// A command that cannot be split into words as a POSIX shell splits them, or lacks a word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the command `{}` cannot be run: {reason}", visible(.command))]
pub struct BadCommand {
    /// The command.
    pub command: String,
    /// What is wrong with it.
    pub reason: String,
}

impl BadCommand {
    pub(super) fn new(command: &str, reason: &str) -> Self {
        BadCommand { command: command.to_owned(), reason: reason.to_owned() }
    }
}

/// Splits a command into words as a POSIX shell does.
pub(super) fn words(command: &str) -> Result<Vec<String>, BadCommand> {
    let words = shell_words::split(command)
        .map_err(|_| BadCommand::new(command, "a quotation mark is not closed"))?;
    if words.is_empty() { Err(BadCommand::new(command, "it is empty")) } else { Ok(words) }
}

/// Returns the word with values in place of its placeholders. A placeholder inside a value is not replaced.
pub(super) fn fill(word: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        match values.iter().find(|(placeholder, _)| rest.starts_with(placeholder)) {
            Some((placeholder, value)) => {
                filled.push_str(value);
                rest = &rest[placeholder.len()..];
            }
            None => {
                filled.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    filled
}
