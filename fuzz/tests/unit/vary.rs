//! Tests of the private parts of `src/explain/vary.rs`.

use super::*;

#[test]
fn a_variation_differs_in_names_paths_and_file() {
    let query = Query::Match {
        robots: b"user-agent: a\nuser-agent: A/1\nuser-agent: *\ndisallow: /a%2A\n"[..].into(),
        agent: "a-b".to_owned(),
        url: "http://example.com/a*?".to_owned(),
    };
    let varied: Vec<Query> = (0..8).map(|number| vary(&query, number).expect("a match query")).collect();
    let Query::Match { robots, agent, url } = &varied[0] else { panic!("{:?}", varied[0]) };
    let file = "user-agent: b\nuser-agent: B/1\nuser-agent: *\ndisallow: /soil/b%2A\n";
    assert_eq!(
        (&*String::from_utf8_lossy(robots), &**agent, &**url),
        (file, "b-c", "http://example.com/soil/b*?")
    );
    for (index, one) in varied.iter().enumerate() {
        assert!(varied[index + 1..].iter().all(|other| one != other));
    }
}
