//! Features of the paths of rules and URLs.

use memchr::{memchr_iter, memmem};
use robotspec_reference::bytes::escape;

use super::set::Features;

/// Adds the features of the path of a rule.
pub(super) fn add_rule_path(features: &mut Features, path: &[u8]) {
    if path.is_empty() {
        features.add("M-empty");
    } else if memmem::find(path, b"://").is_some() {
        features.add("M-no-full-url");
    } else if !path.starts_with(b"/") {
        features.add("M-root");
    }
    add_bytes(features, path);
    add_wildcards(features, path);
}

/// Adds the features of the bytes of any path.
pub(super) fn add_bytes(features: &mut Features, path: &[u8]) {
    if path.contains(&b'?') {
        features.add("M-query");
    }
    for digits in memchr_iter(b'%', path).filter_map(|at| escape(&path[at..])) {
        match digits {
            [b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', _] => features.add("M-non-ascii"),
            [b'2', b'a' | b'A' | b'4'] => features.add("M-literal"),
            _ => features.add("M-percent"),
        }
    }
    if !path.is_ascii() {
        features.add("M-non-ascii");
    }
}

fn add_wildcards(features: &mut Features, path: &[u8]) {
    let trailing = path.iter().rev().take_while(|&&byte| byte == b'*').count();
    if trailing > 0 {
        features.add("M-trailing-star");
    }
    if path[..path.len() - trailing].contains(&b'*') {
        features.add("M-star");
    }
    if path.contains(&b'$') {
        features.add("M-dollar");
    }
}
