//! The words of a text: <https://protobuf.dev/reference/protobuf/textformat-spec/>, "Lexical elements".

use crate::import::text_format::{Error, Place, Result};

/// A word of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, or a value that is a word.
    Identifier(String),
    /// A number, as it is written.
    Number(String),
    /// A string literal, unescaped.
    Text(Vec<u8>),
    /// Any other character that has a meaning.
    Symbol(char),
    /// The end of the text.
    End,
}

/// What stands between the words of a text.
const SYMBOLS: &[u8] = b":{}<>[],;-./";

pub(super) struct Lexer<'t> {
    octets: &'t [u8],
    /// How many of them are read.
    at: usize,
    place: Place,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(octets: &'t [u8]) -> Self {
        Lexer { octets, at: 0, place: Place { line: 1, column: 1 } }
    }

    /// The next word, and where it starts.
    pub(super) fn next(&mut self) -> Result<(Token, Place)> {
        self.skip_blanks();
        let place = self.place;
        let Some(octet) = self.peek() else { return Ok((Token::End, place)) };
        let token = match octet {
            b'"' | b'\'' => Token::Text(self.string(octet)?),
            b'0'..=b'9' => Token::Number(self.number()?),
            b'.' if self.peek_behind(1).is_some_and(|next| next.is_ascii_digit()) => {
                Token::Number(self.number()?)
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => Token::Identifier(self.word(is_in_name)),
            symbol if SYMBOLS.contains(&symbol) => {
                self.take();
                Token::Symbol(char::from(symbol))
            }
            other => {
                let message = format!("`{}` has no meaning here", other.escape_ascii());
                return Err(Error { place, message });
            }
        };
        Ok((token, place))
    }

    fn peek(&self) -> Option<u8> {
        self.peek_behind(0)
    }

    fn peek_behind(&self, distance: usize) -> Option<u8> {
        self.octets.get(self.at + distance).copied()
    }

    fn take(&mut self) -> Option<u8> {
        let octet = self.peek()?;
        self.at += 1;
        match octet {
            b'\n' => self.place = Place { line: self.place.line + 1, column: 1 },
            // The rest of a character that has more than one octet.
            0x80..=0xBF => {}
            _ => self.place.column += 1,
        }
        Some(octet)
    }

    fn skip_blanks(&mut self) {
        while let Some(octet) = self.peek() {
            match octet {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C => drop(self.take()),
                b'#' => while self.peek().is_some_and(|octet| octet != b'\n') && self.take().is_some() {},
                _ => return,
            }
        }
    }

    fn word(&mut self, belongs: impl Fn(u8) -> bool) -> String {
        let mut word = String::new();
        while let Some(octet) = self.peek().filter(|&octet| belongs(octet)) {
            word.push(char::from(octet));
            self.take();
        }
        word
    }

    fn number(&mut self) -> Result<String> {
        let place = self.place;
        let mut number = self.word(|octet| is_in_name(octet) || octet == b'.');
        let is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
        if !is_hexadecimal && number.ends_with(['e', 'E']) && matches!(self.peek(), Some(b'+' | b'-')) {
            number.extend(self.take().map(char::from));
            number += &self.word(is_in_name);
        }
        let digits = number.trim_start_matches("0x").trim_start_matches("0X");
        let is_number = match is_hexadecimal {
            true => !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
            false => number.trim_end_matches(['f', 'F']).parse::<f64>().is_ok(),
        };
        if is_number {
            return Ok(number);
        }
        Err(Error { place, message: format!("`{number}` is no number, and a text has quotation marks") })
    }

    /// A string literal; adjacent ones are joined by the parser.
    fn string(&mut self, quote: u8) -> Result<Vec<u8>> {
        let start = self.place;
        self.take();
        let mut text = Vec::new();
        loop {
            let place = self.place;
            match self.take() {
                Some(octet) if octet == quote => return Ok(text),
                Some(b'\\') => self.escape(place, &mut text)?,
                Some(b'\n') | None => {
                    let message = "this string is not closed on its line; write `\\n` for the end of a line";
                    return Err(Error { place: start, message: message.to_owned() });
                }
                Some(octet) => text.push(octet),
            }
        }
    }

    fn escape(&mut self, place: Place, text: &mut Vec<u8>) -> Result<()> {
        let wrong = |message: &str| Error { place, message: message.to_owned() };
        let escaped = self.take().ok_or_else(|| wrong("a backslash ends the text"))?;
        match escaped {
            b'a' => text.push(0x07),
            b'b' => text.push(0x08),
            b'f' => text.push(0x0C),
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'v' => text.push(0x0B),
            b'?' | b'\\' | b'\'' | b'"' => text.push(escaped),
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    self.take();
                }
                let octet =
                    u8::try_from(value).map_err(|_| wrong("no octet has an octal number above `\\377`"))?;
                text.push(octet);
            }
            b'x' | b'X' => {
                let (value, digits) = self.hexadecimal(2);
                if digits == 0 {
                    return Err(wrong("`\\x` wants one or two hexadecimal digits"));
                }
                text.push(value as u8);
            }
            b'u' | b'U' => {
                let character = self.character(escaped).ok_or_else(|| {
                    wrong("`\\u` wants four hexadecimal digits and `\\U` eight, of a character that there is")
                })?;
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => {
                return Err(wrong(&format!("there is no escape `\\{}`", other.escape_ascii())));
            }
        }
        Ok(())
    }

    /// The character that `\u` or `\U` gives; two of `\u` where it has to be given as a surrogate pair.
    fn character(&mut self, escape: u8) -> Option<char> {
        let wanted = if escape == b'u' { 4 } else { 8 };
        let (first, digits) = self.hexadecimal(wanted);
        if digits != wanted {
            return None;
        }
        if escape == b'u' && (0xD800..0xDC00).contains(&first) {
            if (self.take()?, self.take()?) != (b'\\', b'u') {
                return None;
            }
            let (second, digits) = self.hexadecimal(4);
            if digits != 4 || !(0xDC00..0xE000).contains(&second) {
                return None;
            }
            return char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        }
        char::from_u32(first)
    }

    /// As many hexadecimal digits as there are, at most these: their value, and how many.
    fn hexadecimal(&mut self, at_most: usize) -> (u32, usize) {
        let (mut value, mut digits) = (0, 0);
        while digits < at_most
            && let Some(digit) = self.peek().and_then(|octet| char::from(octet).to_digit(16))
        {
            value = value << 4 | digit;
            digits += 1;
            self.take();
        }
        (value, digits)
    }
}

fn is_in_name(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || octet == b'_'
}
