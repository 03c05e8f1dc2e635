//! `robotspec init`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use robotspec_text::{visible, visible_path};

use robotspec::replace;

use crate::command::exit::OK;
use crate::output::stdout;

/// Write an adapter to fill in, a robotspec.toml and a CI job
///
/// The adapter runs without changes, and allows everything: fill in one function, and `robotspec run`
/// checks your parser. It needs no libraries. For Rust, it is a test for `cargo test`.
///
/// Examples:
///   robotspec init --lang python
///   robotspec init --lang go --out ../my-crawler
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The language of the parser
    #[arg(long, value_enum)]
    lang: Language,

    /// The folder to write to, usually the top of a repository: the CI job goes to .github/workflows
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,

    /// Overwrite existing files; without this option, nothing is written if one of the files exists
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    Python,
    Node,
    Go,
    Java,
    Ruby,
    Php,
    Perl,
    C,
    Cpp,
    Csharp,
    Rust,
}

/// Reads a file of the templates of a language. It is written to the same place.
macro_rules! file {
    ($language:literal, $name:literal) => {
        ($name, include_str!(concat!("init/", $language, "/", $name)))
    };
}

/// The files for a language.
struct Template {
    /// The file with the function to fill in, then the others.
    files: Vec<(&'static str, &'static str)>,
    /// The command that builds the adapter, if it has to be built.
    build: Option<&'static str>,
    /// The command that `robotspec run` starts; `None` if the cases are tests.
    adapter: Option<String>,
}

const CONFIGURATION: &str = include_str!("init/robotspec.toml");
const WORKFLOW: &str = include_str!("init/robotspec.yml");
const WORKFLOW_OF_TESTS: &str = include_str!("init/rust/robotspec.yml");

/// The part of Cargo.toml that a parser in Rust needs.
const CARGO_TOML: &str = r#"
     [dev-dependencies]
     robotspec = { git = "https://github.com/robotspec/robotspec" }

     [[test]]
     name = "robotstxt"
     harness = false
"#;

impl Language {
    fn template(self) -> Template {
        match self {
            Language::Python => script("python3", file!("python", "robotspec_adapter.py")),
            Language::Node => script("node", file!("node", "robotspec-adapter.mjs")),
            // The adapter is a package of its own, so it needs its own folder.
            Language::Go => built(
                vec![file!("go", "robotspec/main.go")],
                "go build -o robotspec/adapter robotspec/main.go",
                "robotspec/adapter",
            ),
            Language::Java => script("java", file!("java", "RobotspecAdapter.java")),
            Language::Ruby => script("ruby", file!("ruby", "robotspec_adapter.rb")),
            Language::Php => script("php", file!("php", "robotspec_adapter.php")),
            Language::Perl => script("perl", file!("perl", "robotspec_adapter.pl")),
            Language::C => built(
                vec![file!("c", "robotspec_adapter.c")],
                "cc -O2 -o robotspec_adapter robotspec_adapter.c",
                "./robotspec_adapter",
            ),
            Language::Cpp => built(
                vec![file!("cpp", "robotspec_adapter.cpp")],
                "c++ -std=c++17 -O2 -o robotspec_adapter robotspec_adapter.cpp",
                "./robotspec_adapter",
            ),
            Language::Csharp => built(
                vec![file!("csharp", "robotspec/Program.cs"), file!("csharp", "robotspec/adapter.csproj")],
                "dotnet build robotspec --configuration Release --output robotspec/build",
                "dotnet robotspec/build/adapter.dll",
            ),
            Language::Rust => {
                Template { files: vec![file!("rust", "tests/robotstxt.rs")], build: None, adapter: None }
            }
        }
    }
}

/// Returns the template of a language whose interpreter starts the adapter.
fn script(interpreter: &str, file: (&'static str, &'static str)) -> Template {
    Template { files: vec![file], build: None, adapter: Some(format!("{interpreter} {}", file.0)) }
}

