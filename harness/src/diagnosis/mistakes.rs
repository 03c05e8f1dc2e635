//! Causes that are supposed, and tested: a parser that makes just this one answers as the implementation did, where
//! it answers otherwise than one that does not.

use std::collections::BTreeSet;

use super::model::File;
use super::{Answered, Likely};
use crate::cause::{Cause, Evidence as Unit};

/// How many rows have to be answered: to a part of them alone, as a filter leaves it, many a mistake looks the same.
const ROWS: usize = 1500;

/// Larger files are about size, and take long. In octets.
const LARGEST: usize = 64 << 10;

/// Of how many cases and clauses the failures have to be that a mistake explains.
const CASES: usize = 8;
const CLAUSES: usize = 3;

/// Of the failures, the share that a mistake explains at least: one of this many.
const SHARE: usize = 20;

/// A row whose answer the model knows.
struct Known<'a, 'c> {
    answered: &'a Answered<'c>,
    file: File,
    allowed: bool,
    /// What the model says, with the mistakes that are found so far.
    said: bool,
}

/// The rows that the model knows, if they are many enough.
fn known<'a, 'c>(answers: &'a [Answered<'c>]) -> Vec<Known<'a, 'c>> {
    let rows = answers.iter().filter(|answered| answered.check.id.variant.is_none());
    if rows.clone().count() < ROWS {
        return Vec::new();
    }
    let rows = rows.filter(|answered| answered.robots.len() <= LARGEST);
    let known = rows.filter_map(|answered| {
        let (file, allowed) = (File::read(answered.robots), answered.allowed()?);
        let said = file.allows(&[], answered.agent, answered.url);
        answered.wanted[usize::from(said)].then_some(Known { answered, file, allowed, said })
    });
    known.collect()
}

/// What speaks for a mistake, and what against it.
#[derive(Default)]
struct Evidence<'a, 'c> {
    explained: Vec<&'a Answered<'c>>,
    agreeing: usize,
    contradicting: usize,
    /// How many would agree if it went wrong here as often as where the mistake makes no difference.
    by_chance: usize,
}

impl Evidence<'_, '_> {
    fn is_enough(&self, failing: usize) -> bool {
        let cases: BTreeSet<_> = self.explained.iter().map(|answered| answered.case()).collect();
        let clauses = self.explained.iter().flat_map(|answered| answered.check.clauses.first());
        let clauses: BTreeSet<&str> = clauses.map(|clause| &*clause.id).collect();
        self.explained.len() * SHARE >= failing
            && cases.len() >= CASES
            && clauses.len() >= CLAUSES
            && self.agreeing >= 4 * self.contradicting
            && self.agreeing >= 2 * self.by_chance
    }

    fn weight(&self) -> usize {
        self.explained.len().saturating_sub(self.contradicting)
    }
}

/// What the rows say of a mistake that makes them come out so.
fn evidence<'a, 'c>(rows: &[Known<'a, 'c>], said: &[bool]) -> Evidence<'a, 'c> {
    let mut evidence = Evidence::default();
    for verdict in [false, true] {
        let (mut apart, mut others, mut wrong_others) = (0, 0, 0);
        for (row, said) in rows.iter().zip(said).filter(|(row, _)| row.said == verdict) {
            let is_wrong = row.allowed != row.said;
            if row.said == *said {
                others += 1;
                wrong_others += usize::from(is_wrong);
                continue;
            }
            apart += 1;
            evidence.agreeing += usize::from(is_wrong);
            evidence.contradicting += usize::from(!is_wrong);
            evidence.explained.extend((is_wrong && row.answered.fails).then_some(row.answered));
        }
        evidence.by_chance += apart * wrong_others / usize::max(others, 1);
    }
    evidence
}

/// The mistakes that explain failures, those that explain the most first. What one mistake makes of a file is taken
/// for granted when the next is tested.
pub(super) fn mistakes(answers: &[Answered]) -> Vec<Likely> {
    let mut rows = known(answers);
    let failing = rows.iter().filter(|row| row.answered.fails).count();
    let mut found: Vec<Cause> = Vec::new();
    let mut likely = Vec::new();
    // Most parsers come this far, and no further.
    if failing < CASES {
        return likely;
    }
    loop {
        let mut best: Option<(Cause, Evidence, Vec<bool>)> = None;
        for mistake in Cause::MISTAKES.into_iter().filter(|mistake| !found.contains(mistake)) {
            let supposed = [&found[..], &[mistake]].concat();
            let says = |row: &Known| row.file.allows(&supposed, row.answered.agent, row.answered.url);
            let said: Vec<bool> = rows.iter().map(says).collect();
            let evidence = evidence(&rows, &said);
            let is_better = best.as_ref().is_none_or(|(_, best, _)| evidence.weight() > best.weight());
            if evidence.is_enough(failing) && is_better {
                best = Some((mistake, evidence, said));
            }
        }
        let Some((mistake, evidence, said)) = best else { return likely };
        likely.push(Likely::new(mistake, evidence.explained.len(), Unit::FailingRow));
        found.push(mistake);
        rows.iter_mut().zip(said).for_each(|(row, said)| row.said = said);
    }
}

/// Whether the mistake makes a check come out as it did.
pub(super) fn explains(mistake: Cause, robots: &[u8], agent: &str, url: &str, allowed: bool) -> bool {
    if robots.len() > LARGEST {
        return false;
    }
    let file = File::read(robots);
    file.allows(&[mistake], agent, url) == allowed && file.allows(&[], agent, url) != allowed
}

/// A parser that gets the URL for the agent follows the groups for `*`, and takes the agent for the path, or for a
/// host without one.
pub(super) fn swapped(answers: &[Answered]) -> Option<Likely> {
    let rows = known(answers);
    let rivals: [fn(&Known) -> bool; 4] = [
        |row| row.said,
        |row| row.file.allows_path(&[], row.answered.agent, row.answered.url),
        |row| row.file.allows_path(&[], row.answered.agent, "/"),
        |row| row.file.allows(&[], "*", row.answered.url),
    ];
    let as_path = |path: fn(&str) -> String| {
        let says = |row: &Known| row.file.allows_path(&[], row.answered.url, &path(row.answered.agent));
        let agreeing = rows.iter().filter(|row| says(row) == row.allowed).count();
        let evidence = rivals.iter().map(|rival| {
            let apart: Vec<&Known> = rows.iter().filter(|row| says(row) != rival(row)).collect();
            let agreeing = apart.iter().filter(|row| says(row) == row.allowed).count();
            (agreeing * 10 >= apart.len() * 9).then_some(agreeing)
        });
        let evidence = evidence.collect::<Option<Vec<usize>>>()?;
        let is_likely =
            agreeing * 20 >= rows.len() * 19 && evidence.iter().all(|evidence| *evidence >= CASES);
        is_likely.then(|| Likely::new(Cause::Swapped, evidence[0], Unit::Row))
    };
    as_path(str::to_owned)
        .or_else(|| as_path(|_| "/".to_owned()))
        .or_else(|| as_path(|agent| format!("/{agent}")))
}
