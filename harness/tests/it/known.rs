//! Lists of known failures: what they have, and which entries no longer hold.

use std::path::Path;
use std::sync::Arc;

use robotspec::event::{Judgement, Status};
use robotspec::{Answer, FileError, KnownFailures, Level, Verdict};
use robotspec_cases::{CheckId, Expected};
use robotspec_reference::{Edition, Ruling};

const RFC: Edition = Edition::Rfc9309;

fn read(text: &str) -> Result<KnownFailures, FileError> {
    KnownFailures::read(Path::new("list.yaml"), text)
}

fn list(text: &str) -> KnownFailures {
    read(text).expect("a list")
}

fn id(check: &str) -> CheckId {
    check.parse().expect("an id")
}

/// Returns the reason that the list gives for a check, if the check failed.
fn reason_of(known: &mut KnownFailures, check: &str, edition: Edition, failed: bool) -> Option<Arc<str>> {
    let mut judgement = Judgement {
        status: if failed { Status::Fail } else { Status::Pass },
        level: Level::Must,
        expected: Expected::Ruling(Ruling::Allow),
        got: Ok(Answer::Match(if failed { Verdict::Disallow } else { Verdict::Allow })),
        known: None,
    };
    judgement.known = known.take(&id(check), edition, judgement.status);
    judgement.known
}

/// Returns whether the list has a failure of the check, if the check failed.
fn has(known: &mut KnownFailures, check: &str, edition: Edition, failed: bool) -> bool {
    reason_of(known, check, edition, failed).is_some()
}

