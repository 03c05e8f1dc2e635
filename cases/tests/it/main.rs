//! Checks the reference against every file of cases, in every edition.

mod questions;
mod suites;

use questions::every_unanswered_question_has_a_row;
use suites::{reference_explains, reference_passes, says_what_it_tests};

datatest_stable::harness! {
    { test = reference_passes, root = "suites", pattern = r"\.yaml$" },
    { test = reference_explains, root = "suites", pattern = r"\.yaml$" },
    { test = reference_passes, root = "regressions", pattern = r"\.yaml$" },
    { test = says_what_it_tests, root = "suites", pattern = r"\.yaml$" },
    { test = says_what_it_tests, root = "regressions", pattern = r"\.yaml$" },
    { test = every_unanswered_question_has_a_row, root = ".", pattern = r"^clauses\.yaml$" },
}
