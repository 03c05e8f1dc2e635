//! `robotspec cases seeds`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::command::OK;
use robotspec::implementation::Query;
use robotspec_cases::suite::{Request, built_in, checks};
use robotspec_fuzz::rendered::Rendered;

/// How large an input is, at most, in octets: larger ones make a fuzzer slow, and size limits are tested anyway.
const LARGEST: usize = 4096;

/// What is written into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Content {
    /// A robots.txt
    Robots,
    /// What is asked, a line `AGENT URL` each, an empty line, and the robots.txt
    Asked,
    /// The first cases of a suite
    Yaml,
}

/// Write the cases as inputs for a fuzzer to start from, a file each
#[derive(Debug, Args)]
pub(super) struct SeedsArguments {
    /// The directory for them, made if it is not there
    directory: PathBuf,

    /// What is in a file
    #[arg(long, value_enum, default_value_t = Content::Robots)]
    content: Content,
}

pub(super) fn seeds(arguments: &SeedsArguments) -> Result<u8> {
    let directory = &arguments.directory;
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    for (number, seed) in contents(arguments.content)?.into_iter().enumerate() {
        write(&directory.join(format!("case-{number:04}")), &seed)?;
    }
    Ok(OK)
}

fn write(file: &Path, seed: &[u8]) -> Result<()> {
    std::fs::write(file, seed).with_context(|| format!("cannot write {}", file.display()))
}

fn contents(content: Content) -> Result<Vec<Vec<u8>>> {
    let mut contents: Vec<Vec<u8>> = match content {
        Content::Robots => asked()?.into_keys().map(|robots| robots.to_vec()).collect(),
        Content::Asked => {
            let asked = asked()?.into_iter().filter(|(_, queries)| !queries.is_empty());
            asked.map(|(robots, queries)| Rendered { queries, robots }.write()).collect()
        }
        Content::Yaml => robotspec_cases::suites().iter().map(|suite| head(suite.text)).collect(),
    };
    contents.retain(|seed| seed.len() <= LARGEST);
    Ok(contents)
}

/// Each file of the cases, with what is asked about it.
fn asked() -> Result<BTreeMap<Arc<[u8]>, Vec<Query>>> {
    let mut asked: BTreeMap<Arc<[u8]>, Vec<Query>> = BTreeMap::new();
    for check in checks(&built_in()?, false) {
        match check.request {
            Request::Match { robots, agent, url } => {
                asked.entry(robots).or_default().push(Query { agent, url });
            }
            Request::Alike { robots, twin, agent, url } => {
                asked.entry(robots).or_default().push(Query { agent: agent.clone(), url: url.clone() });
                asked.entry(twin).or_default().push(Query { agent, url });
            }
            Request::Sitemaps { robots } | Request::Grammar { text: robots } => {
                asked.entry(robots).or_default();
            }
            Request::Scope { .. } | Request::Access { .. } => {}
        }
    }
    Ok(asked)
}

/// As many whole cases of a suite as an input may hold.
fn head(text: &str) -> Vec<u8> {
    let cases = text.match_indices("\n  - id: ").map(|(at, _)| at + 1);
    let end = cases.take_while(|&at| at <= LARGEST).last().unwrap_or(text.len());
    text.as_bytes()[..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_an_input() {
        let asked = contents(Content::Asked).expect("the cases inside");
        assert!(asked.len() > 500, "{}", asked.len());
        let unread = asked.iter().filter(|seed| Rendered::read(seed).is_none()).count();
        assert!(unread * 20 < asked.len(), "{unread} of {} ask for what no crawler asks for", asked.len());
        for suite in contents(Content::Yaml).expect("the cases inside") {
            let text = String::from_utf8(suite).expect("a text");
            robotspec_cases::suite::load(Path::new("seed.yaml"), &text).expect("whole cases");
        }
    }
}
