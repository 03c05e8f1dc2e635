//! Readings: one answer to every question.
//!
//! The evaluator is written as if there were one reading: where the text has a choice, it queries its `Reader`. Only
//! this module handles several readings. `explore` runs an evaluation once for each combination of answers that it
//! queries, so that a file which raises no question costs one evaluation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

use crate::answer::{Answers, CountedSize};
use crate::edition::Edition;
use crate::question::typed::SizeLimit;
use crate::question::{Choice, Question, TABLE, TypedQuestion};

/// Answers the questions that an evaluation raises.
pub(crate) trait Reader {
    /// Chooses an answer to a question about these bytes, such as one misspelling. For the same question and bytes the
    /// choice is the same.
    fn choose(&mut self, question: Question, subject: &[u8]) -> Choice;

    /// Returns the choices that [`choose`](Reader::choose) may return.
    fn admitted(&self, question: Question) -> &[Choice];

    /// Chooses one of these size limits, in bytes, which are in ascending order. Without limits, everything counts.
    fn choose_limit(&mut self, limits: &[usize]) -> usize;

    /// Counts steps of the evaluation, such as a line or the comparison of a byte with an escape. Returns whether it may
    /// go on. If not, its outcome does not count.
    fn spend(&mut self, _steps: usize) -> bool {
        true
    }

    /// Begins with a line, or with what concerns no single line where the number is 0.
    fn at_line(&mut self, _number: u32) {}

    /// Returns whether the reader may answer a question so.
    fn admits<A: Answers + PartialEq>(&self, question: TypedQuestion<A>, answer: A) -> bool {
        self.admitted(question.question()).contains(&question.choice(answer))
    }

    /// Returns whether the reader always answers a question so.
    fn always<A: Answers + PartialEq>(&self, question: TypedQuestion<A>, answer: A) -> bool {
        self.admitted(question.question()) == [question.choice(answer)]
    }

    /// Returns the answer to a question.
    fn answer<A: Answers>(&mut self, question: TypedQuestion<A>) -> A {
        self.answer_about(question, &[])
    }

    /// Returns the answer to a question about these bytes.
    fn answer_about<A: Answers>(&mut self, question: TypedQuestion<A>, subject: &[u8]) -> A {
        question.answer(self.choose(question.question(), subject))
    }

    /// Returns the outcome of the answer to a question. The question is raised only where the admitted answers have
    /// different outcomes.
    fn outcome<A: Answers, T: PartialEq>(
        &mut self,
        question: TypedQuestion<A>,
        outcome: impl Fn(A) -> T,
    ) -> T {
        let admitted = self.admitted(question.question()).iter();
        let mut outcomes = admitted.map(|&choice| outcome(question.answer(choice)));
        if let Some(first) = outcomes.next()
            && outcomes.all(|other| other == first)
        {
            return first;
        }
        outcome(self.answer(question))
    }
}

/// A complete reading of an edition: an answer to every question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    edition: Edition,
    /// In the order of the table of questions.
    choices: Vec<Choice>,
}

impl Reading {
    /// Returns the reading that consists of the first admitted answer to each question.
    pub fn plainest(edition: Edition) -> Self {
        Reading { edition, choices: TABLE.iter().map(|row| row.answers(edition)[0]).collect() }
    }

    /// This reading with another answer to one question.
    ///
    /// # Errors
    ///
    /// The edition does not admit the answer.
    pub fn with(self, choice: Choice) -> Result<Self, NotAdmitted> {
        match choice.question.row().answers(self.edition).contains(&choice) {
            true => Ok(self.supposing(choice)),
            false => Err(NotAdmitted { edition: self.edition, choice }),
        }
    }

    /// This reading with another answer to one question, whether or not the edition admits it.
    pub fn supposing(mut self, choice: Choice) -> Self {
        self.choices[choice.question as usize] = choice;
        self
    }

    /// This reading with a mistake: the answer, also to the question that parsers with this mistake answer alike.
    pub fn with_mistake(self, mistake: Choice) -> Self {
        mistake.as_mistake().fold(self, Reading::supposing)
    }

    /// Returns the edition of this reading.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the answer to a question.
    pub fn choice(&self, question: Question) -> Choice {
        self.choices[question as usize]
    }
}

/// What one reading answers on the way to an outcome: the questions, and the subjects of those that have some, such as the
/// misspellings of a file. The answers to other questions cannot change the outcome.
pub type Asked = BTreeMap<Question, BTreeSet<Vec<u8>>>;

