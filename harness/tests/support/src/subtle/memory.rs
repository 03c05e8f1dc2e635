//! Answers that depend on earlier queries.

use std::collections::{BTreeMap, BTreeSet};

use robotspec::{Fault, MatchQuery};

use super::Change;
use super::Change::Answer;
use crate::faulty::FaultyParser;

/// What a parser remembers.
#[derive(Default)]
pub(super) struct Memory {
    /// The number of queries so far.
    calls: usize,
    /// The answers to queries, by a key.
    answers: BTreeMap<Vec<u8>, bool>,
    files: BTreeSet<Vec<u8>>,
    last_file: Vec<u8>,
    last_agent: String,
}

pub(super) const MISTAKES: &[(&str, Change)] = &[
    (
        "the first call fails",
        Answer(|memory, robots, query| {
            memory.calls += 1;
            if memory.calls == 1 { Err(Fault::Error("not ready".into())) } else { sound(robots, query) }
        }),
    ),
    (
        "the first answer is wrong",
        Answer(|memory, robots, query| {
            memory.calls += 1;
            Ok(sound(robots, query)? != (memory.calls == 1))
        }),
    ),
    (
        "every thousandth answer is wrong",
        Answer(|memory, robots, query| {
            memory.calls += 1;
            Ok(sound(robots, query)? != memory.calls.is_multiple_of(1000))
        }),
    ),
    (
        "every thousandth call fails",
        Answer(|memory, robots, query| {
            memory.calls += 1;
            if memory.calls.is_multiple_of(1000) {
                Err(Fault::Error("full".into()))
            } else {
                sound(robots, query)
            }
        }),
    ),
    (
        "allows all after 5,000 calls",
        Answer(|memory, robots, query| {
            memory.calls += 1;
            Ok(memory.calls > 5000 || sound(robots, query)?)
        }),
    ),
    ("answers by agent and URL", Answer(|memory, robots, query| memory.recall(&[], robots, query))),
    (
        "answers by the length of the file",
        Answer(|memory, robots, query| memory.recall(&robots.len().to_le_bytes(), robots, query)),
    ),
    (
        "answers by the start of the file",
        Answer(|memory, robots, query| memory.recall(&robots[..robots.len().min(32)], robots, query)),
    ),
    (
        "answers by the sum of the bytes of the file",
        Answer(|memory, robots, query| {
            let sum = robots.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
            memory.recall(&[sum], robots, query)
        }),
    ),
    (
        "answers by file and URL",
        Answer(|memory, robots, query| {
            let key = [robots, query.url.as_bytes()].concat();
            Ok(*memory.answers.entry(key).or_insert(sound(robots, query)?))
        }),
    ),
    (
        "answers by URL in small letters",
        Answer(|memory, robots, query| {
            let key = [robots, query.agent.as_bytes(), query.url.to_lowercase().as_bytes()].concat();
            Ok(*memory.answers.entry(key).or_insert(sound(robots, query)?))
        }),
    ),
    (
        "answers by URL without its query",
        Answer(|memory, robots, query| {
            let path = query.url.split('?').next().unwrap_or_default();
            let key = [robots, query.agent.as_bytes(), path.as_bytes()].concat();
            Ok(*memory.answers.entry(key).or_insert(sound(robots, query)?))
        }),
    ),
    (
        "allows all after 256 files",
        Answer(|memory, robots, query| {
            memory.files.insert(robots.to_vec());
            Ok(memory.files.len() > 256 || sound(robots, query)?)
        }),
    ),
    (
        "keeps the agent for the next query about a file",
        Answer(|memory, robots, query| {
            if memory.last_file != robots {
                memory.last_file = robots.to_vec();
                memory.last_agent = query.agent.to_owned();
            }
            sound(robots, &MatchQuery { agent: &memory.last_agent, ..*query })
        }),
    ),
    (
        "keeps the file before an empty file",
        Answer(|memory, robots, query| {
            if !robots.is_empty() {
                memory.last_file = robots.to_vec();
            }
            sound(&memory.last_file, query)
        }),
    ),
    (
        "keeps the rules of the file before",
        Answer(|memory, robots, query| {
            let verdict = sound(robots, query)?;
            let before = if memory.last_file == robots { true } else { sound(&memory.last_file, query)? };
            if memory.last_file.len() != robots.len() || memory.last_file == robots {
                memory.last_file = robots.to_vec();
                return Ok(verdict);
            }
            Ok(verdict && before)
        }),
    ),
];

fn sound(robots: &[u8], query: &MatchQuery) -> Result<bool, Fault> {
    FaultyParser::sound().allows(robots, query.agent, query.url)
}

impl Memory {
    /// Returns the answer to the first query with this key, agent and URL.
    fn recall(&mut self, key: &[u8], robots: &[u8], query: &MatchQuery) -> Result<bool, Fault> {
        let key = [key, b"\n", query.agent.as_bytes(), b"\n", query.url.as_bytes()].concat();
        Ok(*self.answers.entry(key).or_insert(sound(robots, query)?))
    }
}
