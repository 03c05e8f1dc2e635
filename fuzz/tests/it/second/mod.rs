//! A second evaluator for RFC 9309 and google-2026, written from the texts without the first one.
//!
//! The two share no code and no structure, so that a mistake has to be made twice to stay unseen. This one follows the
//! definition of a ruling to the letter: it evaluates a file in every reading, with plain functions on copies of the
//! text, and compares the verdicts. A reading is a list of answers; only the questions that an evaluation asks are
//! varied. Paths are matched by a regular expression. It is slow.
//!
//! | module | concern |
//! | --- | --- |
//! | [`questions`] | what a reading has to answer, and the answers that each edition admits |
//! | [`readings`] | a reading, and the enumeration of all that differ |
//! | [`lines`] | a file to records |
//! | [`groups`] | records to groups |
//! | [`agents`] | the rules for a crawler |
//! | [`paths`] | whether a rule matches a URL |
//! | [`precedence`] | which rule prevails |
//! | [`rulings`] | the ruling of an edition |
//! | [`compare`] | the test that both evaluators agree |
//! | [`strict`] | readers that follow one reading, and the tests that nothing accuses them |
//! | [`old`] | the same of readers of 1994 and 1996, which drop what the text does not derive |

pub(crate) mod agents;
mod compare;
pub(crate) mod groups;
pub(crate) mod lines;
mod old;
pub(crate) mod paths;
pub(crate) mod precedence;
pub(crate) mod questions;
pub(crate) mod readings;
mod reduce;
pub(crate) mod rulings;
mod strict;
