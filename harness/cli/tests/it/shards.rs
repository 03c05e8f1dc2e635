//! Tests of the shards of a run, and of the reports of several shards.

use crate::reports::{KNOWN, RUN};
use crate::support::{folder, json, outcome_of, read, run_in, without_origin, write};

#[test]
fn the_shards_together_contain_every_check_of_the_run() {
    let folder = folder(&[]);
    let ids = |options: &str| -> Vec<String> {
        let done =
            run_in(folder.path(), &format!("run reference --edition rfc9309 --format jsonl {options}"));
        let ids = done.stdout.lines().map(json).filter_map(|event| Some(event["id"].as_str()?.to_owned()));
        ids.collect()
    };
    let mut whole = ids("--filter kind:O");
    let mut shards: Vec<String> =
        (1..=3).flat_map(|index| ids(&format!("--filter kind:O --shard {index}/3"))).collect();
    whole.sort();
    shards.sort();
    assert_eq!(shards, whole, "each check is in exactly one shard");
    let alone = ids("--filter id:precedence/* --shard 2/3");
    let among_others: Vec<String> = ids("--filter kind:O --filter id:precedence/* --shard 2/3")
        .into_iter()
        .filter(|id| id.starts_with("precedence/"))
        .collect();
    assert_eq!(alone, among_others, "filters do not change the shard of a check");
}

#[test]
fn merged_shards_give_the_same_reports_as_one_run() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    let run = RUN.replace("fish#*", "*");
    const FORMATS: [&str; 6] = ["jsonl", "junit", "tap", "markdown", "badge", "html"];
    let reports = |dir: &str| FORMATS.map(|format| format!(" --report {format}={dir}/r.{format}"));
    run_in(folder.path(), &format!("{run}{}", reports("whole").concat()));
    for shard in 1..=3 {
        run_in(folder.path(), &format!("{run} --shard {shard}/3 --report jsonl={shard}.jsonl"));
    }
    // A duplicate shard counts once.
    let merged = format!("report 1.jsonl 2.jsonl 3.jsonl 2.jsonl{}", reports("merged").concat());
    let done = run_in(folder.path(), &merged);
    assert_eq!((done.code, &*done.stdout, &*done.stderr), (Some(0), "", ""));

    assert!(outcome_of(&read(&folder, "whole/r.jsonl"))["unexpected"].as_u64() > Some(2));
    for format in FORMATS {
        let [whole, merged] = ["whole", "merged"].map(|dir| {
            let report = read(&folder, &format!("{dir}/r.{format}"));
            // Only a run knows the arguments that repeat it.
            let is_kept = |line: &&str| !line.contains("again: robotspec run");
            let report = match format {
                "html" => without_origin(&report),
                "tap" => report.lines().filter(is_kept).collect::<Vec<_>>().join("\n"),
                _ => report,
            };
            let mut pieces = report.split("again: robotspec run");
            let first = pieces.next().map(str::trim_end).map(str::to_owned);
            let rest =
                |piece: &str| piece[piece.find(['<', '\n']).unwrap_or_default()..].trim_end().to_owned();
            first.into_iter().chain(pieces.map(rest)).collect::<String>()
        });
        assert_eq!(merged, whole, "{format}");
    }
}

#[test]
fn a_missing_shard_is_reported() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    for shard in ["1/2", "2/2", "1/3"] {
        let file = shard.replace('/', "-of-");
        let run = RUN.replace("fish#*", "*");
        run_in(folder.path(), &format!("{run} --shard {shard} --report jsonl={file}.jsonl"));
    }
    let merged = |files: &str| {
        let done =
            run_in(folder.path(), &format!("report {files} --report jsonl=- --report badge=badge.json"));
        let badge = json(&read(&folder, "badge.json"))["message"].clone();
        (done.stderr, outcome_of(&done.stdout)["exit-code"].clone(), badge)
    };
    let missing = |shard: &str| {
        format!("warning: shard {shard} of misbehaving is missing, so the results are incomplete\n")
    };
    let duplicate = "1-of-2.jsonl 1-of-2.jsonl";
    assert_eq!(merged(duplicate), (missing("2/2"), 3.into(), "not run".into()));
    // Shards of different divisions do not form a complete run.
    assert_eq!(merged("1-of-3.jsonl 2-of-2.jsonl").0, missing("1/2") + &missing("2/3") + &missing("3/3"));
    let (warnings, exit_code, badge) = merged("1-of-2.jsonl 2-of-2.jsonl");
    assert_eq!((&*warnings, exit_code), ("", 1.into()));
    assert!(badge.as_str().is_some_and(|badge| badge.contains(" violations")), "{badge}");
    let page = run_in(folder.path(), "report 2-of-2.jsonl --html site");
    assert_eq!((page.code, page.stderr), (Some(3), missing("1/2")));
}

#[test]
fn a_run_that_was_cut_off_is_merged_as_incomplete() {
    let folder = folder(&[("known.yaml", KNOWN)]);
    run_in(folder.path(), &format!("{RUN} --report jsonl=run.jsonl"));
    let whole = read(&folder, "run.jsonl");
    let (cut_off, _) = whole.trim_end().rsplit_once('\n').expect("lines");
    write(&folder, "cut.jsonl", format!("{cut_off}\n"));
    let done = run_in(folder.path(), "report cut.jsonl --report jsonl=-");
    assert!(done.stderr.contains("cut.jsonl: the run was cut off"), "{}", done.stderr);
    let (cut_off, whole) = (outcome_of(&done.stdout), outcome_of(&whole));
    assert_eq!((&cut_off["exit-code"], &whole["exit-code"]), (&3.into(), &1.into()));
    assert_eq!(cut_off["totals"], whole["totals"]);

    run_in(folder.path(), "report run.jsonl --report jsonl=- --report tap=-")
        .assert_refused("only one report");
    assert_eq!(run_in(folder.path(), "report run.jsonl").code, Some(2), "`report` needs a format");
}

#[test]
fn a_shard_does_not_report_stale_known_failures() {
    let folder = folder(&[]);
    for shard in ["1/2", "2/2"] {
        let done = run_in(folder.path(), &format!("run robots_txt --shard {shard}"));
        assert_eq!(done.code, Some(0), "{}", done.stdout);
    }
    run_in(folder.path(), "run --shard 3/2").assert_refused("write `i/n`");
}
