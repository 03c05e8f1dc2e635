//! Passes over the lines of a file.

use robotspec_cases::Query;
use robotspec_reference::bytes::BOM;
use robotspec_reference::scan::Field;

use super::draft::{Draft, parts, ranges, without};

/// Removes lines.
pub(super) fn remove_lines(draft: &Draft) -> Vec<Query> {
    let ranges = ranges(draft.lines.len()).take_while(|_| !draft.is_exhausted());
    ranges.map(|range| draft.with_lines(without(&draft.lines, range))).collect()
}

/// Removes two lines that are not next to each other, such as a user-agent line and its rule.
pub(super) fn remove_pairs_of_lines(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 16;
    let count = draft.lines.len();
    if count > MAX_LINES {
        return Vec::new();
    }
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    pairs.map(|(a, b)| draft.with_lines(without(&without(&draft.lines, b..b + 1), a..a + 1))).collect()
}

/// Writes lines plainly: all or one, in every respect or in one.
pub(super) fn write_plainly(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 200;
    let mut smaller = Vec::new();
    if let Some(rest) = draft.lines.first().and_then(|line| line.strip_prefix(BOM)) {
        smaller.push(draft.with_line(0, rest.to_vec()));
    }
    for write in PLAIN {
        let lines = draft.lines.iter().map(|line| write(line).unwrap_or_else(|| line.clone())).collect();
        smaller.push(draft.with_lines(lines));
    }
    let lines = draft.lines.iter().enumerate().take(MAX_LINES);
    for (index, line) in lines.take_while(|_| !draft.is_exhausted()) {
        smaller.extend(PLAIN.iter().filter_map(|write| Some(draft.with_line(index, write(line)?))));
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
    if parts.known_field().is_some() && parts.colon.is_some() {
        return Vec::new();
    }
    let text = before_comment(line);
    let colon = text.iter().position(|&byte| byte == b':');
    let gaps = text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_whitespace()).map(|(at, _)| at);
    let mut corrected = Vec::new();
    for end in colon.into_iter().chain(gaps.take(2)) {
        let name = String::from_utf8_lossy(text[..end].trim_ascii()).to_ascii_lowercase();
        let value = text[end + usize::from(colon == Some(end))..].trim_ascii();
        for (known, _) in Field::ALL {
            if name.starts_with(known) || strsim::levenshtein(&name, known) <= MOST_EDITS {
                let space: &[u8] = if value.is_empty() { b"" } else { b" " };
                corrected.push([known.as_bytes(), b":", space, value, b"\n"].concat());
            }
        }
    }
    corrected
}

fn before_comment(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| matches!(byte, b'#' | b'\r' | b'\n'));
    &line[..end.unwrap_or(line.len())]
}

/// A plain way to write a line. `None` where it does not apply to the line.
type Write = fn(&[u8]) -> Option<Vec<u8>>;

const PLAIN: &[Write] =
    &[write_record, write_line_end, remove_comment, trim, write_field_in_lower_case, write_one_space];

/// Returns the whole record: field, colon, space and value.
fn write_record(line: &[u8]) -> Option<Vec<u8>> {
    let parts = parts(line);
    parts.colon?;
    let space: &[u8] = if parts.value.is_empty() { b"" } else { b" " };
    Some([&parts.field.to_ascii_lowercase()[..], &b":"[..], space, parts.value.text, b"\n"].concat())
}

fn write_line_end(line: &[u8]) -> Option<Vec<u8>> {
    let (text, end) = split_end(line);
    (end != b"\n").then(|| [text, b"\n"].concat())
}

fn remove_comment(line: &[u8]) -> Option<Vec<u8>> {
    let comment = parts(line).comment?;
    Some([line[..comment.start].trim_ascii_end(), b"\n"].concat())
}

fn trim(line: &[u8]) -> Option<Vec<u8>> {
    let (text, end) = split_end(line);
    Some([text.trim_ascii(), end].concat())
}

fn write_field_in_lower_case(line: &[u8]) -> Option<Vec<u8>> {
    let parts = parts(line);
    parts.colon?;
    let mut written = line.to_vec();
    written[parts.field.span()].make_ascii_lowercase();
    Some(written)
}

/// One space between the colon and the value, and none elsewhere.
fn write_one_space(line: &[u8]) -> Option<Vec<u8>> {
    let parts = parts(line);
    parts.colon?;
    let rest = &line[parts.value.start..];
    let space: &[u8] = if split_end(rest).0.is_empty() { b"" } else { b" " };
    Some([parts.field.text, b":", space, rest].concat())
}

/// Returns the text of a line, and its end.
fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    line.split_at(line.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(line.len()))
}

/// Shortens comments, and lines without a known field.
pub(super) fn shorten_noise(draft: &Draft) -> Vec<Query> {
    const MAX_LINES: usize = 100;
    let mut smaller = Vec::new();
    for (index, line) in draft.lines.iter().enumerate().take(MAX_LINES) {
        let parts = parts(line);
        let start = match parts.comment {
            Some(comment) => comment.start + 1,
            None if parts.known_field().is_some() => continue,
            None => 0,
        };
        let length = (line.len() - usize::from(line.ends_with(b"\n"))).saturating_sub(start);
        smaller.extend(
            ranges(length)
                .take_while(|_| !draft.is_exhausted())
                .map(|range| draft.with_line(index, without(line, start + range.start..start + range.end))),
        );
    }
    smaller
}