/// Answers the questions of an evaluation as one reading does.
pub(crate) struct SingleReader<'r> {
    reading: &'r Reading,
    /// Another answer about one subject.
    except: Option<(&'r [u8], Choice)>,
    /// What is asked, where it is to be noted.
    asked: Option<RefCell<Asked>>,
}

impl<'r> SingleReader<'r> {
    pub(crate) fn new(reading: &'r Reading) -> Self {
        SingleReader { reading, except: None, asked: None }
    }

    /// Returns a reader with another answer about one subject.
    pub(crate) fn except(self, subject: &'r [u8], answer: Choice) -> Self {
        SingleReader { except: Some((subject, answer)), ..self }
    }

    /// Returns what an evaluation asks.
    pub(crate) fn note(reading: &'r Reading, evaluate: impl FnOnce(&mut Self)) -> Asked {
        let mut reader = SingleReader { asked: Some(RefCell::default()), ..SingleReader::new(reading) };
        evaluate(&mut reader);
        reader.asked.map(RefCell::into_inner).unwrap_or_default()
    }
}

impl Reader for SingleReader<'_> {
    fn choose(&mut self, question: Question, subject: &[u8]) -> Choice {
        if let Some(asked) = &mut self.asked {
            let subjects = asked.get_mut().entry(question).or_default();
            if !subject.is_empty() && !subjects.contains(subject) {
                subjects.insert(subject.to_vec());
            }
        }
        match self.except {
            Some((about, answer)) if about == subject && answer.question == question => answer,
            _ => self.reading.choice(question),
        }
    }

    fn admitted(&self, question: Question) -> &[Choice] {
        if let Some(asked) = &self.asked {
            asked.borrow_mut().entry(question).or_default();
        }
        std::slice::from_ref(&self.reading.choices[question as usize])
    }

    /// A reading with any limit counts as much as possible.
    fn choose_limit(&mut self, _: &[usize]) -> usize {
        usize::MAX
    }
}

/// The error of a reading with an answer that its edition does not admit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAdmitted {
    /// The edition of the reading.
    pub edition: Edition,
    /// The answer.
    pub choice: Choice,
}

impl fmt::Display for NotAdmitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not admit the answer {} to {}", self.edition, self.choice, self.choice.question)
    }
}

impl std::error::Error for NotAdmitted {}

/// Answers the questions of an evaluation with one combination of answers, and records the choices.
pub(crate) struct Explorer {
    edition: Edition,
    /// The choices so far, in the order in which the evaluation raised them.
    choices: Vec<Choice>,
    /// The subject of each choice. Empty where the choice holds for all subjects of its question.
    subjects: Vec<Vec<u8>>,
    /// Whether each subject of a question is a choice of its own.
    is_detailed: bool,
    /// The place of the chosen size limit, and the number of size limits to choose from.
    limit: (usize, usize),
    /// The steps of all evaluations so far.
    steps: usize,
    /// The number of the line that is read, or 0.
    line: u32,
    /// The questions that lines raise, where they are to be noted.
    raised: Option<BTreeSet<(Question, u32)>>,
}

/// The number of size limits that are tried. Where more make a difference, a ruling is *unspecified*.
pub const MOST_LIMITS: usize = 512;

impl Explorer {
    /// Returns an explorer that answers a question alike for all subjects.
    pub(crate) fn new(edition: Edition) -> Self {
        Explorer {
            edition,
            choices: Vec::new(),
            subjects: Vec::new(),
            is_detailed: false,
            limit: (0, 0),
            steps: 0,
            line: 0,
            raised: None,
        }
    }

    /// Returns an explorer that notes which lines raise which questions.
    pub(crate) fn noting(edition: Edition) -> Self {
        Explorer { raised: Some(BTreeSet::new()), ..Explorer::new(edition) }
    }

    /// Returns the questions that lines raised, with the numbers of the lines. Of too many readings, those that were evaluated
    /// count.
    pub(crate) fn into_raised(self) -> BTreeSet<(Question, u32)> {
        self.raised.unwrap_or_default()
    }

    /// Returns the edition whose readings it explores.
    pub(crate) fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns whether each subject of a question is a choice of its own.
    pub(crate) fn is_detailed(&self) -> bool {
        self.is_detailed
    }

    /// Returns whether the evaluation has raised no question so far.
    pub(crate) fn is_settled(&self) -> bool {
        self.choices.is_empty()
    }

    /// Returns the steps of all evaluations so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Begins with the first combination of answers. The steps so far count.
    fn begin(&mut self) {
        self.choices.clear();
        self.subjects.clear();
        self.limit = (0, 0);
    }

    /// Returns an explorer that answers a question for each subject separately, so that one misspelling may count as a
    /// field and another may not.
    pub(crate) fn in_detail(edition: Edition) -> Self {
        Explorer { is_detailed: true, ..Explorer::new(edition) }
    }

