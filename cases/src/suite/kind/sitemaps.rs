//! The row of a case about sitemaps.

use std::sync::Arc;

use crate::check::Check;
use crate::expected::{Expected, ExpectedSitemaps};
use crate::query::Query;
use crate::suite::load::case::{CaseLoader, Stated};
use crate::yaml::Loaded;

pub(in crate::suite) fn load(
    case: &CaseLoader,
    robots: &Arc<[u8]>,
    required: &[String],
    optional: &[String],
) -> Loaded<Vec<Check>> {
    let questions = match case.question {
        _ if optional.is_empty() => Vec::new(),
        Some(written) => case.find_questions(&format!("{}.question", case.part), written)?,
        None => {
            let message = "name the `question` on which these sitemaps depend";
            return Err(case.error("open-sitemaps", message));
        }
    };
    let sitemaps = ExpectedSitemaps { required: required.to_vec(), optional: optional.to_vec() };
    let expected = case.in_each_edition(&Expected::Sitemaps(sitemaps));
    let stated = Stated { expected, questions, ..Stated::default() };
    let row =
        case.load_row(case.part, None, &None, stated, || Ok(Query::Sitemaps { robots: Arc::clone(robots) }));
    Ok(vec![row?])
}
