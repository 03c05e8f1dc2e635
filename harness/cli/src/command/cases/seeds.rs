//! `robotspec cases seeds`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use robotspec::replace;
use robotspec_cases::suite::built_in;
use robotspec_cases::{Query, checks, visible_path};

use crate::command::exit::OK;

/// The size limit of an input in bytes: larger inputs make a fuzzer slow, and other checks test size limits.
const MAX_BYTES: usize = 4096;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Content {
    /// A robots.txt
    Robots,
    /// A line `AGENT URL` for each query, an empty line, and the robots.txt
    Asked,
    /// The first cases of a suite
    Yaml,
}

/// Write the cases as inputs for a fuzzer to start from, a file each
#[derive(Debug, Args)]
pub(in crate::command) struct SeedsArguments {
    /// The folder for the files; it is created if it does not exist
    directory: PathBuf,

    /// The content of a file
    #[arg(long, value_enum, default_value_t = Content::Robots)]
    content: Content,
}

pub(super) fn seeds(arguments: &SeedsArguments) -> Result<u8> {
    let folder = &arguments.directory;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", visible_path(folder)))?;
    for (number, seed) in contents(arguments.content)?.into_iter().enumerate() {
        write(&folder.join(format!("case-{number:04}")), &seed)?;
    }
    Ok(OK)
}

fn write(file: &Path, seed: &[u8]) -> Result<()> {
    replace::write(file, seed).with_context(|| format!("cannot write {}", visible_path(file)))
}

fn contents(content: Content) -> Result<Vec<Vec<u8>>> {
    let mut contents: Vec<Vec<u8>> = match content {
        Content::Robots => query_lines()?.into_keys().map(|robots| robots.to_vec()).collect(),
        Content::Asked => {
            let files = query_lines()?.into_iter().filter(|(_, lines)| !lines.is_empty());
            files.map(|(robots, lines)| [lines.as_bytes(), b"\n", &robots].concat()).collect()
        }
        Content::Yaml => robotspec_cases::files().iter().map(|suite| first_cases(suite.text)).collect(),
    };
    contents.retain(|seed| seed.len() <= MAX_BYTES);
    Ok(contents)
}

/// Returns each file of the cases, with the queries about it, a line each.
fn query_lines() -> Result<BTreeMap<Arc<[u8]>, String>> {
    let mut files: BTreeMap<Arc<[u8]>, String> = BTreeMap::new();
    for check in checks(&built_in()?, false) {
        let line = match &check.query {
            Query::Match { agent, url, .. } | Query::Alike { agent, url, .. } => format!("{agent} {url}\n"),
            _ => String::new(),
        };
        let twin = if let Query::Alike { twin, .. } = &check.query { Some(twin) } else { None };
        for file in check.query.file().into_iter().chain(twin) {
            files.entry(Arc::clone(file)).or_default().push_str(&line);
        }
    }
    Ok(files)
}

/// Returns the start of a suite, with as many whole cases as the size limit allows.
fn first_cases(text: &str) -> Vec<u8> {
    let cases = text.match_indices("\n  - id: ").map(|(at, _)| at + 1);
    let end = cases.take_while(|&at| at <= MAX_BYTES).last().unwrap_or(text.len());
    text.as_bytes()[..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotspec_fuzz::generate::rendered::Rendered;

    #[test]
    fn every_seed_is_an_input() {
        let seeds = contents(Content::Asked).expect("the built-in cases");
        assert!(seeds.len() > 500, "{}", seeds.len());
        let unread = seeds.iter().filter(|seed| Rendered::read(seed).is_none()).count();
        assert!(
            unread * 20 < seeds.len(),
            "{unread} of {} have no query that a crawler could have",
            seeds.len()
        );
        for suite in contents(Content::Yaml).expect("the built-in cases") {
            let text = String::from_utf8(suite).expect("a text");
            robotspec_cases::suite::load(Path::new("seed.yaml"), &text).expect("whole cases");
        }
    }
}
