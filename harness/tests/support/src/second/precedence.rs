//! Which rule prevails (RFC 9309 2.2.2; Google, "Order of precedence for rules").

use super::groups::Rule;
use super::paths::{are_equivalent, encoded_length};
use super::questions::{Answer, Question::*};
use super::readings::Reading;

/// Returns whether the rules that match a URL allow it.
pub fn allows(matching: &[&Rule], reading: &mut Reading) -> bool {
    let allowing: Vec<&Rule> = matching.iter().filter(|rule| rule.allows).copied().collect();
    let disallowing: Vec<&Rule> = matching.iter().filter(|rule| !rule.allows).copied().collect();
    if allowing.is_empty() || disallowing.is_empty() || disallowing.iter().any(|rule| rule.is_extension) {
        return disallowing.is_empty();
    }
    let stars = matching.iter().any(|rule| rule.written.ends_with(b"*"));
    let counts_stars = stars && reading.ask(TrailingStarCounts) == Answer::Yes;
    let is_plain = |rule: &&&Rule| {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/*$".contains(byte);
        rule.written.starts_with(b"/") && rule.written.iter().all(is_plain)
    };
    let are_plain = matching.iter().all(|rule| is_plain(&rule));
    let of = if are_plain { Answer::Written } else { reading.ask(LengthOf) };
    let mut lengths = |rules: &[&Rule]| -> Vec<usize> {
        rules.iter().map(|rule| length(rule, of, counts_stars, reading)).collect()
    };
    let (allow_lengths, disallow_lengths) = (lengths(&allowing), lengths(&disallowing));
    let longest = |lengths: &[usize]| *lengths.iter().max().expect("a rule");
    let (allow, disallow) = (longest(&allow_lengths), longest(&disallow_lengths));
    if allow != disallow {
        return allow > disallow;
    }
    // "If an allow rule and a disallow rule are equivalent, then the allow rule SHOULD be used."
    // A `$` before a `*` that does not count is a character, and not the end of the URL.
    let counted = |rule: &Rule| {
        let path = if counts_stars { &rule.pattern } else { without_stars(&rule.pattern) };
        (path.to_vec(), rule.pattern.ends_with(b"$"))
    };
    let longest_of = |rules: &[&Rule], lengths: &[usize]| -> Vec<(Vec<u8>, bool)> {
        let longest = rules.iter().zip(lengths).filter(|(_, length)| **length == allow);
        longest.map(|(rule, _)| counted(rule)).collect()
    };
    let (allowing, disallowing) =
        (longest_of(&allowing, &allow_lengths), longest_of(&disallowing, &disallow_lengths));
    let all_have_equivalents = disallowing
        .iter()
        .all(|rule| allowing.iter().any(|other| rule.1 == other.1 && are_equivalent(&rule.0, &other.0)));
    all_have_equivalents || reading.ask(Equivalent) == Answer::Allow
}

fn without_stars(path: &[u8]) -> &[u8] {
    &path[..path.iter().rposition(|byte| *byte != b'*').map_or(0, |at| at + 1)]
}

fn length(rule: &Rule, of: Answer, counts_stars: bool, reading: &mut Reading) -> usize {
    let path = match of {
        Answer::Written | Answer::Characters => &rule.written,
        _ => &rule.pattern,
    };
    let path = if counts_stars { &path[..] } else { without_stars(path) };
    match of {
        Answer::Written => path.len(),
        // A byte outside UTF-8 is one.
        Answer::Characters => {
            path.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
        }
        of => encoded_length(path, of, reading),
    }
}
