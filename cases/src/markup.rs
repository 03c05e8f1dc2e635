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

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser};

    const TEXTS: [&str; 13] = [
        "plain 1.0",
        "` `` ``` x ````",
        "``",
        "a|b \\| c\\\\|d",
        "<img src=x> &amp; <!-- x",
        "[a](b) ![a](b) <http://a.example>",
        "@user http://a.example www.a.example #1 GH-1",
        "@user | ` \\",
        "@user a|b \\| c",
        "*a* _b_ ~~c~~ $d$ **e**",
        "path-values/fish#exact",
        "C:\\path\\|",
        "a\n\n# b\r\n> c",
    ];

    /// Returns the texts and codes of a document, which must have no other inline parts.
    fn content(markdown: &str) -> Vec<String> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
        let mut content = vec![String::new()];
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Text(text) | Event::Code(text) => content.last_mut().expect("a part").push_str(&text),
                Event::Start(tag) => assert!(
                    matches!(tag, pulldown_cmark::Tag::Paragraph | pulldown_cmark::Tag::Table(_))
                        || matches!(tag, pulldown_cmark::Tag::TableHead | pulldown_cmark::Tag::TableRow)
                        || tag == pulldown_cmark::Tag::TableCell,
                    "{tag:?} in {markdown}"
                ),
                Event::End(_) => content.push(String::new()),
                event => panic!("{event:?} in {markdown}"),
            }
        }
        content.retain(|part| !part.is_empty());
        content
    }

    #[test]
    fn a_text_is_shown_exactly() {
        for plain in TEXTS {
            assert_eq!(content(&format!("x {}", text(plain))).concat(), format!("x {}", visible(plain)));
            assert_eq!(content(&code(plain)), [visible(plain)]);
        }
    }

    #[test]
    fn code_in_a_sentence_is_code() {
        assert_eq!(prose("a* `*` b `<i>`"), r"a\* `*` b `<i>`");
        assert_eq!(content(&prose("a* `*` b `<i>`")), ["a* * b <i>"]);
        assert_eq!(content(&prose("an odd ` is a character")).concat(), "an odd ` is a character");
    }

    #[test]
    fn a_block_ends_at_its_own_fence() {
        let block = fenced("text", "a\n````\n<b>\n");
        let events: Vec<Event> = Parser::new(&block).collect();
        assert!(matches!(&events[1..2], [Event::Text(text)] if &**text == "a\n````\n<b>\n"), "{events:?}");
    }

    #[test]
    fn a_cell_contains_the_whole_text() {
        for plain in TEXTS {
            let table = format!("| a | b |\n| --- | --- |\n| {} | end |\n", cell_text(plain));
            assert_eq!(content(&table), ["a", "b", &visible(plain), "end"], "{table}");
        }
    }
}
