//! The examples of the chapters that need other languages.

use super::require;
use crate::docs::{assert_examples, chapters, read};

#[test]
#[ignore = "needs Python"]
fn the_examples_with_python_print_what_the_chapters_show() {
    require("python3", &["--version"]);
    let mut chapters = chapters();
    chapters.retain(|chapter| read(chapter).contains("--adapter 'python3 "));
    assert!(!chapters.is_empty());
    chapters.iter().for_each(|chapter| assert_examples(chapter, true));
}
