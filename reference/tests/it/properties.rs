//! Properties of rulings, explanations, the grammar, sitemaps and scope.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use robotspec_reference::grammar::{LineStatus, check_lines, derives};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Governs, Reading, RobotsTxt, Ruling, scope};

use crate::generate::{CASES, PATH_PIECES, any_file, any_text, for_all, lines, pieces, query};

/// A choice for each question, for a reading of any edition.
fn answers() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), TABLE.len())
}

fn reading(edition: Edition, answers: &[Index]) -> Reading {
    TABLE.iter().zip(answers).fold(Reading::plainest(edition), |reading, (row, index)| {
        reading.with(*index.get(row.answers(edition))).expect("an admitted answer")
    })
}

#[test]
fn no_reading_contradicts_a_definite_ruling() {
    let (allowed, disallowed) = (Cell::new(0), Cell::new(0));
    let values = (query(), vec(answers(), 12));
    let result = for_all(CASES, values, |((file, agent, url), readings)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let ruling = robots.ruling(edition, &agent, &url)?;
            match ruling {
                Ruling::Allow => allowed.set(allowed.get() + 1),
                Ruling::Disallow => disallowed.set(disallowed.get() + 1),
                Ruling::Unspecified => continue,
            }
            for answers in &readings {
                let reading = reading(edition, answers);
                let verdict = robots.decide(&reading, &agent, &url)?.verdict;
                prop_assert_eq!(Ruling::from(verdict), ruling, "{} {:?}", edition, reading);
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(allowed.get() > CASES, "{} allowed URLs", allowed.get());
    assert!(disallowed.get() > CASES / 2, "{} disallowed URLs", disallowed.get());
}

#[test]
fn two_readings_differ_where_a_ruling_is_unspecified() {
    let unspecified = Cell::new(0);
    let result = for_all(CASES, query(), |(file, agent, url)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let explanation = robots.explain(edition, &agent, &url)?;
            prop_assert_eq!(explanation.ruling, robots.ruling(edition, &agent, &url)?);
            if explanation.ruling != Ruling::Unspecified {
                prop_assert!(explanation.doubts.is_empty());
                continue;
            }
            unspecified.set(unspecified.get() + 1);
            prop_assert!(!explanation.doubts.is_empty(), "{} has no doubt", edition);
            for doubt in explanation.doubts {
                let mut supposed = Reading::plainest(edition);
                for answer in doubt.supposing {
                    supposed = supposed.with(answer)?;
                }
                let mut verdicts = Vec::new();
                for (answer, verdict) in doubt.answers {
                    let reading = supposed.clone().with(answer)?;
                    prop_assert_eq!(robots.decide(&reading, &agent, &url)?.verdict, verdict);
                    verdicts.push(verdict);
                }
                verdicts.dedup();
                prop_assert!(verdicts.len() > 1, "{} does not change the verdict", doubt.question);
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(unspecified.get() > CASES / 4, "{} unspecified rulings", unspecified.get());
}

#[test]
fn an_explanation_has_the_decision_of_the_plainest_reading() {
    let result = for_all(CASES, query(), |(file, agent, url)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let explanation = robots.explain(edition, &agent, &url)?;
            let plainest = robots.decide(&Reading::plainest(edition), &agent, &url)?;
            prop_assert_eq!(&explanation.decision, &plainest);
            if explanation.ruling != Ruling::Unspecified {
                prop_assert_eq!(explanation.ruling, Ruling::from(plainest.verdict));
            }
            let lines = check_lines(edition, &file).count();
            let cited = explanation.decision.lines();
            prop_assert!(cited.iter().all(|line| (1..=lines).contains(line)), "{:?} of {}", cited, lines);
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn no_file_agent_or_url_causes_a_panic() {
    let ruled = Cell::new(0);
    let result = for_all(CASES, (any_file(), any_text(), any_text()), |(file, agent, url)| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let ruling = robots.ruling(edition, &agent, &url);
            let explained = robots.explain(edition, &agent, &url);
            prop_assert_eq!(&ruling, &explained.map(|explanation| explanation.ruling));
            let plainest = robots.decide(&Reading::plainest(edition), &agent, &url);
            prop_assert_eq!(ruling.is_ok(), plainest.is_ok());
            ruled.set(ruled.get() + u32::from(ruling.is_ok()));
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(ruled.get() > CASES, "{} rulings", ruled.get());
}

#[test]
fn the_grammar_checks_every_line_and_columns_are_within_it() {
    let wrong = Cell::new(0);
    let result = for_all(CASES, any_file(), |file| {
        for edition in Edition::ALL {
            let checked: Vec<_> = check_lines(edition, &file).collect();
            let numbers: Vec<usize> = checked.iter().map(|line| line.line).collect();
            prop_assert_eq!(numbers, (1..=checked.len()).collect::<Vec<_>>());
            let mut lines = lines(&file);
            for line in &checked {
                let text = lines.next();
                if let (LineStatus::NotDerived(error), Some(text)) = (&line.status, &text) {
                    wrong.set(wrong.get() + 1);
                    prop_assert!((1..=text.len() + 1).contains(&error.column), "{:?} {:?}", error, text);
                }
                prop_assert!(text.is_some(), "{:?}", line);
            }
            prop_assert_eq!(lines.next(), None);
            let all_valid = checked.iter().all(|line| line.status.is_valid());
            prop_assert_eq!(derives(edition, &file), all_valid);
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(wrong.get() > CASES, "{} invalid lines", wrong.get());
}

#[test]
fn sitemaps_are_in_the_order_of_existing_lines() {
    let found = Cell::new(0);
    let result = for_all(CASES, any_file(), |file| {
        let robots = RobotsTxt::parse(&file);
        for edition in Edition::ALL {
            let sitemaps = robots.sitemaps(edition);
            found.set(found.get() + sitemaps.len());
            prop_assert!(sitemaps.is_sorted_by_key(|sitemap| sitemap.line), "{:?}", sitemaps);
            let count = lines(&file).count();
            prop_assert!(
                sitemaps.iter().all(|sitemap| (1..=count).contains(&sitemap.line)),
                "{:?}",
                sitemaps
            );
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(found.get() > 100, "{} sitemaps", found.get());
}

#[test]
fn scope_accepts_urls_and_rejects_other_texts() {
    let accepted = Cell::new(0);
    let result = for_all(CASES, (any_text(), any_text()), |(robots_url, url)| {
        for edition in Edition::ALL {
            let governs = scope(edition, &robots_url, &url);
            accepted.set(accepted.get() + u32::from(governs.is_ok()));
            if governs == Ok(Governs::Yes) {
                prop_assert!(robots_url.contains("/robots.txt"), "{}", robots_url);
            }
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
    assert!(accepted.get() > 100, "{} URLs", accepted.get());
}

#[test]
fn a_robots_txt_governs_its_origin_and_no_other_port() {
    let origins = ("https?", "[a-z]{1,9}(\\.[a-z]{1,9}){0,2}", 1024u16..60_000, pieces(PATH_PIECES, 5));
    let result = for_all(CASES, origins, |(scheme, host, port, path)| {
        let path = String::from_utf8_lossy(&path);
        for edition in Edition::ALL {
            let robots_url = format!("{scheme}://{host}:{port}/robots.txt");
            let on = |port: u16| format!("{scheme}://{host}:{port}/{path}");
            prop_assert_eq!(scope(edition, &robots_url, &on(port)), Ok(Governs::Yes));
            prop_assert_eq!(scope(edition, &robots_url, &on(port + 1)), Ok(Governs::No));
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_reading_takes_the_answers_that_its_edition_admits() {
    for edition in Edition::ALL {
        for answer in TABLE.iter().flat_map(|row| row.question.choices()) {
            let is_admitted = answer.question.row().answers(edition).contains(&answer);
            match Reading::plainest(edition).with(answer) {
                Ok(reading) => assert!(is_admitted && reading.choice(answer.question) == answer),
                Err(refusal) => {
                    assert!(!is_admitted && refusal.to_string().contains(&answer.to_string()), "{refusal}");
                }
            }
        }
    }
}

/// Each subject costs evaluations of the whole file, which may consist of them.
#[test]
fn of_many_names_on_which_a_ruling_turns_some_are_tried() {
    let groups = |count: usize| (0..count).map(|n| format!("user-agent: foobot{n}/1\ndisallow: /\n"));
    let subjects = |count| {
        let robots = String::from_iter(groups(count));
        let explanation = RobotsTxt::parse(robots.as_bytes()).explain(Edition::Rfc9309, "FooBot", "/fish");
        explanation.expect("the URL is one").doubts[0].subjects.len()
    };
    assert_eq!([1, 4, 300].map(subjects), [1, 4, 16]);
}

/// The bound of steps is one of time: what takes as long as many rules counts as many.
#[test]
fn texts_between_stars_and_parts_of_long_names_count_as_steps() {
    let robots = format!("user-agent: *\ndisallow: /{}\n", "*a".repeat(8_000));
    let rules = RobotsTxt::parse(robots.as_bytes());
    let rules = rules.for_agent(Edition::Rfc9309, "FooBot");
    let (ruling, steps) = rules.ruling_and_steps("/fish").expect("a path");
    assert_eq!((ruling, steps / 1_000), (Ruling::Allow, 1));

    let robots = String::from_iter((0..4_000).map(|n| format!("user-agent: Bot{n}\ndisallow: /\n")));
    let ruling = |edition, length| {
        RobotsTxt::parse(robots.as_bytes()).ruling(edition, &"a".repeat(length), "/fish").expect("a path")
    };
    // Of the first edition a name may be a part of that of the crawler, and is looked for in each reading.
    assert_eq!(ruling(Edition::Koster1994, 20), Ruling::Allow);
    assert_eq!(ruling(Edition::Koster1994, 100_000), Ruling::Unspecified);
    assert_eq!(ruling(Edition::Rfc9309, 100_000), Ruling::Allow);
}
