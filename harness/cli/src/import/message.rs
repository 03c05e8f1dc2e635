//! Reads tests from the text format of Protocol Buffers, by [their definition](DEFINITION).

use std::fmt::Write;
use std::sync::LazyLock;

use miette::Diagnostic;
use prost_reflect::text_format::ParseError;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, Value};
use robotspec_reference::bytes::BOM;

/// The definition of the messages.
const DEFINITION: &str = include_str!("specification.proto");

static SPECIFICATION: LazyLock<MessageDescriptor> = LazyLock::new(|| {
    let file = protox_parse::parse("specification.proto", DEFINITION).expect("the definition is valid");
    let mut pool = DescriptorPool::new();
    pool.add_file_descriptor_proto(file).expect("the definition is complete");
    pool.get_message_by_name("specification.RobotsTxtSpecification").expect("the definition has this message")
});

/// A robots.txt and the checks that use it.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) robots: Vec<u8>,
    pub(super) expectations: Vec<Expectation>,
}

/// A check as it is written, with the defaults of the definition for absent fields.
#[derive(Debug)]
pub(super) struct Expectation {
    pub(super) agent: String,
    pub(super) url: String,
    pub(super) outcome: i32,
    pub(super) test_type: i32,
    pub(super) explanation: String,
}

/// A syntax error, or a field or value that the definition does not have.
#[derive(Debug)]
pub(super) struct Error {
    /// From 1.
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
    /// The cause and the fix.
    pub(super) message: String,
}

/// Reads a file.
///
/// # Errors
///
/// The file is not a `RobotsTxtSpecification` in the text format.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Test>, Error> {
    let text = Text::new(bytes);
    let mut message = DynamicMessage::parse_text_format(SPECIFICATION.clone(), &text.text)
        .map_err(|error| text.error(&error))?;
    Ok(take_messages(&mut message, "tests").map(test).collect())
}

fn test(mut message: DynamicMessage) -> Test {
    Test {
        robots: take_bytes(&mut message, "robotstxt"),
        expectations: take_messages(&mut message, "test_expectations").map(expectation).collect(),
    }
}

fn expectation(mut message: DynamicMessage) -> Expectation {
    Expectation {
        agent: take_string(&mut message, "useragent"),
        url: take_string(&mut message, "testurl"),
        outcome: take_enum(&mut message, "expected_outcome"),
        test_type: take_enum(&mut message, "test_type"),
        explanation: String::from_utf8_lossy(&take_bytes(&mut message, "additional_explanation"))
            .into_owned(),
    }
}

fn take_messages(message: &mut DynamicMessage, name: &str) -> impl Iterator<Item = DynamicMessage> {
    let values = match message.take_field_by_name(name) {
        Some(Value::List(values)) => values,
        _ => Vec::new(),
    };
    values.into_iter().filter_map(|value| match value {
        Value::Message(message) => Some(message),
        _ => None,
    })
}

fn take_bytes(message: &mut DynamicMessage, name: &str) -> Vec<u8> {
    match message.take_field_by_name(name) {
        Some(Value::Bytes(bytes)) => bytes.into(),
        _ => Vec::new(),
    }
}

fn take_string(message: &mut DynamicMessage, name: &str) -> String {
    match message.take_field_by_name(name) {
        Some(Value::String(string)) => string,
        _ => String::new(),
    }
}

fn take_enum(message: &mut DynamicMessage, name: &str) -> i32 {
    message.take_field_by_name(name).and_then(|value| value.as_enum_number()).unwrap_or_default()
}

/// The text of a file. A byte that is not UTF-8 is written as its escape sequence, which means the same in a string.
struct Text {
    text: String,
    /// The offsets of the escape sequences that the file itself does not contain.
    escapes: Vec<usize>,
}

impl Text {
    fn new(file: &[u8]) -> Self {
        let (mut text, mut escapes) = (String::with_capacity(file.len()), Vec::new());
        // A byte order mark has no column in an editor.
        let file = file.strip_prefix(BOM).unwrap_or(file);
        for chunk in file.utf8_chunks() {
            text.push_str(chunk.valid());
            for byte in chunk.invalid() {
                let backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
                if backslashes % 2 == 1 {
                    // A backslash before it would make the escape sequence an ordinary text.
                    text.push(char::REPLACEMENT_CHARACTER);
                } else {
                    escapes.push(text.len());
                    let _ = write!(text, "\\x{byte:02x}");
                }
            }
        }
        Text { text, escapes }
    }

    fn error(&self, error: &ParseError) -> Error {
        let label = error.labels().and_then(|mut labels| labels.next());
        // An error without a label is an unexpected end of the file.
        let (offset, length) = label.map_or((self.text.len(), 0), |label| (label.offset(), label.len()));
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let escapes = self.escapes.iter().filter(|&&escape| (start..before.len()).contains(&escape)).count();
        let word = self.text.get(offset..offset + length).unwrap_or_default();
        let fix = nearest_name(word)
            .map_or_else(|| "correct the text".to_owned(), |name| format!("did you mean `{name}`?"));
        Error {
            line: before.matches('\n').count() + 1,
            // An escape sequence has four characters, and stands for one byte.
            column: before[start..].chars().count() + 1 - 3 * escapes,
            message: format!("{error}; {fix} (`robotspec import --help` has the definition)"),
        }
    }
}

/// Returns the name of a field or a value that a misspelt word resembles.
fn nearest_name(word: &str) -> Option<String> {
    const FARTHEST: usize = 3;
    let pool = SPECIFICATION.parent_pool();
    let fields = pool
        .all_messages()
        .flat_map(|message| message.fields().map(|field| field.name().to_owned()).collect::<Vec<_>>());
    let values = pool
        .all_enums()
        .flat_map(|values| values.values().map(|value| value.name().to_owned()).collect::<Vec<_>>());
    let distance = |name: &String| strsim::levenshtein(name, word);
    let names = fields.chain(values).map(|name| (distance(&name), name));
    names.filter(|(distance, _)| (1..=FARTHEST).contains(distance)).min().map(|(_, name)| name)
}
