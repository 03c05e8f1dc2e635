//! The differences between two runs: of two versions of a parser, or of two parsers.

use std::collections::BTreeSet;
use std::sync::Arc;

use robotspec::event::{CheckFinished, Judgement, Status};
use robotspec::{Answer, ImplementationRecord, Info, RunRecord};
use robotspec_cases::CheckId;
use robotspec_cases::schema::ClauseOrCase;
use robotspec_reference::Edition;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the format. It is raised when a field is removed or changes its meaning.
const FORMAT: u32 = 1;

/// The differences between two runs, in the editions that judged in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Diff {
    /// The version of this format. It is raised when a key is removed or changes its meaning.
    #[schemars(extend("const" = FORMAT))]
    format: u32,
    /// The earlier run.
    pub(crate) old: Side,
    /// The later run.
    pub(crate) new: Side,
    /// The implementations that have the same name, or are the only ones of their runs.
    pub(crate) implementations: Vec<ImplementationDiff>,
}

/// One of the runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub(crate) struct Side {
    /// The version of robotspec that ran.
    robotspec: String,
    /// The editions that judged.
    pub(crate) editions: BTreeSet<Edition>,
    /// The implementations that the other run does not have.
    pub(crate) only_here: Vec<String>,
}

/// The differences of an implementation.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub(crate) struct ImplementationDiff {
    /// The implementation of the earlier run.
    pub(crate) old: Info,
    /// The implementation of the later run.
    pub(crate) new: Info,
    /// Checks that fail, and did not fail.
    pub(crate) newly_fails: Vec<Change>,
    /// Checks that failed, and are now as expected or unspecified.
    pub(crate) newly_passes: Vec<Change>,
    /// Checks that failed, and fail with another answer.
    pub(crate) fails_differently: Vec<Change>,
    /// Checks that one of the implementations does not answer in time.
    pub(crate) time_outs: Vec<Change>,
    /// Other checks with another answer. A line that only one of the answers states is no difference.
    pub(crate) changed: Vec<Change>,
    /// Checks that only the old run judged.
    pub(crate) only_in_old: Vec<Finding>,
    /// Checks that only the new run judged.
    pub(crate) only_in_new: Vec<Finding>,
}

/// A check with different judgements in an edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Change {
    /// The name of the check.
    pub(crate) id: CheckId,
    /// The clause that the check is reported under, or its case if it cites none.
    #[schemars(with = "ClauseOrCase")]
    pub(crate) clause: Arc<str>,
    /// The edition that judges.
    pub(crate) edition: Edition,
    /// The earlier judgement.
    pub(crate) old: Judgement,
    /// The later judgement.
    pub(crate) new: Judgement,
}

/// A check that only one run judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Finding {
    /// The name of the check.
    pub(crate) id: CheckId,
    /// The edition that judges.
    pub(crate) edition: Edition,
    /// The status.
    pub(crate) status: Status,
}

impl Diff {
    /// Compares two runs.
    pub(crate) fn new(old: &RunRecord, new: &RunRecord) -> Self {
        let editions: BTreeSet<Edition> = old.editions.intersection(&new.editions).copied().collect();
        let are_single = old.implementations.len() == 1 && new.implementations.len() == 1;
        let is_pair = |old: &ImplementationRecord, new: &ImplementationRecord| {
            are_single || old.info.name == new.info.name
        };
        let side = |run: &RunRecord, other: &RunRecord| {
            let is_only_here = |record: &&ImplementationRecord| {
                !other.implementations.iter().any(|other| is_pair(record, other))
            };
            let only_here = run.implementations.iter().filter(is_only_here);
            Side {
                robotspec: run.robotspec.clone(),
                editions: run.editions.clone(),
                only_here: only_here.map(|record| record.info.name.clone()).collect(),
            }
        };
        let diff = |new: &ImplementationRecord| {
            let old = old.implementations.iter().find(|old| is_pair(old, new))?;
            Some(ImplementationDiff::new(old, new, &editions))
        };
        Diff {
            format: FORMAT,
            old: side(old, new),
            new: side(new, old),
            implementations: new.implementations.iter().filter_map(diff).collect(),
        }
    }

    /// Returns whether a check fails that did not fail.
    pub(crate) fn has_new_failure(&self) -> bool {
        let times_out = |change: &Change| change.new.status == Status::Timeout;
        self.implementations.iter().any(|of| !of.newly_fails.is_empty() || of.time_outs.iter().any(times_out))
    }
}

impl ImplementationDiff {
    fn new(old: &ImplementationRecord, new: &ImplementationRecord, editions: &BTreeSet<Edition>) -> Self {
        let only_in = |one: &ImplementationRecord, other: &ImplementationRecord| {
            let judged = judgements(one, editions);
            let alone = judged.filter(|(check, edition, _)| find(other, &check.id, *edition).is_none());
            let finding = |(check, edition, judgement): (&CheckFinished, Edition, &Judgement)| Finding {
                id: check.id.clone(),
                edition,
                status: judgement.status,
            };
            alone.map(finding).collect()
        };
        let mut diff = ImplementationDiff {
            old: old.info.clone(),
            new: new.info.clone(),
            only_in_old: only_in(old, new),
            only_in_new: only_in(new, old),
            ..ImplementationDiff::default()
        };
        for (check, edition, judgement) in judgements(new, editions) {
            if let Some(before) = find(old, &check.id, edition) {
                diff.take(check, edition, before, judgement);
            }
        }
        diff
    }

    fn take(&mut self, check: &CheckFinished, edition: Edition, old: &Judgement, new: &Judgement) {
        let (fails, failed) = (new.status.is_failure(), old.status.is_failure());
        let line = |judgement: &Judgement| matches!(judgement.got, Ok(Answer::Decided { .. }));
        let verdict = |judgement: &Judgement| judgement.got.clone().map(Answer::without_line);
        let is_same = match line(old) == line(new) {
            true => (old.status, &old.got) == (new.status, &new.got),
            false => fails == failed && verdict(old) == verdict(new),
        };
        if is_same {
            return;
        }
        let is_admitted = matches!(new.status, Status::Pass | Status::Unspecified | Status::Unanswered);
        let changes = match (failed, fails) {
            _ if (old.status == Status::Timeout) != (new.status == Status::Timeout) => &mut self.time_outs,
            (false, true) => &mut self.newly_fails,
            (true, true) => &mut self.fails_differently,
            (true, false) if is_admitted => &mut self.newly_passes,
            (_, false) => &mut self.changed,
        };
        let (id, clause) = (check.id.clone(), Arc::clone(&check.clause));
        changes.push(Change { id, clause, edition, old: old.clone(), new: new.clone() });
    }
}

/// Returns the judgements of an implementation in some editions.
fn judgements<'r>(
    record: &'r ImplementationRecord,
    editions: &BTreeSet<Edition>,
) -> impl Iterator<Item = (&'r CheckFinished, Edition, &'r Judgement)> {
    let all = record.checks.iter().flat_map(|check| {
        check.editions.iter().map(move |(edition, judgement)| (check, *edition, judgement))
    });
    all.filter(|(_, edition, _)| editions.contains(edition))
}

fn find<'r>(record: &'r ImplementationRecord, id: &CheckId, edition: Edition) -> Option<&'r Judgement> {
    record.find(id)?.editions.get(&edition)
}
