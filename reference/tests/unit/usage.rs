//! Tests of the private parts of `src/usage.rs`.

use super::*;

#[test]
fn the_last_of_members_with_one_key_counts() {
    let members = |value: &str| Vec::from_iter(preferences([value]));
    assert_eq!(members("train-ai=n, search=y,train-ai=y"), ["search=y", "train-ai=y"]);
    assert_eq!(members("no training"), ["no training"]);
    assert!(members(" ").is_empty());
}
