//! Seeds: queries about one question, with variables for names and words.

use std::sync::Arc;

use robotspec_cases::{Expected, ExpectedSitemaps, Query};
use robotspec_reference::{Choice, Question, Ruling};

use super::layout::{Room, surround};
use super::words;

/// What a seed asks. Texts have variables:
///
/// | variable | stands for |
/// | --- | --- |
/// | `{a}`, `{b}` | names of agents |
/// | `{A}` | the first name with a capital |
/// | `{p}`, `{q}` | words of paths |
/// | `{s}` | the subject |
/// | `{byte FF}` | a byte |
/// | `{fill 500}` | comment lines up to this place of the file, in bytes |
///
/// A file does not use `{c}` and `{r}`, which are a name and a word in the lines around it.
#[derive(Debug, Clone, Copy)]
enum Ask {
    /// A file, an agent, and the path of a URL.
    Match(&'static str, &'static str, &'static str),
    /// The URL of a robots.txt, and another URL.
    Scope(&'static str, &'static str),
    /// A file that may name a sitemap.
    Sitemaps(&'static str),
}

/// What an answer to a question gives, where the reference does not evaluate it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gives {
    Allow,
    Disallow,
    /// This sitemap alone.
    Sitemap(&'static str),
    NoSitemap,
}

/// A query about one question, from which probes are made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed {
    pub(super) question: Question,
    ask: Ask,
    /// The spellings or characters that the question is about, each with its name. An implementation may answer the
    /// question differently for each.
    pub(super) subjects: &'static [(&'static str, &'static str)],
    /// The outcome of each answer. Empty where the reference evaluates the answers.
    pub(super) gives: &'static [(&'static str, Gives)],
    /// The answers to other questions, without which the query shows nothing.
    given: [Option<(Question, &'static str)>; 2],
    /// Questions whose answers cannot be kept apart from those to this question.
    pub(super) apart: &'static [Question],
    room: Room,
}

impl Seed {
    const fn new(question: Question, ask: Ask) -> Seed {
        let (subjects, gives, apart): (&[_], &[_], &[_]) = (&[("", "")], &[], &[]);
        Seed { question, ask, subjects, gives, given: [None; 2], apart, room: Room::Everywhere }
    }

    /// Returns a seed: a file, an agent, and the path of a URL.
    pub(super) const fn of_match(
        question: Question,
        file: &'static str,
        agent: &'static str,
        path: &'static str,
    ) -> Seed {
        Seed::new(question, Ask::Match(file, agent, path))
    }

    /// Returns a seed: the URL of a robots.txt, and another URL.
    pub(super) const fn of_scope(question: Question, robots_url: &'static str, url: &'static str) -> Seed {
        Seed::new(question, Ask::Scope(robots_url, url))
    }

    /// Returns a seed: a file that may name a sitemap.
    pub(super) const fn of_sitemaps(question: Question, file: &'static str) -> Seed {
        Seed::new(question, Ask::Sitemaps(file))
    }

    /// The seed is about each of these subjects.
    pub(super) const fn about(mut self, subjects: &'static [(&'static str, &'static str)]) -> Seed {
        self.subjects = subjects;
        self
    }

    /// The answers give these outcomes.
    pub(super) const fn gives(mut self, gives: &'static [(&'static str, Gives)]) -> Seed {
        self.gives = gives;
        self
    }

    /// The seed shows something only where this is the answer to that question. Two such answers may be necessary.
    pub(super) const fn given(mut self, question: Question, answer: &'static str) -> Seed {
        self.given = [Some((question, answer)), self.given[0]];
        self
    }

    /// The answers to these questions cannot be kept apart from those to the question of the seed.
    pub(super) const fn apart_from(mut self, questions: &'static [Question]) -> Seed {
        self.apart = questions;
        self
    }

    /// The first byte of the file matters.
    pub(super) const fn at_start(mut self) -> Seed {
        self.room = Room::After;
        self
    }

    /// The last byte of the file matters.
    pub(super) const fn at_end(mut self) -> Seed {
        self.room = Room::Before;
        self
    }

    /// Returns the answers to other questions, without which the query shows nothing.
    pub(super) fn given_choices(&self) -> Vec<Choice> {
        self.given.iter().flatten().filter_map(|(question, answer)| question.choice(answer)).collect()
    }

    /// Returns the outcome of each answer, where the reference does not evaluate it.
    pub(super) fn given_outcomes(&self, number: usize) -> Option<Vec<(Choice, Expected)>> {
        let outcome = |(answer, gives): &(&str, Gives)| {
            let sitemaps = |urls: Vec<String>| {
                Expected::Sitemaps(ExpectedSitemaps { required: urls, optional: Vec::new() })
            };
            let expected = match gives {
                Gives::Allow => Expected::Ruling(Ruling::Allow),
                Gives::Disallow => Expected::Ruling(Ruling::Disallow),
                Gives::Sitemap(url) => {
                    let url = String::from_utf8(self.expand(url, "", number)).unwrap_or_default();
                    sitemaps(vec![url])
                }
                Gives::NoSitemap => sitemaps(Vec::new()),
            };
            Some((self.question.choice(answer)?, expected))
        };
        self.gives.iter().map(outcome).collect()
    }

    /// Returns a query about a subject. Queries with different numbers differ in names, words, and lines around the
    /// file.
    pub(super) fn query(&self, subject: &str, number: usize) -> Query {
        let text = |text: &str| String::from_utf8_lossy(&self.expand(text, subject, number)).into_owned();
        let origin = if number.is_multiple_of(3) { "https://www.example.org" } else { "http://example.com" };
        match self.ask {
            Ask::Match(file, agent, path) => Query::Match {
                robots: self.file(file, subject, number),
                agent: text(agent),
                url: format!("{origin}{}", text(path)),
            },
            Ask::Scope(robots_url, url) => Query::Scope { robots_url: text(robots_url), url: text(url) },
            Ask::Sitemaps(file) => Query::Sitemaps { robots: self.file(file, subject, number) },
        }
    }

    fn file(&self, file: &str, subject: &str, number: usize) -> Arc<[u8]> {
        self.expand(&surround(file, self.room, number), subject, number).into()
    }

    /// Replaces the variables.
    fn expand(&self, text: &str, subject: &str, number: usize) -> Vec<u8> {
        let mut expanded = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            expanded.extend_from_slice(before.as_bytes());
            let (variable, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            match variable.split_once(' ') {
                Some(("fill", place)) => fill(&mut expanded, place.parse().unwrap_or_default()),
                Some((_, digits)) => expanded.extend(u8::from_str_radix(digits, 16)),
                None => expanded.extend_from_slice(self.value(variable, subject, number).as_bytes()),
            }
        }
        expanded.extend_from_slice(rest.as_bytes());
        expanded
    }

    fn value(&self, variable: &str, subject: &str, number: usize) -> String {
        // Different steps, so that not the same words meet each time, and no word meets itself.
        match variable {
            "a" => words::agent(number).to_owned(),
            "A" => words::capitalised(words::agent(number)),
            "b" => words::agent(number + 9 + number / 26 % 8).to_owned(),
            "c" => words::agent(number + 17).to_owned(),
            "p" => words::path(number).to_owned(),
            "q" => words::path(number + 5 + number / 26 % 12).to_owned(),
            "r" => words::path(number + 19).to_owned(),
            "s" => subject.to_owned(),
            _ => format!("{{{variable}}}"),
        }
    }
}

/// Adds comment lines up to a place of the file.
fn fill(file: &mut Vec<u8>, place: usize) {
    const WIDTH: usize = 100;
    while file.len() < place {
        let width = WIDTH.min(place - file.len()) - 1;
        file.extend(std::iter::repeat_n(b'#', width));
        file.push(b'\n');
    }
}
