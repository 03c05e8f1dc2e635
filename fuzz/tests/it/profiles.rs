//! Profiles: of readers whose answers are known.

use std::collections::BTreeMap;

use robotspec::{Edition, Fault, Info, MatchQuery, Parser, Verdict};
use robotspec_cases::Query;
use robotspec_cases::suite::built_in;
use robotspec_fuzz::profile::{Probe, Profile, Shown, find_probes, profile};
use robotspec_fuzz::values::{Field, InferredTrait, Reading as ValueReading, find_traits, infer_traits};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Question, Reading, RobotsTxt, Ruling};

use crate::searches::in_process;

/// Whether something is done for a query.
type Applies = fn(&MatchQuery) -> bool;

/// A reader of the reference, which may refuse a query, or read another file in its place.
#[derive(Clone)]
struct Reader {
    reading: Reading,
    rejects: Applies,
    rewrite: fn(&[u8]) -> Vec<u8>,
    /// Another answer for one agent.
    otherwise: Option<(Choice, String)>,
}

impl Reader {
    fn new(reading: Reading) -> Self {
        Reader { reading, rejects: |_| false, rewrite: <[u8]>::to_vec, otherwise: None }
    }

    fn plainest() -> Self {
        Reader::new(Reading::plainest(Edition::Rfc9309))
    }
}

impl Parser for Reader {
    fn info(&self) -> Info {
        Info::named("reader")
    }

    fn check(&mut self, robots: &[u8], queries: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        let robots = (self.rewrite)(robots);
        let robots = RobotsTxt::parse(&robots);
        let verdict = |query: &MatchQuery| {
            if (self.rejects)(query) {
                return Verdict::Error("not a URL".into());
            }
            let reading = match &self.otherwise {
                Some((choice, agent)) if agent == query.agent => self.reading.clone().supposing(*choice),
                _ => self.reading.clone(),
            };
            match robots.decide(&reading, query.agent, query.url) {
                Ok(decision) => Verdict::from(Ruling::from(decision.verdict)),
                Err(error) => Verdict::Error(error.to_string().into()),
            }
        };
        Ok(queries.iter().map(verdict).collect())
    }
}

fn profile_of(reader: Reader, probes: &[Probe]) -> Profile {
    profile(&mut in_process(move || reader.clone()), probes, &mut || ())
}

fn probes() -> Vec<Probe> {
    find_probes(&built_in().expect("suites"))
}

fn shown(profile: &Profile, question: Question) -> &Shown {
    &profile.questions[&question].finding
}

fn choice(question: Question, id: &str) -> Choice {
    question.choice(id).expect("an answer")
}

#[test]
fn the_profile_of_a_reader_states_its_answers_and_no_others() {
    // The few large files would take most of the time.
    let is_large = |question| matches!(question, Question::SizeLimit | Question::CutLine);
    let (large, mut small): (Vec<Probe>, Vec<Probe>) =
        probes().into_iter().partition(|probe| is_large(probe.question));
    small.retain(|probe| matches!(probe.query, Query::Match { .. }));
    for question in TABLE.iter().map(|row| row.question) {
        let probes = if is_large(question) { &large } else { &small };
        if !probes.iter().any(|probe| probe.question == question) {
            continue;
        }
        let reading = Reading::plainest(Edition::Rfc9309);
        // Another answer to one of these changes the outcome of most probes, whatever their question.
        let changes_most_probes = matches!(
            question,
            Question::StarInPath | Question::DollarInPath | Question::Escapes | Question::FirstRule
        );
        // An answer that the reference does not evaluate cannot be given.
        let is_evaluated = |choice: &Choice| {
            let of_question = probes.iter().filter(|probe| probe.question == question);
            let mut differing = of_question.filter(|probe| decides_as(&reading, probe, *choice));
            differing.next().is_some()
        };
        for choice in question.choices().filter(is_evaluated) {
            let profile = profile_of(Reader::new(reading.clone().supposing(choice)), probes);
            for (other, inferred) in &profile.questions {
                if changes_most_probes && *other != question {
                    continue;
                }
                let expected = if *other == question { choice } else { reading.choice(*other) };
                let states = match &inferred.finding {
                    Shown::Answers(answers) => answers.contains(&expected),
                    Shown::BySubject(by_subject) => {
                        by_subject.values().all(|answers| answers.contains(&expected))
                    }
                    Shown::OnlyGiven(given) => {
                        reading.clone().supposing(choice).choice(given.question) != *given
                    }
                    _ => false,
                };
                assert!(states, "{question}={choice}: {other} is {:?}", inferred.finding);
            }
        }
    }
}

