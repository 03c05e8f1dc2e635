//! Reads the text format of Protocol Buffers without the schema of a message:
//! <https://protobuf.dev/reference/protobuf/textformat-spec/>.
//!
//! Own code, as the crates that read this format (`prost-reflect`, `protobuf`) have to be given the schema.

mod lexer;
#[cfg(test)]
mod tests;

use lexer::{Lexer, Token};

/// How deep messages may be within each other, so that no text can exhaust the stack. Protocol Buffers have
/// the same limit.
const DEEPEST: usize = 100;

/// A place in a text, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Why a text is none of this format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Error {
    pub(crate) place: Place,
    pub(crate) message: String,
}

type Result<T> = std::result::Result<T, Error>;

/// A message, with its fields as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) place: Place,
    pub(crate) fields: Vec<Field>,
}

/// A field. A list is a field for each of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its name; that of an extension is in brackets.
    pub(crate) name: String,
    /// Where its name stands, or its value if that is one of a list.
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// The octets of a string.
    Text(Vec<u8>),
    /// A number or a word, as it is written.
    Word(String),
    Message(Message),
}

/// Reads a text.
///
/// # Errors
///
/// It breaks the format, or has messages too deep within each other.
pub(crate) fn read(text: &[u8]) -> Result<Message> {
    let mut lexer = Lexer::new(text);
    let (token, place) = lexer.next()?;
    let mut parser = Parser { lexer, token, place, depth: 0 };
    let fields = parser.fields(Token::End)?;
    Ok(Message { place: Place { line: 1, column: 1 }, fields })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The next word, and where it stands.
    token: Token,
    place: Place,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self) -> Result<Token> {
        let (token, place) = self.lexer.next()?;
        self.place = place;
        Ok(std::mem::replace(&mut self.token, token))
    }

    /// Takes a symbol if it comes next.
    fn takes(&mut self, symbol: char) -> Result<bool> {
        let is_next = self.token == Token::Symbol(symbol);
        if is_next {
            self.take()?;
        }
        Ok(is_next)
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match &self.token {
            Token::Identifier(word) | Token::Number(word) => format!("`{word}`"),
            Token::Text(_) => "a string".to_owned(),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the text".to_owned(),
        };
        Err(Error { place: self.place, message: format!("expected {what}, found {found}") })
    }

    /// The fields up to the end of their message, which is taken as well.
    fn fields(&mut self, end: Token) -> Result<Vec<Field>> {
        let mut fields = Vec::new();
        while self.token != end {
            self.field(&end, &mut fields)?;
        }
        if end != Token::End {
            self.take()?;
        }
        Ok(fields)
    }

    fn field(&mut self, end: &Token, fields: &mut Vec<Field>) -> Result<()> {
        let place = self.place;
        let name = match &self.token {
            Token::Identifier(_) => match self.take()? {
                Token::Identifier(name) => name,
                _ => return self.expected("the name of a field"),
            },
            Token::Symbol('[') => self.extension()?,
            _ => {
                let end = match end {
                    Token::Symbol(symbol) => format!(" or `{symbol}`"),
                    _ => String::new(),
                };
                return self.expected(&format!("the name of a field{end}"));
            }
        };
        let has_colon = self.takes(':')?;
        let is_list = self.takes('[')?;
        if !is_list {
            let value = self.value(has_colon)?;
            fields.push(Field { name, place, value });
        } else if !self.takes(']')? {
            loop {
                let place = self.place;
                let value = self.value(has_colon)?;
                fields.push(Field { name: name.clone(), place, value });
                if self.takes(']')? {
                    break;
                }
                if !self.takes(',')? {
                    return self.expected("`,` or `]`");
                }
            }
        }
        if !self.takes(',')? {
            self.takes(';')?;
        }
        Ok(())
    }

    /// The name of an extension, or of the type of an `Any`, with its brackets.
    fn extension(&mut self) -> Result<String> {
        let mut name = String::new();
        self.take()?;
        while !self.takes(']')? {
            let is_between = name.is_empty() || name.ends_with(['.', '/', '-']);
            match &self.token {
                Token::Identifier(word) | Token::Number(word) if is_between => name.push_str(word),
                Token::Symbol(symbol @ ('.' | '/' | '-')) => name.push(*symbol),
                _ => return self.expected("a name in brackets, such as `[example.extension]`"),
            }
            self.take()?;
        }
        if name.is_empty() {
            return self.expected("no empty brackets");
        }
        Ok(format!("[{name}]"))
    }

    /// A value. Only a message may stand without a colon before it.
    fn value(&mut self, has_colon: bool) -> Result<Value> {
        match self.token {
            Token::Symbol('{') => self.message('}'),
            Token::Symbol('<') => self.message('>'),
            _ if !has_colon => self.expected("`:` or a message"),
            Token::Text(_) => {
                let mut octets = Vec::new();
                while let Token::Text(part) = &self.token {
                    octets.extend_from_slice(part);
                    self.take()?;
                }
                Ok(Value::Text(octets))
            }
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Value> {
        let sign = if self.takes('-')? { "-" } else { "" };
        let word = match &self.token {
            Token::Number(number) => format!("{sign}{number}"),
            Token::Identifier(word) => format!("{sign}{word}"),
            _ => return self.expected("a value"),
        };
        self.take()?;
        Ok(Value::Word(word))
    }

    fn message(&mut self, end: char) -> Result<Value> {
        let place = self.place;
        if self.depth == DEEPEST {
            let message = format!("messages stand within each other more than {DEEPEST} deep");
            return Err(Error { place, message });
        }
        self.depth += 1;
        self.take()?;
        let fields = self.fields(Token::Symbol(end))?;
        self.depth -= 1;
        Ok(Value::Message(Message { place, fields }))
    }
}
