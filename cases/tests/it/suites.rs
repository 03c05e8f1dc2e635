//! Checks the answers and the explanations of the reference for the rows of a file.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use robotspec::event::{Event, Status};
use robotspec::{Clause, InProcess, Plan, Reference, Subject, run};
use robotspec_cases::suite::format::SuiteFormat;
use robotspec_cases::suite::{Deciding, Reasons, load};
use robotspec_cases::{Check, Expected, ExpectedSitemaps, Level, Query, Suite, TimedVisit, checks};
use robotspec_reference::access::{Access, AccessExplanation, access};
use robotspec_reference::explanation::Explanation;
use robotspec_reference::grammar::{CheckedLine, LineStatus, check_lines};
use robotspec_reference::sitemap::Sitemap;
use robotspec_reference::{
    DecidedBy, Doubt, Edition, Governs, NotAUrl, Preferences, Question, Reading, RobotsTxt, RuleKind, Ruling,
    Usage, Verdict, governs,
};

/// The time limit of the reference, which it does not reach.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Checks that the reference answers every row and every variant of it as each edition expects.
pub(crate) fn reference_passes(file: &Path, text: String) -> datatest_stable::Result<()> {
    let suite = load(file, &text)?;
    let plan = Plan {
        checks: checks(std::slice::from_ref(&suite), true),
        editions: Edition::ALL.to_vec(),
        level: Level::Should,
        lists_are_about: None,
        shard: None,
        jobs: 1,
    };
    let connect = |edition| InProcess::new(move || Box::new(Reference::new(edition)), TIME_LIMIT);
    let subject = Subject::by_edition(move |edition| Box::new(connect(edition)));
    let mut failures = Vec::new();
    let outcome = run(&plan, vec![subject], &mut |event| {
        let Event::CheckFinished(check) = event else { return };
        for (edition, judged) in check.editions.iter() {
            if judged.status != Status::Pass {
                failures.push(format!("{} in {edition}: {}", check.id, judged.describe_difference()));
            }
        }
    });
    assert!(outcome.totals.sum() > 0, "{} has no check", file.display());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

/// Checks that the reference explains every row: what decides, and in an unspecified row the question that the row names
/// and the outcome of each answer.
pub(crate) fn reference_explains(file: &Path, text: String) -> datatest_stable::Result<()> {
    let suite: Suite = load(file, &text)?;
    let mut all_wrong = Vec::new();
    for row in suite.cases.iter().flat_map(|case| &case.rows) {
        for (&edition, expected) in &row.expected {
            if let Err(wrong) = explains(row, edition, expected)? {
                all_wrong.push(format!("{} in {edition}: {wrong}", row.id));
            }
        }
    }
    assert!(all_wrong.is_empty(), "{}", all_wrong.join("\n"));
    Ok(())
}

/// Checks that a suite of this project is found by its id, has a title and a source, and that its cases cite clauses,
/// which only a suite of one's own may lack.
pub(crate) fn says_what_it_tests(file: &Path, text: String) -> datatest_stable::Result<()> {
    let suite: SuiteFormat = serde_yaml::from_str(&text)?;
    assert_eq!(file.file_stem().and_then(OsStr::to_str), Some(&*suite.suite));
    assert!(suite.title.is_some() && suite.source.is_some(), "{} lacks a key", file.display());
    for case in &suite.cases {
        assert!(case.clauses.is_some(), "{} cites no clause", case.id);
        assert!(case.robots_file.is_none(), "{} names a file", case.id);
    }
    Ok(())
}

/// The result of a check of an explanation; an error says what is wrong with it.
type Wrong = Result<(), String>;

fn explains(row: &Check, edition: Edition, expected: &Expected) -> Result<Wrong, NotAUrl> {
    Ok(match &row.query {
        Query::Match { robots, agent, url } => {
            let explanation = RobotsTxt::parse(robots).explain(edition, agent, url)?;
            is_sound(&explanation, row, &lines_of(robots))
                .and_then(|()| gives_as_stated(&explanation, &row.reasons))
                .and_then(|()| decides_as_stated(&explanation, row.reasons.decided_by.as_ref()))
                .and_then(|()| cites_recommendations(&explanation, row))
        }
        Query::Scope { robots_url, url } if expected.is_unspecified() => {
            let mut wrong = Ok(());
            for (answer, given) in &row.reasons.gives {
                let Ok(reading) = Reading::plainest(edition).with(*answer) else {
                    continue;
                };
                let governs = Governs::from(governs(&reading, robots_url, url)?);
                if *given != Expected::Governs(governs) {
                    wrong = Err(format!("the answer {answer} gives {}, not {given}", governs.id()));
                }
            }
            wrong
        }
        Query::Grammar { text } => match &row.reasons.lines {
            Some(stated) => becomes_of_lines(&check_lines(edition, text).collect::<Vec<_>>(), stated),
            None => Ok(()),
        },
        Query::Access { visits, agent, paths } => {
            let visits: Vec<_> = visits.iter().map(TimedVisit::observed).collect();
            let explanation = access(edition, &visits);
            let is = |access: &Access, stated: &Expected| {
                let Expected::Access(stated) = stated else { return false };
                let ruling = |path: &String| access.ruling(edition, agent, path);
                paths.iter().all(|path| ruling(path) == Ok(stated[path]))
            };
            is_accessed_as_stated(&explanation, row, expected, &is)
        }
        Query::Sitemaps { robots } => names_as_stated(&RobotsTxt::parse(robots).sitemaps(edition), expected),
        Query::Usage { robots, agent, url } => {
            prefers_as_stated(&RobotsTxt::parse(robots).usage(edition, agent, url)?, row)
        }
        Query::Scope { .. } | Query::Alike { .. } => Ok(()),
    })
}

/// Checks that each answer to the question of the row has the outcome that the row states.
fn gives_as_stated(explanation: &Explanation, reasons: &Reasons) -> Wrong {
    if reasons.gives.is_empty() || explanation.ruling != Ruling::Unspecified {
        return Ok(());
    }
    let given = |verdict: Verdict| Expected::Ruling(Ruling::from(verdict));
    let is_as_stated = |doubt: &Doubt<Verdict>| {
        doubt.answers.iter().all(|(answer, verdict)| reasons.gives.contains(&(*answer, given(*verdict))))
    };
    if explanation.doubts.iter().any(is_as_stated) {
        return Ok(());
    }
    Err(format!("the answers do not give {:?}", reasons.gives))
}

/// Checks that the lines and clauses that decide are those that the row states.
fn decides_as_stated(explanation: &Explanation, stated: Option<&Deciding>) -> Wrong {
    let Some(stated) = stated.filter(|_| explanation.ruling != Ruling::Unspecified) else { return Ok(()) };
    let of_edition = |clause: &&Clause| clause.section(explanation.edition).is_some();
    let wanted: Vec<&str> =
        stated.clauses.iter().copied().filter(of_edition).map(|clause| clause.id.as_str()).collect();
    let applied = explanation.decision.clauses();
    let applied: Vec<&str> = applied
        .into_iter()
        .filter_map(Clause::find)
        .filter(of_edition)
        .map(|clause| clause.id.as_str())
        .collect();
    if applied != wanted {
        return Err(format!("the clauses are not {wanted:?}"));
    }
    if explanation.decision.lines() != stated.lines {
        return Err(format!("the lines are not {:?}", stated.lines));
    }
    match stated.readings {
        Some(readings) if readings != explanation.readings => {
            Err(format!("there are not {readings} readings"))
        }
        _ => Ok(()),
    }
}

/// Checks that a definite ruling does not rest on a clause that is weaker than those that the row cites. (No clause of an
/// explanation is about the case of paths, rules without a group or literal `*` and `$`; the tests of the library compare
/// the rows with parsers that differ in these respects.) That a robot follows the record of `*`, which koster-1996 only
/// recommends, is the subject of the rows that cite it. In all others, a sentence about the rules of that record is broken.
fn cites_recommendations(explanation: &Explanation, row: &Check) -> Wrong {
    if explanation.ruling == Ruling::Unspecified {
        return Ok(());
    }
    let edition = explanation.edition;
    let is_weaker = |clause: &&Clause| match clause.level(edition) {
        Some(Level::Should) => row.level(edition) < Level::Should,
        Some(Level::Must | Level::May) | None => false,
    };
    let applied = explanation.decision.clauses().into_iter().filter(|id| *id != "A-star");
    match applied.filter_map(Clause::find).find(is_weaker) {
        None => Ok(()),
        Some(clause) => Err(format!("{} only recommends what decides; cite it", clause.id)),
    }
}

/// Checks that the required and the optional sitemaps are those that the row states.
fn names_as_stated(sitemaps: &[Sitemap], expected: &Expected) -> Wrong {
    let urls = |is_certain: bool| {
        let of_kind = sitemaps.iter().filter(|sitemap| sitemap.certain == is_certain);
        let mut urls: Vec<String> = of_kind.map(|sitemap| sitemap.url.clone()).collect();
        urls.sort();
        urls
    };
    match expected {
        Expected::Sitemaps(ExpectedSitemaps { required, optional })
            if (urls(true), urls(false)) == (sorted(required), sorted(optional)) =>
        {
            Ok(())
        }
        expected => Err(format!("expected {expected}, got {sitemaps:#?}")),
    }
}

/// Checks that an unspecified row depends on the question that it names, and that each answer gives what the row states.
fn prefers_as_stated(usage: &Usage, row: &Check) -> Wrong {
    let given = |preferences: &Preferences| Expected::Usage(Some(preferences.clone()));
    let is_as_stated = |doubt: &Doubt<Preferences>| {
        let stated = &row.reasons.gives;
        row.questions.contains(&doubt.question)
            && doubt.answers.iter().all(|(answer, outcome)| stated.contains(&(*answer, given(outcome))))
    };
    match &usage.preferences {
        None if !usage.doubts.iter().any(is_as_stated) => Err(format!("the answers give {:?}", usage.doubts)),
        _ => Ok(()),
    }
}

fn sorted(urls: &[String]) -> Vec<String> {
    let mut urls = urls.to_vec();
    urls.sort();
    urls
}

/// Checks the questions of an explanation about access: in an unspecified row, one of them is a question that the row
/// names, and each answer to it has the outcome that the row states.
fn is_accessed_as_stated(
    explanation: &AccessExplanation,
    row: &Check,
    expected: &Expected,
    is: &dyn Fn(&Access, &Expected) -> bool,
) -> Wrong {
    for doubt in &explanation.doubts {
        if doubt.answers.iter().all(|(_, access)| *access == doubt.answers[0].1) {
            return Err(format!("the outcome does not depend on {}", doubt.question));
        }
    }
    if !expected.is_unspecified() {
        return Ok(());
    }
    let named = |doubt: &&Doubt<Access>| row.questions.contains(&doubt.question);
    let Some(doubt) = explanation.doubts.iter().find(named) else {
        let raised: Vec<Question> = explanation.doubts.iter().map(|doubt| doubt.question).collect();
        return Err(format!("the row names {:?}, and the access depends on {raised:?}", row.questions));
    };
    for (answer, access) in &doubt.answers {
        let stated = row.reasons.gives.iter().find(|(stated, _)| stated == answer);
        if stated.is_some_and(|(_, stated)| !is(access, stated)) {
            return Err(format!("the answer {answer} does not give what the row says"));
        }
    }
    Ok(())
}

/// Checks that the grammar gives each line the status that the row states.
fn becomes_of_lines(checked: &[CheckedLine], stated: &[LineStatus]) -> Wrong {
    let numbers = checked.iter().map(|line| line.line);
    if !numbers.eq(1..=checked.len()) {
        return Err(format!("the lines are not numbered from 1 on: {checked:#?}"));
    }
    if !checked.iter().map(|line| &line.status).eq(stated) {
        return Err(format!("expected {stated:#?}, got {checked:#?}"));
    }
    Ok(())
}

fn is_sound(explanation: &Explanation, row: &Check, lines: &[String]) -> Wrong {
    let decision = &explanation.decision;
    match explanation.ruling {
        Ruling::Unspecified => {
            let names_question = |question| explanation.doubts.iter().any(|doubt| doubt.question == question);
            if !row.questions.iter().any(|&question| names_question(question)) {
                let raised: Vec<Question> = explanation.doubts.iter().map(|doubt| doubt.question).collect();
                return Err(format!(
                    "the row names {:?}, and the ruling depends on {raised:?}",
                    row.questions
                ));
            }
            for doubt in &explanation.doubts {
                let leads_to = |verdict| doubt.answers.iter().any(|(_, led_to)| *led_to == verdict);
                if !(leads_to(Verdict::Allow) && leads_to(Verdict::Disallow)) {
                    return Err(format!("the outcome does not depend on {}", doubt.question));
                }
            }
        }
        definite => {
            if !explanation.doubts.is_empty() || Ruling::from(decision.verdict) != definite {
                return Err("the plainest reading and the ruling do not agree".to_owned());
            }
        }
    }
    let names_agents = decision.agent_lines.iter().all(|&line| lines[line - 1].contains("agent"));
    if !names_agents {
        return Err("a line that is said to name the agent does not".to_owned());
    }
    if let DecidedBy::Rule { rule, over, .. } = &decision.by {
        let kind = if decision.verdict == Verdict::Allow { RuleKind::Allow } else { RuleKind::Disallow };
        let is_of_other_kind = over.as_ref().is_none_or(|over| over.kind != kind);
        let stands_there = |rule: &robotspec_reference::RuleCitation| {
            decision.lines().contains(&rule.line) && lines[rule.line - 1].contains(&rule.kind.field()[1..4])
        };
        if rule.kind != kind || !is_of_other_kind || !stands_there(rule) || !over.iter().all(stands_there) {
            return Err("the rule that is said to decide does not".to_owned());
        }
    }
    let applied = decision.clauses();
    match applied.iter().find(|id| Clause::find(id).is_none()) {
        Some(id) => Err(format!("there is no clause {id}")),
        None if applied.is_empty() => Err("no clause is named".to_owned()),
        None => Ok(()),
    }
}

/// Returns the lines of a file in lower case.
fn lines_of(file: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(file).replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::to_lowercase).collect()
}
