//! Tests of the fuzzing engine.

mod causes;
mod findings;
mod minimal;
mod reading;
mod rendered;
mod searches;
mod second;
mod subtle;
mod usage;
