//! A probe: a file and an agent, and the values under each reading.

use robotspec_cases::Query;

use super::field::Field;

/// A trait of a field, and its probes.
#[derive(Debug, Clone)]
pub struct ValueTrait {
    /// The field.
    pub field: Field,
    /// The name, unique in the field.
    pub name: &'static str,
    /// What it asks.
    pub asks: &'static str,
    /// The probes. All have the same readings.
    pub probes: Vec<ValueProbe>,
}

/// A query about values.
#[derive(Debug, Clone)]
pub struct ValueProbe {
    /// The query.
    pub query: Query,
    /// The outcome under each reading.
    pub(super) outcomes: Vec<(&'static str, Outcome)>,
}

/// The values that a reading has.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// These values, in this order.
    Values(Vec<String>),
    /// A number from 0 that is less than this one.
    Less(f64),
}

impl Outcome {
    pub(super) fn none() -> Self {
        Outcome::Values(Vec::new())
    }

    pub(super) fn one(value: impl Into<String>) -> Self {
        Outcome::Values(vec![value.into()])
    }

    /// Returns whether an implementation has these values.
    pub(super) fn has(&self, got: &[String]) -> bool {
        match self {
            Outcome::Values(values) => {
                values.len() == got.len() && values.iter().zip(got).all(|(value, got)| is_same(value, got))
            }
            Outcome::Less(limit) => {
                let [got] = got else { return false };
                number(got).is_some_and(|got| got >= 0.0 && got < *limit && !is_close(got, *limit))
            }
        }
    }
}

/// Returns whether two values are the same text, or numbers or rates of the same size.
fn is_same(value: &str, got: &str) -> bool {
    let is_same_number = |one: &str, other: &str| {
        number(one).zip(number(other)).is_some_and(|(one, other)| is_close(one, other))
    };
    let has_same_parts = || {
        let parts = value.split_once('/').zip(got.split_once('/'));
        parts.is_some_and(|((a, b), (c, d))| is_same_number(a, c) && is_same_number(b, d))
    };
    value == got || is_same_number(value, got) || has_same_parts()
}

/// Returns a number that is written with digits and a point alone. An exponent is part of a text, not of a number: an
/// implementation that gives back `1e3` has not evaluated it.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number { text.parse().ok() } else { None }
}

/// Returns whether two numbers differ by less than a number with 32 bits can express.
fn is_close(one: f64, other: f64) -> bool {
    const PRECISION: f64 = 1e-6;
    (one - other).abs() <= PRECISION * other.abs()
}
