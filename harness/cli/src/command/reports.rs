//! The reports that a run writes to files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use tempfile::NamedTempFile;

use crate::report::{Format, Report};
use robotspec::event::Event;

/// A report, and where it goes: `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportTo {
    pub(super) format: Format,
    pub(super) file: PathBuf,
}

impl FromStr for ReportTo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((format, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
            return Err("write `FORMAT=FILE`, such as `junit=robots.xml`".to_owned());
        };
        Ok(ReportTo { format: Self::format(format)?, file: file.into() })
    }
}

impl ReportTo {
    /// Reads the name of a format.
    ///
    /// # Errors
    ///
    /// There is no such format; the message says which there are.
    pub(super) fn format(name: &str) -> Result<Format, String> {
        Format::from_str(name, false).map_err(|_| {
            let formats: Vec<&str> = Format::value_variants().iter().map(|format| format.id()).collect();
            format!("there is no report `{name}`, but {}", formats.join(", "))
        })
    }

    /// Refuses two that are to be the output.
    pub(super) fn refuse_two_on_stdout(reports: &[Self]) -> Result<()> {
        if reports.iter().filter(|report| report.is_stdout()).count() > 1 {
            bail!("only one report can be written to standard output");
        }
        Ok(())
    }

    /// Whether it goes to standard output.
    pub(super) fn is_stdout(&self) -> bool {
        self.file == Path::new("-")
    }
}

/// Reports that are being written, each of them however the others fare.
pub(super) struct Reports(Vec<Writing>);

struct Writing {
    file: PathBuf,
    report: Box<dyn Report>,
    /// Once something went wrong, what it was.
    out: io::Result<Out>,
}

/// Where a report goes.
enum Out {
    /// Put in its place when it is complete.
    Aside(BufWriter<NamedTempFile>, PathBuf),
    /// What is no regular file cannot be replaced.
    Straight(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl Reports {
    /// Opens them all, with the folders that they are to be in.
    ///
    /// # Errors
    ///
    /// One cannot be written: better told before a run than after it.
    pub(super) fn start(reports: &[ReportTo]) -> Result<Self> {
        let start = |to: &ReportTo| {
            let out = match to.is_stdout() {
                true => Out::Stdout(BufWriter::new(io::stdout())),
                false => Out::open(&to.file)
                    .with_context(|| format!("cannot write the report {}", to.file.display()))?,
            };
            Ok(Writing { file: to.file.clone(), report: to.format.report(), out: Ok(out) })
        };
        Ok(Reports(reports.iter().map(start).collect::<Result<_>>()?))
    }

    pub(super) fn take(&mut self, event: &Event) {
        for Writing { report, out, .. } in &mut self.0 {
            let Ok(open) = out else { continue };
            if let Err(error) = report.take(event, open.writer()) {
                *out = Err(error);
            }
        }
    }

    /// Puts the reports in their places.
    ///
    /// # Errors
    ///
    /// Those that could not be written.
    pub(super) fn finish(self) -> Vec<anyhow::Error> {
        let finish = |writing: Writing| {
            let name = writing.file.display().to_string();
            writing.out.and_then(Out::close).with_context(|| format!("cannot write the report {name}"))
        };
        self.0.into_iter().filter_map(|writing| finish(writing).err()).collect()
    }
}

impl Out {
    fn open(file: &Path) -> io::Result<Self> {
        // Who writes to a link means the file behind it.
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        if fs::metadata(&file).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(Out::Straight(BufWriter::new(File::options().write(true).open(file)?)));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
        }
        let mut aside = tempfile::Builder::new();
        aside.prefix(".robotspec-");
        // As any file: less what the umask takes. A temporary one is its owner's alone.
        #[cfg(unix)]
        aside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The name of the temporary file tells nobody anything.
        let without_name = |error: io::Error| {
            let message = error.to_string();
            io::Error::new(error.kind(), message.split(" at path ").next().unwrap_or_default())
        };
        let aside = aside.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(without_name)?;
        Ok(Out::Aside(BufWriter::new(aside), file))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Out::Aside(file, _) => file,
            Out::Straight(file) => file,
            Out::Stdout(stdout) => stdout,
        }
    }

    fn close(mut self) -> io::Result<()> {
        self.writer().flush()?;
        if let Out::Aside(aside, file) = self {
            let aside = aside.into_inner().map_err(io::IntoInnerError::into_error)?;
            aside.persist(file).map_err(|error| error.error)?;
        }
        Ok(())
    }
}
