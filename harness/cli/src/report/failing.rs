//! Failures row by row: a row and its variants mostly fail for one reason, so that one of them stands for all.

use std::collections::{HashMap, HashSet};

use robotspec::event::CheckFinished;
use robotspec_cases::suite::{Variant, row_and_variant};

/// A row that fails, as it is written or in a variant.
#[derive(Debug)]
pub(crate) struct FailingRow<'f> {
    row: &'f str,
    /// The row as it is written, or, where that passes, its first variant that fails.
    pub(crate) example: &'f CheckFinished,
    /// The variants that fail besides.
    others: Vec<Variant>,
}

/// The rows of these failures, in their order.
pub(crate) fn failing_rows<'f>(failures: impl IntoIterator<Item = &'f CheckFinished>) -> Vec<FailingRow<'f>> {
    let mut rows: Vec<FailingRow<'f>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for failure in failures {
        let (row, variant) = row_and_variant(&failure.id);
        match places.get(row) {
            Some(&place) => rows[place].others.extend(variant),
            None => {
                places.insert(row, rows.len());
                rows.push(FailingRow { row, example: failure, others: Vec::new() });
            }
        }
    }
    rows
}

/// The clause that a failure is put down to: where the row passes as it is written, that which allows to rewrite it.
/// The ids are of all that fails.
pub(crate) fn blamed<'f>(failure: &'f CheckFinished, all_that_fails: &HashSet<&str>) -> &'f str {
    match row_and_variant(&failure.id) {
        (row, Some(variant)) if !all_that_fails.contains(row) => variant.clause(),
        _ => &failure.clause,
    }
}

impl FailingRow<'_> {
    /// In which variants it fails besides, if in any.
    pub(crate) fn others(&self) -> Option<String> {
        let is_written = self.example.id == self.row;
        variants(&self.others, if is_written { "" } else { "other " })
    }
}

/// `and in 2 variants: crlf, cr`
pub(crate) fn variants(variants: &[Variant], other: &str) -> Option<String> {
    let names: Vec<&str> = variants.iter().map(|variant| variant.id()).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    (!names.is_empty())
        .then(|| format!("and in {} {other}variant{plural}: {}", names.len(), names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(id: &str) -> CheckFinished {
        let (implementation, clause) = (String::new(), String::new());
        CheckFinished {
            implementation,
            id: id.to_owned(),
            clause,
            editions: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn a_variant_stands_for_the_others_where_the_row_itself_passes() {
        let failures = ["s/c#a", "s/c#a~cr", "s/c#b~crlf", "s/c#a~bom", "s/c#b~cr", "s/c#c"].map(failure);
        let rows = failing_rows(&failures);
        let told: Vec<(&str, Option<String>)> =
            rows.iter().map(|row| (row.example.id.as_str(), row.others())).collect();
        assert_eq!(
            told,
            [
                ("s/c#a", Some("and in 2 variants: cr, bom".to_owned())),
                ("s/c#b~crlf", Some("and in 1 other variant: cr".to_owned())),
                ("s/c#c", None),
            ]
        );
    }
}
