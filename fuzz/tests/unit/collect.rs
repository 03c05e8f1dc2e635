//! Tests of the private parts of `src/search/collect.rs`.

use super::*;
use crate::generate::Shares;

#[test]
fn divergences_that_look_alike_are_sampled_in_files() {
    let minimised = |source| (1..=1024).filter(|&times| is_minimised(times, &source)).collect::<Vec<_>>();
    assert_eq!(minimised(Source::Generated(Shares::default())), [1, 2, 3]);
    let in_files = minimised(Source::Files(Vec::new()));
    assert_eq!(in_files[..16], (1..=16).collect::<Vec<_>>());
    assert_eq!(in_files.iter().filter(|&&times| times > 512).count(), 8);
}
