//! Suites from files.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use robotspec_cases::Suite;
use robotspec_cases::suite::{built_in, built_in_suite, load_file};
use robotspec_text::remark::about_file;
use robotspec_text::visible_path;

use crate::command::files::list_folder;
use crate::command::values::read_text_file;
use crate::output;

/// Returns the suites in files and in folders of files, or where there are no paths the built-in ones with these ids, or all
/// of them.
///
/// # Errors
///
/// A file cannot be read, is not a suite, names a file that cannot be read, or has the id of another suite; a folder has no
/// suite.
pub(super) fn load_or_built_in(
    paths: &[PathBuf],
    ids: Option<BTreeSet<&str>>,
) -> Result<Cow<'static, [Suite]>> {
    if paths.is_empty() {
        return Ok(match ids {
            Some(ids) => {
                ids.into_iter().filter_map(|id| built_in_suite(id).transpose()).collect::<Result<_, _>>()?
            }
            None => Cow::Borrowed(built_in()?),
        });
    }
    let mut suites: Vec<Suite> = Vec::new();
    for file in find_files(paths)? {
        let name = visible_path(&file);
        let text = read_text_file(&file)?;
        let suite = load_file(&file, &text)?;
        if suites.iter().any(|earlier| earlier.id == suite.id) {
            bail!("{name}: another file has the suite `{}`; choose another id", suite.id);
        }
        for case in suite.cases.iter().filter(|case| case.robots_file.is_some()) {
            let file = case.rows.first().and_then(|row| row.query.file());
            if let Some(remark) = file.and_then(|file| about_file(file)) {
                output::warning(&format!("{}: {remark}", case.name));
            }
        }
        suites.push(suite);
    }
    Ok(suites.into())
}

/// Returns the files that cases of these suites name.
pub(super) fn robots_files(suites: &[Suite]) -> impl Iterator<Item = &Path> {
    suites.iter().flat_map(|suite| &suite.cases).filter_map(|case| case.robots_file.as_deref())
}

/// Returns the files, and in place of a folder its files `*.yaml`, in the order of their names.
///
/// # Errors
///
/// A folder cannot be read, or has no such file.
pub(super) fn find_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = list_folder(path)?;
        found.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
        if found.is_empty() {
            bail!("{} has no file of cases, which ends in `.yaml`", visible_path(path));
        }
        files.append(&mut found);
    }
    Ok(files)
}
