//! The messages of implementations.

use robotspec::{Fault, LONGEST_MESSAGE, Message, general_message};

#[test]
fn a_long_message_is_cut_once_at_a_character_and_says_how_much_is_missing() {
    let text = format!("{}é{}", "a".repeat(LONGEST_MESSAGE - 1), "b".repeat(100));
    let message = Message::from(text.as_str());
    let expected = format!("{} … (102 bytes more)", "a".repeat(LONGEST_MESSAGE - 1));
    assert_eq!(&*message, expected);
    assert_eq!(Message::from(&*message), message);
    let short = "a".repeat(LONGEST_MESSAGE);
    assert_eq!(&*Message::from(short.as_str()), short);
}

#[test]
fn the_messages_of_one_error_about_several_queries_are_one() {
    let message = |text: &str| general_message(&Err(Fault::Error(text.into()))).expect("a message");
    assert_eq!(message("KeyError: '/a' at 12\nline 3"), message("KeyError: '/b' at 7"));
    assert_eq!(message("can't read `x`"), "can't read ``");
    assert_ne!(message("KeyError: '/a'"), message("ValueError: '/a'"));
    assert_eq!(general_message(&Err(Fault::Timeout("no reply in 5s".into()))), None);
}
