//! The robots.txt specification, executable: what an edition says about a
//! file, an agent and a URL.
//!
//! A specification is a text with holes, so an [`Edition`] gives one of three
//! answers, a [`Ruling`]: allow, disallow, or *unspecified* where the text
//! leaves it open. Where it does is data: the [table of questions](question).
//!
//! One module is one chapter, in the order of the specification:
//!
//! | module | chapter |
//! | --- | --- |
//! | `line` | File format |
//! | `group` | Grouping of lines and rules |
//! | `agent` | Order of precedence for user agents |
//! | `path` | URL matching based on path values |
//! | `precedence` | Order of precedence for rules |
//! | `scope` | File location and range of validity |
//! | `access` | Handling of HTTP result codes; caching |
//! | `sitemap` | Sitemaps |
//! | `grammar` | Formal syntax |
//!
//! `reading` runs them once for every reading of the text that matters;
//! `ruling` puts them together, and `explanation` says why.
//!
//! Everything here is a pure function of its arguments, but for `client`, which
//! only the feature of that name brings, and which asks real sites. Whatever
//! the octets, nothing panics, and the cost is bounded: reading a file is
//! linear in its size, matching is at most the product of pattern and path.

pub mod access;
mod agent;
pub mod answer;
pub mod bytes;
#[cfg(feature = "client")]
pub mod client;
pub mod doubt;
pub mod edition;
pub mod explanation;
pub mod grammar;
mod group;
mod line;
mod path;
mod path_byte;
mod precedence;
pub mod question;
pub mod reading;
pub mod ruling;
pub mod scan;
pub mod scope;
pub mod sitemap;
mod target;
mod url_parts;

pub use access::{Access, access};
pub use doubt::Doubt;
pub use edition::{Edition, UnknownEdition};
pub use group::WhichGroups;
pub use precedence::Prevails;
pub use question::{Choice, Question};
pub use reading::{NotAdmitted, Reading};
pub use ruling::{AgentRules, DecidedBy, Decision, RobotsTxt, RuleCitation, Ruling, Verdict};
pub use scan::{RuleKind, split_lines};
pub use scope::{Governs, governs, scope};
pub use target::NotAUrl;
pub use url_parts::UrlParts;
