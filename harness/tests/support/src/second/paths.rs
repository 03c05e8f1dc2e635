//! Whether a rule matches a URL (RFC 9309 2.2.2, 2.2.3; Google, "URL matching based on path values").
//!
//! Path and pattern become texts in which every comparable unit is one character: a byte, or an escape that is not the
//! same as a byte. The pieces of the pattern then consume the text.

use super::groups::Rule;
use super::questions::{Answer, Question::*};
use super::readings::Reading;

/// A unit of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A byte of ASCII as it is written.
    Raw(u8),
    /// An escaped byte, or a byte outside ASCII, and its digits.
    Escape(u8, [u8; 2]),
    /// A slash or colon in a query that is the same written and escaped.
    Same(u8),
}

use Unit::*;

/// The path and query of a URL.
#[derive(Debug, Clone)]
pub struct Target(Vec<u8>);

impl Target {
    /// Returns the path and query of a URL, without its fragment.
    pub fn of(url: &str) -> Target {
        let url = url.split('#').next().unwrap_or_default();
        let path = match url.split_once("://") {
            Some((_, rest)) => rest.find(['/', '?']).map_or("", |at| &rest[at..]),
            None => url,
        };
        let slash = if path.starts_with('/') { "" } else { "/" };
        Target(format!("{slash}{path}").into_bytes())
    }

    /// Returns whether this is not a URL, because a `%` starts no escape.
    pub fn is_broken(&self) -> bool {
        units(&self.0).contains(&Raw(b'%'))
    }

    /// Returns whether this is the path of the robots.txt, perhaps with escapes or a query.
    pub fn is_robots_txt(&self, reading: &mut Reading) -> bool {
        let is_itself = |units: Vec<Unit>| units == b"/robots.txt".map(Raw);
        let query = self.0.iter().position(|byte| *byte == b'?');
        let path = &self.0[..query.unwrap_or(self.0.len())];
        let is_path = is_itself(units(path))
            || path.contains(&b'%') && {
                let decoded: Vec<u8> = units(path)
                    .iter()
                    .map(|unit| match unit {
                        Raw(byte) | Escape(byte, _) | Same(byte) => *byte,
                    })
                    .collect();
                decoded == b"/robots.txt"
                    && is_itself(canonical(units(path), Side::Url, reading))
                    && reading.ask(EscapedRobotsTxt) == Answer::Equal
            };
        is_path && (query.is_none() || reading.ask(RobotsTxtQuery) == Answer::Accept)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Url,
    Rule,
}

/// Splits a path into its units.
fn units(path: &[u8]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut at = 0;
    while at < path.len() {
        let digits = path.get(at + 1..at + 3).and_then(|digits| <[u8; 2]>::try_from(digits).ok());
        match (path[at], digits) {
            (b'%', Some(digits)) if digits.iter().all(u8::is_ascii_hexdigit) => {
                let text = std::str::from_utf8(&digits).expect("ASCII");
                units.push(Escape(u8::from_str_radix(text, 16).expect("hexadecimal"), digits));
                at += 2;
            }
            (byte, _) if byte.is_ascii() => units.push(Raw(byte)),
            // "raw UTF-8 characters or percent-encoded UTF-8": the same.
            (byte, _) => units.push(Escape(byte, capitals(byte))),
        }
        at += 1;
    }
    units
}

fn capitals(byte: u8) -> [u8; 2] {
    let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value)];
    [digit(byte >> 4), digit(byte & 15)]
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Returns whether an escaped character that is not unreserved is the same as the character.
fn is_reserved_equal(reading: &mut Reading) -> bool {
    reading.ask(ReservedEscape) == Answer::Equal
}

/// Returns whether an escaped slash or colon in a query is the same as the character.
fn is_equal_in_query(byte: u8, digits: [u8; 2], reading: &mut Reading) -> bool {
    let digits_are_same = digits == capitals(byte)
        || reading.ask(if byte == b'/' { SlashDigits } else { HexCase }) == Answer::Equal;
    digits_are_same && reading.ask(QueryEscape) == Answer::Equal
}

