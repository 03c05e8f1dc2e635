//! Names of agents and words of paths: what inputs about one question differ in.

/// Names of agents. No name is the start of another one, and none belongs to a well-known crawler.
const AGENTS: [&str; 26] = [
    "quillbot",
    "zooplier",
    "mirrorly",
    "truster",
    "vintner",
    "kowalski",
    "northwind",
    "pompano",
    "sparrow",
    "thistle",
    "yonder",
    "ibexcrawl",
    "jackdaw",
    "lanternfish",
    "oxbow",
    "ravenna",
    "silverfox",
    "umbrella",
    "walnut",
    "xylograph",
    "hazelnut",
    "guillemot",
    "peregrin",
    "kestrelbot",
    "merlinet",
    "dunlinbot",
];

/// Words of paths. They have no hexadecimal digits, so that they are not a part of an escape, and none is the start of
/// another one.
const PATHS: [&str; 26] = [
    "soil", "lump", "knots", "moss", "spirit", "ruins", "sushi", "vinyl", "pony", "storm", "troll", "north",
    "opinion", "symptom", "nylon", "pilot", "output", "worm", "jury", "hull", "myrtl", "rhino", "zinnos",
    "quilts", "import", "grotto",
];

/// Returns the name of an agent. Numbers that are less than 26 apart have different names.
pub(super) fn agent(number: usize) -> &'static str {
    AGENTS[number % AGENTS.len()]
}

/// Returns a word of a path. Numbers that are less than 26 apart have different words.
pub(super) fn path(number: usize) -> &'static str {
    PATHS[number % PATHS.len()]
}

/// Returns the word with a capital as its first letter.
pub(super) fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_the_start_of_another_one() {
        for words in [AGENTS, PATHS] {
            for word in words {
                let starts = words.iter().filter(|other| other.starts_with(word)).count();
                assert_eq!(starts, 1, "{word}");
            }
        }
        let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_hexdigit());
        assert_eq!(PATHS.iter().find(|word| has_digit(word)), None);
    }
}
