//! Test Anything Protocol, version 14. The plan stands at the end, so that
//! nothing has to be kept.

use std::io::{self, Write};

use crate::report::{Report, TestResult, difference, test_result};
use robotspec::event::{CheckFinished, Event, Judged, Status};
use robotspec::implementation::Incident;

#[derive(Default)]
pub(super) struct TapReport {
    count: usize,
}

impl Report for TapReport {
    fn take(&mut self, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::RunStarted { robotspec, .. } => {
                writeln!(out, "TAP version 14\n# robotspec {robotspec}")
            }
            Event::ImplementationStarted { info } => {
                let version = info.version.as_deref().unwrap_or_default();
                writeln!(out, "{}", comment(format!("{} {version}", info.name).trim()))
            }
            Event::CheckFinished(check) => self.check(check, out),
            Event::Incident { implementation, incident } => {
                let told = match incident {
                    Incident::Restarted { reason } => format!("started again after {reason}"),
                    Incident::GaveUp { reason } => format!("could not be run: {reason}"),
                    Incident::BadExit { status } => format!("bad exit: {status}"),
                };
                writeln!(out, "{}", comment(&format!("{implementation}: {told}")))
            }
            Event::LikelyCause { implementation, likely } => {
                writeln!(out, "{}", comment(&format!("{implementation}: likely cause: {}", likely.told())))
            }
            Event::ImplementationFinished { implementation, stale_known_failures, .. } => {
                for entry in stale_known_failures {
                    let name = format!("{implementation}: known failures are out of date: {entry}");
                    self.test("not ok", &name, "", out)?;
                }
                Ok(())
            }
            Event::RunFinished { .. } => writeln!(out, "1..{}", self.count),
        }
    }
}

impl TapReport {
    fn check(&mut self, check: &CheckFinished, out: &mut dyn Write) -> io::Result<()> {
        for (edition, judged) in &check.editions {
            let name = format!("{} {} {}", check.implementation, edition.0, check.id);
            match test_result(judged) {
                TestResult::Passed => self.test("ok", &name, "", out)?,
                TestResult::Skipped(why) => {
                    self.test("ok", &name, &format!(" # SKIP {}", line(&why)), out)?
                }
                TestResult::Failed => {
                    let known = format!(" # TODO known failure: {}", line(&difference(judged)));
                    self.test("not ok", &name, if judged.known { &known } else { "" }, out)?;
                    if !judged.known {
                        diagnostic(&check.clause, judged, out)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn test(&mut self, result: &str, name: &str, directive: &str, out: &mut dyn Write) -> io::Result<()> {
        self.count += 1;
        writeln!(out, "{result} {} - {}{directive}", self.count, line(name))
    }
}

/// A YAML block. Strings are written as JSON, which YAML takes.
fn diagnostic(clause: &str, judged: &Judged, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  ---")?;
    let status = if judged.status == Status::Fail { None } else { Some(judged.status.id()) };
    let status = status.map(|status| ("status", status));
    let parts = [("clause", clause), ("expected", &judged.expected), ("got", &judged.got)];
    for (name, value) in parts.into_iter().chain(status) {
        writeln!(out, "  {name}: {}", serde_json::to_string(value)?)?;
    }
    writeln!(out, "  ...")
}

/// A text as part of a line: what would start a directive or another line is
/// escaped.
fn line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#").replace(['\n', '\r'], " ")
}

fn comment(text: &str) -> String {
    format!("# {}", text.replace('\n', "\n#   "))
}
