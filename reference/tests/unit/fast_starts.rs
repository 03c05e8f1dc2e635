//! Tests of the private parts of `src/fast/starts.rs`.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(9309),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_near_starts_are_those_that_a_look_at_each_finds(
        paths in proptest::collection::vec("/[ab]{0,4}|[*]", 0..30),
        url in "/[ab]{0,5}",
        is_open in any::<bool>(),
    ) {
        let is_near = |rule: &usize| {
            let start = settled_start_of_rule(paths[*rule].as_bytes());
            url.as_bytes().starts_with(start) || is_open && start.starts_with(url.as_bytes())
        };
        let starts = Starts::new(paths.iter().map(|path| path.as_bytes()));
        let mut near = starts.near((url.as_bytes(), is_open));
        near.sort_unstable();
        prop_assert_eq!(near, Vec::from_iter((0..paths.len()).filter(is_near)));
    }
}
