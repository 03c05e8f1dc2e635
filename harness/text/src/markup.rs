//! Text of foreign programs and files in Markdown. It must not become a heading, a link, HTML or a mention.

use crate::visible;

/// The prefixes of words of which GitHub makes links, whether or not their characters are escaped.
const LINKED: [&str; 7] = ["@", "://", "www.", "mailto:", "xmpp:", "GH-", "gh-"];

/// Returns a text in one line without markup. A text that could become a link or a mention is code, because GitHub makes
/// no links in code.
pub fn text(text: &str) -> String {
    let line = visible(text);
    if may_be_linked(&line) {
        return code(&line);
    }
    let mut escaped = String::new();
    for c in line.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' | '$') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns a text in one line as code.
pub fn code(text: &str) -> String {
    let line = visible(text);
    // The code ends at the first run of as many backticks.
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    if longest == 0 && !line.is_empty() && line.trim() == line {
        return format!("`{line}`");
    }
    let fence = "`".repeat((longest + 1).max(2));
    format!("{fence} {line} {fence}")
}

/// Returns a sentence in which code stands between backticks.
pub fn prose(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text(sentence);
    }
    let part = |(place, part): (usize, &&str)| if place.is_multiple_of(2) { text(part) } else { code(part) };
    parts.iter().enumerate().filter(|(_, part)| !part.is_empty()).map(part).collect()
}

/// Returns lines as a block of code in this language.
pub fn fenced(language: &str, lines: &str) -> String {
    let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{language}\n{lines}{fence}\n")
}

/// Returns a text as the content of a cell of a table.
pub fn cell_text(line: &str) -> String {
    // In a table, each `\|` stands for `|`, even in code.
    if may_be_linked(line) { code(line).replace('|', "\\|") } else { text(line) }
}

/// Returns whether GitHub could make a link of a part of a text, even if its characters are escaped.
fn may_be_linked(text: &str) -> bool {
    let is_number = |after: &str| after.starts_with(|c: char| c.is_ascii_digit());
    text.split('#').skip(1).any(is_number) || LINKED.iter().any(|part| text.contains(part))
}
