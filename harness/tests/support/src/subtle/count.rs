//! Limits of lengths and counts.

use super::Change::{self, Agent, File, Length, Match, Rules, Url};
use super::is_match;
use crate::faulty::parser::Rule;

pub(super) const MISTAKES: &[(&str, Change)] = &[
    ("cuts rules at 64 bytes", Rules(|rules| cut(rules, 64))),
    ("cuts rules at 100 bytes", Rules(|rules| cut(rules, 100))),
    ("cuts rules at 255 bytes", Rules(|rules| cut(rules, 255))),
    ("cuts rules at 4,096 bytes", Rules(|rules| cut(rules, 4096))),
    ("cuts rules at 65,535 bytes", Rules(|rules| cut(rules, 65_535))),
    (
        "drops rules above 1,024 bytes",
        Rules(|rules| rules.into_iter().filter(|rule| rule.1.len() <= 1024).collect()),
    ),
    ("cuts lines at 1,000 bytes", File(|file| cut_lines(file, 1000))),
    ("cuts lines at 2,048 bytes", File(|file| cut_lines(file, 2048))),
    ("cuts lines at 8,192 bytes", File(|file| cut_lines(file, 8192))),
    (
        "drops lines above 65,536 bytes",
        File(|file| lines(file).filter(|line| line.len() <= 65_536).flatten().copied().collect()),
    ),
    (
        "stops at a line above 4,096 bytes",
        File(|file| lines(file).take_while(|line| line.len() <= 4096).flatten().copied().collect()),
    ),
    ("cuts agents at 32 bytes", Agent(|agent| agent.chars().take(32).collect())),
    ("cuts agents at 64 bytes", Agent(|agent| agent.chars().take(64).collect())),
    ("cuts agents at 255 bytes", Agent(|agent| agent.chars().take(255).collect())),
    ("cuts URLs at 255 bytes", Url(|url| cut_url(url, 255))),
    ("cuts URLs at 2,048 bytes", Url(|url| cut_url(url, 2048))),
    ("cuts URLs at 4,096 bytes", Url(|url| cut_url(url, 4096))),
    ("cuts URLs at 65,535 bytes", Url(|url| cut_url(url, 65_535))),
    ("lengths in 8 bits", Length(|length| length & 0xFF)),
    ("lengths in 16 bits", Length(|length| length & 0xFFFF)),
    ("lengths up to 100", Length(|length| length.min(100))),
    ("lengths up to 255", Length(|length| length.min(255))),
    ("lengths up to 4,095", Length(|length| length.min(4095))),
    ("no more than 8 stars", Match(|pattern, path| stars(pattern) <= 8 && is_match(pattern, path))),
    ("no more than 16 stars", Match(|pattern, path| stars(pattern) <= 16 && is_match(pattern, path))),
    ("no more than 100 stars", Match(|pattern, path| stars(pattern) <= 100 && is_match(pattern, path))),
    (
        "no more than 1,000 steps",
        Match(|pattern, path| {
            (stars(pattern) == 0 || pattern.len() * path.len() <= 1000) && is_match(pattern, path)
        }),
    ),
    (
        "no more than 10,000 steps",
        Match(|pattern, path| {
            (stars(pattern) == 0 || pattern.len() * path.len() <= 10_000) && is_match(pattern, path)
        }),
    ),
    (
        "no more than 1,000,000 steps",
        Match(|pattern, path| {
            (stars(pattern) == 0 || pattern.len() * path.len() <= 1_000_000) && is_match(pattern, path)
        }),
    ),
    ("decodes no more than 16 escapes", Rules(|rules| decode(rules, 16))),
    ("decodes no more than 64 escapes", Rules(|rules| decode(rules, 64))),
    (
        "no more than 16 segments",
        Match(|pattern, path| is_match(before(pattern, b'/', 17), before(path, b'/', 17))),
    ),
    (
        "no more than 64 segments",
        Match(|pattern, path| is_match(before(pattern, b'/', 65), before(path, b'/', 65))),
    ),
    (
        "no more than 16 parameters",
        Match(|pattern, path| is_match(before(pattern, b'&', 16), before(path, b'&', 16))),
    ),
    (
        "no more than 64 parameters",
        Match(|pattern, path| is_match(before(pattern, b'&', 64), before(path, b'&', 64))),
    ),
    ("no more than 511,999 bytes", File(|file| file[..file.len().min(511_999)].to_vec())),
    ("no more than 32 rules", Rules(|rules| rules.into_iter().take(32).collect())),
    ("no more than 100 rules", Rules(|rules| rules.into_iter().take(100).collect())),
    ("no more than 256 rules", Rules(|rules| rules.into_iter().take(256).collect())),
    ("no more than 1,000 rules", Rules(|rules| rules.into_iter().take(1000).collect())),
    ("no more than 4,096 rules", Rules(|rules| rules.into_iter().take(4096).collect())),
    ("no more than 16 agents", File(|file| agents(file, 16))),
    ("no more than 64 agents", File(|file| agents(file, 64))),
    ("no more than 256 agents", File(|file| agents(file, 256))),
    ("no more than 1,000 agents", File(|file| agents(file, 1000))),
    ("no more than 1,000 lines", File(|file| lines(file).take(1000).flatten().copied().collect())),
    ("no more than 10,000 lines", File(|file| lines(file).take(10_000).flatten().copied().collect())),
    ("no more than 65,535 lines", File(|file| lines(file).take(65_535).flatten().copied().collect())),
    ("no more than 65,535 bytes", File(|file| file[..file.len().min(65_535)].to_vec())),
    ("no more than 262,144 bytes", File(|file| file[..file.len().min(262_144)].to_vec())),
    ("no more than 500,000 bytes", File(|file| file[..file.len().min(500_000)].to_vec())),
];

