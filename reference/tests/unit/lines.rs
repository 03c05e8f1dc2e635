//! Tests of the private parts of `src/lines.rs`.

use std::ops::ControlFlow;

use super::*;
use crate::edition::Edition;
use crate::group::{Followed, followed};
use crate::question::Choice;
use crate::reading::{Explorer, explore};

/// Returns what an agent follows in each reading.
fn outcomes<'l>(lines: &'l Lines<'_>, edition: Edition) -> Vec<(Vec<Choice>, Followed<'l>)> {
    let mut outcomes = Vec::new();
    let explored = explore(
        &mut Explorer::new(edition),
        |explorer| followed(lines, "a", explorer),
        |choices, followed| {
            outcomes.push((choices.to_vec(), followed));
            ControlFlow::Continue(())
        },
    );
    explored.expect("few readings");
    outcomes
}

/// Asserts that the lines without an effect have none.
fn assert_same_as_all_lines(file: &[u8]) {
    let all = Lines::all(file);
    let parsed = Lines::parse(file);
    for edition in [Edition::GooglePre2019, Edition::Rfc9309] {
        assert_eq!(outcomes(&parsed, edition), outcomes(&all, edition), "{}", file.escape_ascii());
    }
}

/// Returns every file of this number of lines.
fn files(lines: usize) -> impl Iterator<Item = Vec<u8>> {
    const LINES: [&[u8]; 9] = [
        b"user-agent: a\n",
        b"user-agent: b\n",
        b"useragent: a\n",
        b"\n",
        b"#\n",
        b"x: y\n",
        b"x y\n",
        b"sitemap: /\n",
        b"allow: /\n",
    ];
    let count = LINES.len();
    (0..count.pow(lines as u32)).map(move |index| {
        (0..lines).flat_map(|line| LINES[index / count.pow(line as u32) % count]).copied().collect()
    })
}

#[test]
fn lines_without_an_effect_are_not_kept() {
    for (line, kept) in [("\n", 1), ("# a comment\n", 1), ("a:b\n", 1), ("a b:c\n", 1), ("\na: b\n#\n", 3)] {
        let file = format!("{}user-agent: a\n{}", line.repeat(1000), line.repeat(1000));
        assert_eq!(Lines::parse(file.as_bytes()).lines.len(), kept + 1, "{line}");
    }
}

#[test]
fn lines_that_are_not_kept_have_no_effect() {
    (1..=4).flat_map(files).for_each(|file| assert_same_as_all_lines(&file));
}

#[test]
fn lines_that_are_not_kept_have_no_effect_at_a_size_limit() {
    for limit in [SMALLER_LIMIT, LARGER_LIMIT] {
        for before in [0, 1, 2, 7, 15, 20] {
            for file in files(2) {
                let comment = [&b"#".repeat(limit - before - 1)[..], b"\n"].concat();
                assert_same_as_all_lines(&[&comment[..], &file, &comment].concat());
            }
        }
    }
}
