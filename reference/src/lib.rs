//! An executable specification of robots.txt: the rulings of each edition about files, agents and URLs.
//!
//! A specification does not decide everything. So the answer of an [`Edition`] is one of three [`Ruling`]s: allow,
//! disallow, or *unspecified* where readings of its text differ. What an edition does not decide is data: the [table of
//! questions](question).
//!
//! Each chapter of the specification is a module. They follow the order of the specification:
//!
//! | module | chapter |
//! | --- | --- |
//! | `line` | File format |
//! | `group` | Grouping of lines and rules |
//! | `agent` | Order of precedence for user agents |
//! | `path` | URL matching based on path values |
//! | `precedence` | Order of precedence for rules |
//! | [`scope`](mod@scope) | File location and range of validity |
//! | [`access`](mod@access) | Handling of HTTP result codes; caching |
//! | [`sitemap`] | Sitemaps |
//! | [`usage`] | Usage preferences |
//! | [`grammar`] | Formal syntax |
//!
//! [`reading`] evaluates them for every reading that makes a difference, [`ruling`] combines them, [`AgentRules`] proves most
//! rulings without an evaluation for each reading, and [`explanation`] and [`doubt`] give the reasons. [`scan`],
//! [`UrlParts`] and [`bytes`] are purely syntactic; code that rewrites, shows or queries files uses them too.
//!
//! Everything is a pure function of its arguments. No input causes a panic. Parsing is linear in the size of the file, and
//! matching costs at most the product of the lengths of pattern and path.

#[macro_use]
pub mod named;

pub mod access;
mod agent;
pub mod answer;
pub mod bytes;
pub mod doubt;
pub mod edition;
mod enumeration;
pub mod explanation;
mod fast;
mod field_name;
pub mod grammar;
mod group;
mod line;
pub mod line_by_line;
mod lines;
mod part;
mod path;
mod path_byte;
mod pattern;
mod precedence;
pub mod question;
pub mod reading;
mod rule;
pub mod ruling;
pub mod scan;
pub mod scope;
pub mod sitemap;
mod stretch;
mod target;
mod url_parts;
pub mod usage;
mod usage_line;

pub use access::{Access, access};
pub use agent::Token;
pub use doubt::Doubt;
pub use edition::Edition;
pub use fast::AgentRules;
pub use field_name::nearest_field;
pub use group::{GroupLines, WhichGroups};
pub use line::Record;
pub use precedence::Prevails;
pub use question::{Choice, Question};
pub use reading::{NotAdmitted, Reading};
pub use ruling::{DecidedBy, Decision, RobotsTxt, RuleCitation, Ruling, Verdict};
pub use scan::{Line, RuleKind, split_lines};
pub use scope::{Governs, ScopeExplanation, ScopeReason, explain_scope, governs, scope};
pub use target::NotAUrl;
pub use url_parts::UrlParts;
pub use usage::{Preferences, Usage, preferences};
