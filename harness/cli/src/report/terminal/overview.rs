//! Several implementations at a glance: a line for each, by the edition that most of them follow.

use std::io::Write;

use anyhow::Result;
use robotspec::RunRecord;

use crate::output::{BAD, FAINT, OPEN, full_name, styled, table};
use crate::report::clauses::{ClauseCounts, compared_by};

/// Writes the line of each implementation, in their order.
pub(super) fn write(record: &RunRecord, out: &mut dyn Write) -> Result<()> {
    let header = [
        "implementation",
        "edition",
        "clauses\nkept",
        "clauses\nviolated",
        "with\ndepartures",
        "inputs\nwrong",
        "crashes,\ntime-outs",
    ];
    let rows = record.implementations.iter().map(|implementation| {
        let name = full_name(&implementation.info);
        let Some(edition) = compared_by(implementation) else { return vec![name] };
        let counts = ClauseCounts::of(implementation, edition);
        let bad = |style, count: usize| {
            if count > 0 { styled(style, count).to_string() } else { count.to_string() }
        };
        vec![
            name,
            edition.to_string(),
            counts.describe_kept(),
            bad(BAD, counts.violated),
            bad(OPEN, counts.departed),
            bad(BAD, counts.wrong),
            bad(BAD, counts.crashed),
        ]
    });
    writeln!(out, "{}", table(header, rows, 2..usize::MAX))?;
    let note = "a clause is kept if no row contradicts what it requires; clauses that only leave open what is right, or that an \
                implementation has no function for, do not count; --all shows every edition";
    writeln!(out, "{}", styled(FAINT, note))?;
    Ok(())
}
