//! Tests of the fuzzing engine.

mod causes;
mod findings;
mod profiles;
mod reading;
mod searches;
mod second;
