//! `robotspec survey`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use robotspec::Info;
use robotspec_cases::{Query, visible_path};
use robotspec_fuzz::survey::{Answers, Asked, agreement, answers, ask, open_questions, rulings};
use robotspec_reference::Edition;
use serde_json::{Value, json};

use crate::command::config::{Config, ConfigArgument};
use crate::command::exit::OK;
use crate::command::implementation::{Implementation, connect_all};
use crate::command::implementations::Implementations;
use crate::command::progress::Progress;
use crate::command::values::Format;
use crate::output::{self, BAD, OPEN, STRONG, command_line, counted, full_name, styled, table};

/// The size of the largest file that is read, in bytes: the limit of RFC 9309, section 2.5, and more.
const LARGEST: u64 = 1 << 20;

/// Find out which open questions matter in real files, and how implementations answer
///
/// Reads every file of a folder as a robots.txt. For some agents that a file names, and one that it
/// does not, asks about the root and a URL for each of some rules. Reports how often an edition leaves
/// the answer unspecified, for which questions, and on how many of these queries implementations
/// differ; and for each implementation, how many answers contradict the edition.
///
/// Without an implementation, those of the project's robotspec.toml are used (see `robotspec run
/// --help`), except crawlers; without that file, all built-in ones.
///
/// Examples:
///   robotspec survey --files robots-of-sites/
///   robotspec survey --files robots-of-sites/ --adapter 'python3 my_adapter.py' --format json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    #[command(flatten)]
    implementations: Implementations,

    /// The folder with the files; files in folders below it are read too
    #[arg(long, value_name = "DIR")]
    files: PathBuf,

    /// The edition
    #[arg(long, default_value_t = Edition::Rfc9309)]
    edition: Edition,

    /// The format of the output
    #[arg(long, value_parser = Format::document(), default_value = Format::HUMAN)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

/// A file of the folder.
struct File {
    path: PathBuf,
    bytes: Arc<[u8]>,
}

/// An implementation and its answers.
struct Surveyed {
    info: Info,
    answers: Answers,
}

pub(super) fn survey(arguments: &Arguments) -> Result<u8> {
    let mut implementations = arguments.implementations.choose(&Config::find(&arguments.config)?)?;
    if implementations.is_empty() {
        implementations = Implementation::all_built_in(arguments.implementations.limits());
    }
    let files = read(&arguments.files)?;
    let progress = Progress::of("reading the files");
    progress.count(files.len() as u64, "files", false);
    let mut asked: Vec<Asked> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        asked.extend(ask(arguments.edition, number, &file.bytes));
        progress.advance();
    }
    let connects = connect_all(&implementations, false, &[arguments.edition])?;
    progress.count((files.len() * connects.len()) as u64, "files", connects.len() == 1);
    let mut surveyed = Vec::new();
    for connect in connects {
        let mut endpoint = connect();
        let info = endpoint.info();
        progress.say(&info.name);
        let answers = answers(endpoint.as_mut(), &asked, &mut || progress.advance());
        endpoint.finish();
        surveyed.push(Surveyed { info, answers });
    }
    drop(progress);
    let mut out = arguments.format.stdout();
    match arguments.format {
        Format::Human => write_survey(arguments.edition, &files, &asked, &surveyed, &mut out)?,
        Format::Json => output::json(&mut out, &as_json(arguments.edition, &files, &asked, &surveyed))?,
    }
    out.flush()?;
    Ok(OK)
}

/// Reads the files of a folder, in the order of their names. A file that is larger than any crawler reads is left out.
fn read(folder: &Path) -> Result<Vec<File>> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = || format!("cannot read {}", visible_path(&folder));
        for entry in fs::read_dir(&folder).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            // A link could lead around in a circle.
            let kind = entry.file_type().with_context(unreadable)?;
            match (kind.is_dir(), kind.is_file()) {
                (true, _) => folders.push(entry.path()),
                (_, true) => paths.push(entry.path()),
                _ => {}
            }
        }
    }
    paths.sort();
    let mut files = Vec::new();
    let mut large = 0;
    for path in paths {
        let unreadable = || format!("cannot read {}", visible_path(&path));
        if fs::metadata(&path).with_context(unreadable)?.len() > LARGEST {
            large += 1;
        } else {
            let bytes = fs::read(&path).with_context(unreadable)?.into();
            files.push(File { path, bytes });
        }
    }
    if large > 0 {
        output::warning(&format!("{} of more than {LARGEST} bytes left out", counted(large, "file")));
    }
    if files.is_empty() {
        bail!("{} contains no file", visible_path(folder));
    }
    Ok(files)
}

