//! The record of the runs, as the page contains it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use robotspec::event::{CheckFinished, Judgement, Judgements};
use robotspec::inference::{Probe, Profile, probes_of, simplest};
use robotspec::{ImplementationRecord, RunRecord, describe_other_rows};
use robotspec_cases::{CheckId, Variant};
use robotspec_reference::Edition;
use serde_json::{Value, json};

use crate::report::Catalog;
use crate::report::reading;

/// The number of deciding lines that an expectation keeps.
const LINES_KEPT: usize = 20;

/// Returns the document of a record, with the rows in the order of the suites.
pub(super) fn document(record: &RunRecord, catalog: &Catalog) -> Value {
    let order: HashMap<&CheckId, usize> = catalog.rows().checks.iter().map(|row| &row.id).zip(0..).collect();
    let mut seen = HashSet::new();
    let rows = record.implementations.iter().flat_map(ImplementationRecord::rows);
    let mut rows: Vec<&CheckFinished> = rows.filter(|row| seen.insert(&row.id)).collect();
    rows.sort_by_key(|row| order.get(&row.id).copied().unwrap_or(usize::MAX));
    let probes = probes_of(catalog.suites, |_| true);
    let mut places = Places::default();
    let document = |record| of_implementation(record, &rows, catalog, &probes, &mut places);
    let implementations: Vec<Value> = record.implementations.iter().map(document).collect();
    json!({
        // The editions that judged.
        "editions": record.editions,
        // The weakest level of failures that fail the runs.
        "level": record.level(),
        // The rows, those of the suites first, with the clause that each is reported under.
        "rows": rows.iter().map(|row| json!({ "id": row.id, "clause": row.clause })).collect::<Vec<_>>(),
        "judgements": places.judgements,
        "implementations": implementations,
        "realFiles": catalog.real_files,
    })
}

fn of_implementation(
    record: &ImplementationRecord,
    rows: &[&CheckFinished],
    catalog: &Catalog,
    probes: &[Probe],
    places: &mut Places,
) -> Value {
    let mut place = |id: &CheckId| record.find(id).map(|check| places.place(&check.editions));
    let judged = |row: &&CheckFinished| {
        let judgements = place(&row.id)?;
        let variants = Variant::ALL.into_iter();
        let variants = variants.filter_map(|variant| Some((variant, place(&row.id.with_variant(variant))?)));
        Some(json!({ "judgements": judgements, "variants": variants.collect::<BTreeMap<_, _>>() }))
    };
    let mut document = json!(record.info);
    // Whether `robotspec run` knows the implementation by its name.
    document["isBuiltIn"] = robotspec_built_in::find(&record.info.name).is_some().into();
    document["isComplete"] = record.is_complete().into();
    document["incidents"] = record.incidents.iter().map(ToString::to_string).collect();
    document["likelyCauses"] = json!(record.likely_causes);
    // How many rows fail for other reasons, in words.
    document["otherRows"] = describe_other_rows(&record.likely_causes, record, &catalog.checks).into();
    document["staleKnownFailures"] = json!(record.stale_known_failures);
    // How it reads the texts, as far as its rows show it.
    document["readings"] = readings(record, probes).into();
    // For each row of the record, the places of the judgements of this implementation, if there are any.
    document["rows"] = rows.iter().map(judged).collect();
    document
}

/// Returns how an implementation reads the texts. Where it answers differently in different editions, as the reference does,
/// it reads each as it is written.
fn readings(record: &ImplementationRecord, probes: &[Probe]) -> Vec<Value> {
    let answer = |probe: &Probe| {
        let mut got = record.find(&probe.row)?.editions.values().map(|judgement| &judgement.got);
        let first = got.next()?;
        got.all(|other| other == first).then(|| first.clone())
    };
    let probes = simplest(probes.iter().filter(|probe| answer(probe).is_some()));
    let answers = probes.into_iter().filter_map(|probe| Some((probe, answer(probe)?)));
    reading::documents(&Profile::infer(answers))
}

/// The judgements of rows, each once, because few different ones occur. A record shares those that are alike.
#[derive(Default)]
struct Places {
    places: HashMap<*const Judgements, usize>,
    judgements: Vec<BTreeMap<Edition, Value>>,
}

impl Places {
    fn place(&mut self, judgements: &Arc<Judgements>) -> usize {
        *self.places.entry(Arc::as_ptr(judgements)).or_insert_with(|| {
            let document = |judgement: &Judgement| {
                let mut document = json!(judgement);
                // The answer or the fault, in words.
                document["text"] = judgement.describe_got().into();
                // In a large file, thousands of equal rules may be said to decide.
                if let Some(Value::Array(lines)) = document.pointer_mut("/expected/decided/lines") {
                    lines.truncate(LINES_KEPT);
                }
                document
            };
            let documents = judgements.iter().map(|(edition, judgement)| (*edition, document(judgement)));
            self.judgements.push(documents.collect());
            self.judgements.len() - 1
        })
    }
}
