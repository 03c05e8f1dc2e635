//! The part of a profile about the values of fields that no edition specifies.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use robotspec_cases::{brief, visible};
use robotspec_fuzz::values::{InferredTrait, Reading};
use serde_json::{Value, json};

use super::write_query;
use crate::output::{OPEN, styled, table};

/// The word for a trait without a single reading.
const OTHER: &str = "other";

/// Writes the readings as a table, then a probe of each trait that no single reading explains.
pub(super) fn write(traits: &[InferredTrait], out: &mut impl Write) -> Result<()> {
    if traits.is_empty() {
        return Ok(());
    }
    let mut last = None;
    let rows = traits.iter().map(|one| {
        let is_first = last.replace(one.field) != Some(one.field);
        let field = if is_first { one.field.id() } else { "" };
        [field.to_owned(), one.name.to_owned(), describe(&one.finding), one.probes.to_string()]
    });
    writeln!(out, "values that no edition specifies\n")?;
    writeln!(out, "{}\n", table(["field", "trait", "its reading", "probes"], rows, 3..4))?;
    for one in traits {
        if let Reading::Other { most, query, got } = &one.finding {
            let not = most.map(|most| format!(", and not {most}")).unwrap_or_default();
            writeln!(out, "{} {} {}: {}", styled(OPEN, OTHER), one.field, one.name, one.asks)?;
            writeln!(out, "  {}{not}", visible(&brief(got)))?;
            write_query(query, out)?;
        }
    }
    Ok(())
}

fn describe(reading: &Reading) -> String {
    match reading {
        Reading::Stated(readings) => readings.join(" or "),
        Reading::Error => "error".to_owned(),
        Reading::Other { .. } => OTHER.to_owned(),
    }
}

/// Returns the readings of each trait by field.
pub(super) fn as_json(traits: &[InferredTrait]) -> Value {
    let mut fields: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for one in traits {
        let readings = match &one.finding {
            Reading::Stated(readings) => readings.clone(),
            Reading::Error => vec!["error"],
            Reading::Other { .. } => Vec::new(),
        };
        let mut object = json!({ "trait": one.name, "readings": readings, "probes": one.probes });
        if let Reading::Other { most, query, got } = &one.finding {
            object["example"] = json!({ "query": query, "got": got, "most": most });
        }
        fields.entry(one.field.id()).or_default().push(object);
    }
    json!(fields)
}
