//! What was answered, gathered from the events of one run or of several.

use std::collections::{BTreeMap, BTreeSet};

use robotspec_reference::Edition;

use crate::report::html::intern::Interner;
use robotspec::event::{CheckFinished, Event, Judged, LikelyCause};
use robotspec::implementation::{Incident, Info};
use robotspec_cases::shard::{Shard, Shards};
use robotspec_cases::suite::{Variant, row_and_variant};

/// How many editions there are.
pub(super) const EDITIONS: usize = Edition::ALL.len();

/// A value for each of [`Edition::ALL`], where there is one.
pub(super) type ByEdition<T> = [Option<T>; EDITIONS];

/// What became of a check in an edition: the place of its status in
/// `Status::ALL`, the text of the answer, whether a list knows it, and why.
pub(super) type Verdict = (u8, u32, bool, Option<u32>);

/// What all implementations answered.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// Every text that occurs.
    pub(super) texts: Interner<String>,
    /// The ids of rows, in the order in which they came.
    pub(super) rows: Interner<String>,
    /// The clause that each row is reported under.
    pub(super) clauses: Vec<u32>,
    /// What each edition expects of each row.
    pub(super) expected: Vec<ByEdition<u32>>,
    /// What came of checks: the same few occur thousands of times.
    pub(super) outcomes: Interner<ByEdition<Verdict>>,
    /// The editions that judged.
    pub(super) editions: BTreeSet<Edition>,
    /// Who answered.
    pub(super) implementations: Vec<Answers>,
    /// Whom the next events are about.
    current: usize,
    /// Which share of the checks the present run has.
    shard: Option<Shard>,
}

/// What one implementation answered.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) info: Info,
    /// Of each row as it is written, the place of its outcome.
    pub(super) rows: BTreeMap<u32, u32>,
    /// Of each rewritten row, the place of its outcome.
    pub(super) variants: BTreeMap<(u32, Variant), u32>,
    pub(super) incidents: Vec<Incident>,
    pub(super) likely: Vec<LikelyCause>,
    pub(super) stale: Vec<String>,
    /// Whether its last run came to its end.
    is_finished: bool,
    shards: Shards,
}

impl Results {
    /// Takes the next event. An implementation that comes again, in the same
    /// version, has what it answered before and what it answers now: so the
    /// parts of a run that was split come together.
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted { editions, shard, .. } => {
                self.shard = *shard;
                self.editions.extend(editions.iter().map(|edition| edition.0));
            }
            Event::ImplementationStarted { info } => self.start(info),
            Event::CheckFinished(check) => self.judge(check),
            Event::Incident { incident, .. } => {
                if let Some(answers) = self.implementations.get_mut(self.current) {
                    answers.incidents.push(incident.clone());
                }
            }
            Event::LikelyCause { likely, .. } => {
                if let Some(answers) = self.implementations.get_mut(self.current) {
                    answers.suspect(likely);
                }
            }
            Event::ImplementationFinished { stale_known_failures, .. } => {
                if let Some(answers) = self.implementations.get_mut(self.current) {
                    answers.stale.extend(stale_known_failures.iter().cloned());
                    answers.is_finished = true;
                }
            }
            Event::RunFinished { .. } => {}
        }
    }

    fn start(&mut self, info: &Info) {
        let is_same =
            |answers: &Answers| answers.info.name == info.name && answers.info.version == info.version;
        self.current = self.implementations.iter().position(is_same).unwrap_or_else(|| {
            self.implementations.push(Answers::new(info));
            self.implementations.len() - 1
        });
        let answers = &mut self.implementations[self.current];
        answers.is_finished = false;
        answers.shards.take(self.shard);
    }

    fn judge(&mut self, check: &CheckFinished) {
        let (row, variant) = row_and_variant(&check.id);
        let row = self.row(row, &check.clause);
        let mut outcome: ByEdition<Verdict> = [None; EDITIONS];
        for (edition, judged) in &check.editions {
            let column = column(edition.0);
            if variant.is_none() {
                self.expected[row as usize][column] = Some(self.texts.text(&judged.expected));
            }
            outcome[column] = Some(self.verdict(judged));
            self.editions.insert(edition.0);
        }
        let outcome = self.outcomes.place(outcome);
        let Some(answers) = self.implementations.get_mut(self.current) else { return };
        match variant {
            None => answers.rows.insert(row, outcome),
            Some(variant) => answers.variants.insert((row, variant), outcome),
        };
    }

    fn row(&mut self, id: &str, clause: &str) -> u32 {
        let row = self.rows.text(id);
        if row as usize == self.clauses.len() {
            self.clauses.push(self.texts.text(clause));
            self.expected.push([None; EDITIONS]);
        }
        row
    }

    fn verdict(&mut self, judged: &Judged) -> Verdict {
        let reason = judged.reason.as_deref().map(|reason| self.texts.text(reason));
        (judged.status as u8, self.texts.text(&judged.got), judged.known, reason)
    }
}

impl Answers {
    /// Of what several runs tell of one cause, that with the most evidence counts.
    fn suspect(&mut self, likely: &LikelyCause) {
        match self.likely.iter_mut().find(|known| known.cause == likely.cause) {
            Some(known) if known.evidence < likely.evidence => known.clone_from(likely),
            Some(_) => {}
            None => self.likely.push(likely.clone()),
        }
    }

    fn new(info: &Info) -> Self {
        Answers {
            info: info.clone(),
            rows: BTreeMap::new(),
            variants: BTreeMap::new(),
            incidents: Vec::new(),
            likely: Vec::new(),
            stale: Vec::new(),
            is_finished: false,
            shards: Shards::default(),
        }
    }

    /// Whether it was asked everything that it was to be asked.
    pub(super) fn are_all(&self) -> bool {
        self.is_finished && self.shards.missing().is_empty()
    }
}

/// The place of an edition in [`Edition::ALL`].
pub(super) fn column(edition: Edition) -> usize {
    Edition::ALL.iter().position(|&other| other == edition).unwrap_or_default()
}
