//! The minimal set: few rows that find every known mistake that the rows find.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The list. Tests keep it up to date.
const LIST: &str = include_str!("../minimal.txt");

/// Returns the ids of the rows of the minimal set.
pub fn rows() -> &'static BTreeSet<&'static str> {
    static ROWS: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| LIST.lines().filter(|line| !line.starts_with("# ")).collect());
    &ROWS
}
