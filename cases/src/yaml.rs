//! The one place that reads YAML: strict, and with the place of every error.
//!
//! `serde_yaml` builds the values; it knows no places once it has, and lets a
//! duplicate key of a map pass. So the events of the document are read once
//! more to find both.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;

use saphyr_parser::{Event, Marker, Parser};
use serde::de::DeserializeOwned;

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 where the whole file is meant.
    pub line: usize,
    /// The column, from 1; 0 where the whole line is meant.
    pub column: usize,
    /// What is wrong, and how to mend it.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileError { file, line, column, message } = self;
        match (line, column) {
            (0, _) => write!(f, "{}: {message}", file.display()),
            (_, 0) => write!(f, "{}:{line}: {message}", file.display()),
            _ => write!(f, "{}:{line}:{column}: {message}", file.display()),
        }
    }
}

impl std::error::Error for FileError {}

/// A place in a document, from 1: line and column.
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
    /// The text is no YAML, has a duplicate key, or does not fit the value.
    pub fn read<T: DeserializeOwned>(file: impl Into<PathBuf>, text: &str) -> Result<(T, Self), FileError> {
        let file = file.into();
        let places = Places::read(text).map_err(|((line, column), message)| FileError {
            file: file.clone(),
            line,
            column,
            message,
        })?;
        let document = Document { file, places };
        let value = serde_yaml::from_str(text).map_err(|error| document.wrong(&error))?;
        Ok((value, document))
    }

    fn wrong(&self, error: &serde_yaml::Error) -> FileError {
        let place = error.location().map(|at| (at.line(), at.column()));
        let message = error.to_string();
        // The place is told once, in front.
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        self.error_at_place(place.unwrap_or_default(), message)
    }

    /// An error at a part of the document, such as `cases[0].rows[2].expect`,
    /// or else at the nearest part around it.
    pub fn error(&self, part: &str, message: impl Into<String>) -> FileError {
        let mut part = part;
        loop {
            if let Some(place) = self.places.get(part) {
                return self.error_at_place(*place, message.into());
            }
            match part.rfind(['.', '[']) {
                Some(end) => part = &part[..end],
                None => return self.error_at_place((0, 0), message.into()),
            }
        }
    }

    /// Where a part of the document stands: line and column, from 1.
    pub fn place(&self, part: &str) -> Option<(usize, usize)> {
        self.places.get(part).copied()
    }

    fn error_at_place(&self, (line, column): Place, message: String) -> FileError {
        FileError { file: self.file.clone(), line, column, message }
    }
}

/// Walks the events of a document.
#[derive(Default)]
struct Places {
    places: HashMap<String, Place>,
    open: Vec<Open>,
    has_document: bool,
}

/// A collection that is not closed yet.
enum Open {
    Sequence { path: String, items: usize },
    Mapping { path: String, keys: HashSet<String>, key: Option<String> },
}

impl Places {
    fn read(text: &str) -> Result<HashMap<String, Place>, (Place, String)> {
        let mut places = Places::default();
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| (place(error.marker()), error.info().to_owned()))?;
            places.take(event, place(&span.start))?;
        }
        Ok(places.places)
    }

    fn take(&mut self, event: Event, place: Place) -> Result<(), (Place, String)> {
        match event {
            Event::DocumentStart(_) if std::mem::replace(&mut self.has_document, true) => {
                return Err((place, "a second document starts here; make it a file of its own".to_owned()));
            }
            Event::Scalar(text, ..) => {
                if let Some(Open::Mapping { path, keys, key: key @ None }) = self.open.last_mut() {
                    if !keys.insert(text.to_string()) {
                        return Err((place, format!("the key `{text}` stands here twice; remove one")));
                    }
                    self.places.insert(joined(path, &text), place);
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

    /// The path of the value that starts here.
    fn value(&mut self, place: Place) -> String {
        let path = match self.open.last_mut() {
            None => String::new(),
            Some(Open::Sequence { path, items }) => {
                *items += 1;
                format!("{path}[{}]", *items - 1)
            }
            Some(Open::Mapping { path, key, .. }) => joined(path, &key.take().unwrap_or_default()),
        };
        self.places.entry(path.clone()).or_insert(place);
        path
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn place(marker: &Marker) -> Place {
    (marker.line(), marker.col() + 1)
}
