//! Tests of the adapters to third-party parsers: each adapter implements the protocol, and no input ends it.
//!
//! `harness/adapters/install` installs the parsers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::docs::top;

#[derive(Deserialize)]
struct Adapters {
    adapter: Vec<Adapter>,
    validator: Vec<Adapter>,
}

#[derive(Deserialize)]
struct Adapter {
    folder: String,
    command: String,
    ready: String,
}

/// Makes a command that runs at the top of the repository.
fn command(line: &str) -> Command {
    let words = shell_words::split(line).expect("a list of words");
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(top());
    command
}

impl Adapter {
    fn is_installed(&self) -> bool {
        let ready = command(&self.ready).stdout(Stdio::null()).stderr(Stdio::null()).status();
        ready.is_ok_and(|status| status.success())
    }

    /// Returns the replies to lines, and asserts that the adapter gives one for each and then exits with 0.
    fn replies(&self, lines: &[String]) -> Vec<Value> {
        let mut child = command(&self.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.folder));
        let mut input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        for line in lines {
            input.write_all(format!("{line}\n").as_bytes()).expect("the adapter reads");
        }
        drop(input);
        let replies = output.lines().map(|line| {
            let line = line.expect("UTF-8");
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{}: {error}: {line}", self.folder))
        });
        let replies: Vec<Value> = replies.collect();
        assert!(child.wait().expect("the adapter ends").success(), "{} does not exit with 0", self.folder);
        assert_eq!(replies.len(), lines.len(), "{}: {replies:?}", self.folder);
        replies
    }

    /// Returns the reply to the request with an id; replies may come in any order.
    fn reply(&self, lines: &[String], id: u64) -> Value {
        let mut replies = self.replies(lines).into_iter().filter(|reply| reply["id"] == id);
        let reply = replies.next().unwrap_or_else(|| panic!("{} gives no reply {id}", self.folder));
        assert!(replies.next().is_none(), "{} gives two replies {id}", self.folder);
        reply
    }
}

fn listed() -> Adapters {
    let list = top().join("harness/adapters/adapters.toml");
    let text = std::fs::read_to_string(&list).expect("the list of adapters");
    toml::from_str(&text).expect("a list of adapters")
}

/// Returns the adapters of all parsers.
fn adapters() -> Vec<Adapter> {
    installed(listed().adapter)
}

/// Asserts that what these adapters adapt is installed.
fn installed(adapters: Vec<Adapter>) -> Vec<Adapter> {
    let absent = adapters.iter().filter(|adapter| !adapter.is_installed());
    let absent: Vec<&str> = absent.map(|adapter| &*adapter.folder).collect();
    assert!(absent.is_empty(), "run harness/adapters/install {}", absent.join(" "));
    adapters
}

/// Returns the verdicts of a reply, of which some may have the line that decided.
fn verdicts(reply: &Value) -> Vec<&str> {
    let verdicts = reply["verdicts"].as_array().map(Vec::as_slice).unwrap_or_default();
    verdicts.iter().filter_map(|verdict| verdict.as_str().or_else(|| verdict["verdict"].as_str())).collect()
}

fn request(id: u64, robots: &str, urls: &[&str]) -> String {
    let checks: Vec<_> = urls.iter().map(|url| json!({"agent": "FooBot", "url": url})).collect();
    json!({"id": id, "op": "match", "robots": robots, "checks": checks}).to_string()
}

const FILE: &str = "user-agent: *\ndisallow: /private\n";
const PRIVATE: &str = "http://example.com/private/page";
const OPEN: &str = "http://example.com/open";

#[test]
#[ignore = "needs the parsers of harness/adapters"]
fn each_adapter_identifies_itself() {
    for adapter in adapters() {
        let hello = json!({"id": 5, "op": "hello", "protocol": 1, "harness": "robotspec"}).to_string();
        let reply = adapter.reply(&[hello], 5);
        let folder = &adapter.folder;
        assert_eq!(reply["protocol"], 1, "{folder}");
        for key in ["name", "version", "language", "homepage", "package"] {
            assert!(reply[key].as_str().is_some_and(|text| !text.is_empty()), "{folder}: {key}: {reply}");
        }
        let ops = reply["ops"].as_array().expect("a list of operations");
        assert!(ops.contains(&json!("match")), "{folder}: {reply}");
    }
}

