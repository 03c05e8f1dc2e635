//! A file to records (RFC 9309 2.2; Google, "Format").

use robotspec_reference::Edition;

use super::questions::{Answer, Question::*};
use super::readings::Reading;

/// A line that means something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Record {
    /// `user-agent` and its value.
    UserAgent(Vec<u8>),
    /// `allow` or `disallow` and its value.
    Rule { allows: bool, path: Vec<u8> },
    /// `sitemap` and its value.
    Sitemap(Vec<u8>),
    /// Text without a word before a colon.
    Invalid,
    /// A field that an extension gives a meaning: it forbids this path.
    Extension(Vec<u8>),
}

const FIELDS: [&str; 4] = ["user-agent", "allow", "disallow", "sitemap"];

/// The smallest size limit (RFC 9309 2.5: 500 KiB).
const LIMIT: usize = 512_000;

/// Returns the records of a file in a reading.
pub fn records(file: &[u8], reading: &mut Reading) -> Vec<Record> {
    // The mark of UTF-16 is at the very start of a file.
    let is_utf_16 = has_utf_16_mark(file);
    let mut file = within_limit(file, reading);
    if file.starts_with(b"\xEF\xBB\xBF") && reading.ask(Bom) == Answer::Drop {
        file.drain(..3);
    }
    if is_utf_8_but_for_comments(&file) {
        // Whatever the encoding of the comments, it changes nothing.
    } else if reading.ask(InvalidUtf8) == Answer::Decode {
        file = if is_utf_16 { from_utf_16(&file) } else { from_latin_1(&file) };
    }
    let read = |line: &Vec<u8>| record(line, reading).or_else(|| invalid(line, reading));
    lines(&file).iter().filter_map(read).collect()
}

/// Splits at CR, LF and CR LF.
fn lines(file: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    for (at, &byte) in file.iter().enumerate() {
        match byte {
            b'\n' if at > 0 && file[at - 1] == b'\r' => {}
            b'\r' | b'\n' => lines.push(Vec::new()),
            _ => lines.last_mut().expect("a line").push(byte),
        }
    }
    lines
}

// ---- Size ----

/// Returns the part of the file that counts.
fn within_limit(file: &[u8], reading: &mut Reading) -> Vec<u8> {
    if file.len() <= LIMIT {
        return file.to_vec();
    }
    let limit = match reading.edition {
        // Any limit from 500 KiB on.
        Edition::Rfc9309 => reading.ask_among(SizeLimit, &limits(file)),
        _ => reading.ask(SizeLimit),
    };
    let Answer::At(limit) = limit else { unreachable!("a number") };
    let limit = limit.min(file.len());
    let mut part = file[..limit].to_vec();
    let is_cut = limit < file.len() && !part.ends_with(b"\n") && !part.ends_with(b"\r");
    let start = part.iter().rposition(|byte| b"\r\n".contains(byte)).map_or(0, |at| at + 1);
    // What remains of a comment is a comment.
    if is_cut && !part[start..].starts_with(b"#") && reading.ask(CutLine) == Answer::Drop {
        part.truncate(start);
    }
    without_filler(part)
}

/// Returns the limits that make a difference: inside each line that is more than a comment, and after it.
fn limits(file: &[u8]) -> Vec<Answer> {
    let mut limits = vec![LIMIT];
    let mut start = 0;
    for line in file.split_inclusive(|byte| b"\r\n".contains(byte)) {
        let end = start + line.len();
        if !line.starts_with(b"#") && end > LIMIT && line.len() > 1 {
            limits.extend(start.max(LIMIT)..=end);
        }
        start = end;
    }
    limits.push(file.len());
    limits.dedup();
    limits.into_iter().map(Answer::At).collect()
}

/// Removes the comments of a large file that are alone in their lines. They change nothing, and there are many.
fn without_filler(file: Vec<u8>) -> Vec<u8> {
    let lines = file.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !(line.starts_with(b"##") && line.ends_with(b"\n"))).flatten().copied().collect()
}

// ---- Encoding ----

fn without_comment(line: &[u8]) -> &[u8] {
    line.split(|byte| *byte == b'#').next().unwrap_or_default()
}

fn is_utf_8_but_for_comments(file: &[u8]) -> bool {
    lines(file).iter().all(|line| std::str::from_utf8(without_comment(line)).is_ok())
}

/// Returns whether a file starts with a byte order mark of UTF-16.
pub fn has_utf_16_mark(file: &[u8]) -> bool {
    file.starts_with(b"\xFF\xFE") || file.starts_with(b"\xFE\xFF")
}

