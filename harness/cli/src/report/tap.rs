//! Test Anything Protocol, version 14: a test point for each check and edition that a report of tests lists.

use std::io::{self, Write};

use anyhow::Result;
use robotspec::event::{CheckFinished, Judgement, Status, Totals};
use robotspec::{ImplementationRecord, Incident, RunRecord};
use robotspec_cases::Level;
use robotspec_reference::Edition;
use robotspec_text::{visible, visible_lines};

use crate::output::full_name;
use crate::report::Catalog;
use crate::report::summary::failure_lines;
use crate::report::test_result::{TestResult, Tests};

pub(super) fn write(record: &RunRecord, catalog: &Catalog, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "TAP version 14\n# robotspec {}", visible(&record.robotspec))?;
    let mut tap = Tap { out, catalog, level: record.level(), count: 0 };
    for (place, implementation) in record.implementations.iter().enumerate() {
        tap.write_implementation(implementation, place)?;
    }
    for gap in record.gaps().iter().filter(|gap| !gap.is_of_checks()) {
        tap.write_point("not ok", &format!("results are missing: {gap}"), "")?;
    }
    writeln!(tap.out, "1..{}", tap.count)?;
    Ok(())
}

struct Tap<'w> {
    out: &'w mut dyn Write,
    catalog: &'w Catalog<'w>,
    /// The weakest level of failures that fail the run.
    level: Level,
    /// The number of test points so far.
    count: usize,
}

impl Tap<'_> {
    fn write_implementation(&mut self, record: &ImplementationRecord, place: usize) -> io::Result<()> {
        let name = &record.info.name;
        self.write_comment(&full_name(&record.info))?;
        let (first, others) =
            record.incidents.split_at(record.incidents.partition_point(Incident::comes_first));
        for incident in first {
            self.write_comment(&format!("{name}: {incident}"))?;
        }
        let tests = Tests::new(record, self.level);
        let points_before = self.count;
        for check in &record.checks {
            self.write_check(check, place, &tests)?;
        }
        let totals = record.totals();
        let sum = |count: fn(&Totals) -> usize| totals.values().map(count).sum::<usize>();
        let not_supported = sum(|totals| totals.of(Status::NotSupported));
        let rewritten = sum(Totals::sum) - not_supported - (self.count - points_before);
        for (count, what) in [
            (not_supported, "checks are not supported"),
            (rewritten, "checks of rewritten files do not fail the run, or fail as their row does"),
        ] {
            if count > 0 {
                self.write_comment(&format!("{name}: not listed: {count} {what}"))?;
            }
        }
        for incident in others {
            self.write_comment(&format!("{name}: {incident}"))?;
        }
        for likely in &record.likely_causes {
            self.write_comment(&format!("{name}: likely cause: {}", likely.describe()))?;
        }
        for entry in &record.stale_known_failures {
            self.write_point("not ok", &format!("{name}: known failures are out of date: {entry}"), "")?;
        }
        Ok(())
    }

    fn write_check(&mut self, check: &CheckFinished, place: usize, tests: &Tests) -> io::Result<()> {
        for (edition, judgement) in check.editions.iter() {
            let Some(result) = tests.result(check, *edition, judgement) else { continue };
            // The id of a check contains its case.
            let clause =
                if *check.clause == *check.id.case_name() { "" } else { &format!("{} ", check.clause) };
            let name = format!("{} {edition} {clause}{}", check.implementation, check.id);
            let (word, directive) = match &result {
                TestResult::Passed => ("ok", String::new()),
                TestResult::Skipped(reason) => ("ok", format!(" # SKIP {}", in_line(reason))),
                TestResult::Tolerated(reason) => ("not ok", format!(" # TODO {}", in_line(reason))),
                TestResult::Failed => ("not ok", String::new()),
            };
            self.write_point(word, &name, &directive)?;
            if let TestResult::Failed = result {
                self.write_diagnostic(check, (*edition, judgement), place)?;
            }
        }
        Ok(())
    }

    fn write_point(&mut self, result: &str, name: &str, directive: &str) -> io::Result<()> {
        self.count += 1;
        writeln!(self.out, "{result} {} - {}{directive}", self.count, in_line(name))
    }

    /// Writes a YAML block. Its strings are written as JSON, which is YAML.
    fn write_diagnostic(
        &mut self,
        check: &CheckFinished,
        judged: (Edition, &Judgement),
        place: usize,
    ) -> io::Result<()> {
        let (_, judgement) = judged;
        writeln!(self.out, "  ---")?;
        let (expected, got) = (judgement.expected.to_string(), judgement.describe_got());
        let status = (judgement.status != Status::Fail).then(|| ("status", judgement.status.id()));
        let level = judgement.level.id();
        let parts = [("clause", &*check.clause), ("level", level), ("expected", &expected), ("got", &got)];
        for (name, value) in parts.into_iter().chain(status) {
            writeln!(self.out, "  {name}: {}", serde_json::to_string(&visible_lines(value))?)?;
        }
        // The reader of YAML that is a part of Perl knows no block with an indentation of its own.
        writeln!(self.out, "  explanation:")?;
        for line in failure_lines(check, judged, self.catalog, place) {
            writeln!(self.out, "    - {}", serde_json::to_string(&line)?)?;
        }
        writeln!(self.out, "  ...")
    }

    fn write_comment(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "# {}", visible_lines(text).replace('\n', "\n#   "))
    }
}

/// Returns a text as part of a line: characters that start a directive or another line are escaped.
fn in_line(text: &str) -> String {
    let line = visible_lines(text).replace('\n', " ");
    line.replace('\\', "\\\\").replace('#', "\\#")
}
