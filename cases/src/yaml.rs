//! The strict reader of YAML files, which reports the place of every error.
//!
//! `serde_yaml` builds the values, but keeps no places of them and accepts duplicate keys of a map. A second pass over
//! the events of the document therefore records the places and finds duplicate keys. It runs first, and refuses a small
//! file that would need much memory: one whose aliases repeat too much, or that is nested too deeply. Embedded files, which
//! the tests read in this way, are not read twice at every start of a program.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use saphyr_parser::{Event, Marker, Parser};
use serde::de::DeserializeOwned;

use robotspec_text::{visible, visible_path};

/// An error in a file, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 where the error is about the whole file.
    pub line: usize,
    /// The column, from 1; 0 where the error is about the whole line.
    pub column: usize,
    /// What is wrong, and how to fix it.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, message) = (visible_path(&self.file), visible(&self.message));
        let FileError { line, column, .. } = self;
        match (line, column) {
            (0, _) => write!(f, "{file}: {message}"),
            (_, 0) => write!(f, "{file}:{line}: {message}"),
            _ => write!(f, "{file}:{line}:{column}: {message}"),
        }
    }
}

impl std::error::Error for FileError {}

/// A place in a document: line and column, from 1.
type Place = (usize, usize);

/// A document with the places of its parts.
pub struct Document<'t> {
    file: PathBuf,
    text: &'t str,
    places: OnceCell<HashMap<String, Place>>,
}

impl<'t> Document<'t> {
    /// Reads a document into a value. The text may start with a byte order mark.
    ///
    /// # Errors
    ///
    /// The text is not YAML, has a duplicate key, aliases that repeat too much, or too deep nesting, or does not fit the
    /// type of the value.
    pub fn read<T: DeserializeOwned>(
        file: impl Into<PathBuf>,
        text: &'t str,
    ) -> Result<(T, Self), FileError> {
        let file = file.into();
        let places = Places::read(&file, without_bom(text))?;
        let (value, document) = Self::read_embedded(file, text)?;
        Ok((value, Document { places: places.into(), ..document }))
    }

    /// Reads an embedded document into a value. Its places are read only where an error needs them.
    ///
    /// # Errors
    ///
    /// The text is not YAML, or does not fit the type of the value.
    pub(crate) fn read_embedded<T: DeserializeOwned>(
        file: PathBuf,
        text: &'t str,
    ) -> Result<(T, Self), FileError> {
        let text = without_bom(text);
        let value = serde_yaml::from_str(text).map_err(|error| type_error(&file, &error))?;
        Ok((value, Document { file, text, places: OnceCell::new() }))
    }

    fn places(&self) -> &HashMap<String, Place> {
        self.places.get_or_init(|| Places::read(&self.file, self.text).unwrap_or_default())
    }

    /// Returns an error at a part of the document, such as `cases[0].rows[2].expect`. Where the document has no such
    /// part, the error is at the smallest part around it.
    pub fn error(&self, part: &str, message: impl Into<String>) -> FileError {
        let mut part = part;
        loop {
            if let Some(place) = self.places().get(part) {
                return error_at(&self.file, *place, message);
            }
            match part.rfind(['.', '[']) {
                Some(end) => part = &part[..end],
                None => return error_at(&self.file, (0, 0), message),
            }
        }
    }

    /// Returns the line and column of a part of the document, from 1.
    pub fn place(&self, part: &str) -> Option<(usize, usize)> {
        self.places().get(part).copied()
    }
}

fn error_at(file: &Path, (line, column): Place, message: impl Into<String>) -> FileError {
    FileError { file: file.to_owned(), line, column, message: message.into() }
}

fn type_error(file: &Path, error: &serde_yaml::Error) -> FileError {
    let place = error.location().map(|location| (location.line(), location.column()));
    let message = error.to_string();
    // The error has the place already.
    let message = message.split(" at line ").next().unwrap_or_default();
    error_at(file, place.unwrap_or_default(), message)
}

/// Returns the text without the byte order mark at its start, which has no column in an editor.
fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// The longest path of a part of a document, in bytes. It bounds the memory for the places.
const LONGEST_PATH: usize = 256;