fn from_utf_16(file: &[u8]) -> Vec<u8> {
    let unit = if file[0] == 0xFF { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = file[2..].chunks(2).map(|pair| unit([pair[0], *pair.get(1).unwrap_or(&0)]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.into_bytes()
}

fn from_latin_1(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

/// Returns the line as text that is UTF-8, or as it is. `None` where the reading ignores it.
fn valid_text(line: &[u8], reading: &mut Reading) -> Option<Vec<u8>> {
    if std::str::from_utf8(line).is_ok() {
        return Some(line.to_vec());
    }
    match reading.ask(InvalidUtf8) {
        Answer::Ignore => None,
        Answer::Keep => Some(line.to_vec()),
        Answer::Drop => Some(line.utf8_chunks().flat_map(|chunk| chunk.valid().bytes()).collect()),
        Answer::Replace => Some(String::from_utf8_lossy(line).into_owned().into_bytes()),
        _ => Some(from_latin_1(line)),
    }
}

// ---- Lines ----

/// Returns the record in a line; `None` where there is none or the reading ignores it.
fn record(line: &[u8], reading: &mut Reading) -> Option<Record> {
    let text = without_comment(line);
    let is_odd = |c: char| c.is_ascii_control() && c != '\t';
    let is_odd_comment =
        std::str::from_utf8(&line[text.len()..]).map_or(true, |comment| comment.contains(is_odd));
    if is_odd_comment && !text.iter().all(|&byte| is_blank(byte)) && reading.ask(OddComment) == Answer::Ignore
    {
        return None;
    }
    let text = valid_text(text, reading)?;
    let text = trim(&text, reading);
    if let Some(path) = extension(&text) {
        return (reading.ask(KnownExtension) == Answer::Accept).then_some(Record::Extension(path));
    }
    let (field, value) = match with_colon(&text, reading).or_else(|| within_markup(&text, reading)) {
        Some(parts) => parts,
        // A colon may be part of the value.
        None => without_colon(&text, reading)?,
    };
    let value = without_control(value, reading)?;
    Some(match field {
        "user-agent" => Record::UserAgent(value),
        "sitemap" => Record::Sitemap(value),
        rule => Record::Rule { allows: rule == "allow", path: without_space(value, reading)? },
    })
}

/// Returns whether a line without effect is no record. A comment or a blank line is neither.
fn invalid(line: &[u8], reading: &mut Reading) -> Option<Record> {
    let text = without_comment(line);
    if text.iter().all(|byte| is_blank(*byte)) {
        return None;
    }
    let text = valid_text(text, reading).unwrap_or_else(|| text.to_vec());
    let text = String::from_utf8_lossy(&text);
    let name = text.split_once(':').map_or("", |(name, _)| name);
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == MARK);
    (name.is_empty() || name.contains([' ', '\t'])).then_some(Record::Invalid)
}

/// Returns the path that a line of a known extension forbids.
fn extension(text: &[u8]) -> Option<Vec<u8>> {
    let colon = text.iter().position(|byte| *byte == b':')?;
    let value = text[colon + 1..].trim_ascii();
    let path = match text[..colon].trim_ascii().to_ascii_lowercase().as_slice() {
        _ if value.is_empty() => return None,
        b"noindex" => value,
        b"visit-time" | b"request-rate" => b"/",
        _ => return None,
    };
    Some(path.to_vec())
}

fn with_colon(text: &[u8], reading: &mut Reading) -> Option<(&'static str, Vec<u8>)> {
    let colon = text.iter().position(|byte| *byte == b':')?;
    let name = trim(&text[..colon], reading);
    Some((field(&name, reading)?, trim(&text[colon + 1..], reading)))
}

fn within_markup(text: &[u8], reading: &mut Reading) -> Option<(&'static str, Vec<u8>)> {
    let text = text.strip_prefix(b"<")?;
    let colon = text.iter().position(|byte| *byte == b':')?;
    let tag = text[..colon].iter().rposition(|byte| *byte == b'>')?;
    let name = String::from_utf8_lossy(&text[tag + 1..colon]).to_ascii_lowercase();
    let known = FIELDS.into_iter().find(|known| name.trim_matches([' ', '\t']) == *known)?;
    let value = text[colon + 1..].split(|byte| *byte == b'<').next().unwrap_or_default();
    (reading.ask(Markup) == Answer::Accept).then(|| (known, trim(value, reading)))
}

/// Returns the field that a name stands for.
fn field(name: &[u8], reading: &mut Reading) -> Option<&'static str> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    if let Some(known) = FIELDS.into_iter().find(|known| *known == name) {
        return Some(known);
    }
    let is_word = !name.contains([' ', '\t']);
    if let Some(known) = FIELDS.into_iter().find(|known| is_word && name.starts_with(known)) {
        return (reading.ask(FieldPrefix) == Answer::Accept).then_some(known);
    }
    let mut close: Vec<(usize, &str)> =
        FIELDS.into_iter().map(|known| (edits(&name, known), known)).collect();
    close.retain(|(edits, _)| *edits <= 2);
    close.sort_unstable();
    if close.is_empty() || reading.ask(Typo) == Answer::Ignore {
        return None;
    }
    let is_farther = close.len() > 1 && reading.ask(TypoOfTwo) == Answer::Farther;
    Some(close[usize::from(is_farther)].1)
}

/// The number of characters to insert, remove or replace.
fn edits(a: &str, b: &str) -> usize {
    strsim::levenshtein(a, b)
}

/// Returns field and value of a line without a colon. The name is a word, or two (`user agent`).
fn without_colon(text: &[u8], reading: &mut Reading) -> Option<(&'static str, Vec<u8>)> {
    let words: Vec<usize> =
        (1..text.len()).filter(|&at| is_blank(text[at]) && !is_blank(text[at - 1])).take(2).collect();
    for end in words {
        let lower = String::from_utf8_lossy(&text[..end]).to_ascii_lowercase();
        let is_close = FIELDS.into_iter().any(|known| edits(&lower, known) <= 2 || lower.starts_with(known));
        let next = text[end..].iter().find(|byte| !is_blank(**byte));
        if is_close && next != Some(&b':') {
            if reading.ask(MissingColon) == Answer::Ignore {
                return None;
            }
            if let Some(field) = field(&text[..end], reading) {
                return Some((field, trim(&text[end..], reading)));
            }
        }
    }
    None
}

// ---- Values ----

fn without_control(mut value: Vec<u8>, reading: &mut Reading) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(&value).into_owned();
    if text.contains(is_control) {
        match reading.ask(ControlCharacter) {
            Answer::Ignore => return None,
            Answer::Cut => {
                let first = text.find(is_control).expect("there is one");
                // The text before it has the same length unless it has bytes outside UTF-8.
                let length = value.utf8_chunks().scan(0, |at, chunk| {
                    let found = chunk.valid().find(is_control);
                    let start = *at;
                    *at += chunk.valid().len() + chunk.invalid().len();
                    Some(found.map(|found| start + found))
                });
                let length = length.flatten().next().unwrap_or(first);
                value.truncate(length);
                value = trim(&value, reading);
            }
            _ => {}
        }
    }
    Some(value)
}

