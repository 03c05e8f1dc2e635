//! What exists only for speed. The rulings are those of the [enumeration](crate::enumeration), which a property test and a
//! comparison on real files show.
//!
//! Most lines and paths raise no question, and most groups name other crawlers in every reading, so that few lines are left
//! to be read in each of them.

mod agent_rules;
pub(crate) mod line;
pub(crate) mod line_records;
pub(crate) mod path;
mod relevant_lines;
pub(crate) mod starts;

pub use agent_rules::AgentRules;
