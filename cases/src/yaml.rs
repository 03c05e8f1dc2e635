//! The strict reader of YAML files, which reports the place of every error.
//!
//! `serde_yaml` builds the values, but keeps no places of them and accepts duplicate keys of a map. A second pass over
//! the events of the document therefore records the places and finds duplicate keys. Embedded files, which the tests read
//! in this way, are not read twice at every start of a program.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use saphyr_parser::{Event, Marker, Parser};
use serde::de::DeserializeOwned;

use robotspec_text::{visible, visible_path};

/// A part of a suite, or the error in its file.
pub(crate) type Loaded<T> = Result<T, FileError>;

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

impl FileError {
    /// Returns an error at a line and a column, which are 0 where there is none.
    pub fn new(file: &Path, (line, column): (usize, usize), message: impl Into<String>) -> Self {
        FileError { file: file.to_owned(), line, column, message: message.into() }
    }
}

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
    /// The text is not YAML, has a duplicate key or too deep nesting, or does not fit the type of the value.
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
        let value = serde_yaml::from_str(text).map_err(|error| {
            let place = error.location().map(|location| (location.line(), location.column()));
            let message = error.to_string();
            // The error has the place already.
            let message = message.split(" at line ").next().unwrap_or_default();
            FileError::new(&file, place.unwrap_or_default(), message)
        })?;
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
                return FileError::new(&self.file, *place, message);
            }
            match part.rfind(['.', '[']) {
                Some(end) => part = &part[..end],
                None => return FileError::new(&self.file, (0, 0), message),
            }
        }
    }

    /// Returns the line and column of a part of the document, from 1.
    pub fn place(&self, part: &str) -> Option<(usize, usize)> {
        self.places().get(part).copied()
    }
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
    /// The paths of the collections whose end has not been read yet.
    open: Vec<(String, Content)>,
    has_document: bool,
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
            let (event, span) =
                event.map_err(|error| FileError::new(file, place(error.marker()), error.info()))?;
            let place = place(&span.start);
            places.take(event, place).map_err(|error| FileError::new(file, place, error))?;
        }
        Ok(places.places)
    }

    fn take(&mut self, event: Event, place: Place) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) if std::mem::replace(&mut self.has_document, true) => {
                return Err("a second document starts here; move it to another file".to_owned());
            }
            Event::Scalar(text, ..) => match self.open.last_mut() {
                Some((path, Content::Mapping { keys, key: key @ None })) => {
                    if !keys.insert(text.to_string()) {
                        return Err(format!("the key `{text}` occurs twice; remove one"));
                    }
                    let path = join(path, &text);
                    *key = Some(text.into_owned());
                    self.record(path, place)?;
                }
                _ => drop(self.value(place)?),
            },
            Event::Alias(_) => drop(self.value(place)?),
            Event::SequenceStart(..) => self.open(place, Content::Sequence { items: 0 })?,
            Event::MappingStart(..) => {
                self.open(place, Content::Mapping { keys: HashSet::new(), key: None })?;
            }
            Event::SequenceEnd | Event::MappingEnd => drop(self.open.pop()),
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, place: Place, content: Content) -> Result<(), String> {
        let path = self.value(place)?;
        self.open.push((path, content));
        Ok(())
    }

    /// Records the place of the value that starts here, and returns its path.
    fn value(&mut self, place: Place) -> Result<String, String> {
        let path = match self.open.last_mut() {
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
    fn record(&mut self, path: String, place: Place) -> Result<(), String> {
        if path.len() > LONGEST_PATH {
            return Err("this is nested too deeply, or its key is too long; remove it".to_owned());
        }
        self.places.entry(path).or_insert(place);
        Ok(())
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn place(marker: &Marker) -> Place {
    (marker.line(), marker.col() + 1)
}
