//! What differs between two runs: of two versions of a parser, or of two parsers.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::Serialize;

use robotspec::event::{CheckFinished, EditionId, End, Event, Judged, Status, read_file};
use robotspec::implementation::Info;
use robotspec_cases::yaml::FileError;

/// The version of the format of a difference: raised when something that stood
/// there is gone or means something else.
const FORMAT: u32 = 1;

/// What differs between two runs, in the editions that judged in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Diff {
    /// The version of this format.
    pub format: u32,
    /// The earlier run.
    pub old: Side,
    /// The later run.
    pub new: Side,
    /// Implementation by implementation: those of the same name, or the only ones of their runs.
    pub implementations: Vec<ImplementationDiff>,
}

/// One of the runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Side {
    /// The version of the program that ran.
    pub robotspec: String,
    /// The editions that judged.
    pub editions: BTreeSet<EditionId>,
    /// Implementations that the other run has not.
    pub only_here: Vec<String>,
}

/// What differs for an implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ImplementationDiff {
    /// Who it was.
    pub old: Info,
    /// Who it is.
    pub new: Info,
    /// What fails, and did not.
    pub newly_fails: Vec<Change>,
    /// What failed, and does not: it is as expected, or may be as it likes.
    pub newly_passes: Vec<Change>,
    /// What failed, and fails in another way.
    pub fails_differently: Vec<Change>,
    /// What is answered differently, and neither answer fails.
    pub changed: Vec<Change>,
    /// What was judged in the old run alone.
    pub only_in_old: Vec<Finding>,
    /// What is judged in the new run alone.
    pub only_in_new: Vec<Finding>,
}

/// A check that comes out differently in an edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Change {
    /// The id of the check.
    pub id: String,
    /// The clause it is reported under.
    pub clause: String,
    /// The edition.
    pub edition: EditionId,
    /// What became of it.
    pub old: Judged,
    /// What becomes of it.
    pub new: Judged,
}

/// A check that is judged in one run alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finding {
    /// The id of the check.
    pub id: String,
    /// The edition.
    pub edition: EditionId,
    /// What became of it.
    pub status: Status,
}

/// A run as it was recorded.
#[derive(Default)]
struct Record {
    robotspec: String,
    editions: BTreeSet<EditionId>,
    implementations: Vec<(Info, Vec<CheckFinished>)>,
}

impl Record {
    fn read(file: &Path) -> Result<Self, FileError> {
        let mut record = Record::default();
        let end = read_file(file, &mut |event| match event {
            Event::RunStarted { robotspec, editions, .. } => {
                record.robotspec = robotspec;
                record.editions = editions.into_iter().collect();
            }
            Event::ImplementationStarted { info } => record.implementations.push((info, Vec::new())),
            Event::CheckFinished(check) => {
                if let Some((_, checks)) = record.implementations.last_mut() {
                    checks.push(check);
                }
            }
            _ => {}
        })?;
        match end {
            End::Finished => Ok(record),
            End::CutOff => Err(FileError {
                file: file.to_owned(),
                line: 0,
                column: 0,
                message: "the run was cut off, so that what is missing says nothing; run it again".to_owned(),
            }),
        }
    }

    fn side(&self, only_here: Vec<String>) -> Side {
        Side { robotspec: self.robotspec.clone(), editions: self.editions.clone(), only_here }
    }

    fn names(&self) -> Vec<&str> {
        self.implementations.iter().map(|(info, _)| info.name.as_str()).collect()
    }
}

impl Diff {
    /// Compares two runs that were written as events.
    ///
    /// # Errors
    ///
    /// A file is no stream of events, or was cut off.
    pub fn read(old: &Path, new: &Path) -> Result<Self, FileError> {
        let (old, new) = (Record::read(old)?, Record::read(new)?);
        let editions: BTreeSet<EditionId> = old.editions.intersection(&new.editions).copied().collect();
        let (old_names, new_names) = (old.names(), new.names());
        let are_single = old_names.len() == 1 && new_names.len() == 1;
        let only = |names: &[&str], others: &[&str]| -> Vec<String> {
            let only = names.iter().filter(|name| !are_single && !others.contains(name));
            only.map(|name| (*name).to_owned()).collect()
        };
        let pair = |(info, checks): &(Info, Vec<CheckFinished>)| {
            let same = old.implementations.iter().find(|(old, _)| are_single || old.name == info.name)?;
            Some(ImplementationDiff::new(same, (info, checks), &editions))
        };
        Ok(Diff {
            format: FORMAT,
            old: old.side(only(&old_names, &new_names)),
            new: new.side(only(&new_names, &old_names)),
            implementations: new.implementations.iter().filter_map(pair).collect(),
        })
    }

    /// Whether something fails that did not.
    pub fn has_new_failure(&self) -> bool {
        self.implementations.iter().any(|implementation| !implementation.newly_fails.is_empty())
    }
}

impl ImplementationDiff {
    fn new(
        (old_info, old_checks): &(Info, Vec<CheckFinished>),
        (new_info, new_checks): (&Info, &[CheckFinished]),
        editions: &BTreeSet<EditionId>,
    ) -> Self {
        let mut diff = ImplementationDiff {
            old: old_info.clone(),
            new: new_info.clone(),
            newly_fails: Vec::new(),
            newly_passes: Vec::new(),
            fails_differently: Vec::new(),
            changed: Vec::new(),
            only_in_old: Vec::new(),
            only_in_new: Vec::new(),
        };
        let judged = |check: &'_ CheckFinished| -> Vec<(EditionId, Judged)> {
            let here = check.editions.iter().filter(|(edition, _)| editions.contains(edition));
            here.map(|(edition, judged)| (*edition, judged.clone())).collect()
        };
        let mut before: HashMap<(&str, EditionId), Judged> = HashMap::new();
        for check in old_checks {
            before.extend(
                judged(check).into_iter().map(|(edition, judged)| ((check.id.as_str(), edition), judged)),
            );
        }
        for check in new_checks {
            for (edition, new) in judged(check) {
                match before.remove(&(check.id.as_str(), edition)) {
                    Some(old) => diff.take(check, edition, old, new),
                    None => {
                        diff.only_in_new.push(Finding { id: check.id.clone(), edition, status: new.status })
                    }
                }
            }
        }
        for check in old_checks {
            for edition in check.editions.keys() {
                if let Some(old) = before.get(&(check.id.as_str(), *edition)) {
                    let (id, edition, status) = (check.id.clone(), *edition, old.status);
                    diff.only_in_old.push(Finding { id, edition, status });
                }
            }
        }
        diff
    }

    fn take(&mut self, check: &CheckFinished, edition: EditionId, old: Judged, new: Judged) {
        if (old.status, &old.got) == (new.status, &new.got) {
            return;
        }
        let is_admitted = |judged: &Judged| matches!(judged.status, Status::Pass | Status::Unspecified);
        let changes = match (old.status.is_failure(), new.status.is_failure()) {
            (false, true) => &mut self.newly_fails,
            (true, true) => &mut self.fails_differently,
            (true, false) if is_admitted(&new) => &mut self.newly_passes,
            (_, false) => &mut self.changed,
        };
        changes.push(Change { id: check.id.clone(), clause: check.clause.clone(), edition, old, new });
    }
}
