//! Reports to files.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use robotspec::RunRecord;
use robotspec::event::Event;
use robotspec_cases::visible_path;
use robotspec_reference::named::UnknownName;
use tempfile::NamedTempFile;

use crate::output;
use crate::report::{Catalog, Format, write_event};

/// A report and its file: `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportTo {
    pub(super) format: Format,
    /// The file; `-` for standard output.
    pub(super) file: PathBuf,
}

/// Why a text is not a report and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadReport {
    NoFile,
    UnknownFormat(UnknownName),
}

impl fmt::Display for BadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadReport::NoFile => f.write_str("write `FORMAT=FILE`, such as `junit=robots.xml`"),
            BadReport::UnknownFormat(unknown) => unknown.fmt(f),
        }
    }
}

impl std::error::Error for BadReport {}

impl FromStr for ReportTo {
    type Err = BadReport;

    fn from_str(text: &str) -> Result<Self, BadReport> {
        let parts = text.split_once('=').filter(|(_, file)| !file.is_empty());
        let (format, file) = parts.ok_or(BadReport::NoFile)?;
        Ok(ReportTo { format: format.parse().map_err(BadReport::UnknownFormat)?, file: file.into() })
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
            Format::names()
        )
    }
}

/// Reports that are being written. An error in one does not affect the others.
pub(super) struct Reports(Vec<OpenReport>);

struct OpenReport {
    to: ReportTo,
    /// The file, or the error that ended the report.
    out: Result<Out>,
}

enum Out {
    /// A temporary file that replaces the file once the report is complete.
    Replacement(BufWriter<NamedTempFile>, PathBuf),
    /// A file that cannot be replaced because it is not a regular file.
    Direct(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl Reports {
    /// Opens all files, and creates their folders.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or two reports go to standard output. It is better to find out before a run than after.
    pub(super) fn open(reports: &[ReportTo]) -> Result<Self> {
        if reports.iter().filter(|report| report.is_stdout()).count() > 1 {
            bail!("only one report can be written to standard output");
        }
        let open = |to: &ReportTo| {
            let out = match to.is_stdout() {
                true => Out::Stdout(BufWriter::new(io::stdout())),
                false => Out::open(&to.file).with_context(|| cannot_write(to))?,
            };
            Ok(OpenReport { to: to.clone(), out: Ok(out) })
        };
        Ok(Reports(reports.iter().map(open).collect::<Result<_>>()?))
    }

    /// Writes an event to the reports that consist of events, so that they show how the run goes.
    pub(super) fn take(&mut self, event: &Event) {
        for report in self.0.iter_mut().filter(|report| report.to.format == Format::Jsonl) {
            report.write(|out| {
                write_event(event, out.writer())?;
                if let Out::Stdout(stdout) = out {
                    stdout.flush()?;
                }
                Ok(())
            });
        }
    }

    /// Writes the other reports of a run whose events [`take`](Self::take) received.
    pub(super) fn finish(self, record: &RunRecord, catalog: &Catalog) -> Finished {
        self.finish_where(record, catalog, |format| format != Format::Jsonl)
    }

    /// Writes all reports.
    pub(super) fn write_all(self, record: &RunRecord, catalog: &Catalog) -> Finished {
        self.finish_where(record, catalog, |_| true)
    }

    fn finish_where(
        mut self,
        record: &RunRecord,
        catalog: &Catalog,
        is_due: impl Fn(Format) -> bool,
    ) -> Finished {
        for report in self.0.iter_mut().filter(|report| is_due(report.to.format)) {
            let format = report.to.format;
            report.write(|out| format.write(record, catalog, out.writer()));
        }
        let close = |OpenReport { to, out }| {
            out.and_then(|out: Out| Ok(out.close()?)).with_context(|| cannot_write(&to))
        };
        let errors = self.0.into_iter().filter_map(|report| close(report).err());
        let (closed, errors): (Vec<_>, Vec<_>) = errors.partition(output::is_broken_pipe);
        errors.iter().for_each(output::error);
        match (errors.is_empty(), closed.is_empty()) {
            (false, _) => Finished::Failed,
            (true, false) => Finished::OutputClosed,
            (true, true) => Finished::Written,
        }
    }
}

/// The result of writing reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finished {
    Written,
    /// The reader of standard output closed it.
    OutputClosed,
    /// A report could not be written, and the error is reported.
    Failed,
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
    fn open(file: &Path) -> io::Result<Self> {
        // A link is followed, so that the file that it points to is replaced.
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        if fs::metadata(&file).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(Out::Direct(BufWriter::new(File::options().write(true).open(file)?)));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
        }
        let mut replacement = tempfile::Builder::new();
        replacement.prefix(".robotspec-");
        // The permissions of any new file. By default, only the owner can read a temporary file.
        #[cfg(unix)]
        replacement.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The path of the temporary file in the message would be confusing.
        let without_path = |error: io::Error| match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::from(error.kind()),
        };
        let replacement = replacement.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(without_path)?;
        Ok(Out::Replacement(BufWriter::new(replacement), file))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Out::Replacement(file, _) => file,
            Out::Direct(file) => file,
            Out::Stdout(stdout) => stdout,
        }
    }

    fn close(mut self) -> io::Result<()> {
        self.writer().flush()?;
        if let Out::Replacement(replacement, file) = self {
            let replacement = replacement.into_inner().map_err(io::IntoInnerError::into_error)?;
            replacement.persist(file).map_err(|error| error.error)?;
        }
        Ok(())
    }
}
