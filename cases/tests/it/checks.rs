//! The names of checks, their levels, and the shards that they are divided into.

use std::path::Path;

use datatest_stable::Result;
use robotspec_cases::shard::{Shard, stable_hash};
use robotspec_cases::suite::built_in;
use robotspec_cases::{CheckId, Level, checks, select_checks};
use robotspec_reference::Edition;

pub(crate) fn every_form_of_an_id_is_read_and_written_alike(_clauses: &Path) -> Result<()> {
    for text in ["path-values/fish#a", "path-values/fish#a~cr", "sitemaps/two", "sitemaps/two~bom"] {
        assert_eq!(text.parse::<CheckId>().expect("an id").to_string(), text);
    }
    Ok(())
}

pub(crate) fn other_texts_are_refused_with_a_reason(_clauses: &Path) -> Result<()> {
    for text in ["", "a", "a/", "/b#c", "a/b#", "A/b#c", "a/b#c d", "a/b#c~nonesuch", "a/b/c"] {
        let error = text.parse::<CheckId>().expect_err("not an id").to_string();
        assert!(error.starts_with(&format!("`{text}` is not the id of a check: ")), "{error}");
    }
    Ok(())
}

fn level_of(id: &str, edition: Edition) -> Level {
    let suites = built_in().expect("the embedded suites are sound");
    let found = select_checks(suites, true, &Edition::ALL, |check| check.id.to_string() == id);
    found.first().expect("a check").level(edition)
}

pub(crate) fn a_list_of_sitemaps_is_only_permitted_whatever_else_its_row_is_about(
    _clauses: &Path,
) -> Result<()> {
    assert_eq!(level_of("sitemaps/before-the-groups", Edition::Rfc9309), Level::May);
    assert_eq!(level_of("sitemaps/before-the-groups", Edition::Rfc9309Aipref), Level::May);
    assert_eq!(level_of("sitemaps/before-the-groups", Edition::Google2021), Level::Must);
    Ok(())
}

pub(crate) fn a_variant_is_as_strong_as_the_clause_of_its_rewriting(_clauses: &Path) -> Result<()> {
    assert_eq!(level_of("koster-1996/first-match#longer", Edition::Koster1996), Level::Must);
    assert_eq!(level_of("path-values/fish#exact", Edition::Koster1996), Level::Must);
    assert_eq!(level_of("path-values/fish#exact~cr", Edition::Koster1996), Level::Should);
    assert_eq!(level_of("path-values/fish#exact~cr", Edition::Rfc9309), Level::Must);
    Ok(())
}

pub(crate) fn a_failure_breaks_the_clause_with_the_level_of_its_check(_clauses: &Path) -> Result<()> {
    let suites = built_in().expect("the embedded suites are sound");
    let broken = |id: &str, edition| {
        let found = select_checks(suites, false, &Edition::ALL, |check| check.id.to_string() == id);
        found.first().expect("a check").broken_clause(edition).expect("a clause").id.clone()
    };
    assert_eq!(broken("alike/rules-twice#exact", Edition::Rfc9309), "O-longest");
    assert_eq!(broken("alike/rules-twice#exact", Edition::Google2026), "O-duplicates");
    Ok(())
}

fn shard(text: &str) -> Shard {
    text.parse().expect("a shard")
}

pub(crate) fn every_check_is_in_one_shard_and_shards_have_similar_sizes(_clauses: &Path) -> Result<()> {
    let checks = checks(built_in().expect("the cases"), true);
    for count in [1, 2, 3, 4, 7, 16] {
        let shards: Vec<Shard> = (1..=count).map(|index| shard(&format!("{index}/{count}"))).collect();
        for check in &checks {
            let homes = shards.iter().filter(|shard| shard.has(&check.id)).count();
            assert_eq!(homes, 1, "{} of {count}", check.id);
        }
        let fair = checks.len() / count;
        for shard in shards {
            let size = checks.iter().filter(|check| shard.has(&check.id)).count();
            assert!((fair / 2..=fair * 3 / 2).contains(&size), "{size} of {fair} in {shard:?}");
        }
    }
    Ok(())
}

pub(crate) fn a_check_never_moves_to_another_shard(_clauses: &Path) -> Result<()> {
    assert_eq!(stable_hash("path-values/fish#exact"), 11_378_012_659_672_509_985);
    assert_eq!(stable_hash(""), 0xcbf2_9ce4_8422_2325 ^ 0xcbf2_9ce4);
    Ok(())
}

pub(crate) fn other_texts_are_refused(_clauses: &Path) -> Result<()> {
    for text in ["", "1", "0/2", "3/2", "1/0", "0/0", "a/b", "1/2/3", "-1/2", "1/4294967296"] {
        assert_eq!(
            text.parse::<Shard>(),
            Err("write `i/n`, such as `2/4` for the second of four shares"),
            "{text}"
        );
    }
    Ok(())
}
