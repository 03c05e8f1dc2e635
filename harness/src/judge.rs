//! The judge: holds an answer against what an edition expects.

use std::sync::Arc;

use robotspec_reference::{Governs, Ruling};

use crate::event::Status;
use crate::implementation::{Accessed, Fault, Verdict};
use robotspec_cases::suite::{Check, Expected, ExpectedAccess};

/// What came of a check.
pub type Got = Result<Single, Fault>;

/// The answer to a single check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Single {
    Verdict(Verdict),
    /// Of a file and of its twin.
    Verdicts(Verdict, Verdict),
    Sitemaps(Vec<String>),
    Governs(Governs),
    Accessed {
        paths: Arc<[String]>,
        accessed: Accessed,
    },
    Derived(bool),
}

/// Whether the check is about how a client asks (Google, "File location and range of validity").
pub fn wants_plain_requests(check: &Check) -> bool {
    check.clauses.iter().any(|clause| clause.id == "H-get")
}

pub fn judge(expected: &Expected, got: &Got, wants_plain_requests: bool) -> Status {
    let as_expected = |same: bool| if same { Status::Pass } else { Status::Fail };
    let single = match got {
        Ok(single) => single,
        Err(Fault::NotSupported) => return Status::NotSupported,
        Err(Fault::Crash(_)) => return Status::Crash,
        Err(Fault::Timeout(_)) => return Status::Timeout,
        Err(Fault::Protocol(_)) => return Status::ProtocolError,
        Err(Fault::NotRun(_)) => return Status::NotRun,
        Err(Fault::Error(_)) if expected.is_unspecified() => return Status::Unspecified,
        Err(Fault::Error(_)) => return Status::Error,
    };
    match (expected, single) {
        (Expected::Ruling(Ruling::Unspecified), Single::Verdict(Verdict::Unspecified))
        | (Expected::Governs(Governs::Unspecified), Single::Governs(Governs::Unspecified)) => Status::Pass,
        (Expected::Access(expected), Single::Accessed { paths, accessed }) => {
            judge_access(expected, paths, accessed, wants_plain_requests)
        }
        (expected, _) if expected.is_unspecified() => Status::Unspecified,
        (_, Single::Verdict(Verdict::Error(_)))
        | (
            Expected::Alike,
            Single::Verdicts(Verdict::Error(_), _) | Single::Verdicts(_, Verdict::Error(_)),
        ) => Status::Error,
        (Expected::Alike, Single::Verdicts(of_file, of_twin)) => as_expected(of_file == of_twin),
        (Expected::Ruling(ruling), Single::Verdict(verdict)) => {
            as_expected(Verdict::from(*ruling) == *verdict)
        }
        (Expected::Governs(expected), Single::Governs(got)) => as_expected(expected == got),
        (Expected::Sitemaps { certain, open }, Single::Sitemaps(got)) => {
            as_expected(names_sitemaps(certain, open, got))
        }
        (Expected::Derived(expected), Single::Derived(got)) => as_expected(expected == got),
        _ => Status::ProtocolError,
    }
}

fn judge_access(
    expected: &ExpectedAccess,
    paths: &[String],
    accessed: &Accessed,
    wants_plain_requests: bool,
) -> Status {
    let is = |path: &str, verdict: &Verdict| Verdict::from(expected.ruling(path)) == *verdict;
    if *expected == ExpectedAccess::Unspecified {
        let knows = accessed.verdicts.contains(&Verdict::Unspecified);
        return if knows { Status::Pass } else { Status::Unspecified };
    }
    if accessed.verdicts.iter().any(|verdict| matches!(verdict, Verdict::Error(_))) {
        return Status::Error;
    }
    let all_right = paths.iter().zip(&accessed.verdicts).all(|(path, verdict)| is(path, verdict));
    let departs = wants_plain_requests && !accessed.departures.is_empty();
    if all_right && !departs { Status::Pass } else { Status::Fail }
}

/// Whether these are the certain sitemaps, in any order, for no text speaks
/// of one, and of the open ones any.
fn names_sitemaps(certain: &[String], open: &[String], got: &[String]) -> bool {
    let mut others: Vec<&String> = got.iter().collect();
    let mut take = |url: &String| {
        let place = others.iter().position(|other| *other == url);
        place.map(|place| others.swap_remove(place)).is_some()
    };
    let has_certain = certain.iter().all(&mut take);
    for url in open {
        take(url);
    }
    has_certain && others.is_empty()
}

pub fn describe(got: &Got, wants_plain_requests: bool) -> String {
    match got {
        Ok(Single::Verdict(verdict)) => verdict.to_string(),
        Ok(Single::Verdicts(of_file, of_twin)) if of_file == of_twin => format!("{of_file} for both"),
        Ok(Single::Verdicts(of_file, of_twin)) => format!("{of_file}, and {of_twin} for its twin"),
        Ok(Single::Governs(governs)) => Expected::Governs(*governs).to_string(),
        Ok(Single::Sitemaps(urls)) => format!("{urls:?}"),
        Ok(Single::Accessed { paths, accessed }) => {
            let verdicts = paths.iter().zip(&accessed.verdicts);
            let told: Vec<String> = verdicts.map(|(path, verdict)| format!("{path} {verdict}")).collect();
            let departures = if wants_plain_requests { &accessed.departures[..] } else { &[] };
            [&told[..], departures].concat().join(", ")
        }
        Ok(Single::Derived(derived)) => Expected::Derived(*derived).to_string(),
        Err(fault) => fault.to_string(),
    }
}
