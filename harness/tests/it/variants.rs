//! The variants of rows are safe: no reading of an edition answers a file and its variant differently.

use std::collections::BTreeMap;

use robotspec_cases::suite::built_in;
use robotspec_cases::{Check, CheckId, Expected, Query, checks};
use robotspec_reference::{Edition, RobotsTxt, Ruling};

/// Returns the ruling that every reading gives, also one that answers a question for each line separately.
fn ruling_in_detail(check: &Check, edition: Edition) -> Option<Ruling> {
    let Query::Match { robots, agent, url } = &check.query else { return None };
    RobotsTxt::parse(robots).ruling_in_detail(edition, agent, url).ok()
}

#[test]
fn a_variant_has_the_ruling_of_its_row_in_every_reading() {
    let all = checks(built_in().expect("the embedded suites are sound"), true);
    let mut rows: BTreeMap<(CheckId, Edition), Option<Ruling>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for check in &all {
        for (&edition, expected) in &check.expected {
            if matches!(expected, Expected::Ruling(Ruling::Unspecified))
                || !matches!(expected, Expected::Ruling(_))
            {
                continue;
            }
            let ruling = ruling_in_detail(check, edition);
            if check.id.variant.is_none() {
                rows.insert((check.id.clone(), edition), ruling);
            } else if rows.get(&(check.id.as_written(), edition)) != Some(&ruling) {
                wrong.push(format!("{} in {edition}: {ruling:?}", check.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
