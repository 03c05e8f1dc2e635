//! Texts at multiples of the size of a buffer.

use super::Change::{self, File};

pub(super) const MISTAKES: &[(&str, Change)] = &[
    ("CR LF around a multiple of 4,096", File(|file| by_buffer(file, 4096, split_line_end))),
    ("CR LF around a multiple of 512", File(|file| by_buffer(file, 512, split_line_end))),
    ("CR LF around a multiple of 2,048", File(|file| by_buffer(file, 2048, split_line_end))),
    ("CR LF around a multiple of 16,384", File(|file| by_buffer(file, 16_384, split_line_end))),
    ("CR LF around a multiple of 32,768", File(|file| by_buffer(file, 32_768, split_line_end))),
    ("CR LF around a multiple of 65,536", File(|file| by_buffer(file, 65_536, split_line_end))),
    ("UTF-8 across a multiple of 4,096", File(|file| by_buffer(file, 4096, split_character))),
    ("UTF-8 across a multiple of 8,192", File(|file| by_buffer(file, 8192, split_character))),
    ("UTF-8 across a multiple of 65,536", File(|file| by_buffer(file, 65_536, split_character))),
    ("an escape across a multiple of 4,096", File(|file| by_buffer(file, 4096, split_escape))),
    ("an escape across a multiple of 8,192", File(|file| by_buffer(file, 8192, split_escape))),
    ("a line at a multiple of 4,096", File(|file| by_buffer(file, 4096, drop_line))),
    ("a line at a multiple of 8,192", File(|file| by_buffer(file, 8192, drop_line))),
    ("a line at a multiple of 65,536", File(|file| by_buffer(file, 65_536, drop_line))),
    ("a line across a multiple of 1,024", File(|file| by_buffer(file, 1024, split_line))),
    ("a line across a multiple of 4,096", File(|file| by_buffer(file, 4096, split_line))),
    ("a line across a multiple of 65,536", File(|file| by_buffer(file, 65_536, split_line))),
    (
        "a file of 4,096 bytes",
        File(|file| if file.len() == 4096 { file[..4095].to_vec() } else { file.to_vec() }),
    ),
    ("a file of 65,536 bytes", File(|file| if file.len() == 65_536 { Vec::new() } else { file.to_vec() })),
    ("a file of 512,000 bytes", File(|file| if file.len() == 512_000 { Vec::new() } else { file.to_vec() })),
];

/// Changes the text around each multiple of the size of a buffer. A change appends to the text before, sees the rest of the
/// file, and returns how many bytes of the rest it replaces.
fn by_buffer(file: &[u8], size: usize, change: fn(&mut Vec<u8>, &[u8]) -> usize) -> Vec<u8> {
    let mut changed = Vec::with_capacity(file.len());
    let mut at = 0;
    for end in (size..file.len()).step_by(size) {
        if at > end {
            continue;
        }
        changed.extend_from_slice(&file[at..end]);
        at = end + change(&mut changed, &file[end..]);
    }
    changed.extend_from_slice(&file[at.min(file.len())..]);
    changed
}

/// Takes the line feed for the first byte of the next line.
fn split_line_end(before: &mut Vec<u8>, rest: &[u8]) -> usize {
    if before.ends_with(b"\r") && rest.starts_with(b"\n") {
        before.extend_from_slice(b"\x01");
        return 1;
    }
    0
}

/// Replaces a character of which a part is in each buffer.
fn split_character(before: &mut Vec<u8>, rest: &[u8]) -> usize {
    if rest.first().is_some_and(|byte| byte & 0xC0 == 0x80) {
        before.extend_from_slice("\u{FFFD}".as_bytes());
    }
    0
}

/// Reads the `%` as a character where the buffer ends in an escape.
fn split_escape(before: &mut Vec<u8>, _: &[u8]) -> usize {
    let tail = before.len().saturating_sub(2);
    if let Some(at) = before[tail..].iter().position(|byte| *byte == b'%') {
        before.splice(tail + at..=tail + at, *b"%25");
    }
    0
}

/// Loses the line that starts the buffer.
#[expect(clippy::ptr_arg, reason = "all changes have one signature")]
fn drop_line(before: &mut Vec<u8>, rest: &[u8]) -> usize {
    match before.last() {
        Some(b'\n') => rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1),
        _ => 0,
    }
}

/// Ends the line with the buffer.
fn split_line(before: &mut Vec<u8>, _: &[u8]) -> usize {
    before.push(b'\n');
    0
}
