//! The tests of the second evaluator, and of readers made of it.
//!
//! | module | concern |
//! | --- | --- |
//! | [`compare`] | the test that both evaluators agree |
//! | [`strict`] | readers that follow one reading, and the tests that nothing accuses them |
//! | [`old`] | the same of readers of 1994 and 1996, which drop what the text does not derive |

mod compare;
mod old;
mod strict;
