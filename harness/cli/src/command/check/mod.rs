//! `robotspec check`, `scope` and `sitemaps`: the answers of the reference, and next to them those of implementations.

mod comparison;
mod explanation;
mod queries;
mod scope;
mod sitemaps;
mod verdict;

use anyhow::anyhow;
use robotspec_text::visible;

pub(super) use scope::{ScopeArguments, scope};
pub(super) use sitemaps::{SitemapsArguments, sitemaps};
pub(super) use verdict::{CheckArguments, check};

/// Returns an error of the reference, which quotes a URL.
fn visible_error(error: impl std::error::Error) -> anyhow::Error {
    anyhow!(visible(&error.to_string()))
}
