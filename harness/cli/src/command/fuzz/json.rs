//! The output of the fuzzer for programs: one object per line.

use std::collections::BTreeMap;
use std::path::Path;

use robotspec_fuzz::{Finding, Report, SearchPlan, Unrepeated};
use serde_json::{Value, json};

use super::{by_frequency, levels};

pub(super) fn found(finding: &Finding, is_known: bool, file: Option<&Path>) -> Value {
    let answer = |choice: robotspec_reference::Choice| json!({ "question": choice.question.id(), "answer": choice.id() });
    json!({
        "event": "found",
        "implementation": finding.class.implementation,
        "finding": finding.class.to_string(),
        "row": finding.row().map(|row| row.to_string()),
        "kind": finding.class.kind,
        "clause": finding.class.clause,
        "in-play": finding.class.in_play,
        "answers": finding.class.answers.map(answer),
        "unexplained": finding.class.is_unexplained(),
        "editions": finding.editions,
        "levels": levels(finding),
        "request": &finding.query,
        "expected": finding.describe_expected(),
        "against": &finding.against,
        "because": finding.reasons(),
        "got": finding.describe_got(),
        "after": finding.after,
        "file": file.map(|file| file.to_string_lossy()),
        "known": is_known,
    })
}

pub(super) fn finished(plan: &SearchPlan, report: &Report, new: usize) -> Value {
    let tally = &report.tally;
    let questions: BTreeMap<&str, &u64> =
        tally.questions.iter().map(|(question, count)| (question.id(), count)).collect();
    let findings = by_frequency(report).into_iter().map(|finding| {
        json!({
            "implementation": finding.class.implementation,
            "finding": finding.class.to_string(),
            "times": report.divergences.get(&finding.class),
        })
    });
    let accuracy = report.accuracy.iter().map(|((edition, implementation), accuracy)| {
        json!({
            "implementation": implementation,
            "version": report.versions.get(implementation),
            "edition": edition,
            "inputs": accuracy.inputs,
            "wrong-inputs": accuracy.wrong_inputs,
            "queries": accuracy.queries,
            "wrong-queries": accuracy.wrong_queries,
            "unanswered": accuracy.unanswered,
        })
    });
    json!({
        "event": "fuzz-finished",
        "seed": plan.seed,
        "editions": plan.editions,
        "inputs": report.inputs,
        "checks": report.checks,
        "accuracy": accuracy.collect::<Vec<_>>(),
        "seconds": report.elapsed.as_secs_f64(),
        "sampled": tally.sampled,
        "matched": tally.matched,
        "in-conflict": tally.in_conflict,
        "open": tally.unspecified,
        "clauses": tally.clauses,
        "questions": questions,
        "unexamined": report.unexamined,
        "skipped": report.skipped,
        "interrupted": report.is_interrupted,
        "depends-on-earlier": unrepeated(&report.dependent),
        "flaky": unrepeated(&report.flaky),
        "findings": findings.collect::<Vec<_>>(),
        "not-known": new,
        "incomplete": report.incomplete,
    })
}

fn unrepeated(reports: &BTreeMap<String, Unrepeated>) -> BTreeMap<&str, Value> {
    let entry = |report: &Unrepeated| json!({ "times": report.count, "requests": &report.queries });
    reports.iter().map(|(name, report)| (name.as_str(), entry(report))).collect()
}
