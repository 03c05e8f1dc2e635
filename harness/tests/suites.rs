//! Every file of cases, against the reference, in every edition.

use std::path::Path;

use robotspec::builtin::Reference;
use robotspec::event::{Event, Status};
use robotspec::suite::{checks, load};
use robotspec::{KnownFailures, Plan, Subject, run};
use robotspec_reference::Edition;

/// The reference answers every row as its edition expects.
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

datatest_stable::harness! {
    { test = reference_passes, root = "../cases/suites", pattern = r"^.*\.yaml$" },
}