/// Collects the places of the parts of a document from its events.
#[derive(Default)]
struct Places {
    places: HashMap<String, Place>,
    open: Vec<Open>,
    aliases: Aliases,
    has_document: bool,
}

/// A collection whose end has not been read yet.
struct Open {
    path: String,
    content: Content,
    anchor: Anchor,
}

enum Content {
    Sequence { items: usize },
    Mapping { keys: HashSet<String>, key: Option<String> },
}

impl Places {
    fn read(file: &Path, text: &str) -> Result<HashMap<String, Place>, FileError> {
        let mut places = Places::default();
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| error_at(file, place(error.marker()), error.info()))?;
            let place = place(&span.start);
            places.take(event, place).map_err(|error| error_at(file, place, error.to_string()))?;
        }
        Ok(places.places)
    }

    fn take(&mut self, event: Event, place: Place) -> Result<(), BadPart> {
        match event {
            Event::DocumentStart(_) if std::mem::replace(&mut self.has_document, true) => {
                return Err(BadPart::SecondDocument);
            }
            Event::Scalar(text, _, anchor, _) => {
                let anchor = self.aliases.start(anchor, text.len());
                self.aliases.end(&anchor);
                match self.open.last_mut().map(|open| (&open.path, &mut open.content)) {
                    Some((path, Content::Mapping { keys, key: key @ None })) => {
                        if !keys.insert(text.to_string()) {
                            return Err(BadPart::DuplicateKey(text.into_owned()));
                        }
                        let path = join(path, &text);
                        *key = Some(text.into_owned());
                        self.record(path, place)?;
                    }
                    _ => drop(self.value(place)?),
                }
            }
            Event::Alias(anchor) => {
                self.aliases.repeat(anchor)?;
                self.value(place)?;
            }
            Event::SequenceStart(anchor, _) => self.open(anchor, place, Content::Sequence { items: 0 })?,
            Event::MappingStart(anchor, _) => {
                self.open(anchor, place, Content::Mapping { keys: HashSet::new(), key: None })?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.aliases.end(&open.anchor);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, anchor: usize, place: Place, content: Content) -> Result<(), BadPart> {
        let path = self.value(place)?;
        let anchor = self.aliases.start(anchor, 0);
        self.open.push(Open { path, content, anchor });
        Ok(())
    }

    /// Records the place of the value that starts here, and returns its path.
    fn value(&mut self, place: Place) -> Result<String, BadPart> {
        let path = match self.open.last_mut().map(|open| (&open.path, &mut open.content)) {
            None => String::new(),
            Some((path, Content::Sequence { items })) => {
                *items += 1;
                format!("{path}[{}]", *items - 1)
            }
            Some((path, Content::Mapping { key, .. })) => join(path, &key.take().unwrap_or_default()),
        };
        self.record(path.clone(), place)?;
        Ok(path)
    }

    /// Records the place of a part, which for the value of a key is the place of the key.
    fn record(&mut self, path: String, place: Place) -> Result<(), BadPart> {
        if path.len() > LONGEST_PATH {
            return Err(BadPart::LongPath);
        }
        self.places.entry(path).or_insert(place);
        Ok(())
    }
}

/// The largest size of what all aliases of a document stand for together.
const MOST_REPEATED: usize = 64 << 20;

/// The size of a value, in addition to its text. A value needs about this number of bytes of memory.
const SIZE_OF_VALUE: usize = 64;

/// The sizes of what the aliases of a document stand for. A short document can stand for gigabytes, because the value of
/// an anchor may contain aliases of other anchors.
#[derive(Default)]
struct Aliases {
    /// The size of the document up to here, with a value in place of each alias.
    size: usize,
    /// The part of the size that aliases account for.
    repeated: usize,
    /// The size of the value of each anchor.
    anchors: HashMap<usize, usize>,
}

/// The start of a value that may have an anchor.
struct Anchor {
    /// The number of the anchor; 0 where there is none.
    id: usize,
    /// The size of the document before the value.
    start: usize,
}

impl Aliases {
    /// Counts a value that starts here, with its own text.
    fn start(&mut self, anchor: usize, text: usize) -> Anchor {
        let start = self.size;
        self.size += SIZE_OF_VALUE + text;
        Anchor { id: anchor, start }
    }

    fn end(&mut self, anchor: &Anchor) {
        if anchor.id > 0 {
            self.anchors.insert(anchor.id, self.size - anchor.start);
        }
    }

    fn repeat(&mut self, anchor: usize) -> Result<(), BadPart> {
        let size = *self.anchors.get(&anchor).ok_or(BadPart::AliasOfItself)?;
        self.size += size;
        self.repeated += size;
        if self.repeated > MOST_REPEATED { Err(BadPart::RepeatedTooMuch) } else { Ok(()) }
    }
}

/// Why a part of a document is refused.
enum BadPart {
    SecondDocument,
    DuplicateKey(String),
    LongPath,
    AliasOfItself,
    RepeatedTooMuch,
}

impl fmt::Display for BadPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPart::SecondDocument => f.write_str("a second document starts here; move it to another file"),
            BadPart::DuplicateKey(key) => write!(f, "the key `{key}` occurs twice; remove one"),
            BadPart::LongPath => f.write_str("this is nested too deeply, or its key is too long; remove it"),
            BadPart::AliasOfItself => {
                f.write_str("the alias stands for a value that contains the alias; write out the value")
            }
            BadPart::RepeatedTooMuch => write!(
                f,
                "the aliases up to here repeat more than {MOST_REPEATED} bytes; remove aliases, or split the file"
            ),
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn place(marker: &Marker) -> Place {
    (marker.line(), marker.col() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<serde_yaml::Value, String> {
        Document::read("file.yaml", text).map(|(value, _)| value).map_err(|error| error.to_string())
    }

    /// Returns a list of anchors, each a list of ten aliases of the one before.
    fn laughs(levels: usize) -> String {
        let first = "- &a0 lol\n".to_owned();
        let level = |level: usize| {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            format!("- &a{level} [{aliases}]\n")
        };
        first + &(1..=levels).map(level).collect::<String>()
    }

    #[test]
    fn aliases_that_repeat_too_much_are_refused_where_they_do() {
        assert!(read(&laughs(3)).is_ok());
        let error = read(&laughs(8)).expect_err("billions");
        assert!(error.starts_with("file.yaml:7:"), "{error}");
        assert!(error.contains("the aliases up to here repeat more than 67108864 bytes"), "{error}");
        let long = format!("- &a {}\n- [{}]\n", "x".repeat(1 << 20), "*a, ".repeat(65));
        let error = read(&long).expect_err("a long text");
        assert!(error.starts_with("file.yaml:2:256: the aliases up to here"), "{error}");
    }

    #[test]
    fn an_alias_of_its_own_value_is_refused() {
        let error = read("a: &a\n  - *a\n").expect_err("endless");
        assert!(error.starts_with("file.yaml:2:5: the alias stands for a value that contains"), "{error}");
    }

    #[test]
    fn deep_nesting_and_long_keys_are_refused_where_they_are() {
        let error = read(&"- ".repeat(10_000)).expect_err("deep");
        assert!(error.starts_with("file.yaml:1:173: this is nested too deeply"), "{error}");
        let error = read(&format!("a:\n  {}: b\n", "k".repeat(1000))).expect_err("a long key");
        assert!(error.starts_with("file.yaml:2:3: this is nested too deeply, or its key"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_has_no_column() {
        let value = read("\u{FEFF}a: b\nc: d\n").expect("a map");
        assert_eq!(Ok(value), read("a: b\nc: d\n"));
        let error = read("\u{FEFF}a: b\na: c\n").expect_err("a duplicate key");
        assert!(error.starts_with("file.yaml:2:1: "), "{error}");
        let error = read("\u{FEFF}{a: b, a: c}\n").expect_err("a duplicate key");
        assert!(error.starts_with("file.yaml:1:8: "), "{error}");
    }
}