fn write_survey(
    edition: Edition,
    files: &[File],
    asked: &[Asked],
    surveyed: &[Surveyed],
    out: &mut impl Write,
) -> Result<()> {
    let rulings = rulings(asked);
    writeln!(
        out,
        "{}, {}: {edition} allows {}, disallows {} and leaves {} unspecified ({}), in {}\n",
        counted(files.len(), "file"),
        counted(asked.len(), "question"),
        rulings.allow,
        rulings.disallow,
        styled(OPEN, rulings.unspecified),
        percent(rulings.unspecified, asked.len()),
        counted(rulings.unspecified_files.len(), "file"),
    )?;
    let implementations: Vec<Answers> = surveyed.iter().map(|surveyed| surveyed.answers.clone()).collect();
    let mut open: Vec<_> = open_questions(asked, &implementations).into_iter().collect();
    open.sort_by_key(|(question, open)| (std::cmp::Reverse(open.files.len()), question.id()));
    if !open.is_empty() {
        let rows = open.iter().map(|(question, open)| {
            let [files, queries, split] =
                [open.files.len(), open.queries, open.split].map(|count| count.to_string());
            [question.id().to_owned(), files, queries, split, question.row().asks.to_owned()]
        });
        writeln!(out, "{}", styled(STRONG, "questions on which answers depend"))?;
        writeln!(
            out,
            "{}\n",
            table(["question", "files", "queries", "of them answered in two ways", "it asks"], rows, 1..4)
        )?;
    }
    let rows = surveyed.iter().map(|Surveyed { info, answers }| {
        let agreement = agreement(asked, answers);
        let share = percent(agreement.contradicted, agreement.judged);
        let contradicted = format!("{} ({share})", agreement.contradicted);
        let contradicted = if agreement.contradicted > 0 { styled(BAD, contradicted) } else { contradicted };
        [
            full_name(info),
            contradicted,
            agreement.files.len().to_string(),
            agreement.without_verdict.to_string(),
        ]
    });
    let header = ["implementation", "queries answered otherwise", "in files", "queries without a verdict"];
    writeln!(out, "{}", styled(STRONG, format!("answers that contradict {edition}")))?;
    writeln!(out, "{}", table(header, rows, 1..4))?;
    for Surveyed { info, answers } in surveyed {
        let Some(place) = agreement(asked, answers).example else { continue };
        let Asked { file, query, ruling, .. } = &asked[place];
        let Query::Match { agent, url, .. } = query else { continue };
        let file = files[*file].path.to_string_lossy();
        let command = [
            "robotspec",
            "check",
            "--explain",
            "--edition",
            edition.id(),
            "--agent",
            agent,
            "--url",
            url,
            &file,
        ];
        const INDENTATION: usize = 2;
        writeln!(out, "\n{}, where {edition} says {ruling}:", full_name(info))?;
        writeln!(out, "  {}", command_line(INDENTATION, &shell_words::join(command)))?;
    }
    Ok(())
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn as_json(edition: Edition, files: &[File], asked: &[Asked], surveyed: &[Surveyed]) -> Value {
    let rulings = rulings(asked);
    let implementations: Vec<Answers> = surveyed.iter().map(|surveyed| surveyed.answers.clone()).collect();
    let questions: serde_json::Map<String, Value> = open_questions(asked, &implementations)
        .into_iter()
        .map(|(question, open)| {
            let counts = json!({ "files": open.files.len(), "queries": open.queries, "split": open.split });
            (question.id().to_owned(), counts)
        })
        .collect();
    let implementations = surveyed.iter().map(|Surveyed { info, answers }| {
        let agreement = agreement(asked, answers);
        json!({
            "name": info.name,
            "version": info.version,
            "judged": agreement.judged,
            "contradicted": agreement.contradicted,
            "files": agreement.files.len(),
            "without-verdict": agreement.without_verdict,
            "example": agreement.example.map(|place| json!({
                "file": files[asked[place].file].path,
                "query": asked[place].query,
                "expected": asked[place].ruling,
            })),
        })
    });
    json!({
        "edition": edition,
        "files": files.len(),
        "queries": asked.len(),
        "allow": rulings.allow,
        "disallow": rulings.disallow,
        "unspecified": rulings.unspecified,
        "unspecified-files": rulings.unspecified_files.len(),
        "questions": questions,
        "implementations": implementations.collect::<Vec<_>>(),
    })
}
