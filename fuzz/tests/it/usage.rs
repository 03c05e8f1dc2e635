//! Usage preferences: searches find parsers that take them from the wrong place, and accuse no other.

use std::path::Path;

use robotspec::{Edition, Fault, Info, MatchQuery, Parser, Reference, Verdict, status};
use robotspec_cases::suite::{built_in, load};
use robotspec_cases::{Query, checks};
use robotspec_fuzz::generate::Shares;
use robotspec_fuzz::{SearchPlan, Source};

use crate::reading::RandomReading;
use crate::searches::{describe, make, plan, search_quietly};

const EDITION: Edition = Edition::Rfc9309Aipref;

/// Changes the statements of a sound parser, which answers other queries about the file too.
type Change = fn(&mut Reference, &str, MatchQuery) -> Vec<String>;

/// A parser that takes usage preferences from the wrong place, and is sound otherwise.
#[derive(Clone)]
struct Wrong {
    name: &'static str,
    change: Change,
}

fn sound(reference: &mut Reference, file: &str, query: MatchQuery) -> Vec<String> {
    reference.usage(file.as_bytes(), query).ok().flatten().unwrap_or_default()
}

/// Returns the file without the lines of a field.
fn without(file: &str, field: &str) -> String {
    let is_other = |line: &&str| !line.trim_start().to_ascii_lowercase().starts_with(field);
    file.split_inclusive('\n').filter(is_other).collect()
}

const MISTAKES: [(&str, Change); 6] = [
    ("the preferences for every crawler go on in other groups", |reference, file, query| {
        let star = sound(reference, file, MatchQuery { agent: "SomeOtherBot", ..query });
        [sound(reference, file, query), star].concat()
    }),
    ("the preferences are those of the first group", |reference, file, query| {
        let first = file.lines().find_map(|line| line.split_once(':')).map(|(_, agent)| agent.trim());
        sound(reference, file, MatchQuery { agent: first.unwrap_or(query.agent), ..query })
    }),
    ("of several preferences for one path, one counts", |reference, file, query| {
        sound(reference, file, query).into_iter().take(1).collect()
    }),
    ("a URL that must not be fetched has preferences", |reference, file, query| {
        sound(reference, &without(file, "disallow"), query)
    }),
    ("every path of a preference matches", |reference, file, query| {
        let mut all = Vec::new();
        for line in file.lines().filter(|line| line.to_ascii_lowercase().contains("content-usage")) {
            all.extend(line.rsplit_once([' ', '\t', ':']).map(|(_, preference)| preference.to_owned()));
        }
        if sound(reference, file, query).is_empty() { Vec::new() } else { all }
    }),
    ("the name of the field is in small letters", |reference, file, query| {
        let known = file.split_inclusive('\n').filter(|line| !line.contains("Content-Usage"));
        sound(reference, &known.collect::<String>(), query)
    }),
];

impl Parser for Wrong {
    fn info(&self) -> Info {
        Info::named(self.name)
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Reference::new(EDITION).check(robots, queries)
    }

    fn usage(&mut self, robots: &[u8], query: MatchQuery) -> Result<Option<Vec<String>>, Fault> {
        let file = std::str::from_utf8(robots).map_err(|_| Fault::NotSupported)?;
        Ok(Some((self.change)(&mut Reference::new(EDITION), file, query)))
    }
}

fn plan_about_usage(seed: u64, runs: u64) -> SearchPlan {
    let shares = Shares { usage: 1000, ..Shares::NONE };
    SearchPlan { source: Source::Generated(shares), ..plan(EDITION, seed, runs) }
}

#[test]
fn searches_and_rows_find_preferences_from_the_wrong_place() {
    let suites = built_in().expect("the embedded suites are sound");
    let all = checks(suites, false);
    for (name, change) in MISTAKES {
        let wrong = Wrong { name, change };
        let fails = |check: &&robotspec_cases::Check| match (&check.query, check.expected.get(&EDITION)) {
            (Query::Usage { robots, agent, url }, Some(expected)) => {
                let got = wrong.clone().usage(robots, MatchQuery { agent, url });
                status(expected, &got.map(robotspec::Answer::Usage)).is_failure()
            }
            _ => false,
        };
        assert!(all.iter().any(|check| fails(&check)), "no row finds: {name}");
        let search = SearchPlan { max_findings: Some(1), ..plan_about_usage(3, 20_000) };
        let report = search_quietly(search, make(move || Wrong { name, change }));
        let [finding] = &report.findings[..] else { panic!("no search finds: {name}") };
        let case = finding.case().expect("a case");
        load(Path::new("finding.yaml"), &case).unwrap_or_else(|error| panic!("{case}\n{error}"));
        assert!(case.lines().count() < 40, "{case}");
    }
}

#[test]
fn no_reading_of_usage_preferences_is_accused() {
    for seed in 0..10 {
        let report =
            search_quietly(plan_about_usage(seed, 1_000), make(move || RandomReading::new(seed, EDITION)));
        assert!(report.findings.is_empty(), "{}", describe(&report.findings));
    }
}
