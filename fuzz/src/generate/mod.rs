//! Makes inputs from bytes, which come from a random generator or from a coverage-guided fuzzer.
//!
//! A file is built from the grammar and from near misses of it. Agents and URLs are derived from the tokens and patterns
//! of the file, so that rules match most queries. Every input first draws the [oddities](Oddity) that it may have, and
//! most inputs have few: two oddities in a file hide each other, and every parser drops a file that is full of them.

mod access;
mod agent;
mod asked;
pub(crate) mod batch;
mod confusion;
mod dice;
mod file;
mod limit;
mod oddity;
mod other_fields;
mod path;
pub mod rendered;
mod request;
mod scope;

use std::sync::Arc;

use robotspec::Batch;
use robotspec_cases::Query;

use crate::generate::batch::match_batch;
use asked::Asked;
use dice::Dice;

pub use oddity::{Oddities, Oddity};

/// The number of random bytes that an input is made from. Further choices are the first ones.
pub const INPUT_BYTES: usize = 3 << 10;

/// How many queries there may be about a file.
const MAX_QUERIES: usize = 24;

/// The kinds of inputs, out of a thousand. The rest are small files with match queries.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    /// Scope queries.
    pub scope: usize,
    /// Sitemaps queries.
    pub sitemaps: usize,
    /// Usage queries.
    pub usage: usize,
    /// Access queries.
    pub access: usize,
    /// Match queries about files that are about as large as the size limit.
    pub large: usize,
    /// Match queries about files that are near another limit.
    pub limits: usize,
    /// Match queries about files of texts that programs take for others.
    pub confusions: usize,
}

impl Default for Shares {
    fn default() -> Self {
        Shares { scope: 120, sitemaps: 60, usage: 0, access: 0, large: 3, limits: 30, confusions: 30 }
    }
}

/// Makes an input. The same bytes give the same input.
pub fn input(bytes: &[u8], shares: Shares) -> Batch {
    let mut dice = Dice::new(bytes);
    let kind = dice.below(1000);
    let oddities = Oddities::draw(&mut dice);
    if kind < shares.scope {
        return Batch::single(scope::make_query(&mut dice));
    }
    if kind < shares.scope + shares.sitemaps {
        let robots = file::make_with_sitemaps(&mut dice, &oddities).into();
        return Batch::single(Query::Sitemaps { robots });
    }
    if kind < shares.scope + shares.sitemaps + shares.usage {
        return Batch::single(make_about_usage(&mut dice, &oddities));
    }
    let others = shares.scope + shares.sitemaps + shares.usage;
    if kind < others + shares.access {
        return Batch::single(access::make_query(&mut dice));
    }
    if kind < others + shares.access + shares.limits {
        return about(limit::make(&mut dice));
    }
    if kind < others + shares.access + shares.limits + shares.confusions {
        return about(confusion::make_file(&mut dice));
    }
    let is_large = kind >= 1000 - shares.large.min(1000);
    make_matching(&mut dice, &oddities, is_large)
}

/// Makes a file with usage rules and a usage query about it.
fn make_about_usage(dice: &mut Dice, oddities: &Oddities) -> Query {
    let draft = file::make_with_usage(dice, oddities);
    let agents = agent::make_for_queries(dice, oddities, &draft.agents);
    let agent = dice.pick_ref(&agents).clone();
    let url = path::make_url(dice, oddities, &draft.paths);
    Query::Usage { robots: draft.text.into(), agent, url }
}

/// Makes a file and match queries about it.
fn make_matching(dice: &mut Dice, oddities: &Oddities, is_large: bool) -> Batch {
    let mut draft = file::make(dice, oddities);
    let count = if is_large { 4 } else { 4 + dice.below(MAX_QUERIES - 3) };
    let queries = make_queries(dice, oddities, &draft.agents, &draft.paths, count);
    if is_large {
        file::enlarge(dice, &mut draft.text);
    }
    match_queries(draft.text.into(), &queries)
}

/// Makes agents and URLs for queries about a file with these names and paths. Equal ones are there once.
fn make_queries(
    dice: &mut Dice,
    oddities: &Oddities,
    names: &[String],
    paths: &[Vec<u8>],
    count: usize,
) -> Vec<(String, String)> {
    let agents = agent::make_for_queries(dice, oddities, names);
    let mut queries: Vec<(String, String)> = Vec::with_capacity(count);
    for index in 0..count {
        let agent = agents[index * agents.len() / count].clone();
        let query = (agent, path::make_url(dice, oddities, paths));
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}

fn about(Asked { text, queries }: Asked) -> Batch {
    match_queries(text.into(), &queries)
}

fn match_queries(robots: Arc<[u8]>, queries: &[(String, String)]) -> Batch {
    let batch = match_batch(&robots, queries.iter().map(|(agent, url)| (&**agent, &**url)));
    batch.unwrap_or_else(|| Batch::single(Query::Sitemaps { robots }))
}

/// Makes match queries about a file that was not made here: [`MAX_QUERIES`], less equal ones.
pub(crate) fn about_file(robots: &Arc<[u8]>, bytes: &[u8]) -> Batch {
    match_queries(Arc::clone(robots), &queries_about(robots, bytes, MAX_QUERIES))
}

/// Makes agents and URLs for up to this many queries about a file that was not made here.
fn queries_about(file: &[u8], bytes: &[u8], count: usize) -> Vec<(String, String)> {
    let mut dice = Dice::new(bytes);
    let (names, paths) = file::find_names_and_paths(file);
    let oddities = Oddities::draw(&mut dice);
    make_queries(&mut dice, &oddities, &names, &paths, count)
}

/// Changes, adds and removes lines of a file that was not made here.
pub fn mutate(file: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut dice = Dice::new(bytes);
    let oddities = Oddities::draw(&mut dice);
    file::mutate(&mut dice, &oddities, file)
}