const ROW_AND_VARIANT: &str = "
known-failures:
  - reason: No wildcards.
    rows: [a/b#c]
  - reason: No byte order mark.
    variants: [bom]
";

#[test]
fn the_reason_names_the_report_to_those_who_maintain_the_implementation() {
    let issue = "https://example.com/issues/1";
    let mut known =
        list(&format!("known-failures: [{{reason: No wildcards., issue: '{issue}', rows: [a/b#c]}}]"));
    let reason = reason_of(&mut known, "a/b#c", RFC, true);
    assert_eq!(reason.as_deref(), Some("No wildcards. (https://example.com/issues/1)"));
}

#[test]
fn an_entry_covers_the_variants_of_its_row_or_every_row_in_its_variant() {
    let mut known = list(ROW_AND_VARIANT);
    for (check, reason) in [
        ("a/b#c", Some("No wildcards.")),
        ("a/b#c~cr", Some("No wildcards.")),
        ("a/b#c~bom", Some("No wildcards.")),
        ("a/b#d~bom", Some("No byte order mark.")),
        ("a/b#d~cr", None),
        ("a/b#d", None),
    ] {
        assert_eq!(reason_of(&mut known, check, RFC, true).as_deref(), reason, "{check}");
    }
}

#[test]
fn a_glob_covers_failing_rows_without_an_entry_of_their_own() {
    let mut known = list(
        "
known-failures:
  - {reason: All of these., rows: ['a/*', 'z/*#?']}
  - {reason: In the RFC., editions: [rfc9309], rows: ['b/*']}
  - {reason: This one., rows: [a/b#c]}
  - {reason: The last., rows: ['*/y#?']}
",
    );
    for (check, reason) in [
        ("a/b#c", Some("This one.")),
        ("a/b#d", Some("All of these.")),
        ("a/y#d", Some("All of these.")),
        ("c/y#d", Some("The last.")),
        ("a/b#d~cr", Some("All of these.")),
        ("c/b#d", None),
    ] {
        assert_eq!(reason_of(&mut known, check, RFC, true).as_deref(), reason, "{check}");
        assert_eq!(known.has_row(&id(check).as_written(), RFC), reason.is_some(), "{check}");
    }
    assert!(!has(&mut known, "a/b#e", RFC, false), "a row that passes does not make the entry stale");
    assert!(!has(&mut known, "b/b#c", Edition::Google2026, true));
    assert!(!has(&mut known, "b/b#c", RFC, false));
    let stale = ["b/* matches no row that still fails", "z/*#? matches no row of these editions"];
    assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| false), stale);
}

#[test]
fn an_entry_is_stale_unless_a_check_fails_because_of_it() {
    let row = "a/b#c no longer fails";
    let variant = "bom: every row that fails in this variant also fails as it is written";
    for (checks, stale) in [
        (&[("a/b#c", false), ("a/b#d~bom", false)][..], &[row, variant][..]),
        // A failing row does not keep an entry for a variant, nor a failing variant an entry for its row.
        (&[("a/b#c", true), ("a/b#c~bom", true)], &[variant]),
        (&[("a/b#c", false), ("a/b#c~bom", true)], &[row]),
        // A row may be listed for a variant.
        (&[("a/b#c", false), ("a/b#c~cr", true), ("a/b#d~bom", true)], &[]),
    ] {
        let mut known = list(ROW_AND_VARIANT);
        for &(check, failed) in checks {
            assert_eq!(has(&mut known, check, RFC, failed), failed, "{check}");
        }
        assert_eq!(known.stale(&Edition::ALL, &Edition::ALL, |_| true), stale, "{checks:?}");
    }
}

#[test]
fn an_entry_that_may_fail_in_an_edition_that_was_not_run_is_not_stale() {
    let stale = |editions: &str, run: &[Edition], about: &[Edition]| {
        let mut known =
            list(&format!("known-failures:\n  - {{reason: No., editions: {editions}, rows: [a/b#c]}}\n"));
        for &edition in run {
            has(&mut known, "a/b#c", edition, false);
        }
        known.stale(run, about, |_| true)
    };
    let gone = ["a/b#c no longer fails"];
    let both = [RFC, Edition::Google2026];
    assert_eq!(stale("[rfc9309]", &[RFC], &Edition::ALL), gone);
    assert_eq!(stale("[rfc9309, google-2026]", &[RFC], &Edition::ALL), [""; 0]);
    assert_eq!(stale("[rfc9309, google-2026]", &both, &Edition::ALL), gone);
    assert_eq!(stale("[google-2026]", &[RFC], &Edition::ALL), [""; 0]);
    assert_eq!(stale("null", &[RFC], &Edition::ALL), [""; 0]);
    // A list may be about one edition only.
    assert_eq!(stale("null", &[RFC], &[RFC]), gone);
    assert_eq!(stale("[rfc9309, google-2026]", &[RFC], &[RFC]), gone);
    // A row that was not judged may be one of another edition.
    let nowhere = list("known-failures:\n  - {reason: No., rows: [a/b#c]}\n");
    assert_eq!(nowhere.stale(&[RFC], &[RFC], |_| true), [""; 0]);
    assert_eq!(
        nowhere.stale(&Edition::ALL, &Edition::ALL, |_| true),
        ["a/b#c is not a row of these editions"]
    );
}

#[test]
fn an_empty_file_is_an_empty_list() {
    for empty in ["", "\n", "# None yet.\n", "known-failures: []\n"] {
        assert_eq!(list(empty).stale(&Edition::ALL, &Edition::ALL, |_| true), [""; 0], "{empty:?}");
    }
    assert!(read("known-failure: []").is_err());
}

#[test]
fn a_run_of_some_suites_finds_stale_entries_for_their_rows() {
    let text = "
known-failures:
  - {reason: Why., rows: [mine/b#c, mine/b#gone, other/b#c, 'mine/*', '*/d#e']}
  - {reason: Why., variants: [bom]}
";
    let mut known = list(text);
    known.limit_to(["mine".into()]);
    has(&mut known, "mine/b#c", RFC, false);
    has(&mut known, "mine/d#e", RFC, false);
    has(&mut known, "mine/d#e~bom", RFC, false);
    let stale = known.stale(&Edition::ALL, &Edition::ALL, |_| false);
    assert_eq!(stale, ["mine/b#c no longer fails", "mine/b#gone is not a row of these editions"]);
}

#[test]
fn an_unknown_row_is_stale_whatever_editions_are_run() {
    let mut known = list("known-failures: [{reason: Why., rows: [a/b#c, a/b#d]}]");
    has(&mut known, "a/b#d", RFC, true);
    // A judged row is a row, even of a suite that is not embedded.
    assert_eq!(known.stale(&[RFC], &[RFC], |_| false), ["a/b#c is not a row of any edition"]);
    assert_eq!(known.stale(&[RFC], &[RFC], |_| true), [""; 0]);
}

#[test]
fn an_entry_holds_in_its_editions() {
    let mut known = list(
        "
known-failures:
  - {reason: One., editions: [rfc9309], rows: [a/b#c]}
  - {reason: Two., editions: [rfc9309], variants: [cr]}
",
    );
    for (edition, is_known) in [(RFC, true), (Edition::Google2026, false)] {
        assert_eq!(has(&mut known, "a/b#c", edition, true), is_known);
        assert_eq!(has(&mut known, "a/b#d~cr", edition, true), is_known);
    }
}

#[test]
fn errors_have_their_place() {
    for (entry, place, message) in [
        ("reason: A., rows: [a/b#c, a/b#c]", "1:45", "`a/b#c` is listed twice; remove one"),
        ("reason: A., rows: ['a/*', 'a/*']", "1:45", "`a/*` is listed twice; remove one"),
        ("reason: A., rows: ['a/[']", "1:38", "error parsing glob 'a/[': unclosed character class"),
        ("reason: A., variants: [cr, cr]", "1:46", "`cr` is listed twice; remove one"),
        ("reason: A., variants: [cr, lf]", "1:46", "unknown variant `lf`; available: crlf, cr, "),
        ("reason: A.", "1:18", "the entry has neither `rows` nor `variants`; add one of them"),
        ("reason: A., rows: [], variants: []", "1:41", "an entry has either `rows` or `variants`"),
        ("reason: ' ', rows: []", "1:19", "the reason is empty; write why these fail"),
        ("reason: A., editions: [rfc], rows: []", "1:42", "unknown edition `rfc`"),
        ("reason: A., issue: '#1', rows: []", "1:31", "`issue` is the address of a report"),
    ] {
        let error = read(&format!("known-failures: [{{{entry}}}]")).expect_err(entry).to_string();
        assert!(error.starts_with(&format!("list.yaml:{place}: {message}")), "{entry}: {error}");
    }
}
