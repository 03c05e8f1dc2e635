//! Text that a terminal or a document would obey if a program printed it unchanged.

/// Escape sequences that clear the screen, add a link and write to the clipboard; control characters of both sets;
/// characters that change the direction of text or are invisible; line breaks; and markup.
pub const TEXT: &str = "E\x1b[2J\x1b[31m\x1b]8;;http://evil.example/\x07\x1b]52;c;aGk=\x1b\\\u{9b}31m\u{85}\u{202e}\
                        \u{2066}\u{200f}\u{61c}\u{2028}\u{200b}\u{e0041}\x7f\r\nforged: line | @user #1 GH-1 \
                        https://evil.example www.evil.example <img src=x> [x](http://evil.example) ` `` ``` ]]> \
                        <!-- </script> *b* ~~d~~ &amp; $x$";

/// Returns whether a terminal shows a character as it is: without obeying it, and without hiding it.
fn is_shown(c: char) -> bool {
    let is_invisible = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    c == '\n' || !c.is_control() && !is_invisible
}

/// Returns the first character of an output that a terminal does not show as it is, or a line that a text forged; the
/// result is `None` where an output for people is as it must be.
pub fn describe_harm(output: &str) -> Option<String> {
    let harmful = output.lines().find(|line| line.starts_with("forged:") || !line.chars().all(is_shown))?;
    Some(format!("the line {harmful:?}"))
}
