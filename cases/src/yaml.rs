//! The strict reader of YAML files, which reports the place of every error.
//!
//! `serde_yaml` builds the values, but keeps no places of them and accepts duplicate keys of a map. A second pass over
//! the events of the document therefore records the places and finds duplicate keys.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use saphyr_parser::{Event, Marker, Parser};
use serde::de::DeserializeOwned;

use crate::visible::{visible, visible_path};

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
pub struct Document {
    file: PathBuf,
    places: HashMap<String, Place>,
}

impl Document {
    /// Reads a document into a value.
    ///
    /// # Errors
    ///
    /// The text is not YAML, has a duplicate key, or does not fit the type of the value.
    pub fn read<T: DeserializeOwned>(file: impl Into<PathBuf>, text: &str) -> Result<(T, Self), FileError> {
        let file = file.into();
        let places = Places::read(&file, text)?;
        let value = serde_yaml::from_str(text).map_err(|error| type_error(&file, &error))?;
        Ok((value, Document { file, places }))
    }

    /// Returns an error at a part of the document, such as `cases[0].rows[2].expect`. Where the document has no such
    /// part, the error is at the smallest part around it.
    pub fn error(&self, part: &str, message: impl Into<String>) -> FileError {
        let mut part = part;
        loop {
            if let Some(place) = self.places.get(part) {
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
        self.places.get(part).copied()
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

/// Collects the places of the parts of a document from its events.
struct Places<'f> {
    file: &'f Path,
    places: HashMap<String, Place>,
    open: Vec<Open>,
    has_document: bool,
}

/// A collection whose end has not been read yet.
enum Open {
    Sequence { path: String, items: usize },
    Mapping { path: String, keys: HashSet<String>, key: Option<String> },
}

impl<'f> Places<'f> {
    fn read(file: &'f Path, text: &str) -> Result<HashMap<String, Place>, FileError> {
        let mut places = Places { file, places: HashMap::new(), open: Vec::new(), has_document: false };
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| error_at(file, place(error.marker()), error.info()))?;
            places.take(event, place(&span.start))?;
        }
        Ok(places.places)
    }

    fn take(&mut self, event: Event, place: Place) -> Result<(), FileError> {
        match event {
            Event::DocumentStart(_) if std::mem::replace(&mut self.has_document, true) => {
                return Err(error_at(
                    self.file,
                    place,
                    "a second document starts here; move it to another file",
                ));
            }
            Event::Scalar(text, ..) => {
                if let Some(Open::Mapping { path, keys, key: key @ None }) = self.open.last_mut() {
                    if !keys.insert(text.to_string()) {
                        let message = format!("the key `{text}` occurs twice; remove one");
                        return Err(error_at(self.file, place, message));
                    }
                    self.places.insert(join(path, &text), place);
                    *key = Some(text.into_owned());
                    return Ok(());
                }
                self.value(place);
            }
            Event::Alias(_) => drop(self.value(place)),
            Event::SequenceStart(..) => {
                let path = self.value(place);
                self.open.push(Open::Sequence { path, items: 0 });
            }
            Event::MappingStart(..) => {
                let path = self.value(place);
                self.open.push(Open::Mapping { path, keys: HashSet::new(), key: None });
            }
            Event::SequenceEnd | Event::MappingEnd => drop(self.open.pop()),
            _ => {}
        }
        Ok(())
    }

    /// Returns the path of the value that starts here.
    fn value(&mut self, place: Place) -> String {
        let path = match self.open.last_mut() {
            None => String::new(),
            Some(Open::Sequence { path, items }) => {
                *items += 1;
                format!("{path}[{}]", *items - 1)
            }
            Some(Open::Mapping { path, key, .. }) => join(path, &key.take().unwrap_or_default()),
        };
        self.places.entry(path.clone()).or_insert(place);
        path
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn place(marker: &Marker) -> Place {
    (marker.line(), marker.col() + 1)
}
