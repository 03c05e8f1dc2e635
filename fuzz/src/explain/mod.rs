//! What a minimised divergence means: its cause, its class, its explanation, and its case.

mod case;
pub(crate) mod cause;
mod explanation;
pub(crate) mod finding;
mod vary;
