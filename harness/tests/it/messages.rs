//! The messages of implementations, and the answers that differ in more than their messages.

use std::sync::atomic::{AtomicUsize, Ordering};

use robotspec::event::Status;
use robotspec::{
    Answer, BoxedEndpoint, Fault, Info, LONGEST_MESSAGE, Level, MatchQuery, Message, Parser, Plan, Subject,
    Verdict, general_message, run,
};
use robotspec_cases::{Check, Expected, ExpectedSitemaps, Query};
use robotspec_reference::{Edition, Ruling};

use crate::support::{check, check_of, in_process, numbered_file};

#[test]
fn a_long_message_is_cut_once_at_a_character_and_says_how_much_is_missing() {
    let text = format!("{}é{}", "a".repeat(LONGEST_MESSAGE - 1), "b".repeat(100));
    let message = Message::from(text.as_str());
    let expected = format!("{} … (102 bytes more)", "a".repeat(LONGEST_MESSAGE - 1));
    assert_eq!(&*message, expected);
    assert_eq!(Message::from(&*message), message);
    let short = "a".repeat(LONGEST_MESSAGE);
    assert_eq!(&*Message::from(short.as_str()), short);
}

#[test]
fn the_messages_of_one_error_about_several_queries_are_one() {
    let message = |text: &str| general_message(&Err(Fault::Error(text.into()))).expect("a message");
    assert_eq!(message("KeyError: '/a' at 12\nline 3"), message("KeyError: '/b' at 7"));
    assert_eq!(message("can't read `x`"), "can't read ``");
    assert_ne!(message("KeyError: '/a'"), message("ValueError: '/a'"));
    assert_eq!(general_message(&Err(Fault::Timeout("no reply in 5s".into()))), None);
}

/// A parser that gives one answer.
struct Says(Result<Answer, Fault>);

impl Parser for Says {
    fn info(&self) -> Info {
        Info::named("says")
    }

    fn check(&mut self, _: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        match self.0.clone()? {
            Answer::Match(verdict) => Ok(vec![verdict; queries.len()]),
            _ => Err(Fault::NotSupported),
        }
    }

    fn sitemaps(&mut self, _: &[u8]) -> Result<Vec<String>, Fault> {
        match self.0.clone()? {
            Answer::Sitemaps(urls) => Ok(urls),
            _ => Err(Fault::NotSupported),
        }
    }
}

#[test]
fn answers_differ_in_what_they_say_and_not_in_their_messages() {
    let file = numbered_file(1);
    let allowed = check("a/b#c", &file, "http://example.com/", Ruling::Allow);
    let expected = ExpectedSitemaps { required: vec!["x".to_owned()], optional: Vec::new() };
    let listed = check_of("a/b#c", Query::Sitemaps { robots: file }, Expected::Sitemaps(expected));
    // The answer to the check, and that when it is confirmed. The edition requires sitemaps, so that a wrong list is a failure.
    let status = |check: &Check, first: &Result<Answer, Fault>, then: &Result<Answer, Fault>| {
        let edition = Edition::Google2021;
        let expected = check.expected.values().map(|expected| (edition, expected.clone())).collect();
        let plan = Plan {
            checks: vec![Check { expected, ..check.clone() }],
            editions: vec![edition],
            level: Level::Should,
            lists_are_about: None,
            shard: None,
            jobs: 1,
        };
        let (answers, made) = ([first.clone(), then.clone()], AtomicUsize::new(0));
        let make = move || -> BoxedEndpoint {
            let answer = answers[made.fetch_add(1, Ordering::Relaxed).min(1)].clone();
            Box::new(in_process(move || Says(answer.clone())))
        };
        let outcome = run(&plan, vec![Subject::new(make)], &mut |_| {});
        Status::ALL.into_iter().find(|status| outcome.totals.of(*status) > 0).expect("a status")
    };
    let verdict = |verdict| Ok(Answer::Match(verdict));
    let crash = |message: &str| Err(Fault::Crash(message.into()));
    assert_eq!(status(&allowed, &verdict(Verdict::Disallow), &verdict(Verdict::Allow)), Status::Flaky);
    assert_eq!(status(&allowed, &verdict(Verdict::Disallow), &crash("signal: 9")), Status::Flaky);
    assert_eq!(status(&allowed, &crash("signal: 9"), &crash("signal: 11")), Status::Crash);
    // An error to a check, and to a request with this check alone.
    let error = verdict(Verdict::Error("at 0x1f".into()));
    assert_eq!(status(&allowed, &error, &Err(Fault::Error("at 0x2f".into()))), Status::Error);
    let sitemaps = |urls: [&str; 2]| Ok(Answer::Sitemaps(urls.map(str::to_owned).to_vec()));
    assert_eq!(status(&listed, &sitemaps(["a", "b"]), &sitemaps(["b", "a"])), Status::Fail);
    assert_eq!(status(&listed, &sitemaps(["a", "b"]), &sitemaps(["a", "c"])), Status::Flaky);
}