/// Writes alike what is the same in this reading.
fn canonical(units: Vec<Unit>, side: Side, reading: &mut Reading) -> Vec<Unit> {
    let mut is_in_query = false;
    let mut written = Vec::new();
    for original in units {
        let mut unit = match original {
            Escape(byte, _) if is_unreserved(byte) => match (reading.ask(AsciiEscape), side) {
                (Answer::Equal, _) | (Answer::EqualInUrl, Side::Url) => Raw(byte),
                _ => original,
            },
            // See `pieces`.
            Escape(b'*' | b'$' | b'%', _) => original,
            Escape(b'/', _) if !is_in_query && side == Side::Url => original,
            // Whether it is in the query is not known before a `*` is matched: see `pieces`.
            Escape(b'/' | b':', _) if side == Side::Rule => original,
            Escape(byte @ (b'/' | b':'), digits) if is_in_query => {
                if is_equal_in_query(byte, digits, reading) { Same(byte) } else { original }
            }
            Escape(byte, _) if byte.is_ascii() && is_reserved_equal(reading) => Raw(byte),
            _ => original,
        };
        if let Raw(byte @ (b'/' | b':')) = original
            && is_in_query
            && side == Side::Url
        {
            // Either form is the same only if the URL or the rule has an escape.
            unit = Same(byte);
        }
        // An escaped question mark does not start the query.
        if original == Raw(b'?') {
            is_in_query = true;
        }
        if let Escape(byte, digits) = unit
            && digits != capitals(byte)
            && reading.ask(if byte == b'/' { SlashDigits } else { HexCase }) == Answer::Equal
        {
            unit = Escape(byte, capitals(byte));
        }
        written.push(unit);
    }
    written
}

/// Removes `.` and `..` segments of the path (RFC 3986 5.2.4), not of the query, which starts at `query`.
fn without_dot_segments(units: &[Unit], query: usize, keeps_last: bool, reading: &mut Reading) -> Vec<Unit> {
    let (path, query) = units.split_at(query);
    if path.first() != Some(&Raw(b'/')) {
        return units.to_vec();
    }
    let segments: Vec<&[Unit]> = path.split(|unit| *unit == Raw(b'/')).collect();
    let mut kept: Vec<&[Unit]> = Vec::new();
    // The first segment is the empty one before the first slash.
    for (at, segment) in segments.iter().enumerate().skip(1) {
        let is_last = at + 1 == segments.len();
        let dots = if is_last && keeps_last { 0 } else { dots(segment, reading) };
        match dots {
            0 => kept.push(segment),
            1 => {}
            _ => drop(kept.pop()),
        }
        if dots > 0 && is_last {
            kept.push(&[]);
        }
    }
    let mut path: Vec<Unit> = kept.iter().flat_map(|segment| [&[Raw(b'/')], *segment].concat()).collect();
    path.extend_from_slice(query);
    path
}

/// Returns the number of dots of a dot segment; 0 for any other.
fn dots(segment: &[Unit], reading: &mut Reading) -> usize {
    let is_dot = |unit: &Unit| matches!(unit, Raw(b'.') | Escape(b'.', _));
    if segment.is_empty() || segment.len() > 2 || !segment.iter().all(is_dot) {
        return 0;
    }
    let is_escaped = segment.iter().any(|unit| matches!(unit, Escape(..)));
    if is_escaped && reading.ask(EscapedDot) == Answer::No { 0 } else { segment.len() }
}

/// Returns whether the pattern of a rule matches a target. `has_wildcards` says whether any rule may match a part of an
/// escape: a reading spells escapes alike for all rules.
pub fn matches(line: &Rule, target: &Target, has_wildcards: bool, reading: &mut Reading) -> bool {
    let pattern = &line.pattern;
    let has_dots =
        |text: &[u8]| text.contains(&b'.') || text.windows(3).any(|at| at.eq_ignore_ascii_case(b"%2e"));
    let (url_units, rule_units) = (units(&target.0), units(pattern));
    let query = |units: &[Unit]| units.iter().position(|unit| *unit == Raw(b'?')).unwrap_or(units.len());
    let (url_query, rule_query) = (query(&url_units), query(&rule_units));
    let may_match_parts =
        has_wildcards && url_units.iter().any(|unit| matches!(unit, Escape(..)) || may_be_encoded(*unit));
    let spelling = if may_match_parts { reading.ask(PartialEscape) } else { Answer::No };
    let mut url = canonical(url_units, Side::Url, reading);
    let mut rule = canonical(rule_units, Side::Rule, reading);
    let simple_url = has_dots(&target.0)
        .then(|| without_dot_segments(&url, url_query, false, reading))
        .filter(|simple| *simple != url);
    let simple_rule = has_dots(pattern)
        .then(|| [true, false].map(|keeps_last| without_dot_segments(&rule, rule_query, keeps_last, reading)))
        .filter(|simple| simple.iter().any(|simple| *simple != rule));
    if simple_url.is_some() || simple_rule.is_some() {
        let answer = reading.ask(DotSegments);
        if answer != Answer::Keep {
            url = simple_url.unwrap_or(url);
        }
        rule = match (answer, simple_rule) {
            (Answer::Both, Some([simple, _])) | (Answer::Whole, Some([_, simple])) => simple,
            _ => rule,
        };
    }
    // A rule that may match a part of an escape may still match whole ones.
    if matches_spelled(&url, &rule, Answer::No, reading) {
        return true;
    }
    if spelling == Answer::No {
        return false;
    }
    if url.iter().chain(&rule).any(|unit| may_be_encoded(*unit))
        && is_reserved_equal(reading)
        && reading.ask(EncodesReserved) == Answer::Yes
    {
        encode_reserved(&mut url, Side::Url, reading);
        encode_reserved(&mut rule, Side::Rule, reading);
    }
    matches_spelled(&url, &rule, spelling, reading)
}