/// Returns whether a reader with the answer gives the outcome that the probe states for it.
fn decides_as(reading: &Reading, probe: &Probe, choice: Choice) -> bool {
    let Query::Match { robots, agent, url } = &probe.query else { return false };
    let reading = probe.given.iter().copied().fold(reading.clone(), Reading::supposing).supposing(choice);
    let decision = RobotsTxt::parse(robots).decide(&reading, agent, url).expect("a URL");
    let outcome = robotspec_cases::Expected::Ruling(decision.verdict.into());
    probe.outcomes.contains(&(choice, outcome))
}

#[test]
fn a_fixed_list_of_typos_is_listed() {
    fn correct(robots: &[u8]) -> Vec<u8> {
        String::from_utf8_lossy(robots).replace("dissallow:", "disallow:").into_bytes()
    }
    let reader = Reader { rewrite: correct, ..Reader::plainest() };
    let mut probes = probes();
    probes.retain(|probe| probe.question == Question::Typo);
    let profile = profile_of(reader, &probes);
    let Shown::BySubject(by_subject) = shown(&profile, Question::Typo) else {
        panic!("{:?}", shown(&profile, Question::Typo))
    };
    let of_answer = |id: &str| -> Vec<&str> {
        let answers = vec![choice(Question::Typo, id)];
        by_subject.iter().filter(|(_, other)| **other == answers).map(|(subject, _)| *subject).collect()
    };
    assert_eq!(of_answer("accept"), ["dissallow"]);
    assert_eq!(of_answer("ignore").len(), by_subject.len() - 1);
}

#[test]
fn an_answer_that_a_single_probe_contradicts_is_not_stated() {
    let mut probes = probes();
    probes.retain(|probe| probe.question == Question::AgentCase);
    let agents: BTreeMap<&str, usize> = probes.iter().fold(BTreeMap::new(), |mut agents, probe| {
        let Query::Match { agent, .. } = &probe.query else { panic!("{probe:?}") };
        *agents.entry(agent.as_str()).or_default() += 1;
        agents
    });
    let (&alone, _) = agents.iter().find(|(_, probes)| **probes == 1).expect("an agent of one probe");
    let sensitive = choice(Question::AgentCase, "sensitive");
    let reader = Reader { otherwise: Some((sensitive, alone.to_owned())), ..Reader::plainest() };
    let profile = profile_of(reader, &probes);
    let Shown::Mixed(contrary) = shown(&profile, Question::AgentCase) else {
        panic!("{:?}", shown(&profile, Question::AgentCase))
    };
    let mut answers: Vec<&str> =
        contrary.iter().flat_map(|one| &one.answers).map(|answer| answer.id()).collect();
    answers.sort_unstable();
    assert_eq!(answers, ["insensitive", "sensitive"]);
    assert!(profile.questions[&Question::AgentCase].breaks.contains(&Edition::Rfc9309));
    assert!(!profile.questions[&Question::AgentCase].breaks.contains(&Edition::Google2021));
}

#[test]
fn rejected_probes_show_no_answer_and_are_counted() {
    let reader = Reader { rejects: |query| query.url.contains('%'), ..Reader::plainest() };
    let mut probes = probes();
    probes.retain(|probe| {
        [Question::AsciiEscape, Question::NonAscii, Question::IdnHost].contains(&probe.question)
    });
    let profile = profile_of(reader, &probes);
    let ascii_escape = &profile.questions[&Question::AsciiEscape];
    let rejected = ascii_escape.rejected.as_ref().expect("rejected probes");
    let of_question = probes.iter().filter(|probe| probe.question == Question::AsciiEscape).count();
    assert!(ascii_escape.probes > 0);
    assert_eq!(rejected.count + ascii_escape.probes, of_question);
    assert_eq!(rejected.got, "error: not a URL");
    assert_eq!(*shown(&profile, Question::NonAscii), Shown::Rejected);
    assert_eq!(profile.not_supported(), [Question::IdnHost]);
}

/// The values that a reader gives for the lines of a field in a file.
type Values = fn(&[(usize, &str)]) -> Result<Vec<String>, Fault>;

