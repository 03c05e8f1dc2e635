//! A second evaluator for RFC 9309 and google-2026, written from the texts without the first one.
//!
//! The two share no code and no structure, so that a mistake has to be made twice to stay unseen. This one follows the
//! definition of a ruling to the letter: it evaluates a file in every reading, with plain functions on copies of the
//! text, and compares the verdicts. A reading is a list of answers; only the questions that an evaluation asks are
//! varied. It is slow. The tests of the fuzzer compare the two.
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

#![expect(missing_docs, reason = "the fields and answers have the names of the texts")]

pub mod agents;
pub mod groups;
pub mod lines;
pub mod paths;
pub mod precedence;
pub mod questions;
pub mod readings;
pub mod rulings;
