//! Reports to files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use robotspec::RunRecord;
use robotspec::event::Event;
use robotspec::external::guard::Watch;
use robotspec::replace::{Replacement, folder_of};
use robotspec_reference::named::UnknownName;
use robotspec_text::{visible, visible_path};

use crate::output::{self, for_programs, stdout_for_documents};
use crate::report::{Catalog, Format};

/// A report and its file: `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportTo {
    pub(super) format: Format,
    /// The file; `-` for standard output.
    pub(super) file: PathBuf,
}

impl FromStr for ReportTo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').filter(|(_, file)| !file.is_empty());
        let (format, file) = parts.ok_or("write `FORMAT=FILE`, such as `junit=robots.xml`")?;
        let format = format.parse().map_err(|unknown: UnknownName| visible(&unknown.to_string()))?;
        Ok(ReportTo { format, file: file.into() })
    }
}

impl ReportTo {
    /// Returns a report to standard output.
    pub(super) fn stdout(format: Format) -> Self {
        ReportTo { format, file: "-".into() }
    }

    pub(super) fn is_stdout(&self) -> bool {
        self.file == Path::new("-")
    }

    /// Returns the help text of an option `--report`.
    pub(super) fn help() -> String {
        format!(
            "Write a report to a file, whether or not the run fails; repeatable. FORMAT is one of {}; if FILE is `-`, \
             the report goes to standard output",
            Format::ALL.map(Format::id).join(", ")
        )
    }
}

/// What is percent-encoded in a link: all but slashes and unreserved characters (RFC 3986, 2.3).
const ESCAPED_IN_LINK: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the link from the Markdown report to the page, if the page is in the folder of that report or below.
pub(super) fn link_to_page(reports: &[ReportTo]) -> Option<String> {
    let file = |format| reports.iter().find(|report| report.format == format).map(|report| &*report.file);
    let folder = file(Format::Markdown)?.parent()?;
    let page = file(Format::Html)?.strip_prefix(folder).ok().filter(|page| page.is_relative())?.to_str()?;
    Some(utf8_percent_encode(page, ESCAPED_IN_LINK).to_string())
}

/// Reports that are being written. An error in one does not affect the others.
pub(super) struct Reports {
    reports: Vec<OpenReport>,
    /// Whether the reports that consist of events have theirs.
    have_events: bool,
}

struct OpenReport {
    to: ReportTo,
    /// The file, or the error that ended the report.
    out: Result<Out>,
}

enum Out {
    /// A file that is replaced once the report is complete.
    Replaced(Replacement, Option<Watch>),
    /// Standard output.
    Direct(Box<dyn Write>),
}

impl Reports {
    /// Opens all files, and creates their folders. No file is changed before [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// A file cannot be written, or two reports go to standard output. It is better to find out before a run than after.
    pub(super) fn open(reports: &[ReportTo]) -> Result<Self> {
        if reports.iter().filter(|report| report.is_stdout()).count() > 1 {
            bail!("only one report can be written to standard output");
        }
        let open = |to: &ReportTo| {
            let out = Out::open(to).with_context(|| cannot_write(to))?;
            Ok(OpenReport { to: to.clone(), out: Ok(out) })
        };
        Ok(Reports { reports: reports.iter().map(open).collect::<Result<_>>()?, have_events: false })
    }

    /// Writes an event to the reports that consist of events, so that they show how the run goes.
    pub(super) fn take(&mut self, event: &Event) {
        self.have_events = true;
        for report in self.reports.iter_mut().filter(|report| report.to.format == Format::Jsonl) {
            report.write(|out| {
                output::json(out.writer(), event)?;
                Ok(out.writer().flush()?)
            });
        }
    }

    /// Writes the reports, other than those whose events [`take`](Self::take) received. Returns whether all are written;
    /// the errors of others are reported.
    pub(super) fn finish(mut self, record: &RunRecord, catalog: &Catalog) -> bool {
        for report in &mut self.reports {
            let format = report.to.format;
            if format != Format::Jsonl || !self.have_events {
                report.write(|out| format.write(record, catalog, out.writer()));
            }
        }
        let close = |OpenReport { to, out }| {
            out.and_then(|out: Out| Ok(out.close()?)).with_context(|| cannot_write(&to))
        };
        let errors = self.reports.into_iter().filter_map(|report| close(report).err());
        errors.inspect(output::error).count() == 0
    }
}

fn cannot_write(report: &ReportTo) -> String {
    format!("cannot write the report {}", visible_path(&report.file))
}

impl OpenReport {
    fn write(&mut self, write: impl FnOnce(&mut Out) -> Result<()>) {
        if let Ok(out) = &mut self.out
            && let Err(error) = write(out)
        {
            self.out = Err(error);
        }
    }
}

impl Out {
    fn open(to: &ReportTo) -> io::Result<Self> {
        if to.is_stdout() {
            return Ok(Out::Direct(match to.format {
                // Its lines are commands of a CI system, so that they must stay what they are.
                Format::Github => Box::new(for_programs()),
                _ => Box::new(stdout_for_documents()),
            }));
        }
        fs::create_dir_all(folder_of(&to.file))?;
        // If the program is killed, the events until then are left.
        let in_parts = to.format == Format::Jsonl;
        let replacement = Replacement::open(&to.file, in_parts)?;
        let watch = replacement.temporary().filter(|_| !in_parts).map(Watch::new);
        Ok(Out::Replaced(replacement, watch))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Out::Replaced(file, _) => file,
            Out::Direct(out) => out,
        }
    }

    fn close(self) -> io::Result<()> {
        match self {
            Out::Replaced(file, _watch) => file.finish(),
            Out::Direct(mut out) => out.flush(),
        }
    }
}
