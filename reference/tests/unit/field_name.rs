//! Tests of the private parts of `src/field_name.rs`.

use super::*;
use crate::scan::RuleKind;

#[test]
fn an_edit_changes_one_character_of_any_number_of_bytes() {
    assert_eq!(misspelt_fields("sitemap€€".as_bytes()), [Field::Sitemap]);
    assert_eq!(misspelt_fields("€iteMa€".as_bytes()), [Field::Sitemap]);
    assert_eq!(misspelt_fields("sitemap€€€".as_bytes()), []);
}

#[test]
fn a_misspelling_of_two_fields_is_nearer_to_one() {
    let [allow, disallow] = [RuleKind::Allow, RuleKind::Disallow].map(Field::Rule);
    assert_eq!(misspelt_fields(b"sallow"), [allow, disallow]);
    assert_eq!(misspelt_fields(b"isallow"), [disallow, allow]);
}
