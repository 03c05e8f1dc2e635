//! Messages as what their fields say. Every mistake is found, not only the first.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use crate::import::role::{Meaning, Names, Role};
use crate::import::text_format::{Field, Message, Place, Value};
use robotspec_cases::yaml::FileError;

/// A value with the number under which it is [counted](Reading::values).
#[derive(Debug, Clone)]
pub(super) struct Said<T> {
    pub(super) number: usize,
    pub(super) what: T,
}

/// What the fields of a message say.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) robots: Option<Said<Rc<[u8]>>>,
    pub(super) agents: Vec<Said<Rc<str>>>,
    pub(super) urls: Vec<Said<Rc<str>>>,
    pub(super) expected: Option<Said<Meaning>>,
    pub(super) names: Vec<Said<String>>,
    pub(super) notes: Vec<Said<String>>,
    /// The messages within, by the names of their fields.
    pub(super) within: Vec<(String, Node)>,
}

/// A value that was read.
#[derive(Debug)]
pub(super) struct ReadValue {
    pub(super) file: usize,
    pub(super) place: Place,
    pub(super) field: String,
    pub(super) role: Role,
}

/// The reading of files, which goes on after a mistake.
pub(super) struct Reading<'n> {
    names: &'n Names,
    /// Every value that says something.
    pub(super) values: Vec<ReadValue>,
    /// How many values were left out as the names say.
    pub(super) ignored: usize,
    /// The fields and values that occur, of those that are named by hand.
    pub(super) met: std::collections::BTreeSet<String>,
    /// The fields that nobody knows: where each stands first, and how often.
    unknown: BTreeMap<String, (usize, Place, usize)>,
    errors: Vec<(usize, Place, String)>,
    file: usize,
}

impl<'n> Reading<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Reading {
            names,
            values: Vec::new(),
            ignored: 0,
            met: std::collections::BTreeSet::new(),
            unknown: BTreeMap::new(),
            errors: Vec::new(),
            file: 0,
        }
    }

    /// What a file says, the one with this number.
    pub(super) fn file(&mut self, number: usize, message: Message) -> Node {
        self.file = number;
        self.node(message)
    }

    pub(super) fn error(&mut self, place: Place, message: impl Into<String>) {
        self.errors.push((self.file, place, message.into()));
    }

    /// What was wrong, file by file.
    pub(super) fn errors(&mut self, files: &[impl AsRef<Path>]) -> Vec<FileError> {
        for (field, &(file, place, times)) in &self.unknown {
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            let name = shell_words::quote(field);
            let message = format!(
                "nobody knows the field `{field}`{times}: say with --field {name}=ROLE what it is, or --field {name}=ignore"
            );
            self.errors.push((file, place, message));
        }
        self.errors.sort();
        let error = |(file, place, message): &(usize, Place, String)| FileError {
            file: files[*file].as_ref().to_owned(),
            line: place.line,
            column: place.column,
            message: message.clone(),
        };
        self.errors.iter().map(error).collect()
    }

    fn node(&mut self, message: Message) -> Node {
        let mut node = Node::default();
        for Field { name, place, value } in message.fields {
            let role = self.names.role(&name);
            self.met.insert(name.clone());
            match (role, value) {
                (Some(Role::Ignore), value) => self.ignored += count(&value),
                (_, Value::Message(message)) => {
                    let within = self.node(message);
                    node.within.push((name, within));
                }
                (None, _) => self.unknown.entry(name).or_insert((self.file, place, 0)).2 += 1,
                (Some(role), value) => self.value(&mut node, role, name, place, value),
            }
        }
        node
    }

    fn value(&mut self, node: &mut Node, role: Role, field: String, place: Place, value: Value) {
        let number = self.values.len();
        let text = |value: Value| match value {
            Value::Text(octets) => String::from_utf8(octets).ok(),
            Value::Word(word) => Some(word),
            Value::Message(_) => None,
        };
        match (role, value) {
            (Role::Robots, Value::Text(octets)) => {
                if node.robots.is_some() {
                    self.error(place, format!("`{field}` is a second robots.txt in one message"));
                }
                node.robots = Some(Said { number, what: octets.into() });
            }
            (Role::Robots | Role::Agent | Role::Url, Value::Word(word)) => {
                self.error(place, format!("`{field}` is to be a text in quotation marks, and is `{word}`"));
            }
            (Role::Expected, value) => self.outcome(node, number, &field, place, text(value)),
            (role, value) => match text(value) {
                None => self.error(place, format!("`{field}` is to be text in UTF-8")),
                Some(text) => match role {
                    Role::Agent => node.agents.push(Said { number, what: text.into() }),
                    Role::Url => node.urls.push(Said { number, what: text.into() }),
                    Role::Name => node.names.push(Said { number, what: text }),
                    _ => node.notes.push(Said { number, what: text }),
                },
            },
        }
        self.values.push(ReadValue { file: self.file, place, field, role });
    }

    fn outcome(&mut self, node: &mut Node, number: usize, field: &str, place: Place, value: Option<String>) {
        let value = value.unwrap_or_default();
        self.met.insert(value.clone());
        let Some(meaning) = self.names.meaning(field, &value) else {
            let given = shell_words::quote(&value);
            let message = format!(
                "`{field}` is `{value}`, which says neither allow nor disallow: say with --value {given}=disallow, =allow or =ignore what it is, or with --field what the field is"
            );
            return self.error(place, message);
        };
        if node.expected.is_some() {
            self.error(place, format!("`{field}` is a second expected outcome in one message"));
        }
        node.expected = Some(Said { number, what: meaning });
    }
}

/// How many values there are in a value.
fn count(value: &Value) -> usize {
    match value {
        Value::Message(message) => message.fields.iter().map(|field| count(&field.value)).sum(),
        _ => 1,
    }
}
