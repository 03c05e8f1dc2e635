//! Tests of the private parts of `src/pattern.rs`.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::edition::Edition;
use crate::fast::path::Sieve;
use crate::fast::starts::Starts;
use crate::reading::{Explorer, common_outcome, explore};

/// Texts in which patterns and paths often meet, and that raise every question about them.
fn path() -> impl Strategy<Value = String> {
    proptest::string::string_regex("/([/a.?]|:|[*$%]|[*]a|%4a|é|a/(%2e){2}){0,5}")
        .expect("a regular expression")
}

/// The same, with or without its slash.
fn value() -> impl Strategy<Value = String> {
    (path(), any::<bool>()).prop_map(|(path, has_slash)| path[usize::from(!has_slash)..].to_owned())
}

#[test]
fn a_text_with_more_bytes_than_a_path_may_match_a_part_of_its_escapes() {
    let (pattern, target) =
        (Pattern::parse(b"/*C3%A".as_slice().into(), false), Target::of("/%C3%A9").expect("a path"));
    let matches = |explorer: &mut Explorer| pattern.matches_in_detail(&target, explorer);
    assert_eq!(common_outcome(&mut Explorer::new(Edition::Rfc9309), matches), None);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        rng_seed: RngSeed::Fixed(9309),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_plain_pattern_matches_the_same_in_every_reading(value in path(), url in path()) {
        let pattern = Pattern::parse(value.as_bytes().into(), false);
        let target = Target::of(&url).expect("a path");
        for edition in Edition::ALL {
            let mut explorer = Explorer::new(edition);
            if !pattern.plain.is_some_and(|plain| plain.is_plain_for(target.plainness(), &explorer)) {
                continue;
            }
            let in_detail =
                common_outcome(&mut explorer, |explorer| pattern.matches_in_detail(&target, explorer));
            prop_assert_eq!(in_detail, Some(pattern.matches(&target, &mut Explorer::new(edition))));
        }
    }

    #[test]
    fn a_path_that_a_pattern_matches_passes_its_sieve(value in value(), url in path()) {
        let target = Target::of(&url).expect("a path");
        let is_near = !Starts::new([value.as_bytes()].into_iter()).near(target.settled_start()).is_empty();
        let may_match = is_near && target.sieve().may_match(Sieve::of_pattern(value.as_bytes()).0);
        for has_assumed_slash in [false, true] {
            let has_assumed_slash = has_assumed_slash && !value.starts_with('/');
            let pattern = Pattern::parse(value.as_bytes().into(), has_assumed_slash);
            for edition in Edition::ALL {
                let explored = explore(
                    &mut Explorer::new(edition),
                    |explorer| pattern.matches_in_detail(&target, explorer),
                    |_, matches| {
                        assert!(!matches || may_match);
                        std::ops::ControlFlow::Continue(())
                    },
                );
                prop_assert!(explored.is_ok());
            }
        }
    }
}