    fn place(&self, question: Question, subject: &[u8]) -> Option<usize> {
        if !self.is_about_subject(question) {
            return self.choices.iter().position(|choice| choice.question == question);
        }
        let mut choices = self.choices.iter().zip(&self.subjects);
        choices.position(|(choice, other)| choice.question == question && other == subject)
    }

    /// Returns whether each subject of this question is a choice of its own. A rule may match a part of an escape in one
    /// spelling, and another rule only in a spelling that a reader does not use together with it.
    fn is_about_subject(&self, question: Question) -> bool {
        self.is_detailed || question == Question::PartialEscape
    }

    /// Changes the latest choice that has a further answer to that answer, and forgets the choices after it.
    fn advance(&mut self) -> bool {
        while let Some(choice) = self.choices.pop() {
            if choice == SizeLimit.choice(CountedSize::Larger) {
                let (place, count) = self.limit;
                if place + 1 < count {
                    self.limit.0 += 1;
                    self.choices.push(choice);
                    return true;
                }
                self.limit = (0, 0);
            }
            let answers = choice.question.row().answers(self.edition);
            if let Some(&next) = answers.iter().skip_while(|&&other| other != choice).nth(1) {
                self.choices.push(next);
                return true;
            }
        }
        false
    }
}

impl Reader for Explorer {
    fn choose(&mut self, question: Question, subject: &[u8]) -> Choice {
        let answers = question.row().answers(self.edition);
        if let [only] = answers {
            return *only;
        }
        if let Some(raised) = self.raised.as_mut().filter(|_| self.line > 0) {
            raised.insert((question, self.line));
        }
        if let Some(place) = self.place(question, subject) {
            return self.choices[place];
        }
        self.subjects.truncate(self.choices.len());
        self.choices.push(answers[0]);
        self.subjects.push(if self.is_about_subject(question) { subject.to_vec() } else { Vec::new() });
        answers[0]
    }

    fn admitted(&self, question: Question) -> &[Choice] {
        let answers = question.row().answers(self.edition);
        match answers {
            [_] => answers,
            _ => {
                self.place(question, &[]).map_or(answers, |place| std::slice::from_ref(&self.choices[place]))
            }
        }
    }

    fn at_line(&mut self, number: u32) {
        self.line = number;
    }

    fn choose_limit(&mut self, limits: &[usize]) -> usize {
        self.limit.1 = limits.len();
        limits.get(self.limit.0).copied().unwrap_or(usize::MAX)
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps);
        self.steps <= MOST_STEPS
    }
}

/// The number of combinations that are evaluated. It bounds the cost of a file that raises many questions on purpose.
/// Where there are more combinations, a ruling is *unspecified*, which no implementation can violate.
pub const MOST_READINGS: usize = 4096;

/// The number of steps of all these evaluations together. Where they take more, a ruling is *unspecified* as well. A step is
/// a rule that is looked at, or what takes as long, such as eight bytes that are compared.
pub const MOST_STEPS: usize = 1_000_000;

/// The error of an evaluation that has more than [`MOST_READINGS`] combinations of answers, or takes too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManyReadings;

/// Evaluates under each combination of answers that the evaluation queries, depth first, and visits each combination
/// with its outcome. A visit may stop the exploration.
pub(crate) fn explore<T>(
    explorer: &mut Explorer,
    mut evaluate: impl FnMut(&mut Explorer) -> T,
    mut visit: impl FnMut(&[Choice], T) -> ControlFlow<()>,
) -> Result<(), TooManyReadings> {
    explorer.begin();
    for _ in 0..MOST_READINGS {
        let outcome = evaluate(explorer);
        let is_stopped = visit(&explorer.choices, outcome).is_break();
        if explorer.limit.1 > MOST_LIMITS || explorer.steps > MOST_STEPS {
            break;
        }
        if is_stopped || !explorer.advance() {
            explorer.begin();
            return Ok(());
        }
    }
    explorer.begin();
    Err(TooManyReadings)
}

/// Returns the outcome that all combinations of answers share, if they share one.
pub(crate) fn common_outcome<T: PartialEq>(
    explorer: &mut Explorer,
    evaluate: impl FnMut(&mut Explorer) -> T,
) -> Option<T> {
    let mut common = None;
    let mut differ = false;
    let explored = explore(explorer, evaluate, |_, outcome| {
        match &common {
            None => common = Some(outcome),
            Some(common) => differ = *common != outcome,
        }
        if differ { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    common.filter(|_| !differ && explored.is_ok())
}
