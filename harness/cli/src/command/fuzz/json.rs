//! What a run of the fuzzer tells programs: an object a line.

use serde_json::{Value, json};

use robotspec_cases::suite::Request;
use robotspec_fuzz::{Finding, Plan, Report};

pub(super) fn found(finding: &Finding, is_known: bool) -> Value {
    let explanation = finding.explain();
    json!({
        "event": "found",
        "implementation": finding.class.implementation,
        "finding": finding.class.to_string(),
        "kind": finding.class.kind.id(),
        "clause": finding.class.clause,
        "answers": finding.class.answers.map(|(question, answer)| json!({ "question": question.id(), "answer": answer.id() })),
        "editions": finding.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>(),
        "request": request(&finding.request),
        "expected": finding.expectation(),
        "because": explanation.expected.get(1..).unwrap_or_default(),
        "got": finding.answered(),
        "after": finding.after,
        "known": is_known,
    })
}

fn request(request: &Request) -> Value {
    use base64::Engine;
    let file = |robots: &[u8]| match std::str::from_utf8(robots) {
        Ok(text) => ("robots", text.to_owned()),
        Err(_) => ("robots_base64", base64::engine::general_purpose::STANDARD.encode(robots)),
    };
    match request {
        Request::Match { robots, agent, url } => {
            let (key, value) = file(robots);
            json!({ key: value, "agent": agent, "url": url })
        }
        Request::Alike { robots, twin, agent, url } => {
            let ((key, value), (twin_key, twin_value)) = (file(robots), file(twin));
            json!({ key: value, twin_key.replace("robots", "twin"): twin_value, "agent": agent, "url": url })
        }
        Request::Sitemaps { robots } => {
            let (key, value) = file(robots);
            json!({ key: value })
        }
        Request::Scope { robots_url, url } => json!({ "robots_url": robots_url, "url": url }),
        Request::Access { visits, agent, paths } => json!({
            "visits": visits.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "agent": agent,
            "paths": paths.to_vec(),
        }),
        Request::Grammar { text } => {
            let (key, value) = file(text);
            json!({ key: value })
        }
    }
}

pub(super) fn finished(plan: &Plan, report: &Report, new: usize, gone: &[String]) -> Value {
    let tally = &report.tally;
    let findings = report.findings.iter().map(|finding| {
        json!({
            "implementation": finding.class.implementation,
            "finding": finding.class.to_string(),
            "times": report.departed.get(&finding.class),
        })
    });
    json!({
        "event": "fuzz-finished",
        "seed": plan.seed,
        "editions": plan.editions.iter().map(|edition| edition.id()).collect::<Vec<_>>(),
        "checks": report.checks,
        "seconds": report.elapsed.as_secs_f64(),
        "sampled": tally.sampled,
        "matched": tally.matched,
        "in-conflict": tally.in_conflict,
        "open": tally.open,
        "clauses": tally.clauses,
        "questions": tally.questions.iter().map(|(question, count)| (question.id(), count)).collect::<std::collections::BTreeMap<_, _>>(),
        "unexamined": report.unexamined,
        "findings": findings.collect::<Vec<_>>(),
        "not-known": new,
        "gone": gone,
        "incomplete": report.incomplete,
    })
}
