//! Classes of bytes that the specification names.

/// The byte order mark in UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Returns whether the byte is a space or a tab (RFC 9309, 2.2, `WS`).
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns whether the byte may be part of a product token: a letter, `-` or `_` (RFC 9309, 2.2, `identifier`).
pub fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

/// Returns whether the byte is an unreserved character of a URI (RFC 3986, 2.3).
pub const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Returns whether the byte is a reserved character of a URI (RFC 3986, 2.2).
pub fn is_reserved(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'!' | b'$' | b'&'..=b',' | b';' | b'=')
}

/// Returns the text without spaces and tabs at its start.
pub fn trim_start(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_blank(*first)
    {
        text = rest;
    }
    text
}

/// Returns the text without spaces and tabs at its ends.
pub fn trim(text: &[u8]) -> &[u8] {
    let mut text = trim_start(text);
    while let [rest @ .., last] = text
        && is_blank(*last)
    {
        text = rest;
    }
    text
}

/// Returns the two hexadecimal digits of the escape that the text starts with, such as `2` and `f` of `%2fa` (RFC 3986,
/// 2.1).
pub fn escape(text: &[u8]) -> Option<[u8; 2]> {
    match *text {
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some([high, low]),
        _ => None,
    }
}

/// Returns the byte that two hexadecimal digits stand for.
pub fn unescape([high, low]: [u8; 2]) -> u8 {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20).wrapping_sub(b'a' - 10),
    };
    value(high) << 4 | value(low)
}

/// Returns the two hexadecimal digits, in capitals, that a byte is escaped with.
pub fn hex_digits(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 0xF].map(|value| b"0123456789ABCDEF"[usize::from(value)])
}
