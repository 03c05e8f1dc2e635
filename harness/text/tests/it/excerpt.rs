//! Excerpts of files.

use robotspec_text::excerpt::{MARK, file_lines};

/// Returns the numbers of the lines of a file that are shown, the number of those that are marked, and what is said about the others.
fn shown(count: usize, deciding: &[usize]) -> (Vec<usize>, usize, Option<String>) {
    let mut shown = file_lines("x\n".repeat(count).as_bytes(), deciding);
    let rest = shown.pop_if(|line| !line.contains('|'));
    let number = |line: &String| line.trim_start_matches(MARK).split('|').next()?.trim().parse().ok();
    let numbers = shown.iter().map(|line| number(line).expect("a number")).collect();
    let marked = shown.iter().filter(|line| line.starts_with(MARK)).count();
    (numbers, marked, rest.map(|rest| rest.trim_start().to_owned()))
}

#[test]
fn unusual_line_ends_and_letters_that_look_like_ascii_are_shown() {
    let shown = file_lines("a\nb\r\nc\rd \u{212A} é".as_bytes(), &[2]);
    let lines = ["    1 | a", "▸   2 | b\\r\\n", "    3 | c\\r", "    4 | d \u{212A} é (no line end)"];
    assert_eq!(shown, [&lines[..], &["      `\u{212A}` is U+212A"]].concat());
    assert_eq!(file_lines(b"", &[]), ["  (an empty file)"]);
}

#[test]
fn the_start_and_the_deciding_lines_of_a_long_file_are_shown() {
    assert_eq!(shown(20, &[20]), ((1..=20).collect(), 1, None));
    let (numbers, marked, rest) = shown(1_234, &[1000, 3]);
    assert_eq!(numbers, (1..=15).chain(998..=1002).collect::<Vec<_>>());
    assert_eq!(marked, 2);
    assert_eq!(rest.as_deref(), Some("… 1,214 more lines (1234 lines, 2468 bytes)"));
}

#[test]
fn the_rule_is_shown_among_many_deciding_lines() {
    let deciding: Vec<usize> = std::iter::once(10_000).chain((1..5_000).map(|half| 2 * half)).collect();
    let (numbers, marked, rest) = shown(10_000, &deciding);
    assert_eq!((numbers.len(), marked), (20, 10));
    assert!(numbers.contains(&10_000) && numbers.contains(&2));
    let rest = rest.expect("most lines are left out");
    assert!(rest.starts_with("… 9,980 more lines, 4,990 of them marked ("), "{rest}");
}