#[test]
#[ignore = "needs the parsers of harness/adapters"]
fn each_adapter_answers_a_batch_in_the_order_of_its_checks() {
    for adapter in adapters() {
        let many: Vec<_> = (0..200).map(|n| if n % 3 == 0 { PRIVATE } else { OPEN }).collect();
        let expected: Vec<_> = (0..200).map(|n| if n % 3 == 0 { "disallow" } else { "allow" }).collect();
        let lines = [request(1, FILE, &[OPEN]), request(2, FILE, &many), request(3, FILE, &[PRIVATE])];
        assert_eq!(verdicts(&adapter.reply(&lines, 2)), expected, "{}", adapter.folder);
    }
}

#[test]
#[ignore = "needs the parsers of harness/adapters"]
fn each_adapter_accepts_bytes_that_are_not_utf_8() {
    for adapter in adapters() {
        // The last line but one is `# \xff`.
        let robots = "dXNlci1hZ2VudDogKgpkaXNhbGxvdzogL3ByaXZhdGUKIyD/Cg==";
        let checks = json!([{"agent": "FooBot", "url": PRIVATE}]);
        let line = json!({"id": 1, "op": "match", "robots_base64": robots, "checks": checks}).to_string();
        let reply = adapter.reply(&[line], 1);
        assert!(
            reply["error"].is_string() || reply["verdicts"].as_array().is_some(),
            "{}: {reply}",
            adapter.folder
        );
    }
}

#[test]
#[ignore = "needs the parsers of harness/adapters"]
fn no_input_ends_an_adapter() {
    for adapter in adapters() {
        let garbage = ["garbage", "{", "[]", "null", "7", "{}", "{\"id\":8}", "{\"id\":9,\"op\":\"dance\"}"];
        let odd = [
            json!({"id": 10, "op": "match"}),
            json!({"id": 11, "op": "match", "robots": 7, "checks": []}),
            json!({"id": 12, "op": "match", "robots": "", "checks": [{}, {"agent": "FooBot", "url": "::"}]}),
            json!({"id": 13, "op": "match", "robots_base64": "=", "checks": null}),
        ];
        let lines: Vec<_> = garbage.iter().map(|&line| line.to_owned()).collect();
        let odd = odd.iter().map(Value::to_string);
        let last = request(14, FILE, &[PRIVATE, OPEN]);
        let lines: Vec<_> = lines.into_iter().chain(odd).chain([last]).collect();
        let replies = adapter.replies(&lines);
        let unknown =
            replies.iter().find(|reply| reply["id"] == 9).expect("a reply to the unknown operation");
        assert!(unknown["error"].is_string(), "{}: {unknown}", adapter.folder);
        let good = replies.iter().find(|reply| reply["id"] == 14).expect("a reply to the last request");
        assert_eq!(verdicts(good), ["disallow", "allow"], "{}", adapter.folder);
    }
}

#[test]
#[ignore = "needs the parsers of harness/adapters"]
fn each_validator_states_only_whether_a_file_is_valid() {
    for validator in installed(listed().validator) {
        let hello = json!({"id": 1, "op": "hello", "protocol": 1, "harness": "robotspec"});
        let valid = json!({"id": 2, "op": "grammar", "robots": FILE});
        let not_valid = json!({"id": 3, "op": "grammar", "robots": "user-agent *\n"});
        let bytes = json!({"id": 4, "op": "grammar", "robots_base64": "IyD/Cg=="});
        let garbage = ["garbage".to_owned(), json!({"id": 5, "op": "grammar", "robots": 7}).to_string()];
        let lines = [hello, valid, not_valid, bytes].map(|request| request.to_string());
        let replies = validator.replies(&[&lines[..], &garbage].concat());
        let reply = |id: u64| replies.iter().find(|reply| reply["id"] == id).expect("a reply");
        let folder = &validator.folder;
        assert_eq!(reply(1)["ops"], json!(["grammar"]), "{folder}");
        assert_eq!(reply(2)["valid"], true, "{folder}");
        assert_eq!(reply(3)["valid"], false, "{folder}");
        assert!(reply(4)["valid"].is_boolean(), "{folder}");
        assert!(reply(5)["error"].is_string(), "{folder}");
    }
}
