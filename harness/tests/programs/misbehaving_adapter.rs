//! An adapter that misbehaves in the way that its first argument names, for the tests of the results of the
//! checks.
//!
//! Most ways misbehave only on requests with a guilty URL, and answer all others. A guilty URL contains
//! `guilty` or the text given as `guilty=TEXT`, or does not contain that given as `guilty=!TEXT`.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, abort, exit};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robotspec_reference::{Edition, Reading, RobotsTxt};
use robotspec_test_support::faulty::{FaultyParser, Mistake};
use robotspec_test_support::hostile;
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let way = env::args().nth(1).unwrap_or_default();
    before_hello(&way)?;
    let mut held = Vec::new();
    for line in io::stdin().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        if request["op"] == "hello" {
            say(hello(&way))?;
        } else if let Some(count) = argument("together") {
            held.push(request);
            if held.len().to_string() == count {
                say_together(held.drain(..).rev())?;
            }
        } else {
            reply(&way, &request)?;
        }
    }
    match &*way {
        "exits-badly" => {
            eprintln!("there is something left to do");
            exit(5)
        }
        "hostile" => {
            eprintln!("{}", hostile::TEXT);
            exit(5)
        }
        "never-exits" => hang(),
        _ => Ok(()),
    }
}

/// Returns the value of an argument `key=value`.
fn argument(key: &str) -> Option<String> {
    env::args().find_map(|argument| Some(argument.strip_prefix(key)?.strip_prefix('=')?.to_owned()))
}

