//! What is likely the one cause of many failures: a first adapter that turns the verdicts round, or never hands the
//! file over, fails thousands of checks for a reason that none of them shows.
//!
//! What hides everything else is claimed only where every answer bears it out, over many cases: a parser with an
//! ordinary mistake differs from all of these in a few answers at least. An ordinary mistake is claimed where a parser
//! with just that mistake answers the same, in what fails and in what passes.

use robotspec_reference::Ruling;

use crate::event::{CheckFinished, Judged, Status};
use crate::implementation::Incident;
pub use cause::Cause;
pub use inquiry::Inquiry;
pub use model::Mistake;
use robotspec_cases::suite::{Check, Expected, Request};

mod cause;
mod evidence;
mod inquiry;
mod model;
mod supposed;

/// A likely cause, and what speaks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likely {
    /// What it likely is.
    pub cause: Cause,
    /// What is observed.
    pub observed: String,
    /// How many pieces of evidence there are.
    pub evidence: usize,
    /// What each of these is: a check, a comparison of checks that differ in one thing, a request.
    pub of: &'static str,
}

/// What came of a check whose answer all editions that judge it want the same.
#[derive(Debug, Clone)]
pub struct Answered<'c> {
    check: &'c Check,
    robots: &'c [u8],
    agent: &'c str,
    url: &'c str,
    /// Whether it is to be allowed; nothing where that is open.
    expected: Option<bool>,
    /// Whether some edition wants a disallow, and whether some wants an allow.
    wanted: [bool; 2],
    /// Whether it fails in some edition.
    fails: bool,
    got: Got,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Got {
    Allowed(bool),
    /// It failed, and how.
    Failed(Status, String),
    /// Not the same in all editions, or no verdict.
    Other,
}

impl Got {
    fn new(judged: &Judged) -> Self {
        match (judged.status, judged.got.as_str()) {
            (Status::Crash | Status::Timeout | Status::ProtocolError | Status::Error, _) => {
                Got::Failed(judged.status, judged.got.clone())
            }
            (_, "allow") => Got::Allowed(true),
            (_, "disallow") => Got::Allowed(false),
            _ => Got::Other,
        }
    }
}

impl<'c> Answered<'c> {
    /// What came of a check; nothing where it is not about the verdict on a URL, or was not asked.
    pub fn new(check: &'c Check, finished: &CheckFinished) -> Option<Self> {
        let Request::Match { robots, agent, url } = &check.request else { return None };
        if finished.editions.values().any(|judged| judged.status == Status::NotRun) {
            return None;
        }
        let expectations = finished.editions.keys().map(|edition| match check.expected.get(&edition.0) {
            Some(Expected::Ruling(Ruling::Allow)) => Some(true),
            Some(Expected::Ruling(Ruling::Disallow)) => Some(false),
            _ => None,
        });
        let expectations: Vec<Option<bool>> = expectations.collect();
        let answers = finished.editions.values().map(Got::new);
        Some(Answered {
            check,
            robots,
            agent,
            url,
            wanted: [false, true].map(|allowed| expectations.contains(&Some(allowed))),
            fails: finished.editions.values().any(|judged| judged.status.is_failure()),
            expected: same(expectations.into_iter()).flatten(),
            got: same(answers).unwrap_or(Got::Other),
        })
    }

    fn allowed(&self) -> Option<bool> {
        if let Got::Allowed(allowed) = self.got { Some(allowed) } else { None }
    }

    /// The case and the variant: the checks of one file.
    fn file(&self) -> (&'c str, Option<&'static str>) {
        let case = self.check.row.split('#').next().unwrap_or_default();
        (case, self.check.variant.map(|variant| variant.id()))
    }
}

/// What they all are.
fn same<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// What likely makes the checks of a run fail, the first to mend first.
pub fn likely_causes(answers: &[Answered], incidents: &[Incident]) -> Vec<Likely> {
    // Any of these hides all others.
    let alone = [
        evidence::always_fails,
        evidence::inverted,
        evidence::constant,
        supposed::swapped,
        evidence::url_for_path,
        evidence::one_answer_a_file,
        evidence::file_ignored,
    ];
    if let Some(likely) = alone.into_iter().find_map(|of| of(answers)) {
        return vec![likely];
    }
    let ignored = [evidence::agent_ignored(answers), evidence::url_ignored(answers)];
    // Where one of them is ignored, the model knows no answer.
    let mistakes = if ignored == [None, None] { supposed::mistakes(answers) } else { Vec::new() };
    let several = [evidence::first_check_alone(incidents)].into_iter().chain(ignored);
    let several = several.chain([evidence::base64_not_decoded(answers)]).flatten();
    several.chain(mistakes).collect()
}

impl Likely {
    fn new(cause: Cause, evidence: usize, of: &'static str) -> Self {
        Likely { cause, observed: cause.told().0.to_owned(), evidence, of }
    }
}

impl Cause {
    /// Whether this may be what makes the check fail, so that there is no use in looking at it first.
    pub fn may_explain(self, check: &Check, finished: &CheckFinished) -> bool {
        let ended = |status| finished.editions.values().any(|judged| judged.status == status);
        match (self, &check.request) {
            (Cause::AlwaysFails, Request::Match { .. } | Request::Alike { .. }) => !ended(Status::Fail),
            (Cause::FirstCheckAlone, _) => ended(Status::ProtocolError),
            (Cause::Base64NotDecoded, Request::Match { robots, .. }) => !evidence::is_utf8(robots),
            (Cause::Mistake(mistake), Request::Match { robots, agent, url }) => {
                match same(finished.editions.values().map(Got::new)) {
                    Some(Got::Allowed(allowed)) => supposed::explains(mistake, robots, agent, url, allowed),
                    _ => false,
                }
            }
            (_, Request::Match { .. }) => true,
            _ => false,
        }
    }
}
