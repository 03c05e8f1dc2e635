//! Failures by row and by clause.

use std::collections::BTreeMap;
use std::sync::Arc;

use robotspec::event::{CheckFinished, Event, Judgement, Status};
use robotspec::failing::{FailingRow, FailureCounts, by_clause, failing_rows};
use robotspec::{Answer, Edition, Info, Level, RunRecord, Verdict};
use robotspec_cases::Expected;
use robotspec_reference::Ruling;

/// Returns the record of an implementation that fails these checks.
fn record_of(failing: &[&str]) -> RunRecord {
    let judgement = Judgement {
        status: Status::Fail,
        level: Level::Must,
        expected: Expected::Ruling(Ruling::Allow),
        got: Ok(Answer::Match(Verdict::Disallow)),
        known: None,
    };
    let editions = Arc::new(BTreeMap::from([(Edition::Rfc9309, judgement)]));
    let finished = |id: &&str| {
        Event::CheckFinished(CheckFinished {
            implementation: "a".into(),
            id: id.parse().expect("an id"),
            clause: "M-star".into(),
            editions: Arc::clone(&editions),
        })
    };
    let start = Event::ImplementationStarted { info: Info::named("a"), source: Default::default() };
    RunRecord::of(std::iter::once(start).chain(failing.iter().map(finished)))
}

#[test]
fn a_variant_stands_for_the_others_where_the_row_itself_passes() {
    let record = record_of(&["s/c#a", "s/c#a~cr", "s/c#b~crlf", "s/c#a~bom", "s/c#b~cr", "s/c#c"]);
    let rows = failing_rows(record.implementations[0].failures());
    let described =
        rows.iter().map(|row| format!("{} {}", row.example.id, row.describe_others().unwrap_or_default()));
    let expected = ["s/c#a and in 2 variants: cr, bom", "s/c#b~crlf and in 1 other variant: cr", "s/c#c "];
    assert_eq!(described.collect::<Vec<_>>(), expected);
}

#[test]
fn a_failure_in_variants_only_is_reported_under_the_clause_of_the_variant() {
    let record = record_of(&["s/c#a~cr", "s/c#b", "s/c#b~cr", "s/c#c~cr", "s/c#c~bom"]);
    let record = &record.implementations[0];
    let clauses = by_clause(record, record.failures());
    let ids = |rows: &[FailingRow]| rows.iter().map(|row| format!(" {}", row.example.id)).collect::<String>();
    let mut described: Vec<String> =
        clauses.iter().map(|of| format!("{}:{}", of.clause, ids(&of.new))).collect();
    described.sort();
    assert_eq!(described, ["L-bom: s/c#c~bom", "L-eol: s/c#a~cr s/c#c~cr", "M-star: s/c#b"]);
}

#[test]
fn a_row_and_its_variants_count_once() {
    let counts = FailureCounts::of(&record_of(&["s/c#a", "s/c#a~cr", "s/c#b~cr", "s/c#b~bom"]), |_| true);
    assert_eq!(counts.describe("new "), ["1 row (+1 when rewritten) with new violations"]);
    assert_eq!(counts.violations.sum(), 2);
}
