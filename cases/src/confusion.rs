//! Texts that programs take for each other: one is what the other becomes where a program decodes, encodes, normalises,
//! folds or cuts something that no text asks for.
//!
//! The suite `confusions` has rows about each, the fuzzer writes them into rules and URLs, and the collection of parsers with
//! one mistake has one for each.

/// A text in the path of a rule, and what some program takes it for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confusion {
    /// The text in a rule.
    pub text: &'static str,
    /// What a program takes it for. In a URL, characters outside ASCII are percent-encoded.
    pub other: &'static str,
    /// Whether the two differ in every edition. About others, some edition says nothing.
    pub differ: bool,
}

const fn differ(text: &'static str, other: &'static str) -> Confusion {
    Confusion { text, other, differ: true }
}

const fn open(text: &'static str, other: &'static str) -> Confusion {
    Confusion { text, other, differ: false }
}

/// The texts, by the cases of the suite.
pub const CONFUSIONS: &[Confusion] = &[
    // unicode-forms
    differ("é", "e\u{301}"),
    differ("e\u{301}", "é"),
    differ("\u{212B}", "\u{C5}"),
    differ("\u{2126}", "\u{3A9}"),
    differ("\u{FB01}", "fi"),
    differ("\u{FF21}", "A"),
    differ("²", "2"),
    differ("ß", "ss"),
    differ("한", "\u{1112}\u{1161}\u{11AB}"),
    differ("é", "e"),
    differ("\u{430}", "a"),
    // unicode-invisible
    differ("a\u{200D}b", "ab"),
    differ("a\u{AD}b", "ab"),
    differ("a\u{FEFF}b", "ab"),
    differ("a\u{A0}b", "a%20b"),
    // unicode-case
    differ("É", "é"),
    differ("Σ", "σ"),
    differ("Д", "д"),
    differ("\u{130}", "i"),
    differ("\u{131}", "i"),
    differ("\u{17F}", "s"),
    differ("\u{212A}", "k"),
    // entities
    differ("a&amp;b", "a&b"),
    differ("&eacute;", "é"),
    differ("a&lt;b", "a%3Cb"),
    // escapes
    differ("a\\u002Fb", "a/b"),
    differ("a\\x2Fb", "a/b"),
    differ("a\\/b", "a/b"),
    differ("%2541", "A"),
    differ("a%2520b", "a%20b"),
    differ("a%C0%AFb", "a/b"),
    differ("a=2Fb", "a/b"),
    differ("a+b", "a%20b"),
    // reserved
    open("a!b", "a%21b"),
    open("a'b", "a%27b"),
    open("a(b)", "a%28b%29"),
    open("a,b", "a%2Cb"),
    open("a;b", "a%3Bb"),
    open("a:b", "a%3Ab"),
    open("a@b", "a%40b"),
    open("a&b", "a%26b"),
    open("a=b", "a%3Db"),
    differ("a%2Fb", "a/b"),
    open("a%3Fb", "a?b"),
    // parameters
    differ("?a=1&utm_source=x", "?a=1"),
    differ("?gclid=1", "?"),
    differ("?fbclid=1&a=1", "?a=1"),
    differ("?PHPSESSID=1", "?"),
    differ("page;jsessionid=1A", "page"),
    differ("?a=1&sid=9", "?a=1"),
    differ("?b=2&a=1", "?a=1&b=2"),
    differ("?a=1&a=1", "?a=1"),
    differ("?a=&b=1", "?a&b=1"),
    differ("?a=1&&b=2", "?a=1&b=2"),
    differ("?a=1&", "?a=1"),
    differ("?a=1;b=2", "?a=1&b=2"),
    differ(";v=1/page", "/page"),
    differ("?_escaped_fragment_=a", "#!a"),
    // cut
    differ("a//b", "a"),
    differ("a;b", "a"),
    differ("a,b", "a"),
    differ("a--b", "a"),
    differ("a|b", "a"),
    differ("\"a\"", "a"),
    differ("'a'", "a"),
    differ("<a>", "a"),
    differ("a.", "a"),
    differ("a%20", "a"),
    differ("a%09b", "a"),
    differ("a%0Ab", "a"),
    differ("a%00b", "a"),
    differ("a!b", "a"),
    differ("a.html", "a"),
    differ("a01", "a1"),
    // special
    differ("[ab]", "a"),
    differ("{a,b}", "a"),
    differ("(a|b)", "a"),
    differ("a.b", "axb"),
    differ("a?b", "axb"),
    differ("ab+", "abb"),
    differ("\\d", "1"),
    differ("^a", "a"),
    differ("a_b", "axb"),
    differ("~a", "a"),
    open("a%5Bb", "a[b"),
    differ("a\\b", "a/b"),
    differ("a%5Cb", "a/b"),
    // names
    differ("a/index.html", "a/"),
    differ("a/default.asp", "a/"),
    differ("a/", "a"),
    differ("a%20%20b", "a%20b"),
    differ("a_b", "a-b"),
];
