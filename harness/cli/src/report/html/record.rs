//! The record of the runs, as the page contains it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use robotspec::event::{Judgement, Judgements, LikelyCause};
use robotspec::inference::{Probe, Profile, simplest};
use robotspec::{ImplementationRecord, Info, RunRecord, describe_other_rows};
use robotspec_cases::{CheckId, Level, Variant};
use robotspec_reference::Edition;
use serde::Serialize;
use serde_json::Value;

use crate::report::Catalog;
use crate::report::reading;

/// The record. The rows of an implementation refer to the judgements by their places, because few different ones occur.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecordDocument<'r> {
    /// The editions that judged.
    editions: &'r BTreeSet<Edition>,
    /// The weakest level of failures that fail the runs.
    level: Level,
    /// The rows: those of the suites in their order, then others.
    rows: Vec<RowDocument<'r>>,
    judgements: Vec<BTreeMap<Edition, JudgementDocument<'r>>>,
    implementations: Vec<ImplementationDocument<'r>>,
}

#[derive(Serialize)]
struct RowDocument<'r> {
    id: &'r CheckId,
    /// The clause that the row is reported under.
    clause: &'r str,
}

#[derive(Serialize)]
struct JudgementDocument<'r> {
    #[serde(flatten)]
    judgement: &'r Judgement,
    /// The answer or the fault, in words.
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImplementationDocument<'r> {
    #[serde(flatten)]
    info: &'r Info,
    /// Whether `robotspec run` knows the implementation by its name.
    is_built_in: bool,
    is_complete: bool,
    incidents: Vec<String>,
    likely_causes: &'r [LikelyCause],
    /// How many rows fail for other reasons, in words.
    other_rows: Option<String>,
    stale_known_failures: &'r BTreeSet<String>,
    /// How it reads the texts, as far as its rows show it.
    readings: Value,
    /// For each row of the record, the judgements of this implementation, if there are any.
    rows: Vec<Option<JudgedRow>>,
}

/// The places of the judgements of a row.
#[derive(Serialize)]
struct JudgedRow {
    judgements: usize,
    variants: BTreeMap<Variant, usize>,
}

impl<'r> RecordDocument<'r> {
    /// Returns the document of a record, with the rows of the suites in this order.
    pub(super) fn new(record: &'r RunRecord, order: Vec<&CheckId>, catalog: &Catalog) -> Self {
        let probes = catalog.probes();
        let order: HashMap<&CheckId, usize> = order.into_iter().zip(0..).collect();
        let mut rows: Vec<RowDocument> = Vec::new();
        let mut seen = BTreeSet::new();
        for check in record.implementations.iter().flat_map(ImplementationRecord::rows) {
            if seen.insert(&check.id) {
                rows.push(RowDocument { id: &check.id, clause: &check.clause });
            }
        }
        rows.sort_by_key(|row| order.get(row.id).copied().unwrap_or(usize::MAX));
        let mut places = Places::default();
        let document = |record: &'r ImplementationRecord| {
            ImplementationDocument::new(record, &rows, catalog, &probes, &mut places)
        };
        let implementations = record.implementations.iter().map(document).collect();
        let (editions, level) = (&record.editions, record.level());
        let judgements = places.judgements;
        RecordDocument { editions, level, rows, judgements, implementations }
    }
}

impl<'r> ImplementationDocument<'r> {
    fn new(
        record: &'r ImplementationRecord,
        rows: &[RowDocument],
        catalog: &Catalog,
        probes: &[Probe],
        places: &mut Places<'r>,
    ) -> Self {
        let mut judged_row = |row: &RowDocument| {
            let mut place = |id: &CheckId| record.find(id).map(|check| places.place(&check.editions));
            Some(JudgedRow {
                judgements: place(row.id)?,
                variants: Variant::ALL
                    .into_iter()
                    .filter_map(|variant| Some((variant, place(&row.id.with_variant(variant))?)))
                    .collect(),
            })
        };
        ImplementationDocument {
            info: &record.info,
            is_built_in: robotspec_built_in::find(&record.info.name).is_some(),
            is_complete: record.is_complete(),
            incidents: record.incidents.iter().map(ToString::to_string).collect(),
            likely_causes: &record.likely_causes,
            other_rows: describe_other_rows(&record.likely_causes, record, catalog.checks()),
            stale_known_failures: &record.stale_known_failures,
            readings: readings(record, probes),
            rows: rows.iter().map(&mut judged_row).collect(),
        }
    }
}

/// Returns how an implementation reads the texts. Where it answers differently in different editions, as the reference does,
/// it reads each as it is written.
fn readings(record: &ImplementationRecord, probes: &[Probe]) -> Value {
    let answer = |probe: &Probe| {
        let mut got = record.find(&probe.row)?.editions.values().map(|judgement| &judgement.got);
        let first = got.next()?;
        got.all(|other| other == first).then(|| first.clone())
    };
    let probes = simplest(probes.iter().filter(|probe| answer(probe).is_some()));
    let answers = probes.into_iter().filter_map(|probe| Some((probe, answer(probe)?)));
    serde_json::to_value(reading::documents(&Profile::infer(answers))).unwrap_or_default()
}

/// The judgements, each once. A record shares those that are alike.
#[derive(Default)]
struct Places<'r> {
    places: HashMap<*const Judgements, usize>,
    judgements: Vec<BTreeMap<Edition, JudgementDocument<'r>>>,
}

impl<'r> Places<'r> {
    fn place(&mut self, judgements: &'r Arc<Judgements>) -> usize {
        *self.places.entry(Arc::as_ptr(judgements)).or_insert_with(|| {
            let document =
                |judgement: &'r Judgement| JudgementDocument { judgement, text: judgement.describe_got() };
            self.judgements.push(
                judgements.iter().map(|(edition, judgement)| (*edition, document(judgement))).collect(),
            );
            self.judgements.len() - 1
        })
    }
}
