//! The robots.txt that a command is about: a file, or standard input.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};
use robotspec_text::visible;

use crate::command::values::read_file;

/// The robots.txt of a command.
#[derive(Debug, clap::Args)]
pub(super) struct FileArgument {
    /// The robots.txt: a file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
}

impl FileArgument {
    /// Reads the robots.txt.
    ///
    /// # Errors
    ///
    /// It is a URL, cannot be read, or is too large.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        // The scheme of a URL may have capitals (RFC 3986, 3.1).
        let is_http = |scheme: &str| ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let is_url = |file: &&str| file.split_once(':').is_some_and(|(scheme, _)| is_http(scheme));
        if let Some(url) = self.file.to_str().filter(is_url) {
            bail!(
                "{} is a URL, and robotspec fetches nothing; run: {}",
                visible(url),
                visible(&fetching_command(url))
            );
        }
        read_file(&self.file)
    }
}

/// Returns this command as one that reads what `curl` fetches.
fn fetching_command(url: &str) -> String {
    let mut words: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // The value of `--url` may be the URL of the robots.txt, too.
    let is_file = |place: &usize| words[*place] == url && (*place == 0 || words[*place - 1] != "--url");
    if let Some(place) = (0..words.len()).find(is_file) {
        words[place] = "-".to_owned();
    }
    format!("curl -sSL --compressed {} | robotspec {}", shell_words::quote(url), shell_words::join(words))
}
