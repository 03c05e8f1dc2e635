//! Makes inputs from bytes, which come from a random generator or from a coverage-guided fuzzer.
//!
//! A file is built from the grammar and from near misses of it. Agents and URLs are derived from the tokens and patterns
//! of the file, so that rules match most queries. Every input first draws the oddities that it may have, and
//! most inputs have few: two oddities in a file hide each other, and every parser drops a file that is full of them.

mod access;
mod agent;
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

use batch::match_batch;
use dice::Dice;

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

impl Shares {
    /// Small files with match queries alone.
    pub const NONE: Shares =
        Shares { scope: 0, sitemaps: 0, usage: 0, access: 0, large: 0, limits: 0, confusions: 0 };
}

impl Default for Shares {
    fn default() -> Self {
        Shares { scope: 120, sitemaps: 60, large: 3, limits: 30, confusions: 30, ..Shares::NONE }
    }
}

/// Makes an input. The same bytes give the same input.
pub fn input(bytes: &[u8], shares: Shares) -> Batch {
    type MakeInput = fn(&mut Dice) -> Batch;
    let kinds: [(usize, MakeInput); 7] = [
        (shares.scope, |dice| Batch::single(scope::make_query(dice))),
        (shares.sitemaps, |dice| {
            let robots = file::make_with_sitemaps(dice).into();
            Batch::single(Query::Sitemaps { robots })
        }),
        (shares.usage, |dice| Batch::single(make_about_usage(dice))),
        (shares.access, |dice| Batch::single(access::make_query(dice))),
        (shares.limits, limit::make),
        (shares.confusions, confusion::make_file),
        (shares.large, |dice| make_matching(dice, true)),
    ];
    let mut dice = Dice::new(bytes);
    let mut draw = dice.below(1000);
    dice.draw_oddities();
    for (share, make) in kinds {
        if draw < share {
            return make(&mut dice);
        }
        draw -= share;
    }
    make_matching(&mut dice, false)
}

/// Makes a file with usage rules and a usage query about it.
fn make_about_usage(dice: &mut Dice) -> Query {
    let draft = file::make_with_usage(dice);
    let agents = agent::make_for_queries(dice, &draft.agents);
    let agent = dice.pick_ref(&agents).clone();
    let url = path::make_url(dice, &draft.paths);
    Query::Usage { robots: draft.text.into(), agent, url }
}

/// Makes a file and match queries about it.
fn make_matching(dice: &mut Dice, is_large: bool) -> Batch {
    let mut draft = file::make(dice);
    let count = if is_large { 4 } else { 4 + dice.below(MAX_QUERIES - 3) };
    let queries = make_queries(dice, &draft.agents, &draft.paths, count);
    if is_large {
        file::enlarge(dice, &mut draft.text);
    }
    match_batch(&draft.text.into(), queries)
}

/// Makes agents and URLs for queries about a file with these names and paths. Equal ones are there once.
fn make_queries(dice: &mut Dice, names: &[String], paths: &[Vec<u8>], count: usize) -> Vec<(String, String)> {
    let agents = agent::make_for_queries(dice, names);
    let mut queries: Vec<(String, String)> = Vec::with_capacity(count);
    for index in 0..count {
        let agent = agents[index * agents.len() / count].clone();
        let query = (agent, path::make_url(dice, paths));
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}

/// Makes match queries about a file that was not made here: [`MAX_QUERIES`], less equal ones.
pub(crate) fn about_file(robots: &Arc<[u8]>, bytes: &[u8]) -> Batch {
    let (names, paths) = file::find_names_and_paths(robots);
    match_batch(robots, make_queries(&mut Dice::with_oddities(bytes), &names, &paths, MAX_QUERIES))
}
