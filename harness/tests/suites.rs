//! Every file of cases, against the reference, in every edition.

use std::path::Path;

use robotspec::builtin::Reference;
use robotspec::event::{Event, Status};
use robotspec::suite::{Request, Row, Suite, checks, load};
use robotspec::{Clause, KnownFailures, Plan, Subject, run};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::{DecidedBy, Edition, RobotsTxt, RuleKind, Ruling, Verdict};

/// The reference answers every row, and every variant of it, as its edition
/// expects.
fn reference_passes(file: &Path, text: String) -> datatest_stable::Result<()> {
    let suite = load(file, &text)?;
    let plan = Plan {
        checks: checks(std::slice::from_ref(&suite), true),
        editions: Edition::ALL.to_vec(),
        is_whole: false,
        jobs: 1,
    };
    let subject = Subject { implementation: Box::new(Reference::default()), known: KnownFailures::default() };
    let mut failures = Vec::new();
    let outcome = run(&plan, vec![subject], &mut |event| {
        let Event::CheckFinished(check) = event else { return };
        for (edition, judged) in &check.editions {
            if judged.status != Status::Pass {
                let id = edition.0.id();
                failures
                    .push(format!("{} in {id}: expected {}, got {}", check.id, judged.expected, judged.got));
            }
        }
    });
    assert!(outcome.totals.sum() > 0, "{} has no check", file.display());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

/// The reference explains every row: what decided, and where the text leaves
/// it open, the question that the row names.
fn reference_explains(file: &Path, text: String) -> datatest_stable::Result<()> {
    let suite: Suite = load(file, &text)?;
    for row in suite.cases.iter().flat_map(|case| &case.rows) {
        let Request::Match { robots, agent, url } = &row.request else { continue };
        let lines = lines_of(robots);
        for &edition in row.expected.keys() {
            let explanation = RobotsTxt::parse(robots).explain(edition, agent, url)?;
            if let Err(wrong) = is_sound(&explanation, row, &lines) {
                panic!("{} in {edition}: {wrong}\n{explanation:#?}", row.id);
            }
        }
    }
    Ok(())
}

fn is_sound(explanation: &Explanation, row: &Row, lines: &[String]) -> Result<(), String> {
    let decision = &explanation.decision;
    match explanation.ruling {
        Ruling::Unspecified => {
            let names_question = |question| explanation.doubts.iter().any(|doubt| doubt.question == question);
            if !row.questions.iter().any(|&question| names_question(question)) {
                return Err(format!("none of the questions {:?} is named", row.questions));
            }
            for doubt in &explanation.doubts {
                let leads_to = |verdict| doubt.answers.iter().any(|(_, led_to)| *led_to == verdict);
                if !(leads_to(Verdict::Allow) && leads_to(Verdict::Disallow)) {
                    return Err(format!("nothing turns on {}", doubt.question));
                }
            }
        }
        definite => {
            if !explanation.doubts.is_empty() || Ruling::from(decision.verdict) != definite {
                return Err("the plainest reading and the ruling do not agree".to_owned());
            }
        }
    }
    let names_agents = decision.agent_lines.iter().all(|&line| lines[line - 1].contains("agent"));
    if !names_agents {
        return Err("a line that is said to name the agent does not".to_owned());
    }
    if let DecidedBy::Rule { rule, over, .. } = &decision.by {
        let kind = if decision.verdict == Verdict::Allow { RuleKind::Allow } else { RuleKind::Disallow };
        let is_of_other_kind = over.as_ref().is_none_or(|over| over.kind != kind);
        let stands_there = |rule: &robotspec_reference::RuleCitation| {
            decision.lines().contains(&rule.line) && lines[rule.line - 1].contains(&rule.kind.field()[1..4])
        };
        if rule.kind != kind || !is_of_other_kind || !stands_there(rule) || !over.iter().all(stands_there) {
            return Err("the rule that is said to decide does not".to_owned());
        }
    }
    let applied = decision.clauses();
    match applied.iter().find(|id| Clause::find(id).is_none()) {
        Some(id) => Err(format!("there is no clause {id}")),
        None if applied.is_empty() => Err("no clause is named".to_owned()),
        None => Ok(()),
    }
}

/// The lines of a file in lower case.
fn lines_of(file: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(file).replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::to_lowercase).collect()
}

datatest_stable::harness! {
    { test = reference_passes, root = "../cases/suites", pattern = r"^.*\.yaml$" },
    { test = reference_explains, root = "../cases/suites", pattern = r"^.*\.yaml$" },
}
