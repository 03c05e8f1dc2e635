//! `robotspec profile`

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use comfy_table::{Table, presets};
use robotspec_reference::Edition;
use serde_json::{Value, json};

use crate::command::config::{Config, ConfigArgument};
use crate::command::implementations::Implementations;
use crate::command::output::{self, BAD, FAINT, GOOD, OPEN, STRONG, styled};
use crate::command::{Format, OK};
use robotspec::implementation::Info;
use robotspec_cases::suite::{Request, built_in};
use robotspec_fuzz::profile::{self, Inferred, Profile};

/// Find out how an implementation reads what the texts leave open
///
/// Asks it what turns on one question alone, from the cases and generated, and tells which answer it
/// gives, which editions admit that, and where it answers one question in two ways. `robotspec
/// editions` explains the questions.
///
/// Without one, those of the project's robotspec.toml are asked (see `robotspec run --help`), except crawlers.
///
/// Examples:
///   robotspec profile robotxt
///   robotspec profile --adapter 'python3 my_adapter.py' --format json
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("names", |names| names.help("Implementations by name: what robotspec.toml calls so, or what is built in [default: all of robotspec.toml]")),
)]
pub(super) struct Arguments {
    #[command(flatten)]
    implementations: Implementations,

    /// How the output is written; json is one object an implementation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    config: ConfigArgument,
}

pub(super) fn profile(arguments: &Arguments) -> Result<u8> {
    let config = Config::find(&arguments.config)?;
    let Some(makes) = config.makes(&arguments.implementations)? else {
        bail!("name an implementation, or give an --adapter or --exec");
    };
    let probes = profile::probes(&built_in()?);
    let mut out = output::stdout();
    for make in makes {
        let mut implementation = make();
        let info = implementation.info();
        let profile = profile::profile(implementation.as_mut(), &probes);
        implementation.finish();
        match arguments.format {
            Format::Human => write_profile(&info, &profile, &mut out)?,
            Format::Json => output::json(&mut out, &as_json(&info, &profile))?,
        }
    }
    out.flush()?;
    Ok(OK)
}

fn write_profile(info: &Info, profile: &Profile, out: &mut impl Write) -> Result<()> {
    let version = info.version.as_deref().unwrap_or_default();
    writeln!(out, "{} {version}\n", styled(STRONG, &info.name))?;
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    let editions = Edition::ALL.map(|edition| edition.id().to_owned());
    let header = ["question", "its answer", "probes"].map(str::to_owned);
    table.set_header(header.into_iter().chain(editions));
    for question in profile::open_questions() {
        let Some(inferred) = profile.questions.get(&question) else { continue };
        let admits = Edition::ALL.map(|edition| {
            let is_broken = inferred.breaks(edition);
            (if is_broken { "not admitted" } else { "admitted" }).to_owned()
        });
        let row = [question.id(), answer(inferred), inferred.probes.to_string()];
        table.add_row(row.into_iter().chain(admits));
    }
    writeln!(out, "{table}\n")?;
    for (question, inferred) in profile.questions.iter().filter(|(_, inferred)| inferred.is_mixed()) {
        writeln!(out, "{} {question}: {}", styled(OPEN, "two ways"), question.row().asks)?;
        let mut answers: Vec<_> = inferred.consistent.iter().collect();
        answers.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (answer, count) in answers.into_iter().take(2) {
            writeln!(out, "  {answer} explains {count} of {}, but not", inferred.probes)?;
            if let Some(Request::Match { robots, agent, url }) = inferred.against.get(answer) {
                let shown: String = String::from_utf8_lossy(robots).escape_debug().take(160).collect();
                writeln!(out, "    {}", styled(FAINT, format!("{shown}  {agent}  {url}")))?;
            }
        }
    }
    for (edition, broken) in profile.editions() {
        if broken.is_empty() {
            writeln!(out, "{} {edition}", styled(GOOD, "consistent with"))?;
        } else {
            let broken: Vec<String> = broken.iter().map(|question| question.id()).collect();
            writeln!(out, "{} {edition}: {}", styled(BAD, "not consistent with"), broken.join(", "))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

fn answer(inferred: &Inferred) -> String {
    if inferred.is_mixed() {
        return "two ways".to_owned();
    }
    let answers: Vec<&str> = inferred.answers().iter().map(|answer| answer.id()).collect();
    let explained = inferred.explained();
    let but_few = if explained < inferred.probes {
        format!(", in all but {}", inferred.probes - explained)
    } else {
        String::new()
    };
    answers.join(" or ") + &but_few
}

fn as_json(info: &Info, profile: &Profile) -> Value {
    let questions = profile.questions.iter().map(|(question, inferred)| {
        json!({
            "question": question.id(),
            "answers": inferred.answers().iter().map(|answer| answer.id()).collect::<Vec<_>>(),
            "mixed": inferred.is_mixed(),
            "probes": inferred.probes,
            "consistent": inferred.consistent.iter().map(|(answer, count)| (answer.id(), count)).collect::<std::collections::BTreeMap<_, _>>(),
            "breaks": Edition::ALL.iter().filter(|&&edition| inferred.breaks(edition)).map(|edition| edition.id()).collect::<Vec<_>>(),
        })
    });
    let consistent = profile.editions().into_iter().filter(|(_, broken)| broken.is_empty());
    json!({
        "implementation": info,
        "questions": questions.collect::<Vec<_>>(),
        "consistent-with": consistent.map(|(edition, _)| edition.id()).collect::<Vec<_>>(),
    })
}
