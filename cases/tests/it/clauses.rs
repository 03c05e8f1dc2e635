//! The clauses, and the levels of checks that depend on them.

use std::path::Path;

use datatest_stable::Result;
use robotspec_cases::yaml::Document;
use robotspec_cases::{Clause, FileError, Level};
use robotspec_reference::Edition;

pub(crate) fn every_clause_has_its_own_id_and_states_only_what_is_not_implied(
    file: &Path,
    text: String,
) -> Result<()> {
    let read: std::result::Result<(Vec<Clause>, _), FileError> = Document::read(file, &text);
    assert_eq!(read.map(|_| ()), Ok(()), "no key occurs twice");
    for (index, clause) in Clause::all().iter().enumerate() {
        let id = &clause.id;
        assert!(Clause::all()[..index].iter().all(|earlier| earlier.id != *id), "{id} occurs twice");
        let has_quoted = clause.quotes.keys().all(|edition| clause.editions.contains_key(edition));
        assert!(has_quoted, "{id} quotes an edition that does not have it");
        for (&edition, level) in &clause.levels {
            assert!(clause.section(edition).is_some(), "{edition} does not have {id}");
            assert_ne!(*level, Level::Must, "the level of {id} in {edition} is the default");
        }
    }
    Ok(())
}

pub(crate) fn every_clause_of_the_rfc_that_cases_can_test_quotes_it(_clauses: &Path) -> Result<()> {
    let missing = Clause::all().iter().filter(|clause| {
        let is_tested = clause.untestable.is_none() && clause.editions.contains_key(&Edition::Rfc9309);
        is_tested && !clause.quotes.contains_key(&Edition::Rfc9309)
    });
    assert_eq!(missing.map(|clause| &*clause.id).collect::<Vec<_>>(), [""; 0]);
    Ok(())
}

pub(crate) fn the_weakest_level_counts_and_a_permission_only_alone(_clauses: &Path) -> Result<()> {
    use Level::{May, Must, Should};
    assert_eq!(Level::weakest([Must, Should, Must]), Should);
    assert_eq!(Level::weakest([May, Must]), Must);
    assert_eq!(Level::weakest([Should, May]), Should);
    assert_eq!(Level::weakest([May]), May);
    Ok(())
}
