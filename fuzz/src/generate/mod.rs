//! Inputs, made from bytes: of a random generator, or of a coverage-guided fuzzer.
//!
//! A file is built from the grammar and from near misses of it; agents and URLs are derived from
//! the tokens and patterns of that very file, so that most queries meet a rule. Every input draws
//! first which [oddities](Oddity) it may have, and most have few: two oddities in one file hide
//! each other, a file full of them is dropped by every parser alike.

mod access;
mod agent;
mod dice;
mod file;
mod oddity;
mod path;
mod scope;

use std::sync::Arc;

use arbitrary::Unstructured;

pub use oddity::{Oddities, Oddity};

use robotspec::Batch;
use robotspec_cases::Query;

use crate::batch::match_batch;
use dice::Dice;

/// How many bytes of randomness an input is made from; what lies beyond is taken for zeros.
pub const INPUT_BYTES: usize = 3 << 10;

/// How many queries are asked about a file, at most.
const MOST_QUERIES: usize = 24;

/// Which kinds of inputs are wanted, out of a thousand; the rest are for matching.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    /// Pairs of URLs.
    pub scope: usize,
    /// Files, asked for their sitemaps.
    pub sitemaps: usize,
    /// Visits to a site.
    pub access: usize,
    /// Files about as large as the size limit.
    pub large: usize,
}

impl Default for Shares {
    fn default() -> Self {
        Shares { scope: 80, sitemaps: 60, access: 0, large: 3 }
    }
}

/// Makes an input. The same bytes make the same input.
pub fn input(bytes: &[u8], shares: Shares) -> Batch {
    let mut dice = Dice::new(Unstructured::new(bytes));
    let kind = dice.below(1000);
    let oddities = Oddities::drawn(&mut dice);
    if kind < shares.scope {
        return Batch::single(scope::scope(&mut dice));
    }
    if kind < shares.scope + shares.sitemaps {
        return Batch::single(Query::Sitemaps { robots: file::with_sitemaps(&mut dice, &oddities).into() });
    }
    if kind < shares.scope + shares.sitemaps + shares.access {
        return Batch::single(access::access(&mut dice));
    }
    let is_large = kind >= 1000 - shares.large.min(1000);
    matching(&mut dice, &oddities, is_large)
}

/// A file, and queries about it.
fn matching(dice: &mut Dice, oddities: &Oddities, is_large: bool) -> Batch {
    let mut draft = file::file(dice, oddities);
    let count = if is_large { 4 } else { 4 + dice.below(MOST_QUERIES - 3) };
    let agents = agent::asking(dice, oddities, &draft.agents);
    let mut queries: Vec<(String, String)> = Vec::with_capacity(count);
    for index in 0..count {
        let agent = agents[index * agents.len() / count].clone();
        let query = (agent, path::url(dice, oddities, &draft.paths));
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    if is_large {
        file::enlarge(dice, &mut draft.text);
    }
    let robots = Arc::from(draft.text);
    let batch = match_batch(&robots, queries.iter().map(|(agent, url)| (&**agent, &**url)));
    batch.unwrap_or_else(|| Batch::single(Query::Sitemaps { robots }))
}

/// Queries about a file that was not made here.
pub fn queries_about(file: &[u8], bytes: &[u8]) -> Vec<(String, String)> {
    let mut dice = Dice::new(Unstructured::new(bytes));
    let (agents, paths) = file::names_and_paths(file);
    let oddities = Oddities::drawn(&mut dice);
    let agents = agent::asking(&mut dice, &oddities, &agents);
    let query = |agent: &String| (agent.clone(), path::url(&mut dice, &oddities, &paths));
    agents.iter().flat_map(|agent| std::iter::repeat_n(agent, 4)).map(query).collect()
}

/// A file that was not made here, with lines changed, added and taken away.
pub fn mutate(file: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut dice = Dice::new(Unstructured::new(bytes));
    let oddities = Oddities::drawn(&mut dice);
    file::mutate(&mut dice, &oddities, file)
}