/// Returns whether a rule matches, where both are spelled so.
fn matches_spelled(url: &[Unit], rule: &[Unit], spelling: Answer, reading: &mut Reading) -> bool {
    // The pieces are about what follows the start that both have. Some paths are long.
    let is_literal = |unit: &Unit| matches!(unit, Raw(byte) if is_unreserved(*byte) || *byte == b'/');
    let same = url.iter().zip(rule).take_while(|(a, b)| a == b && is_literal(a)).count();
    if let (Some(Raw(a)), Some(Raw(b))) = (url.get(same), rule.get(same))
        && is_unreserved(*a)
        && is_unreserved(*b)
    {
        return false;
    }
    let text: String = url[same..].iter().map(|unit| spell(*unit, spelling)).collect();
    match_start(&pieces(&rule[same..], spelling, reading), &text)
}

/// Returns whether a reading may percent-encode the byte before it compares (RFC 9309 2.2.2: "those in the reserved
/// range"), and so match a part of its escape.
fn may_be_encoded(unit: Unit) -> bool {
    matches!(unit, Same(_)) || matches!(unit, Raw(byte) if !is_unreserved(byte) && !b"/?%".contains(&byte))
}

fn encode_reserved(units: &mut [Unit], side: Side, reading: &mut Reading) {
    let count = units.len();
    for (at, unit) in units.iter_mut().enumerate() {
        let is_special = side == Side::Rule
            && match unit {
                Raw(b'*') => true,
                Raw(b'$') => at + 1 == count || reading.ask(MidDollar) == Answer::End,
                _ => false,
            };
        if let Raw(byte) = *unit
            && may_be_encoded(*unit)
            && !is_special
            // The escape of `*` is `*` then.
            && (!b"*$".contains(&byte) || reading.ask(EscapedSpecial) == Answer::Equal)
        {
            *unit = Escape(byte, capitals(byte));
        }
    }
}

/// Returns a unit as text: one character, or `%` and its digits where a rule may match a part of an escape.
fn spell(unit: Unit, spelling: Answer) -> String {
    match unit {
        Raw(byte) => char::from(byte).to_string(),
        Same(byte) => {
            char::from_u32(0xF000 + u32::from(byte)).expect("a character for private use").to_string()
        }
        Escape(byte, digits) => {
            let digits = digits.map(char::from);
            match spelling {
                Answer::No => {
                    let style = digits.map(|digit| u32::from(digit.is_ascii_lowercase()));
                    let code = 0xE000 + u32::from(byte) * 4 + style[0] * 2 + style[1];
                    char::from_u32(code).expect("a character for private use").to_string()
                }
                Answer::Capitals => format!("%{byte:02X}"),
                Answer::SmallLetters => format!("%{byte:02x}"),
                _ => format!("%{}{}", digits[0], digits[1]),
            }
        }
    }
}

/// A part of a pattern.
pub enum Piece {
    /// Any text.
    Any,
    /// Nothing, at the end of the text.
    End,
    /// One of these texts.
    OneOf(Vec<String>),
}

