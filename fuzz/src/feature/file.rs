//! Features of a file, line by line.

use std::collections::HashSet;

use robotspec_reference::bytes::{BOM, is_token_byte};
use robotspec_reference::scan::{Field, Line, LineKind, Parts};
use robotspec_reference::split_lines;

use super::path::add_rule_path;
use super::set::Features;

/// The size in bytes above which a parser may not read the whole file.
const LARGE: usize = 64 << 10;

/// Adds the features of a file. Returns the paths of its rules, without duplicates.
pub(super) fn add_file<'f>(features: &mut Features, file: &'f [u8]) -> Vec<&'f [u8]> {
    if file.len() > LARGE {
        features.add("L-size");
        features.add("L-size-minimum");
    }
    let text = file.strip_prefix(BOM).unwrap_or(file);
    if text.len() < file.len() {
        features.add("L-bom");
    }
    // Whether the last record was a user-agent line, and whether there was one at all.
    let (mut in_head, mut has_group) = (false, false);
    let (mut paths, mut known) = (Vec::new(), HashSet::new());
    for line in split_lines(text) {
        let parts = line.parts();
        add_line(features, &line, &parts);
        match parts.kind() {
            LineKind::Blank | LineKind::Comment => features.add("G-blank"),
            LineKind::Other if in_head => features.add("G-nongroup"),
            LineKind::Other => {}
            LineKind::Known(Field::Sitemap) => features.add("G-nongroup"),
            LineKind::Known(Field::UserAgent) => {
                add_name(features, &parts.value);
                if in_head {
                    features.add("G-run");
                }
                (in_head, has_group) = (true, true);
            }
            LineKind::Known(Field::Rule(_)) => {
                if !has_group {
                    features.add("G-orphan");
                }
                in_head = false;
                let path = parts.value.text;
                if known.insert(path) {
                    add_rule_path(features, path);
                    paths.push(path);
                } else {
                    features.add("O-duplicates");
                }
            }
        }
    }
    if in_head {
        features.add("G-empty-last");
    }
    paths
}

/// Adds the ways in which a line is not written plainly.
fn add_line(features: &mut Features, line: &Line, parts: &Parts) {
    if line.end != b"\n" {
        features.add("L-eol");
    }
    if parts.comment.is_some() {
        features.add("L-comment");
    }
    if std::str::from_utf8(line.text).is_err()
        || line.text.iter().any(|&byte| byte.is_ascii_control() && byte != b'\t')
    {
        features.add("L-encoding");
    }
    let name = parts.field.to_ascii_lowercase();
    match parts.kind() {
        LineKind::Blank | LineKind::Comment => {}
        LineKind::Other if parts.colon.is_none() => features.add("L-valid-only"),
        LineKind::Other => features.add(if is_near_miss(&name) { "L-typo" } else { "L-unknown" }),
        LineKind::Known(_) => {
            let space: &[u8] = if parts.value.is_empty() { b"" } else { b" " };
            let content = parts.comment.map_or(line.text, |comment| &line.text[..comment.start - line.start]);
            if content != [parts.field.text, b":", space, parts.value.text].concat() {
                features.add("L-trim");
                features.add("L-record");
            }
            if name != parts.field.text {
                features.add("L-field-case");
            }
        }
    }
}

/// Returns whether the name is similar to that of a known field.
fn is_near_miss(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    Field::ALL.iter().any(|(known, _)| {
        name.starts_with(known)
            || name.len().abs_diff(known.len()) <= 4 && strsim::levenshtein(&name, known) <= 2
    })
}

/// Adds the features of the value of a user-agent line.
fn add_name(features: &mut Features, name: &[u8]) {
    let token = name.iter().take_while(|&&byte| is_token_byte(byte)).count();
    match name[token..].first() {
        None if name.is_empty() => features.add("A-required"),
        None => {}
        Some(_) if name == b"*" => {}
        Some(b'/' | b'*') if token > 0 => features.add("A-suffix"),
        Some(_) => features.add("A-token"),
    }
}
