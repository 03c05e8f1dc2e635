//! What a file brings into play, line by line.

/// A file so large that some parser may not read it whole, in octets.
use robotspec_reference::split_lines;

use super::Features;
use super::query::of_wildcards;

const LARGE: usize = 64 << 10;

/// Gives the paths of the first rules.
pub(super) fn of_file<'f>(features: &mut Features, file: &'f [u8]) -> Vec<&'f [u8]> {
    if file.len() > LARGE {
        features.add("L-size");
        features.add("L-size-minimum");
    }
    let file = match file.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => {
            features.add("L-bom");
            rest
        }
        None => file,
    };
    let (mut in_head, mut has_group, mut rules) = (false, false, Vec::new());
    for line in split_lines(file) {
        let end = &file[line.start + line.text.len()..];
        if !end.starts_with(b"\n") {
            features.add("L-eol");
        }
        let text = match line.text.iter().position(|&octet| octet == b'#') {
            Some(comment) => {
                features.add("L-comment");
                &line.text[..comment]
            }
            None => line.text,
        };
        if std::str::from_utf8(line.text).is_err()
            || line.text.iter().any(|&octet| octet.is_ascii_control() && octet != b'\t')
        {
            features.add("L-encoding");
        }
        match read(features, text) {
            Field::Nothing => {
                features.add("G-blank");
            }
            Field::Other => {
                if in_head {
                    features.add("G-nongroup");
                }
            }
            Field::Sitemap => features.add("G-nongroup"),
            Field::UserAgent => {
                if in_head {
                    features.add("G-run");
                }
                in_head = true;
                has_group = true;
            }
            Field::Rule(path) => {
                if !has_group {
                    features.add("G-orphan");
                }
                in_head = false;
                of_path(features, path);
                if rules.contains(&path) {
                    features.add("O-duplicates");
                }
                if rules.len() < 64 {
                    rules.push(path);
                }
            }
        }
    }
    if in_head {
        features.add("G-empty-last");
    }
    rules
}

enum Field<'t> {
    Nothing,
    Other,
    UserAgent,
    Sitemap,
    Rule(&'t [u8]),
}

/// Reads a line without its comment, and notes in which way it is not plain.
fn read<'t>(features: &mut Features, text: &'t [u8]) -> Field<'t> {
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        return Field::Nothing;
    }
    let Some(colon) = trimmed.iter().position(|&octet| octet == b':') else {
        features.add("L-valid-only");
        return Field::Other;
    };
    let (name, value) = (trimmed[..colon].trim_ascii(), trimmed[colon + 1..].trim_ascii());
    let is_plainly_written = text.len() == trimmed.len()
        && name.len() == colon
        && (value.is_empty() && trimmed.len() == colon + 1
            || trimmed[colon + 1..] == *[b" ", value].concat());
    let lower = name.to_ascii_lowercase();
    let field = match &lower[..] {
        b"user-agent" => {
            of_name(features, value);
            Field::UserAgent
        }
        b"allow" | b"disallow" => Field::Rule(value),
        b"sitemap" => Field::Sitemap,
        other => {
            features.add(if is_near_a_known_one(other) { "L-typo" } else { "L-unknown" });
            return Field::Other;
        }
    };
    if !is_plainly_written {
        features.add("L-trim");
        features.add("L-record");
    }
    if lower != name {
        features.add("L-field-case");
    }
    field
}

fn is_near_a_known_one(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    ["user-agent", "disallow", "allow", "sitemap"].iter().any(|known| {
        name.starts_with(known)
            || name.len().abs_diff(known.len()) <= 4 && strsim::levenshtein(&name, known) <= 2
    })
}

fn of_name(features: &mut Features, name: &[u8]) {
    let is_token = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
    if name.is_empty() {
        features.add("A-required");
    } else if name != b"*" && !name.iter().all(is_token) {
        let length = name.iter().take_while(|octet| is_token(octet)).count();
        features.add(if matches!(name[length], b'/' | b'*') && length > 0 { "A-suffix" } else { "A-token" });
    }
}

fn of_path(features: &mut Features, path: &[u8]) {
    if path.is_empty() {
        features.add("M-empty");
    } else if path.windows(3).any(|window| window == b"://") {
        features.add("M-no-full-url");
    } else if !path.starts_with(b"/") {
        features.add("M-root");
    }
    of_octets(features, path);
    of_wildcards(features, path);
}

pub(super) fn of_octets(features: &mut Features, octets: &[u8]) {
    if octets.contains(&b'?') {
        features.add("M-query");
    }
    let escaped =
        |window: &[u8]| window[0] == b'%' && window[1].is_ascii_hexdigit() && window[2].is_ascii_hexdigit();
    for window in octets.windows(3).filter(|window| escaped(window)) {
        match window[1] {
            b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F' => features.add("M-non-ascii"),
            b'2' if matches!(window[2], b'a' | b'A' | b'4') => features.add("M-literal"),
            _ => features.add("M-percent"),
        }
    }
    if !octets.is_ascii() {
        features.add("M-non-ascii");
    }
}
