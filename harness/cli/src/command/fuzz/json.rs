//! The output of the fuzzer for programs: one object per line.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_cases::Query;
use robotspec_fuzz::{Accuracy, Finding, Report, SearchPlan, Unrepeated};
use robotspec_reference::Edition;
use serde_json::{Value, json};

use super::by_frequency;
use super::level::levels;

pub(super) fn found(finding: &Finding, is_known: bool, file: Option<&Path>) -> Value {
    let explanation = finding.explain();
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
        "request": request(&finding.query),
        "expected": finding.describe_expected(),
        "because": explanation.expected.get(1..).unwrap_or_default(),
        "got": finding.describe_got(),
        "after": finding.after,
        "file": file.map(|file| file.to_string_lossy()),
        "known": is_known,
    })
}

fn request(query: &Query) -> Value {
    let file = |robots: &[u8]| match std::str::from_utf8(robots) {
        Ok(text) => ("robots", text.to_owned()),
        Err(_) => ("robots_base64", STANDARD.encode(robots)),
    };
    match query {
        Query::Match { robots, agent, url } | Query::Usage { robots, agent, url } => {
            let (key, value) = file(robots);
            json!({ key: value, "agent": agent, "url": url })
        }
        Query::Alike { robots, twin, agent, url } => {
            let ((key, value), (twin_key, twin_value)) = (file(robots), file(twin));
            json!({ key: value, twin_key.replace("robots", "twin"): twin_value, "agent": agent, "url": url })
        }
        Query::Sitemaps { robots: file_bytes } | Query::Grammar { text: file_bytes } => {
            let (key, value) = file(file_bytes);
            json!({ key: value })
        }
        Query::Scope { robots_url, url } => json!({ "robots_url": robots_url, "url": url }),
        Query::Access { visits, agent, paths } => json!({
            "visits": visits.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "agent": agent,
            "paths": paths.to_vec(),
        }),
    }
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
    json!({
        "event": "fuzz-finished",
        "seed": plan.seed,
        "editions": plan.editions,
        "inputs": report.inputs,
        "checks": report.checks,
        "accuracy": report.accuracy.iter().map(accuracy).collect::<Vec<_>>(),
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

fn accuracy(((edition, implementation), accuracy): (&(Edition, String), &Accuracy)) -> Value {
    json!({
        "implementation": implementation,
        "edition": edition,
        "inputs": accuracy.inputs,
        "wrong-inputs": accuracy.wrong_inputs,
        "queries": accuracy.queries,
        "wrong-queries": accuracy.wrong_queries,
        "unanswered": accuracy.unanswered,
    })
}

fn unrepeated(reports: &BTreeMap<String, Unrepeated>) -> BTreeMap<&str, Value> {
    let entry = |report: &Unrepeated| json!({ "times": report.count, "requests": report.queries.iter().map(request).collect::<Vec<_>>() });
    reports.iter().map(|(name, report)| (name.as_str(), entry(report))).collect()
}
