//! Agents and paths that a file is about, for queries that show what its rules do.

use crate::bytes::is_token_byte;
use crate::scan::{Field, LineKind, split_lines};

/// Returns the product tokens at the start of the names in a file (RFC 9309, 2.2.1), in their order, with repetitions. `*`
/// has none.
pub fn product_tokens(file: &[u8]) -> Vec<String> {
    values(file, |field| field == Field::UserAgent).filter_map(product_token).collect()
}

/// Returns a path for each rule that has a path, in their order, with repetitions.
pub fn rule_paths(file: &[u8]) -> Vec<String> {
    values(file, |field| matches!(field, Field::Rule(_))).filter_map(|value| path_of(&value)).collect()
}

/// Returns the values of some fields.
fn values(file: &[u8], is_wanted: impl Fn(Field) -> bool) -> impl Iterator<Item = String> {
    // A byte order mark belongs to no field, whatever a reader makes of it.
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    split_lines(file).filter_map(move |line| {
        let parts = line.parts();
        match parts.kind() {
            LineKind::Known(field) if is_wanted(field) => {
                Some(String::from_utf8_lossy(&parts.value).into_owned())
            }
            _ => None,
        }
    })
}

/// Returns the product token at the start of a value.
fn product_token(value: String) -> Option<String> {
    let end = value.bytes().position(|byte| !is_token_byte(byte)).unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}

/// Returns a path that the pattern of a rule matches: `x` stands for each `*`. The result is `None` where the pattern has a
/// character that a URL cannot contain.
fn path_of(pattern: &str) -> Option<String> {
    let path = pattern.strip_suffix('$').unwrap_or(pattern).replace('*', "x");
    let is_plain = path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_graphic());
    is_plain.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_the_product_token_at_the_start_of_a_value() {
        let file = b"\xEF\xBB\xBFuser-agent: FooBot/2.1\nUser-Agent: foo bot # x\nuser-agent: *\nuser-agent: Foo_Bot-X\n";
        assert_eq!(product_tokens(file), ["FooBot", "foo", "Foo_Bot-X"]);
    }

    #[test]
    fn a_path_is_one_that_the_rule_matches() {
        let file = b"disallow: /a*b$\nallow: /c d\nallow:\nallow: fish\nDISALLOW: /e#f\n";
        assert_eq!(rule_paths(file), ["/axb", "/e"]);
    }
}
