//! URLs as crawlers request them.

use robotspec_reference::bytes::escape;

use super::dice::Dice;

/// Returns the path as a crawler sends it. Characters that a URL cannot contain are percent-encoded. Bytes outside
/// ASCII sometimes stay as they are, as in the tables of the specification.
pub(super) fn as_requested(dice: &mut Dice, path: &[u8]) -> String {
    let keeps_non_ascii = !path.is_ascii() && dice.one_in(3);
    let mut requested = String::with_capacity(path.len());
    let push_escaped = |requested: &mut String, bytes: &[u8]| {
        bytes.iter().for_each(|byte| requested.push_str(&format!("%{byte:02X}")));
    };
    if !path.starts_with(b"/") {
        requested.push('/');
    }
    for chunk in path.utf8_chunks() {
        for (at, c) in chunk.valid().char_indices() {
            match c {
                '%' if escape(&chunk.valid().as_bytes()[at..]).is_some() => requested.push('%'),
                '%' | ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | '#' => {
                    push_escaped(&mut requested, &[c as u8]);
                }
                c if c.is_ascii_control() => push_escaped(&mut requested, &[c as u8]),
                c if c.is_ascii() || keeps_non_ascii => requested.push(c),
                c => push_escaped(&mut requested, c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push_escaped(&mut requested, chunk.invalid());
    }
    requested
}
