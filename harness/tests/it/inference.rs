//! Inference: the profiles of readers whose answers are known.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use robotspec::inference::{Probe, Profile, Shown, observable_answers, probes_of, simplest};
use robotspec::{Edition, Fault, Info, MatchQuery, Parser, Verdict, ask};
use robotspec_cases::Query;
use robotspec_cases::suite::built_in;
use robotspec_reference::question::TABLE;
use robotspec_reference::{Choice, Question, Reading, RobotsTxt, Ruling};

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

fn profile_of(mut reader: Reader, probes: &[Probe]) -> Profile {
    Profile::infer(probes.iter().map(|probe| (probe, ask(&mut reader, &probe.query))))
}

fn probes() -> Vec<Probe> {
    static PROBES: LazyLock<Vec<Probe>> = LazyLock::new(|| {
        simplest(&probes_of(built_in().expect("suites"), |_| true)).into_iter().cloned().collect()
    });
    PROBES.clone()
}

fn shown(profile: &Profile, question: Question) -> &Shown {
    &profile.questions[&question].shown
}

fn choice(question: Question, id: &str) -> Choice {
    question.choice(id).expect("an answer")
}

/// Questions without a row that shows the answer, with the reason.
const WITHOUT: [(Question, &str); 3] = [
    (Question::EscapedDot, "it arises only with two further answers that RFC 9309 does not admit"),
    (Question::UnreachableWithoutCopy, "each answer needs its own history of visits"),
    (Question::ResultAge, "each answer needs its own history of visits"),
];

#[test]
fn each_question_has_rows_that_tell_its_answers_apart() {
    // These answers have the same outcome for every file that raises no other question.
    let alike = ["GooglebotMatch any-prefix hyphen-prefix", "LengthOf encoded encoded-unsafe"];
    let probes = probes();
    let mut merged = Vec::new();
    for question in TABLE.iter().map(|row| row.question) {
        let choices = observable_answers(question);
        for (index, one) in choices.iter().enumerate() {
            for other in &choices[index + 1..] {
                let outcome = |probe: &Probe, choice| {
                    probe.outcomes.iter().find(|(of, _)| of == choice).map(|(_, outcome)| outcome.clone())
                };
                let mut of_question = probes.iter().filter(|probe| probe.question == question);
                let is_shown = of_question.any(|probe| outcome(probe, one) != outcome(probe, other));
                let names = format!("{question} {one} {other}");
                if !is_shown && !alike.contains(&&*names) && WITHOUT.iter().all(|(of, _)| *of != question) {
                    merged.push(names);
                }
            }
        }
    }
    assert_eq!(merged, [""; 0]);
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
        let changes_most_probes = |choice: Choice| {
            matches!(
                question,
                Question::OtherLineEnd
                    | Question::RuleCharacters
                    | Question::MatchAnywhere
                    | Question::StarAdded
                    | Question::StarInPath
                    | Question::DollarInPath
                    | Question::Escapes
                    | Question::FirstRule
                    | Question::ReservedByte
                    | Question::StarIsShort
                    | Question::ReplacedBytes
            ) || ["AgentCase=agent-in-small-letters", "LengthOf=matched", "InvalidUtf8=ignore-file"]
                .contains(&&*choice.name())
        };
        // An answer that the reference does not evaluate cannot be given.
        let is_evaluated = |choice: &Choice| {
            let of_question = probes.iter().filter(|probe| probe.question == question);
            let mut differing = of_question.filter(|probe| decides_as(&reading, probe, *choice));
            differing.next().is_some()
        };
        for choice in question.choices().filter(is_evaluated) {
            let profile = profile_of(Reader::new(reading.clone().supposing(choice)), probes);
            for (other, inferred) in &profile.questions {
                if changes_most_probes(choice) && *other != question {
                    continue;
                }
                let expected = if *other == question { choice } else { reading.choice(*other) };
                let states = match &inferred.shown {
                    Shown::Answers(answers) => answers.contains(&expected),
                    Shown::BySubject(by_subject) => {
                        by_subject.values().all(|answers| answers.contains(&expected))
                    }
                    Shown::OnlyGiven(given) => {
                        reading.clone().supposing(choice).choice(given.question) != *given
                    }
                    _ => false,
                };
                assert!(states, "{question}={choice}: {other} is {:?}", inferred.shown);
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
        by_subject.iter().filter(|(_, other)| **other == answers).map(|(subject, _)| &**subject).collect()
    };
    assert_eq!(of_answer("accept"), ["dissallow"]);
    assert_eq!(of_answer("ignore").len(), by_subject.len() - 1);
}

#[test]
fn an_answer_that_a_single_probe_contradicts_is_not_stated() {
    let mut probes = probes();
    let outcome = |probe: &Probe, id| {
        let choice = choice(Question::AgentCase, id);
        probe.outcomes.iter().find(|(other, _)| *other == choice).map(|(_, outcome)| outcome.clone())
    };
    probes.retain(|probe| {
        probe.question == Question::AgentCase && outcome(probe, "sensitive") != outcome(probe, "insensitive")
    });
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
    assert_eq!(answers, ["agent-in-small-letters", "insensitive", "sensitive"]);
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
    // The question whose answer another probe needs is rejected as well.
    let is_asked = |probe: &&Probe| probe.question == Question::AsciiEscape && probe.given.is_empty();
    let of_question = probes.iter().filter(is_asked).count();
    assert!(ascii_escape.probes > 0);
    assert_eq!(rejected.count + ascii_escape.probes, of_question);
    assert_eq!(rejected.got, "error: not a URL");
    assert_eq!(*shown(&profile, Question::NonAscii), Shown::Rejected);
    assert_eq!(profile.not_supported(), [Question::IdnHost]);
}
