//! A command that would overwrite what it reads, or write two outputs to one file, changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::reports::{KNOWN, RUN};
use crate::support::{folder, run_in};

/// Returns all files of a folder and their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        files.insert(name, fs::read(&path).unwrap_or_default());
    }
    files
}

const CONFIG: &str = "\
editions = ['rfc9309']
variants = false

[[implementation]]
name = 'one'
adapter = 'misbehaving_adapter always-allows'
known-failures = 'known.yaml'

[[implementation]]
name = 'two'
adapter = 'misbehaving_adapter always-allows'
known-failures = './known.yaml'

[fuzz]
runs = 100
";

#[test]
fn an_output_is_neither_an_input_nor_another_output() {
    let suite = include_str!("../../../../cases/suites/answers.yaml");
    let folder = folder(&[("known.yaml", KNOWN), ("suite.yaml", suite)]);
    let path = folder.path();
    assert_eq!(run_in(path, &format!("{RUN} --report jsonl=r.jsonl")).code, Some(1));
    fs::write(path.join("robotspec.toml"), CONFIG).expect("the configuration");
    fs::hard_link(path.join("r.jsonl"), path.join("hard.jsonl")).expect("a hard link");
    symlink("r.jsonl", path.join("soft.jsonl")).expect("a link");
    symlink("new.md", path.join("new-link.md")).expect("a link to nothing");
    let before = files(path);
    for (line, output) in [
        ("report r.jsonl --report markdown=r.jsonl", "r.jsonl"),
        ("report r.jsonl --report markdown=./r.jsonl", "./r.jsonl"),
        ("report r.jsonl --report jsonl=hard.jsonl", "hard.jsonl"),
        ("report soft.jsonl --report tap=r.jsonl", "r.jsonl"),
        ("report r.jsonl --report tap=soft.jsonl", "soft.jsonl"),
        ("report r.jsonl --report junit=new.md --report tap=new-link.md", "new-link.md"),
        ("report r.jsonl --report html=index.html --html .", "./index.html"),
        ("report r.jsonl --report junit=a --report tap=a", "a"),
        ("run --report junit=robotspec.toml", "robotspec.toml"),
        ("run --report junit=known.yaml", "known.yaml"),
        ("run one --report jsonl=suite.yaml --suite suite.yaml", "suite.yaml"),
        ("run one --report junit=suite.yaml --suite .", "suite.yaml"),
        ("run one --report jsonl=a.out --report tap=./a.out", "./a.out"),
        ("known update", "./known.yaml"),
        ("known update one --known-failures r.jsonl --from hard.jsonl", "r.jsonl"),
        ("known update --adapter adapter --known-failures robotspec.toml", "robotspec.toml"),
        ("known update --adapter adapter --known-failures suite.yaml --suite .", "suite.yaml"),
    ] {
        let done = run_in(path, line);
        let start = format!("error: {output} cannot be an output: this command would also ");
        assert!(done.stderr.starts_with(&start), "{line}: {}", done.stderr);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{line}");
        assert!(files(path) == before, "{line} changes a file");
    }
    let done = run_in(path, "fuzz one --known-failures known.yaml --out .");
    let start = "error: . cannot be the folder of the findings: this command also reads known.yaml; ";
    assert!(done.stderr.starts_with(start), "{}", done.stderr);
    assert!(files(path) == before);
}

#[test]
fn a_configuration_that_is_a_link_to_nothing_is_not_ignored() {
    let folder = folder(&[]);
    symlink("nowhere.toml", folder.path().join("robotspec.toml")).expect("a link");
    let done = run_in(folder.path(), "run");
    assert_eq!((done.code, done.stderr.contains("cannot read robotspec.toml")), (Some(2), true));
}

#[test]
fn an_output_that_is_a_link_to_nothing_is_written_to_where_the_link_leads() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    symlink("there.tap", folder.path().join("link.tap")).expect("a link");
    assert_eq!(run_in(folder.path(), &format!("{RUN} --report tap=link.tap")).code, Some(1));
    assert!(folder.path().join("link.tap").is_symlink());
    assert!(fs::read_to_string(folder.path().join("there.tap")).is_ok_and(|tap| tap.starts_with("TAP")));
}

#[test]
fn a_device_may_be_several_outputs() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let line = format!("{RUN} --report tap=/dev/null --report jsonl=/dev/null --report markdown=a.md");
    assert_eq!(run_in(folder.path(), &line).code, Some(1));
}
