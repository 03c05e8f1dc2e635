//! Text of foreign programs and files, made safe to show to a person.
//!
//! Names, messages, paths and the contents of files come from programs and files that may be hostile. Shown unchanged,
//! they could move the cursor of a terminal, write to its clipboard, forge a line, or reverse the order of the text
//! around them. The functions here replace each character that has no glyph by an escape such as `\u{1b}`, as the HTML page
//! does. Every output for people uses them; formats for programs contain the exact text. What is visible already stays as
//! it is, so that a text may pass through a function more than once. [`escaped`] is for bytes.
//! What a CI system would obey is [inert](crate::inert).

use std::path::Path;

use crate::inert::{HASH, escape_hash, inert_line};

/// Returns a text in one line, such as a name. A line break is replaced by an escape.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push_visible(&mut shown, c));
    escape_hash(&shown, HASH).into_owned()
}

/// Returns the same for bytes that need not be UTF-8.
pub fn visible_bytes(bytes: &[u8]) -> String {
    visible(&String::from_utf8_lossy(bytes))
}

/// Returns a text that may have several lines, such as a message with the end of a log. Line breaks and tabs stay. The first
/// line may follow other text, so that [`inert_line`] is for the whole line.
pub fn visible_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' | '\t' => shown.push(c),
            '\r' if characters.peek() == Some(&'\n') => {}
            c => push_visible(&mut shown, c),
        }
    }
    let Some((first, rest)) = shown.split_once('\n') else {
        return escape_hash(&shown, HASH).into_owned();
    };
    let rest = rest.split('\n').map(inert_line);
    std::iter::once(escape_hash(first, HASH)).chain(rest).collect::<Vec<_>>().join("\n")
}

/// Returns a path in one line.
pub fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

/// Adds a character, as an escape if it is invisible.
fn push_visible(shown: &mut String, c: char) {
    match short_escape(c) {
        Some(escape) => shown.push_str(escape),
        None if is_invisible(c) => shown.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        None => shown.push(c),
    }
}

/// Returns the escape of a character that has one of its own.
fn short_escape(c: char) -> Option<&'static str> {
    match c {
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        _ => None,
    }
}

/// Returns whether a character has no glyph, looks like a space, or changes the direction of the text (Unicode, 23.2 and
/// 23.7; UAX #9).
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace() && c != ' '
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
        // Never assigned to a character. XML 1.0, section 2.2, does not permit U+FFFE and U+FFFF.
        || u32::from(c) & 0xFFFE == 0xFFFE
        || matches!(c, '\u{FDD0}'..='\u{FDEF}')
}

/// Returns the bytes as readable text, with escapes for characters that a reader cannot see and for bytes that are not
/// UTF-8.
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                c if is_invisible(c) => match short_escape(c) {
                    Some(escape) => text.push_str(escape),
                    None => push_hex(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                },
                c => text.push(c),
            }
        }
        push_hex(&mut text, chunk.invalid());
    }
    text
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push_str(&format!("\\x{byte:02x}"));
    }
}