fn say(line: impl Display) -> io::Result<()> {
    say_bytes(format!("{line}\n").as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes the replies to requests in the given order, in one write.
fn say_together(requests: impl Iterator<Item = Value>) -> io::Result<()> {
    let lines: String = requests.map(|request| format!("{}\n", honest(&request))).collect();
    say_bytes(lines.as_bytes())
}

fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn before_hello(way: &str) -> io::Result<()> {
    match way {
        "exits-before-hello" => {
            eprintln!("no module named robots");
            exit(7)
        }
        "never-greets" => hang(),
        "greets-late" => {
            thread::sleep(Duration::from_secs(1));
            Ok(())
        }
        // The adapter answers `hello` without reading it, and never reads its input.
        "deaf" => {
            say(hello(way))?;
            hang()
        }
        "cannot-start-twice" if fs::exists(argument("file").unwrap_or_default())? => exit(8),
        "starts-at-second-try" => {
            let file = argument("file").unwrap_or_default();
            if !fs::exists(&file)? {
                fs::write(file, "")?;
                exit(9)
            }
            Ok(())
        }
        // A child process of another adapter: it runs until it is killed, which closes its connection.
        "stays" => {
            let mut connection = TcpStream::connect(argument("at").unwrap_or_default())?;
            say("connected")?;
            connection.read_exact(&mut [0])?;
            hang()
        }
        _ => Ok(()),
    }
}

fn hello(way: &str) -> Value {
    let mut hello = json!({
        "id": 0,
        "protocol": 1,
        "name": "misbehaving",
        "ops": ["match", "sitemaps", "scope"],
    });
    match way {
        "greets-in-words" => return json!("Welcome!"),
        "greets-with-another-id" => hello["id"] = json!(1),
        "as-the-url-says" if misspells_once() => hello["ops"] = json!(["Match"]),
        "speaks-another-protocol" => hello["protocol"] = json!(2),
        "greets-without-ops" => hello = json!({ "id": 0, "protocol": 1, "name": "misbehaving" }),
        "only-matches" | "ignores-path-case" | "remembers-verdicts" | "errs-at-first" => {
            hello["ops"] = json!(["match"])
        }
        "tells-more-than-asked" => {
            hello["mood"] = json!("fine");
        }
        "supports-nothing" => hello["ops"] = json!([]),
        "misspells-an-operation" => hello["ops"] = json!(["Match"]),
        "hostile" => {
            hello["ops"] = json!(["match", "sitemaps", "scope"]);
            for key in ["name", "version", "language", "homepage", "package"] {
                hello[key] = json!(hostile::TEXT);
            }
        }
        _ => {}
    }
    hello
}

fn reply(way: &str, request: &Value) -> io::Result<()> {
    match way {
        "tells-the-file" => return say(file_as_sent(request)),
        "tells-more-than-asked" => {
            let mut reply = honest(request);
            reply["verdict"] = json!("none");
            reply["took"] = json!({ "ms": 3 });
            return say(reply);
        }
        "always-allows" => {
            return say(json!({ "id": request["id"], "verdicts": verdicts(request, "allow") }));
        }
        "lacks-a-function" => {
            let verdict = |check: &Value| match check["url"].as_str().filter(|url| url.contains('%')) {
                Some(url) => json!({ "error": format!("undefined function idn() at {}", url.len()) }),
                None => json!("allow"),
            };
            let verdicts: Vec<Value> =
                request["checks"].as_array().into_iter().flatten().map(verdict).collect();
            return say(json!({ "id": request["id"], "verdicts": verdicts }));
        }
        "remembers-verdicts" | "errs-at-first" => {
            let mut verdicts = faulty_verdicts(&FaultyParser::sound(), request);
            if way == "errs-at-first" {
                invert_first(&mut verdicts);
            } else {
                recall(request, &mut verdicts);
            }
            return say(json!({ "id": request["id"], "verdicts": verdicts }));
        }
        "ignores-path-case" => {
            let parser = FaultyParser::new(&[Mistake::PathCaseIgnored]);
            return say(json!({ "id": request["id"], "verdicts": faulty_verdicts(&parser, request) }));
        }
        "remembers-a-guilty-check" => {
            let mut reply = honest(request);
            remember_guilt(request, &mut reply);
            return say(reply);
        }
        "logs" => {
            say("INFO: a request")?;
            return say(honest(request));
        }
        "exits-after-each-reply" => {
            say(honest(request))?;
            exit(0)
        }
        "leaves-its-output-to-a-child" => {
            if is_guilty(request) {
                start_child_with_output()?;
                exit(3)
            }
            return say(honest(request));
        }
        "needs-memory" if is_guilty(request) => {
            let needed = vec![1_u8; 512 << 20];
            thread::sleep(Duration::from_secs(60));
            drop(needed);
        }
        "hostile" if request["op"] == "match" => {
            let error = json!({ "error": hostile::TEXT });
            return say(json!({ "id": request["id"], "verdicts": vec![error; urls(request).count()] }));
        }
        "hostile" if request["op"] == "sitemaps" => {
            return say(json!({ "id": request["id"], "sitemaps": [hostile::TEXT] }));
        }
        "hostile" => return say(hostile::TEXT),
        "always-exits" => exit(3),
        "loud" => {
            for line in 0..20_000 {
                eprintln!("line {line} of very much that nobody wants to know");
            }
        }
        _ => {}
    }
    if !is_guilty(request) {
        return say(inverted(request, honest(request)));
    }
    match way {
        "as-the-url-says" => misbehave(&way_of_url(request), request),
        _ => misbehave(way, request),
    }
}

/// Returns the part after `/guilty/` of the first guilty URL.
fn way_of_url(request: &Value) -> String {
    let way = urls(request).find_map(|url| url.split_once("/guilty/")?.1.split('/').next());
    way.unwrap_or_default().to_owned()
}

fn is_guilty(request: &Value) -> bool {
    urls(request).any(is_guilty_url)
}

fn is_guilty_url(url: &str) -> bool {
    let text = argument("guilty").unwrap_or_else(|| "guilty".to_owned());
    text.strip_prefix('!').map_or_else(|| url.contains(&text), |innocent| !url.contains(innocent))
}

fn misbehave(way: &str, request: &Value) -> io::Result<()> {
    let mut reply = honest(request);
    match way {
        "shouts-and-exits" => {
            eprint!("{}", "very ".repeat(200_000));
            exit(3)
        }
        "leaves-a-child" => leave_child()?,
        "exits" | "loud" => {
            eprintln!("the last words");
            exit(3)
        }
        "dies" => abort(),
        "cannot-start-twice" => {
            fs::write(argument("file").unwrap_or_default(), "")?;
            exit(3)
        }
        "hangs" => hang(),
        "hangs-with-a-child" => {
            start_child(Command::new(env::current_exe()?))?;
            hang()
        }
        "hangs-with-a-daemon" => {
            let mut daemon = Command::new("setsid");
            daemon.arg("--fork").arg(env::current_exe()?).env_clear();
            start_child(daemon)?;
            hang()
        }
        "exits-with-a-child" => {
            start_child(Command::new(env::current_exe()?))?;
            exit(3)
        }
        "closes-its-output" => return close_output(),
        "exits-and-misspells" => {
            fs::write(misspelling(), "")?;
            exit(0)
        }
        "remembers" => INVERTED.store(3, Ordering::Relaxed),
        "logs-before-the-reply" => say("INFO: a request")?,
        "talks" => return say("Sorry, what?"),
        "talks-much" => return say("blah ".repeat(200)),
        "talks-without-end" => return say("x".repeat((16 << 20) + 1)),
        "talks-latin-1" => return say_bytes(b"{\"id\":1,\"error\":\"d\xE9sol\xE9\"}\n"),
        "answers-another" => reply["id"] = json!(987_654),
        "answers-twice" => say(&reply)?,
        "answers-then-talks" => {
            say(&reply)?;
            return say("That was hard.");
        }
        "answers-then-exits" => {
            say(&reply)?;
            exit(3)
        }
        "forgets-a-verdict" => reply["verdicts"] = json!([]),
        "forgets-the-verdicts" => reply = json!({ "id": request["id"] }),
        "invents-a-verdict" => reply["verdicts"] = json!(verdicts(request, "maybe")),
        "fails-on-the-check" => {
            set_guilty(request, &mut reply, &json!({ "error": "this URL is too much for me" }))
        }
        "fails-at-length" => set_guilty(request, &mut reply, &json!({ "error": "no ".repeat(100_000) })),
        "answers-in-two-ways" if is_first_time(request)? => set_guilty(request, &mut reply, &json!("allow")),
        "fails-on-the-request" => {
            reply = json!({ "id": request["id"], "error": "this file is too much for me" })
        }
        _ => {}
    }
    say(reply)
}

/// Makes the reply of an adapter that follows the protocol.
fn honest(request: &Value) -> Value {
    let id = &request["id"];
    match request["op"].as_str() {
        Some("match") => {
            let robots = request["robots"].as_str().unwrap_or_default();
            let robots = RobotsTxt::parse(robots.as_bytes());
            let reading = Reading::plainest(Edition::Rfc9309);
            let verdict = |url: &str| match robots.decide(&reading, "FooBot", url) {
                Ok(decision) => json!(decision.verdict.to_string()),
                Err(error) => json!({ "error": error.to_string() }),
            };
            json!({ "id": id, "verdicts": urls(request).map(verdict).collect::<Vec<_>>() })
        }
        Some("sitemaps") => json!({ "id": id, "sitemaps": ["https://example.com/sitemap.xml"] }),
        _ => json!({ "id": id, "applies": true }),
    }
}

fn urls(request: &Value) -> impl Iterator<Item = &str> {
    let checks = request["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
    checks.iter().filter_map(|check| check["url"].as_str())
}

fn is_first_call() -> bool {
    static WAS_CALLED: AtomicBool = AtomicBool::new(false);
    !WAS_CALLED.swap(true, Ordering::Relaxed)
}

fn verdicts(request: &Value, verdict: &str) -> Vec<Value> {
    urls(request).map(|_| json!(verdict)).collect()
}

/// Returns the verdicts of a faulty parser. The file is UTF-8 or Base64.
fn faulty_verdicts(parser: &FaultyParser, request: &Value) -> Vec<Value> {
    let robots = match request["robots"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => STANDARD.decode(request["robots_base64"].as_str().unwrap_or_default()).unwrap_or_default(),
    };
    let checks = request["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let verdict = |check: &Value| {
        let [agent, url] = ["agent", "url"].map(|key| check[key].as_str().unwrap_or_default());
        match parser.allows(&robots, agent, url) {
            Ok(true) => json!("allow"),
            Ok(false) => json!("disallow"),
            Err(fault) => json!({ "error": fault.to_string() }),
        }
    };
    checks.iter().map(verdict).collect()
}

/// Replaces verdicts by those on the same agent and URL for any earlier file.
fn recall(request: &Value, verdicts: &mut [Value]) {
    static KNOWN: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("one thread");
    let checks = request["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (check, verdict) in checks.iter().zip(verdicts) {
        *verdict = known.entry(check.to_string()).or_insert_with(|| verdict.clone()).clone();
    }
}

/// How many of the next verdicts are inverted.
static INVERTED: AtomicUsize = AtomicUsize::new(0);

/// Inverts the first verdicts of a reply, if this was decided before.
fn inverted(request: &Value, mut reply: Value) -> Value {
    let verdicts = reply["verdicts"].as_array_mut().into_iter().flatten();
    for (verdict, _) in verdicts.zip(urls(request)) {
        let take_one = |left: usize| left.checked_sub(1);
        if INVERTED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take_one).is_ok() {
            *verdict = if *verdict == "allow" { json!("disallow") } else { json!("allow") };
        }
    }
    reply
}

/// The file that makes the next process misspell an operation.
fn misspelling() -> PathBuf {
    Path::new(&argument("state").unwrap_or_default()).join("misspells")
}

fn misspells_once() -> bool {
    fs::remove_file(misspelling()).is_ok()
}

/// Inverts the verdicts after the first guilty check of this process.
fn remember_guilt(request: &Value, reply: &mut Value) {
    static IS_REMEMBERED: AtomicBool = AtomicBool::new(false);
    let urls: Vec<&str> = urls(request).collect();
    for (url, verdict) in urls.iter().zip(reply["verdicts"].as_array_mut().into_iter().flatten()) {
        if IS_REMEMBERED.load(Ordering::Relaxed) {
            *verdict = if *verdict == "allow" { json!("disallow") } else { json!("allow") };
        }
        if is_guilty_url(url) {
            IS_REMEMBERED.store(true, Ordering::Relaxed);
        }
    }
}

/// Inverts the first verdict of this process.
fn invert_first(verdicts: &mut [Value]) {
    if let Some(verdict) = verdicts.first_mut()
        && is_first_call()
    {
        *verdict = if verdict == "allow" { json!("disallow") } else { json!("allow") };
    }
}

/// Changes the verdict on each guilty URL.
fn set_guilty(request: &Value, reply: &mut Value, verdict: &Value) {
    for (at, url) in urls(request).enumerate() {
        if url.contains("guilty") {
            reply["verdicts"][at] = verdict.clone();
        }
    }
}

/// Makes a reply with an error for each check that contains the file in the form in which it came.
fn file_as_sent(request: &Value) -> Value {
    let keys: Vec<String> = ["robots", "robots_base64"]
        .iter()
        .filter_map(|key| Some(format!("{key} {}", request.get(key)?)))
        .collect();
    let error = json!({ "error": keys.join(" and ") });
    json!({ "id": request["id"], "verdicts": urls(request).map(|_| error.clone()).collect::<Vec<_>>() })
}

/// Returns whether no process has received the guilty checks of a request before.
fn is_first_time(request: &Value) -> io::Result<bool> {
    let guilty = urls(request).find(|url| url.contains("guilty")).unwrap_or_default();
    let file = Path::new(&argument("state").unwrap_or_default()).join(guilty.replace('/', "-"));
    let is_first = !file.exists();
    fs::write(file, "")?;
    Ok(is_first)
}

/// Starts a process in a process group of its own, which never ends and holds no output open.
fn leave_child() -> io::Result<()> {
    let state = format!("state={}", argument("state").unwrap_or_default());
    let mut child = Command::new(env::current_exe()?);
    child.args(["never-greets", &state]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut child, 0);
    child.spawn().map(drop)
}

/// Starts a process that never ends and holds the standard output open.
fn start_child_with_output() -> io::Result<()> {
    Command::new(env::current_exe()?).arg("never-greets").stdin(Stdio::null()).spawn().map(drop)
}

/// Starts this program as a process that outlives this one unless it is killed, and waits until it is connected.
fn start_child(mut program: Command) -> io::Result<()> {
    let at = format!("at={}", argument("at").unwrap_or_default());
    let child = program.args(["stays", &at]).stdout(Stdio::piped()).spawn()?;
    let mut connected = String::new();
    child.stdout.map_or(Ok(0), |out| BufReader::new(out).read_line(&mut connected))?;
    Ok(())
}

/// Replaces this process by one that does not have its standard output and never ends.
#[cfg(unix)]
fn close_output() -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(Command::new(env::current_exe()?).arg("never-greets").stdout(Stdio::null()).exec())
}

#[cfg(not(unix))]
fn close_output() -> io::Result<()> {
    exit(0)
}
