//! Tests of the private parts of `src/external/live.rs`.

use super::*;

#[test]
fn an_answer_at_a_server_that_stopped_is_not_about_its_scenario() {
    let visits = [0, 1].map(|at| TimedVisit { at, site_answers: true, visit: Visit::default() });
    for last in [0, 1] {
        let server = MockServer::start(&visits[0].visit).expect("the server starts");
        let played = play_at(&server, &visits, &["/".to_owned()], |_, now| {
            assert!(server.is_running(), "no query is sent while the server is not running");
            if now == START + last {
                server.stop();
            }
            Ok(vec![Verdict::Disallow])
        });
        assert_eq!(played, Err(not_played(PlayError::Stopped)));
    }
}

#[test]
fn no_scenario_is_played_at_the_origin_of_another() {
    let mut ports = ["a", "a", "b", "a", "b", "c"].into_iter();
    let at = |port: &str| Ok((port.to_owned(), port.to_owned()));
    let mut used = HashSet::new();
    let mut next = || start_at_new_origin(&mut used, || at(ports.next().expect("a port")));
    assert_eq!([next(), next(), next()], ["a", "b", "c"].map(|port| Ok(port.to_owned())));
    assert!(start_at_new_origin(&mut used, || at("a")).is_err());
}
