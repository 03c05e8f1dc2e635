//! The variants of files.

use std::path::Path;

use datatest_stable::Result;
use robotspec_cases::Variant::{self, *};

fn rewritten(variant: Variant, text: &str) -> Option<String> {
    variant.rewrite(text.as_bytes()).map(|file| String::from_utf8(file.to_vec()).expect("UTF-8"))
}

const TWO_GROUPS: &str =
    "user-agent: a\ndisallow: /x\nallow: /y\n\nuser-agent: b\nuser-agent: c\ndisallow: /\n";

pub(crate) fn rules_are_reversed_within_their_group_and_groups_as_a_whole(_clauses: &Path) -> Result<()> {
    assert_eq!(
        rewritten(ReversedRules, TWO_GROUPS).as_deref(),
        Some("user-agent: a\nallow: /y\ndisallow: /x\n\nuser-agent: b\nuser-agent: c\ndisallow: /\n")
    );
    assert_eq!(
        rewritten(ReversedGroups, TWO_GROUPS).as_deref(),
        Some("user-agent: b\nuser-agent: c\ndisallow: /\nuser-agent: a\ndisallow: /x\nallow: /y\n\n")
    );
    Ok(())
}

pub(crate) fn consecutive_user_agent_lines_stay_together(_clauses: &Path) -> Result<()> {
    let file = rewritten(UnrelatedGroup, "user-agent: b\ndisallow: /\n").expect("rewritten");
    assert_eq!(file.matches("robotspec-unrelated").count(), 2);
    let file = rewritten(BlankLines, TWO_GROUPS).expect("rewritten");
    assert!(file.contains("user-agent: b\nuser-agent: c\n \t\ndisallow"), "{file:?}");
    Ok(())
}

pub(crate) fn a_file_that_might_mean_something_else_or_would_not_change_has_no_variant(
    _clauses: &Path,
) -> Result<()> {
    let moving = [ReversedRules, DoubledRules, ReversedGroups, UnrelatedGroup];
    for (variants, file) in [
        // Lines with an unspecified meaning.
        (&moving[..], "user-agent: a\ndissallow: /x\nallow: /y\ndisallow: /z\n"),
        (&moving, "user-agent: a b\nallow: /y\ndisallow: /z\n"),
        // A group has no rule, or an agent has two groups.
        (&[ReversedGroups, UnrelatedGroup], "user-agent: a\ndisallow: /x\nuser-agent: b\n"),
        (&[ReversedGroups], "user-agent: a\ndisallow: /x\nuser-agent: A\ndisallow: /y\n"),
        (&[UnrelatedGroup], "disallow: /x\nuser-agent: b\ndisallow: /\n"),
        // Nothing changes.
        (&[ReversedRules], "user-agent: a\ndisallow: /x\n"),
        (&[Crlf], "user-agent: a"),
    ] {
        for variant in variants {
            assert_eq!(rewritten(*variant, file), None, "{} {file:?}", variant.id());
        }
    }
    Ok(())
}
