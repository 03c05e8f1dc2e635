//! `robotspec run --adapter`.

use crate::support::{FEW, folder, outcome_of, run, run_in};

#[test]
fn the_example_adapter_passes_every_check_that_the_edition_specifies() {
    let done = run("run --adapter adapter --no-variants --edition rfc9309 --format jsonl");
    let last = outcome_of(&done.stdout);
    assert_eq!(done.code, Some(0), "{last}");
    let of = |status: &str| last["totals"][status].as_u64().unwrap_or_default();
    assert!(of("pass") > 1000 && of("unspecified") > 0 && of("not-supported") > 0, "{last}");
    assert_eq!(of("not-run") + of("error") + of("crash"), 0, "{last}");
}

#[test]
fn the_time_limit_of_a_request_is_not_that_of_the_start() {
    let done = run(
        "run --filter id:path-values/fish#exact --timeout 0.4 --adapter 'misbehaving_adapter greets-late'",
    );
    assert_eq!(done.code, Some(0), "{}", done.transcript());
}

#[test]
fn nothing_is_said_about_known_failures_whose_checks_were_not_run() {
    let list = "known-failures:\n  - reason: It is so.\n    rows: [path-values/fish#exact]\n";
    let folder = folder(&[("known.yaml", list), ("few.yaml", FEW)]);
    let run =
        "run --suite few.yaml --known-failures known.yaml --adapter 'misbehaving_adapter exits-before-hello'";
    let done = run_in(folder.path(), run);
    assert_eq!(done.code, Some(3), "{}", done.transcript());
    assert!(!done.stdout.contains("out of date"), "{}", done.stdout);
}
