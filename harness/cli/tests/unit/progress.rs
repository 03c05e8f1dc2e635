//! Tests of the private parts of `src/command/progress.rs`.

use super::*;

#[test]
fn a_line_is_due_every_half_minute() {
    let mut log = Log { steps: "checks".to_owned(), ..Log::default() };
    let mut next = |seconds, done| log.next(Duration::from_secs(seconds), done, 1000);
    assert_eq!(next(29, 0), None);
    assert_eq!(next(31, 0).as_deref(), Some("0 of 1000 checks after 31 s"));
    assert_eq!(next(59, 100), None);
    assert_eq!(next(95, 100).as_deref(), Some("100 of 1000 checks after 95 s"));
    assert_eq!(next(119, 900), None);
}
