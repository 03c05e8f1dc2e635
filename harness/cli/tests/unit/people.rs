//! Tests of the private parts of `src/output/people.rs`.

use super::*;
use crate::output::style::{BAD, FAINT, GOOD, OPEN, STRONG, styled};

fn shown(text: &str, columns: usize) -> String {
    text.split_inclusive('\n').map(|line| for_people(line, columns)).collect()
}

#[test]
fn styles_reach_a_terminal_and_take_no_columns() {
    for style in [GOOD, BAD, OPEN, STRONG, FAINT] {
        let text = format!("{} {}\n", styled(style, "a\tb"), styled(GOOD, "two"));
        assert_eq!(shown(&text, 80), text);
    }
    let text = format!("{} {}\n", styled(BAD, "one"), styled(GOOD, "two"));
    assert_eq!(shown(&text, 7), text);
    assert_eq!(shown(&text, 6), text.replace(' ', "\n  "));
    assert_eq!(styled(STRONG, "a\x1b[1m"), "\x1b[1ma\\u{1b}[1m\x1b[0m");
}

#[test]
fn a_text_is_shown_without_other_codes_and_commands_in_lines_that_fit() {
    for (text, columns, expected) in [
        ("a\x1b[2Jb\x1b[1mc\x1b", 80, "a\\u{1b}[2Jb\x1b[1mc\\u{1b}"),
        ("a\n ::b::c\n##[d]e\n", 80, "a\n \\u{3a}:b::c\n#\\u{23}[d]e\n"),
        ("\x1b[1m \x1b[31m::b\x1b[0m", 80, "\x1b[1m \x1b[31m\\u{3a}:b\x1b[0m"),
        ("  a word ::b::c\n", 12, "  a word\n    \\u{3a}:b::c\n"),
        // Wrapped below the last column.
        ("  word  and then some text\n", 20, "  word  and then\n        some text\n"),
        ("  some text without a column\n", 20, "  some text without\n    a column\n"),
    ] {
        assert_eq!(shown(text, columns), expected);
    }
}

#[test]
fn a_long_command_is_continued() {
    assert_eq!(in_lines(2, "printf a | robotspec check -", 80), "printf a | robotspec check -");
    let command = "robotspec run --adapter 'python3 a.py' --filter 'id:a#b'";
    assert_eq!(in_lines(2, command, 80), command);
    let continued = command.replace(" --filter", " \\\n    --filter");
    assert_eq!(in_lines(2, command, 42), continued);
}