/// The grammar of RFC 9309 derives U+0080 to U+009F.
fn is_control(c: char) -> bool {
    c.is_ascii_control() && c != '\t'
}

fn without_space(mut path: Vec<u8>, reading: &mut Reading) -> Option<Vec<u8>> {
    if let Some(space) = path.iter().position(|byte| is_blank(*byte)) {
        match reading.ask(InnerSpace) {
            Answer::Ignore => return None,
            Answer::Cut => path.truncate(space),
            _ => {}
        }
    }
    Some(path)
}

// ---- White space ----

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The byte order mark.
const MARK: char = '\u{FEFF}';

/// Removes the white space at both ends.
fn trim(text: &[u8], reading: &mut Reading) -> Vec<u8> {
    let mut text = text.to_vec();
    loop {
        let before = text.len();
        while text.last().is_some_and(|byte| is_blank(*byte)) {
            text.pop();
        }
        let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
        text.drain(..blanks);
        let is_other = |c: &char| c.is_whitespace() && !c.is_ascii() || ['\u{B}', '\u{C}', MARK].contains(c);
        let first = text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        let last = text.utf8_chunks().last().filter(|chunk| chunk.invalid().is_empty());
        let last = last.and_then(|chunk| chunk.valid().chars().last());
        let mut drops = |c: char| match reading.ask(OtherWhitespace) {
            Answer::Drop => c != MARK,
            answer => answer == Answer::DropMark,
        };
        if let Some(c) = first.filter(is_other)
            && drops(c)
        {
            text.drain(..c.len_utf8());
        } else if let Some(c) = last.filter(is_other)
            && drops(c)
        {
            text.truncate(text.len() - c.len_utf8());
        }
        if text.len() == before {
            return text;
        }
    }
}
