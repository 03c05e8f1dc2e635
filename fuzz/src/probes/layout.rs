//! Lines around a file that change no verdict about the agents that the file names: what the files of inputs about one
//! question differ in.

/// Where a file may have further lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// Before and after its lines.
    Everywhere,
    /// After its lines, because its first byte matters.
    After,
    /// Before its lines, because its last byte matters.
    Before,
}

/// Lines before and after a file. `{c}` is the name of an agent, and `{r}` is the word of a path, which the file does not
/// have.
type Lines = (&'static str, &'static str);

const BEFORE: &[Lines] = &[
    ("", ""),
    ("user-agent: {c}\ndisallow: /{r}\n\n", ""),
    ("# {r} and {c}\n", ""),
    ("User-Agent: {c}\nDisallow: /{r}\nAllow: /{r}/{r}\n\n# {c}\n", ""),
];

const AFTER: &[Lines] = &[
    ("", ""),
    ("", "\nuser-agent: {c}\ndisallow: /{r}\n"),
    ("", "\n# {r}\n"),
    ("", "\nUser-Agent: {c}\nDisallow: /{r}/\nAllow: /{r}/{c}\n"),
];

/// Returns the file with other lines around it.
pub(super) fn surround(file: &str, room: Room, number: usize) -> String {
    let (before, after) = match room {
        Room::Before => BEFORE[number % BEFORE.len()],
        Room::After => AFTER[number % AFTER.len()],
        Room::Everywhere if number.is_multiple_of(2) => BEFORE[number / 2 % BEFORE.len()],
        Room::Everywhere => AFTER[number / 2 % AFTER.len()],
    };
    [before, file, after].concat()
}