/// Returns the pieces of a pattern.
fn pieces(rule: &[Unit], spelling: Answer, reading: &mut Reading) -> Vec<Piece> {
    let piece = |(at, &unit): (usize, &Unit)| match unit {
        Raw(b'*') => Piece::Any,
        Raw(b'$') if at + 1 == rule.len() || reading.ask(MidDollar) == Answer::End => Piece::End,
        Raw(byte @ b'$') if is_reserved_equal(reading) => any_form(byte, spelling),
        Raw(b'%') | Escape(b'%', _) if spelling == Answer::No && is_reserved_equal(reading) => {
            any_form(b'%', spelling)
        }
        Escape(byte @ (b'*' | b'$'), _) if reading.ask(EscapedSpecial) == Answer::Equal => {
            any_form(byte, spelling)
        }
        Raw(byte @ (b'/' | b':')) => Piece::OneOf(vec![spell(unit, spelling), spell(Same(byte), spelling)]),
        Escape(byte @ (b'/' | b':'), digits) => {
            let mut forms = vec![spell(unit, spelling)];
            if byte == b':' && is_reserved_equal(reading) {
                forms.push(spell(Raw(byte), spelling));
            }
            if is_equal_in_query(byte, digits, reading) {
                forms.push(spell(Same(byte), spelling));
            }
            Piece::OneOf(forms)
        }
        _ => Piece::OneOf(vec![spell(unit, spelling)]),
    };
    rule.iter().enumerate().map(piece).collect()
}

/// Returns a byte or one of its escapes.
fn any_form(byte: u8, spelling: Answer) -> Piece {
    let escapes = [capitals(byte), capitals(byte).map(|digit| digit.to_ascii_lowercase())];
    let forms = [Raw(byte), Escape(byte, escapes[0]), Escape(byte, escapes[1])];
    Piece::OneOf(forms.map(|form| spell(form, spelling)).into())
}

/// Returns whether the pieces match the start of a text.
pub fn match_start(pieces: &[Piece], text: &str) -> bool {
    let text = text.as_bytes();
    // Each piece takes the places that a match may have reached to those that it may reach next.
    let mut places = vec![0];
    for piece in pieces {
        places = match piece {
            Piece::Any => places.first().map_or(Vec::new(), |first| (*first..=text.len()).collect()),
            Piece::End => places.into_iter().filter(|place| *place == text.len()).collect(),
            Piece::OneOf(forms) => {
                let after = |place: usize, form: &String| {
                    text[place..].starts_with(form.as_bytes()).then_some(place + form.len())
                };
                let next = places
                    .into_iter()
                    .flat_map(|place| forms.iter().filter_map(move |form| after(place, form)));
                let mut next: Vec<usize> = next.collect();
                next.sort_unstable();
                next.dedup();
                next
            }
        };
    }
    !places.is_empty()
}

/// Returns whether a rule with this pattern may match a part of an escape.
pub fn has_wildcard(pattern: &[u8]) -> bool {
    units(pattern).iter().any(|unit| matches!(unit, Raw(b'*' | b'%')))
}

/// Returns whether a rule is about the robots.txt itself and no other path.
pub fn names_robots_txt(pattern: &[u8], reading: &mut Reading) -> bool {
    let end = pattern.iter().rposition(|byte| !b"*$".contains(byte)).map_or(0, |at| at + 1);
    canonical(units(&pattern[..end]), Side::Rule, reading) == b"/robots.txt".map(Raw)
}

/// Returns the length of a path after percent-encoding of bytes outside ASCII, of characters that no URI contains, or
/// also of reserved characters that do not delimit anything.
pub fn encoded_length(path: &[u8], of: Answer, reading: &mut Reading) -> usize {
    let with_reserved = of == Answer::EncodedReserved;
    let mut is_in_query = false;
    let mut length = 0;
    for unit in units(path) {
        let is_long = match unit {
            Escape(byte, _) if is_unreserved(byte) => reading.ask(AsciiEscape) != Answer::Equal,
            Escape(..) => true,
            Same(_) => false,
            Raw(b'?') if !is_in_query => {
                is_in_query = true;
                false
            }
            Raw(b'/') => is_in_query && with_reserved,
            Raw(b'=' | b'&') if is_in_query => false,
            Raw(b'*' | b'$') => false,
            Raw(b'%') => true,
            Raw(byte) if b":/?#[]@!$&'()*+,;=".contains(&byte) => with_reserved,
            Raw(byte) => of != Answer::Encoded && !is_unreserved(byte),
        };
        length += if is_long { 3 } else { 1 };
    }
    length
}

/// Returns whether two paths are the same after percent-encoding.
pub fn are_equivalent(a: &[u8], b: &[u8]) -> bool {
    let encoded = |path: &[u8]| -> Vec<Unit> {
        let encode = |unit| match unit {
            Escape(byte, _) if is_unreserved(byte) => Raw(byte),
            Escape(byte, _) => Escape(byte, capitals(byte)),
            unit => unit,
        };
        units(path).into_iter().map(encode).collect()
    };
    encoded(a) == encoded(b)
}