fn cut(rules: Vec<Rule>, most: usize) -> Vec<Rule> {
    rules.into_iter().map(|(is_allow, path)| (is_allow, path[..path.len().min(most)].to_vec())).collect()
}

/// Returns the text before this occurrence of a byte.
fn before(text: &[u8], byte: u8, occurrence: usize) -> &[u8] {
    let mut places = text.iter().enumerate().filter(|(_, other)| **other == byte).map(|(at, _)| at);
    places.nth(occurrence - 1).map_or(text, |at| &text[..at])
}

/// Keeps the escapes of rules after this many as they are written.
fn decode(rules: Vec<Rule>, most: usize) -> Vec<Rule> {
    let decode = |path: Vec<u8>| {
        let mut count = 0;
        let mut written = Vec::with_capacity(path.len());
        for byte in path {
            written.push(byte);
            count += usize::from(byte == b'%');
            if byte == b'%' && count > most {
                written.extend_from_slice(b"25");
            }
        }
        written
    };
    rules.into_iter().map(|(is_allow, path)| (is_allow, decode(path))).collect()
}

/// Returns the lines of a file with their line feeds.
pub(super) fn lines(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    file.split_inclusive(|byte| *byte == b'\n')
}

fn cut_lines(file: &[u8], most: usize) -> Vec<u8> {
    let cut = |line: &[u8]| match line.len() > most {
        true => [&line[..most], b"\n"].concat(),
        false => line.to_vec(),
    };
    lines(file).flat_map(cut).collect()
}

fn cut_url(url: &str, most: usize) -> String {
    String::from_utf8_lossy(&url.as_bytes()[..url.len().min(most)]).into_owned()
}

fn stars(pattern: &[u8]) -> usize {
    pattern.iter().filter(|byte| **byte == b'*').count()
}

/// Returns a file without its user-agent lines after this many.
fn agents(file: &[u8], most: usize) -> Vec<u8> {
    let mut count = 0;
    let mut is_kept = |line: &&[u8]| {
        let is_agent = line.to_ascii_lowercase().starts_with(b"user-agent");
        count += usize::from(is_agent);
        !is_agent || count <= most
    };
    lines(file).filter(|line| is_kept(line)).flatten().copied().collect()
}