/// A reader of delays that knows no groups. It supports no other field.
#[derive(Clone)]
struct ReaderOfDelays(Values);

impl Parser for ReaderOfDelays {
    fn info(&self) -> Info {
        Info::named("reader of delays")
    }

    fn check(&mut self, _: &[u8], _: &[MatchQuery]) -> Result<Vec<Verdict>, Fault> {
        Err(Fault::NotSupported)
    }

    fn values(&mut self, robots: &[u8], _: &str) -> Result<BTreeMap<String, Vec<String>>, Fault> {
        let text = std::str::from_utf8(robots).expect("text");
        let lines = text.lines().enumerate();
        let delays: Vec<_> =
            lines.filter_map(|(line, text)| Some((line, text.strip_prefix("crawl-delay: ")?))).collect();
        Ok([("crawl-delay".to_owned(), (self.0)(&delays)?), ("unknown".to_owned(), Vec::new())].into())
    }
}

fn readings(values: Values) -> BTreeMap<&'static str, InferredTrait> {
    let reader = ReaderOfDelays(values);
    let traits = infer_traits(&mut in_process(move || reader.clone()), &find_traits(), &mut || ());
    assert!(traits.iter().all(|one| one.field == Field::CrawlDelay));
    traits.into_iter().map(|one| (one.name, one)).collect()
}

#[test]
fn readings_of_values_are_those_of_the_reader() {
    let stated = |readings: &BTreeMap<&str, InferredTrait>, name: &str| match &readings[name].finding {
        ValueReading::Stated(readings) => readings.join(" or "),
        other => panic!("{name}: {other:?}"),
    };
    let last = readings(|lines| Ok(lines.last().map(|(_, value)| (*value).to_owned()).into_iter().collect()));
    let expected = [
        ("own-group", "used"),
        ("inherited", "inherited"),
        ("own-and-star", "last"),
        ("other-group", "used"),
        ("before-groups", "used"),
        ("two-lines", "last"),
        ("two-groups", "last"),
        ("decimals", "exact"),
        ("negative", "negative"),
        ("text", "as-written"),
        ("exponent", "as-written"),
        ("huge", "exact"),
    ];
    for (name, reading) in expected {
        assert_eq!(stated(&last, name), reading, "{name}");
    }
    let rounded = readings(|lines| {
        let numbers = lines.iter().filter_map(|(_, value)| value.parse::<f32>().ok());
        let smallest = numbers.map(|number| number.trunc().min(100.0)).min_by(f32::total_cmp);
        Ok(smallest.map(|number| format!("{number:.1}")).into_iter().collect())
    });
    let expected = [
        ("own-and-star", "smallest"),
        ("two-lines", "smallest"),
        ("decimals", "truncated"),
        ("below-one", "zero"),
        ("text", "none"),
        ("huge", "smaller"),
    ];
    for (name, reading) in expected {
        assert_eq!(stated(&rounded, name), reading, "{name}");
    }
    assert_eq!(rounded["two-lines"].probes, 8);
}

#[test]
fn a_reading_that_a_single_probe_contradicts_is_not_stated() {
    let one_is_odd = readings(|lines| match lines {
        [(_, "7.75")] => Ok(vec!["99".to_owned()]),
        [(_, "x5" | "abc" | "ten")] => Err(Fault::Error("not a number".into())),
        lines => Ok(lines.iter().map(|(_, value)| (*value).to_owned()).collect()),
    });
    let ValueReading::Other { most, query, got } = &one_is_odd["decimals"].finding else {
        panic!("{:?}", one_is_odd["decimals"])
    };
    assert_eq!((*most, got.as_str()), (Some("exact"), "99"));
    let Query::Values { robots, .. } = query else { panic!("{query:?}") };
    assert!(String::from_utf8_lossy(robots).contains("crawl-delay: 7.75"));
    assert_eq!(one_is_odd["text"].finding, ValueReading::Error);
    assert_eq!(one_is_odd["two-lines"].finding, ValueReading::Stated(vec!["all"]));
}

#[test]
fn values_that_are_not_supported_have_no_readings() {
    assert!(readings(|_| Err(Fault::NotSupported)).is_empty());
    assert!(readings(|_| Err(Fault::Crash("panicked".into()))).is_empty());
}