/// Returns the template of a language in which the adapter has to be built.
fn built(files: Vec<(&'static str, &'static str)>, build: &'static str, adapter: &str) -> Template {
    Template { files, build: Some(build), adapter: Some(adapter.to_owned()) }
}

impl Template {
    /// Returns every file with its text, the file to fill in first.
    fn texts(&self) -> Vec<(&'static str, String)> {
        let mut texts: Vec<(&str, String)> =
            self.files.iter().map(|&(name, text)| (name, text.to_owned())).collect();
        let workflow = match &self.adapter {
            Some(adapter) => {
                texts.push(("robotspec.toml", CONFIGURATION.replace("{adapter}", adapter)));
                let run = "      # Runs the implementations";
                let step = |build| format!("      - name: Build the adapter\n        run: {build}\n{run}");
                WORKFLOW.replace(run, &self.build.map_or(run.to_owned(), step))
            }
            None => WORKFLOW_OF_TESTS.to_owned(),
        };
        let workflow = workflow.replace("{version}", env!("CARGO_PKG_VERSION"));
        texts.push((".github/workflows/robotspec.yml", workflow));
        texts
    }

    /// Returns the next steps of the user.
    fn steps(&self, out: &Path) -> Vec<String> {
        let mut steps = Vec::new();
        if out != Path::new(".") {
            steps.push(visible(&format!("cd {}", shell_words::quote(&out.to_string_lossy()))));
        }
        let (file, text) = self.files[0];
        // The function to fill in has the name of such a function in the language.
        let function =
            ["allowed?", "Allowed"].into_iter().find(|name| text.contains(name)).unwrap_or("allowed");
        let fill = format!("Put your parser into `{function}` of {file}, at FILL IN.");
        let run = match self.build {
            Some(build) => format!("{build} && robotspec run"),
            None => "robotspec run".to_owned(),
        };
        let [first, last] = match self.adapter {
            Some(_) => [
                format!("{run}\n     It runs without changes, and answers that everything is allowed."),
                format!(
                    "{run}\n     The failures are now those of your parser. robotspec.toml explains how to list the ones you accept."
                ),
            ],
            None => [format!("Add to Cargo.toml:\n{CARGO_TOML}"), "cargo test --test robotstxt".to_owned()],
        };
        steps.extend([first, fill, last]);
        steps
    }
}

pub(super) fn init(arguments: &Arguments) -> Result<u8> {
    let Arguments { lang, out, force } = arguments;
    let template = lang.template();
    let texts = template.texts().into_iter().map(|(name, text)| (out.join(name), text));
    let files: Vec<(PathBuf, String)> = texts.collect();
    let existing = files.iter().filter(|(file, _)| fs::symlink_metadata(file).is_ok());
    let existing: Vec<String> = existing.map(|(file, _)| relative(file)).collect();
    if !existing.is_empty() && !force {
        let (exist, them) = if existing.len() == 1 { ("exists", "it") } else { ("exist", "them") };
        bail!("{} already {exist}, and nothing was written; --force overwrites {them}", existing.join(", "));
    }
    let mut output = stdout();
    let cannot_write = |file: &Path| format!("cannot write {}", relative(file));
    for (file, _) in &files {
        fs::create_dir_all(file.parent().unwrap_or(out)).with_context(|| cannot_write(file))?;
    }
    for (file, text) in &files {
        replace::write(file, text).with_context(|| cannot_write(file))?;
        writeln!(output, "wrote {}", relative(file))?;
    }
    writeln!(output, "\nNext:")?;
    for (number, step) in (1..).zip(template.steps(out)) {
        writeln!(output, "  {number}. {step}")?;
    }
    Ok(OK)
}

/// Returns a path without `./` at its start.
fn relative(file: &Path) -> String {
    visible_path(file.strip_prefix(".").unwrap_or(file))
}
