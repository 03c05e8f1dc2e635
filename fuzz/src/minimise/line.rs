//! Passes over the lines of a file.

use robotspec_cases::Query;
use robotspec_reference::bytes::BOM;
use robotspec_reference::scan::Field;

use super::draft::{Draft, is_rule, parts, ranges, value_of, with_value, without};

/// Removes lines.
pub(super) fn remove_lines(draft: &Draft) -> Vec<Query> {
    let ranges = ranges(draft.lines.len()).take_while(|_| !draft.is_exhausted());
    ranges.map(|range| draft.with_lines(&without(&draft.lines, range))).collect()
}

/// Removes two lines that are not next to each other, such as a user-agent line and its rule.
pub(super) fn remove_pairs_of_lines(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 16;
    let count = draft.lines.len();
    if count > MAX_LINES {
        return Vec::new();
    }
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    pairs.map(|(a, b)| draft.with_lines(&without(&without(&draft.lines, b..b + 1), a..a + 1))).collect()
}

/// The pieces of a line, from its start to its end.
const PIECES: usize = 9;

/// Returns the pieces of a line, each as it is and as it is written plainly.
fn pieces(line: &[u8]) -> [(&[u8], Vec<u8>); PIECES] {
    let parts = parts(line);
    let (field, value) = (parts.field.span(), parts.value.span());
    let end = line.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(line.len());
    let colon = parts.colon.unwrap_or(field.end);
    let after_colon = parts.colon.map_or(colon, |colon| colon + 1);
    let comment = parts.comment.map_or(end, |comment| comment.start);
    let space: &[u8] = if value.is_empty() { b"" } else { b" " };
    [
        (0..field.start, Vec::new()),
        (field.clone(), parts.field.to_ascii_lowercase()),
        (field.end..colon, Vec::new()),
        (colon..after_colon, line[colon..after_colon].to_vec()),
        (after_colon..value.start, space.to_vec()),
        (value.clone(), parts.value.to_vec()),
        (value.end..comment, Vec::new()),
        (comment..end, Vec::new()),
        (end..line.len(), b"\n".to_vec()),
    ]
    .map(|(range, plain)| (&line[range], plain))
}

/// Returns a line with one piece, or all of them, written plainly.
fn write_plain_pieces(line: &[u8], which: Option<usize>) -> Vec<u8> {
    let is_chosen = |place| which.is_none_or(|chosen| chosen == place);
    let pieces = pieces(line).into_iter().enumerate();
    pieces.flat_map(|(place, (text, plain))| if is_chosen(place) { plain } else { text.to_vec() }).collect()
}

/// Writes lines plainly: all or one, in every respect or in one.
pub(super) fn write_plainly(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 200;
    let respects = || [None].into_iter().chain((0..PIECES).map(Some));
    let mut smaller = Vec::new();
    if let Some(rest) = draft.lines.first().and_then(|line| line.strip_prefix(BOM)) {
        smaller.push(draft.with_line(0, rest.to_vec()));
    }
    smaller.extend(respects().map(|which| {
        let lines = draft.lines.iter().map(|line| write_plain_pieces(line, which));
        draft.with_lines(&lines.collect::<Vec<_>>())
    }));
    let lines = draft.lines.iter().enumerate().take(MAX_LINES);
    for (index, line) in lines.take_while(|_| !draft.is_exhausted()) {
        let plain = respects().map(|which| write_plain_pieces(line, which)).filter(|plain| plain != line);
        smaller.extend(plain.map(|plain| draft.with_line(index, plain)));
    }
    smaller
}

/// Writes the known field in place of one that resembles it, with a colon. A parser that accepts the field as it is written
/// then shows the same divergence without it.
pub(super) fn correct_records(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 200;
    let lines = draft.lines.iter().enumerate().take(MAX_LINES).take_while(|_| !draft.is_exhausted());
    lines
        .flat_map(|(index, line)| corrected(line).into_iter().map(move |line| draft.with_line(index, line)))
        .collect()
}

/// Returns the line with each known field that its field resembles.
fn corrected(line: &[u8]) -> Vec<Vec<u8>> {
    const MOST_EDITS: usize = 3;
    let parts = parts(line);
    if parts.known_field().is_some() {
        return Vec::new();
    }
    let end = line.iter().position(|byte| matches!(byte, b'#' | b'\r' | b'\n'));
    let text = &line[..end.unwrap_or(line.len())];
    let gaps = text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_whitespace()).map(|(at, _)| at);
    let mut corrected = Vec::new();
    for end in parts.colon.into_iter().chain(gaps.take(2)) {
        let name = String::from_utf8_lossy(text[..end].trim_ascii()).to_ascii_lowercase();
        let value = text[end + usize::from(parts.colon == Some(end))..].trim_ascii();
        for (known, _) in Field::ALL {
            if name.starts_with(known) || strsim::levenshtein(&name, known) <= MOST_EDITS {
                let space: &[u8] = if value.is_empty() { b"" } else { b" " };
                corrected.push([known.as_bytes(), b":", space, value, b"\n"].concat());
            }
        }
    }
    corrected
}

/// Shortens the values of known fields, comments, and lines without a known field.
pub(super) fn shorten_lines(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 100;
    let mut smaller = Vec::new();
    for (index, line) in draft.lines.iter().enumerate().take(MAX_LINES) {
        if value_of(line, is_rule).is_some_and(|value| value != b"/") {
            smaller.push(draft.with_line(index, with_value(line, b"/")));
        }
        let parts = parts(line);
        let end = line.len() - usize::from(line.ends_with(b"\n"));
        let comment = parts.comment.map_or(end, |comment| comment.start + 1);
        let start = if parts.known_field().is_some() { parts.value.span() } else { 0..comment };
        for part in [start, comment..end] {
            let ranges = ranges(part.len()).take_while(|_| !draft.is_exhausted());
            let ranges = ranges.map(|range| part.start + range.start..part.start + range.end);
            smaller.extend(ranges.map(|range| draft.with_line(index, without(line, range))));
        }
    }
    smaller
}
