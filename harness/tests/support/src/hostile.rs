//! Text that a terminal, a document or a CI system would obey if a program printed it unchanged.

/// Commands of CI systems; escape sequences that clear the screen, add a link and write to the clipboard; control characters
/// of both sets; characters that change the direction of text or are invisible; line breaks; and markup.
pub const TEXT: &str = "::error::E\x1b[2J\x1b[31m\x1b]8;;http://evil.example/\x07\x1b]52;c;aGk=\x1b\\\u{9b}31m\u{85}\
                        \u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{200b}\u{e0041}\x7f\r\nforged: line\n  ::debug::x | \
                        ##[warning]x | @user #1 GH-1 https://evil.example www.evil.example <img src=x> \
                        [x](http://evil.example) ` `` ``` ]]> <!-- </script> *b* ~~d~~ &amp; $x$";

/// Returns whether a terminal shows a character as it is: without obeying it, and without hiding it.
fn is_shown(c: char) -> bool {
    let is_invisible = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    c == '\n' || !c.is_control() && !is_invisible
}

/// Returns whether GitHub obeys a line of a log.
pub fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[")
}

/// Returns the first line of an output that a terminal does not show as it is, that a CI system obeys, or that a text
/// forged; the result is `None` where an output for people is as it must be.
pub fn describe_harm(output: &str) -> Option<String> {
    let is_harmful =
        |line: &&str| line.starts_with("forged:") || is_command(line) || !line.chars().all(is_shown);
    Some(format!("the line {:?}", output.lines().find(is_harmful)?))
}
