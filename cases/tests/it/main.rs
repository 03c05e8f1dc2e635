//! Checks the reference against every file of cases, in every edition, and the reader of the files.

mod checks;
mod clauses;
mod questions;
mod suites;
mod variants;
mod yaml;

use questions::every_unanswered_question_has_a_row;
use suites::{reference_explains, reference_passes, says_what_it_tests};

/// Tests that are about no file alone are listed once, under the clauses.
const ONCE: &str = r"^clauses\.yaml$";

datatest_stable::harness! {
    { test = reference_passes, root = "suites", pattern = r"\.yaml$" },
    { test = reference_explains, root = "suites", pattern = r"\.yaml$" },
    { test = reference_passes, root = "regressions", pattern = r"\.yaml$" },
    { test = says_what_it_tests, root = "suites", pattern = r"\.yaml$" },
    { test = says_what_it_tests, root = "regressions", pattern = r"\.yaml$" },
    { test = every_unanswered_question_has_a_row, root = ".", pattern = ONCE },
    { test = checks::every_form_of_an_id_is_read_and_written_alike, root = ".", pattern = ONCE },
    { test = checks::other_texts_are_refused_with_a_reason, root = ".", pattern = ONCE },
    { test = checks::a_list_of_sitemaps_is_only_permitted_whatever_else_its_row_is_about, root = ".", pattern = ONCE },
    { test = checks::a_variant_is_as_strong_as_the_clause_of_its_rewriting, root = ".", pattern = ONCE },
    { test = checks::a_failure_breaks_the_clause_with_the_level_of_its_check, root = ".", pattern = ONCE },
    { test = checks::every_check_is_in_one_shard_and_shards_have_similar_sizes, root = ".", pattern = ONCE },
    { test = checks::a_check_never_moves_to_another_shard, root = ".", pattern = ONCE },
    { test = checks::other_texts_are_refused, root = ".", pattern = ONCE },
    { test = clauses::every_clause_has_its_own_id_and_states_only_what_is_not_implied, root = ".", pattern = ONCE },
    { test = clauses::every_clause_of_the_rfc_that_cases_can_test_quotes_it, root = ".", pattern = ONCE },
    { test = clauses::the_weakest_level_counts_and_a_permission_only_alone, root = ".", pattern = ONCE },
    { test = variants::rules_are_reversed_within_their_group_and_groups_as_a_whole, root = ".", pattern = ONCE },
    { test = variants::consecutive_user_agent_lines_stay_together, root = ".", pattern = ONCE },
    { test = variants::a_file_that_might_mean_something_else_or_would_not_change_has_no_variant, root = ".", pattern = ONCE },
    { test = yaml::aliases_cannot_repeat_without_an_end, root = ".", pattern = ONCE },
    { test = yaml::deep_nesting_and_long_keys_are_refused_where_they_are, root = ".", pattern = ONCE },
    { test = yaml::a_byte_order_mark_has_no_column, root = ".", pattern = ONCE },
    { test = yaml::escaped_bytes_are_unescaped_to_the_same_bytes, root = ".", pattern = ONCE },
    { test = yaml::what_follows_an_escape_of_a_byte_is_two_digits, root = ".", pattern = ONCE },
    { test = yaml::a_fill_stops_at_its_size, root = ".", pattern = ONCE },
}
