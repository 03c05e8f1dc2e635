//! The seeds of the probes, in the order of the table of questions.
//!
//! A new question needs seeds here, unless rows of the cases depend on it alone. For the base of all seeds, the plainest
//! reading of RFC 9309, the reference checks that the verdict of a probe changes with the answer to its question and
//! with no other answer.

use robotspec_reference::Question::*;

use super::seed::Gives::*;
use super::seed::Seed;

const VT: (&str, &str) = ("VT", "\u{B}");
const FF: (&str, &str) = ("FF", "\u{C}");
const NBSP: (&str, &str) = ("NBSP", "\u{A0}");
const MARK: (&str, &str) = ("U+FEFF", "\u{FEFF}");
const EM_SPACE: (&str, &str) = ("U+2003", "\u{2003}");

macro_rules! named {
    ($($text:literal),+) => { &[$(($text, $text)),+] };
}

const DISALLOW: &[(&str, &str)] =
    named!["dissallow", "dissalow", "disalow", "diasllow", "disallaw", "dis-allow", "disallo"];
const USER_AGENT: &[(&str, &str)] =
    named!["useragent", "user agent", "user_agent", "user-agnet", "usr-agent"];
const BETWEEN: &[(&str, &str)] = &[
    ("crawl-delay", "crawl-delay: 5"),
    ("sitemap", "sitemap: https://example.com/map.xml"),
    ("host", "host: www.example.org"),
    ("unknown field", "flavour: sweet"),
    ("no field", "nothing here"),
];

const TEXT_AFTER_NAME: &[(&str, &str)] =
    &[(", and a name", ", other"), ("space and a name", " other"), ("dot", ".net")];
const BEFORE_COLON: &[(&str, &str)] = &[("space before the colon", " "), ("tab before the colon", "\t")];
const BEFORE_FIELD: &[(&str, &str)] = &[("space before the field", "  "), ("tab before the field", "\t")];
const CONTROLS: &[(&str, &str)] = &[("NUL", "\0"), ("SOH", "\u{1}"), ("ESC", "\u{1B}"), ("DEL", "\u{7F}")];

/// A rule that is ignored does not part the two agents.
const RULE_BETWEEN_AGENTS: &str = "user-agent: {a}\ndisallow: /{p}{s}{q}\nuser-agent: {b}\ndisallow: /{q}\n";

pub(super) const SEEDS: &[Seed] = &[
    // ---- Lines ----
    Seed::of_match(Typo, "user-agent: {a}\n{s}: /{p}\n", "{a}", "/{p}/{q}").about(DISALLOW),
    Seed::of_match(Typo, "user-agent: *\nallow: /{p}\n{s}: /{p}/{q}\n", "{a}", "/{p}/{q}").about(DISALLOW),
    Seed::of_match(Typo, "{s}: {a}\ndisallow: /{p}\n", "{a}", "/{p}").about(USER_AGENT),
    Seed::of_match(Typo, "user-agent: {b}\nallow: /{q}\n\n{s}: {a}\ndisallow: /{p}\n", "{a}", "/{p}")
        .about(USER_AGENT),
    Seed::of_match(Typo, "user-agent: {a}\ndisallow: /{p}\n{s}: /{p}/{q}\n", "{a}", "/{p}/{q}")
        .about(named!["alow", "allaw", "al-low"]),
    Seed::of_match(TypoOfTwo, "user-agent: {a}\ndisallow: /{p}\nsallow: /{p}/{q}\n", "{a}", "/{p}/{q}")
        .given(Typo, "accept"),
    Seed::of_match(TypoOfTwo, "user-agent: *\nsallow: /{p}\n", "{a}", "/{p}/{q}").given(Typo, "accept"),
    Seed::of_match(MissingColon, "user-agent: {a}\n{s} /{p}\n", "{a}", "/{p}/{q}").about(named!["disallow"]),
    Seed::of_match(MissingColon, "{s} {a}\ndisallow: /{p}\n", "{a}", "/{p}").about(named!["user-agent"]),
    Seed::of_match(MissingColon, "user-agent: {a}\ndisallow: /{p}\n{s} /{p}/{q}\n", "{a}", "/{p}/{q}")
        .about(named!["allow"]),
    Seed::of_match(FieldPrefix, "user-agent: {a}\n{s}: /{p}\n", "{a}", "/{p}/{q}").about(named![
        "disallowed",
        "disallows",
        "disallow2"
    ]),
    Seed::of_match(FieldPrefix, "{s}: {a}\ndisallow: /{p}\n", "{a}", "/{p}").about(named!["user-agents"]),
    Seed::of_match(FieldPrefix, "user-agent: {a}\ndisallow: /{p}\n{s}: /{p}/{q}\n", "{a}", "/{p}/{q}")
        .about(named!["allowed", "allows"]),
    Seed::of_match(FieldSpace, "user-agent: {a}\ndisallow{s}: /{p}\n", "{a}", "/{p}/{q}").about(BEFORE_COLON),
    Seed::of_match(FieldSpace, "user-agent{s}: {a}\ndisallow: /{p}\n", "{a}", "/{p}").about(BEFORE_COLON),
    Seed::of_match(FieldSpace, "user-agent: {a}\n{s}disallow: /{p}\n", "{a}", "/{p}").about(BEFORE_FIELD),
    Seed::of_match(FieldSpace, "user-agent: *\ndisallow: /{p}\n{s}allow: /{p}/{q}\n", "{a}", "/{p}/{q}")
        .about(BEFORE_FIELD),
    Seed::of_match(InvalidUtf8, "user-agent: {a}\ndisallow: /{p}{byte FF}{q}\n", "{a}", "/{p}%FF{q}")
        .given(NonAscii, "equal"),
    Seed::of_match(InvalidUtf8, "user-agent: {a}\ndisallow: /{p}{byte FF}{q}\n", "{a}", "/{p}{q}")
        .given(NonAscii, "equal"),
    Seed::of_match(InvalidUtf8, "user-agent: {a}\ndisallow: /{p}{byte FF}{q}\n", "{a}", "/{p}%EF%BF%BD{q}")
        .given(NonAscii, "equal"),
    Seed::of_match(InvalidUtf8, "user-agent: {a}\ndisallow: /{p}{byte FF}{q}\n", "{a}", "/{p}%C3%BF{q}")
        .given(NonAscii, "equal"),
    Seed::of_match(ControlCharacter, "user-agent: {a}\ndisallow: /{p}{s}{q}\n", "{a}", "/{p}/{q}")
        .about(CONTROLS),
    Seed::of_match(
        ControlCharacter,
        "user-agent: *\ndisallow: /{p}\nallow: /{p}/{q}{s}{q}\n",
        "{a}",
        "/{p}/{q}/",
    )
    .about(CONTROLS),
    Seed::of_match(ControlCharacter, RULE_BETWEEN_AGENTS, "{a}", "/{q}/{p}")
        .about(CONTROLS)
        .given(OtherRecordBetweenAgents, "transparent"),
    Seed::of_match(OtherWhitespace, "user-agent: {a}\ndisallow: {s}/{p}\n", "{a}", "/{p}")
        .about(&[VT, FF, NBSP, EM_SPACE, MARK]),
    // Next to a field name, white space that is kept makes another name, which is a matter of Typo and FieldPrefix.
    // At the end of a value, VT and FF are control characters inside the value where they are kept.
    Seed::of_match(OtherWhitespace, "user-agent: {a}\ndisallow: /{p}{s}\n", "{a}", "/{p}/{q}")
        .about(&[NBSP, EM_SPACE]),
    Seed::of_match(InnerSpace, "user-agent: {a}\ndisallow: /{p}{s}{q}\n", "{a}", "/{p}/{q}")
        .about(&[("space", " "), ("tab", "\t")]),
    Seed::of_match(InnerSpace, "user-agent: *\ndisallow: /{p}\nallow: /{p}/{q}{s}{q}\n", "{a}", "/{p}/{q}/")
        .about(&[("space", " "), ("tab", "\t")]),
    Seed::of_match(InnerSpace, RULE_BETWEEN_AGENTS, "{a}", "/{q}/{p}")
        .about(&[("space", " "), ("tab", "\t")])
        .given(OtherRecordBetweenAgents, "transparent"),
    Seed::of_match(Bom, "\u{FEFF}user-agent: {a}\ndisallow: /{p}\n", "{a}", "/{p}/{q}")
        .apart_from(&[OtherWhitespace, Typo])
        .at_start(),
    Seed::of_match(Bom, "\u{FEFF}user-agent: *\ndisallow: /{p}\nallow: /{q}\n", "{a}", "/{p}")
        .apart_from(&[OtherWhitespace, Typo])
        .at_start(),
    Seed::of_match(SizeLimit, "user-agent: {a}\n{fill 505000}disallow: /{p}\n", "{a}", "/{p}/{q}").at_end(),
    Seed::of_match(SizeLimit, "user-agent: {a}\n{fill 520000}disallow: /{p}\n", "{a}", "/{p}/{q}").at_end(),
    Seed::of_match(SizeLimit, "{fill 600000}user-agent: {a}\ndisallow: /{p}\n", "{a}", "/{p}/{q}").at_end(),
    Seed::of_match(CutLine, "user-agent: {a}\n{fill 511985}disallow: /{p}/{q}/{q}/{p}\n", "{a}", "/{p}/")
        .given(SizeLimit, "512000")
        .at_end(),
    Seed::of_match(CutLine, "user-agent: {a}\n{fill 499985}disallow: /{p}/{q}/{q}/{p}\n", "{a}", "/{p}/")
        .given(SizeLimit, "500000")
        .at_end(),
    Seed::of_match(NoFinalNewline, "user-agent: {a}\ndisallow: /{p}", "{a}", "/{p}/{q}")
        .gives(&[("accept", Disallow), ("ignore", Allow)])
        .at_end(),
    Seed::of_match(NoFinalNewline, "user-agent: *\ndisallow: /{p}\nallow: /{p}/{q}", "{a}", "/{p}/{q}")
        .gives(&[("accept", Allow), ("ignore", Disallow)])
        .at_end(),
    // ---- Groups and agents ----
    Seed::of_match(AgentCase, "user-agent: {A}\ndisallow: /{p}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(AgentCase, "user-agent: {a}\ndisallow: /{p}\n", "{A}", "/{p}"),
    Seed::of_match(AgentCase, "user-agent: *\ndisallow: /\n\nuser-agent: {A}\nallow: /{p}\n", "{a}", "/{p}"),
    Seed::of_match(CrawlerName, "user-agent: {a}\ndisallow: /{p}\n", "{a}/1.2", "/{p}/{q}")
        .given(AgentMatch, "equal"),
    Seed::of_match(
        CrawlerName,
        "user-agent: *\ndisallow: /\n\nuser-agent: {a}\nallow: /{p}\n",
        "{a} {b}",
        "/{p}",
    )
    .given(AgentMatch, "equal"),
    Seed::of_match(CrawlerName, "user-agent: {a}\ndisallow: /{p}\n", "{a}3000", "/{p}")
        .given(AgentMatch, "equal"),
    Seed::of_match(CrawlerName, "user-agent: {a}3000\ndisallow: /{p}\n", "{a}3000", "/{p}/{q}")
        .given(AgentMatch, "equal")
        .given(AgentOther, "cut"),
    Seed::of_match(
        AgentSuffix,
        "user-agent: {a}\ndisallow: /{q}\n\nuser-agent: {b}{s}\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    )
    .about(named!["/1.2", "*"]),
    Seed::of_match(AgentSuffix, "user-agent: {a}{s}\ndisallow: /{p}\n", "{a}", "/{p}/{q}")
        .about(named!["/1.2", "*"]),
    Seed::of_match(
        AgentSuffix,
        "user-agent: *\ndisallow: /\n\nuser-agent: {a}{s}\nallow: /{p}\n",
        "{a}",
        "/{p}",
    )
    .about(named!["/1.2", "*"]),
    Seed::of_match(AgentText, "user-agent: {a}{s}\ndisallow: /{p}\n", "{a}", "/{p}/{q}")
        .about(TEXT_AFTER_NAME),
    Seed::of_match(
        AgentText,
        "user-agent: {a}\ndisallow: /{q}\n\nuser-agent: {b}{s}\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    )
    .about(TEXT_AFTER_NAME),
    Seed::of_match(AgentOther, "user-agent: {a}{s}\ndisallow: /{p}\n", "{a}", "/{p}/{q}")
        .about(&[("digit", "2"), ("non-ASCII", "é")]),
    Seed::of_match(
        AgentOther,
        "user-agent: {a}\ndisallow: /{q}\n\nuser-agent: {b}{s}\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    )
    .about(&[("digit", "2"), ("non-ASCII", "é")]),
    Seed::of_match(AgentMatch, "user-agent: {a}\ndisallow: /{p}\n", "{a}-{b}", "/{p}/{q}"),
    Seed::of_match(AgentMatch, "user-agent: {a}\ndisallow: /{p}\n", "{a}{b}", "/{p}"),
    Seed::of_match(
        AgentMatch,
        "user-agent: *\ndisallow: /\n\nuser-agent: {a}\nallow: /{p}\n",
        "{a}-{b}",
        "/{p}",
    ),
    Seed::of_match(
        AgentMatch,
        "user-agent: *\ndisallow: /\n\nuser-agent: {a}\nallow: /{p}\n",
        "{a}{b}",
        "/{p}",
    ),
    Seed::of_match(GooglebotMatch, "user-agent: googlebot\ndisallow: /{p}\n", "googlebot-images", "/{p}/{q}"),
    Seed::of_match(GooglebotMatch, "user-agent: googlebot\ndisallow: /{p}\n", "googlebot-news", "/{p}/{q}"),
    Seed::of_match(
        GooglebotMatch,
        "user-agent: *\ndisallow: /\n\nuser-agent: Googlebot\nallow: /{p}\n",
        "Googlebot-Image",
        "/{p}",
    ),
    Seed::of_match(
        EmptyAgent,
        "user-agent: {a}\ndisallow: /{q}\n\nuser-agent:\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    ),
    Seed::of_match(
        EmptyAgent,
        "user-agent: {a}\ndisallow: /{p}\n\nuser-agent:\nallow: /{p}/{q}\n",
        "{a}",
        "/{p}/{q}",
    ),
    Seed::of_match(StarText, "user-agent: {s}\ndisallow: /{p}\n", "{a}", "/{p}/{q}").about(&[
        ("* name", "* other"),
        ("*name", "*other"),
        ("na*me", "ot*her"),
    ]),
    Seed::of_match(StarText, "user-agent: *{b}\ndisallow: /{p}\n", "{a}{b}", "/{p}").about(&[("*name", "")]),
    Seed::of_match(StarText, "user-agent: {a}*{b}\ndisallow: /{p}\n", "{a}", "/{p}").about(&[("na*me", "")]),
    Seed::of_match(StarText, "user-agent: {a}*{b}\ndisallow: /{p}\n", "{a}x{b}", "/{p}")
        .about(&[("na*me", "")])
        .given(AgentMatch, "equal"),
    Seed::of_match(
        StarText,
        "user-agent: {a}\ndisallow: /{q}\n\nuser-agent: {s}\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    )
    .about(&[("* name", "* other"), ("*name", "*other"), ("na*me", "ot*her")])
    .apart_from(&[EmptyAgent, AgentPrecedence]),
    Seed::of_match(
        AgentPrecedence,
        "user-agent: {a}{b}\ndisallow: /{q}\n\nuser-agent: {a}*{b}\ndisallow: /{p}\n",
        "{a}{b}",
        "/{q}",
    )
    .given(StarText, "pattern"),
    Seed::of_match(
        SameAgentGroups,
        "user-agent: {a}\ndisallow: /{q}\n\nuser-agent: {a}\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    ),
    Seed::of_match(
        SameAgentGroups,
        "user-agent: {a}\ndisallow: /{p}\n\nuser-agent: {a}\ndisallow: /{q}\n",
        "{a}",
        "/{p}",
    ),
    Seed::of_match(
        SameAgentGroups,
        "user-agent: {a}\ndisallow: /{p}\n\nuser-agent: {b}\ndisallow: /\n\nuser-agent: {a}\nallow: /{p}/{q}\n",
        "{a}",
        "/{p}/{q}",
    ),
    Seed::of_match(
        StarGroups,
        "user-agent: *\ndisallow: /{q}\n\nuser-agent: *\ndisallow: /{p}\n",
        "{a}",
        "/{p}",
    ),
    Seed::of_match(
        StarGroups,
        "user-agent: *\ndisallow: /{p}\n\nuser-agent: {b}\ndisallow: /\n\nuser-agent: *\nallow: /{p}/{q}\n",
        "{a}",
        "/{p}/{q}",
    ),
    Seed::of_match(
        OtherRecordBetweenAgents,
        "user-agent: {a}\n{s}\nuser-agent: {b}\ndisallow: /{p}\n",
        "{a}",
        "/{p}/{q}",
    )
    .about(BETWEEN),
    Seed::of_match(
        OtherRecordBetweenAgents,
        "user-agent: *\ndisallow: /\n\nuser-agent: {a}\n{s}\nuser-agent: {b}\ndisallow: /{q}\n",
        "{a}",
        "/{q}",
    )
    .about(BETWEEN)
    .apart_from(&[EmptyRecord]),
    Seed::of_match(
        BlankBetweenAgents,
        "user-agent: {a}\n{s}\nuser-agent: {b}\ndisallow: /{p}\n",
        "{a}",
        "/{p}/{q}",
    )
    .about(&[("blank line", ""), ("comment", "# text")]),
    Seed::of_match(
        BlankBetweenAgents,
        "user-agent: *\nallow: /\n\nuser-agent: {b}\nuser-agent: {a}\n{s}\nuser-agent: zz\ndisallow: /{q}\n",
        "{a}",
        "/{q}",
    )
    .about(&[("blank line", ""), ("comment", "# text")]),
    Seed::of_match(
        EmptyRule,
        "user-agent: {a}\ndisallow:\nuser-agent: {b}\ndisallow: /{p}\n",
        "{a}",
        "/{p}/{q}",
    ),
    Seed::of_match(
        EmptyRule,
        "user-agent: *\ndisallow: /{p}\n\nuser-agent: {a}\nallow:\nuser-agent: {b}\ndisallow: /{q}\n",
        "{a}",
        "/{q}",
    ),
    Seed::of_match(EmptyRecord, "user-agent: *\ndisallow: /{p}\n\nuser-agent: {a}\n", "{a}", "/{p}/{q}")
        .at_end(),
    Seed::of_match(
        EmptyRecord,
        "user-agent: {b}\nallow: /{q}\n\nuser-agent: *\ndisallow: /\n\nuser-agent: {a}\n",
        "{a}",
        "/{p}",
    )
    .at_end(),
    Seed::of_match(AdsBotStar, "user-agent: *\ndisallow: /{p}\n", "AdsBot-{A}", "/{p}/{q}"),
    Seed::of_match(AdsBotStar, "user-agent: *\nallow: /{q}\ndisallow: /{p}\n", "AdsBot-{b}", "/{p}"),
    // ---- Paths ----
    Seed::of_match(LeadingSlash, "user-agent: {a}\ndisallow: {p}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(LeadingSlash, "user-agent: *\ndisallow: /{p}\nallow: {p}/{q}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(
        LeadingSlash,
        "user-agent: {a}\ndisallow: {p}\nuser-agent: {b}\ndisallow: /{q}\n",
        "{a}",
        "/{q}/{p}",
    )
    .given(OtherRecordBetweenAgents, "transparent"),
    Seed::of_match(LeadingStar, "user-agent: {a}\ndisallow: *{q}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(LeadingStar, "user-agent: {a}\ndisallow: */{p}/{q}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(LeadingStar, "user-agent: *\ndisallow: *.{q}$\n", "{a}", "/{p}.{q}"),
    Seed::of_match(StarInPath, "user-agent: {a}\ndisallow: /{p}/*{q}\n", "{a}", "/{p}/o{q}"),
    Seed::of_match(StarInPath, "user-agent: *\ndisallow: /*/{q}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(DollarInPath, "user-agent: {a}\ndisallow: /{p}$\n", "{a}", "/{p}"),
    Seed::of_match(DollarInPath, "user-agent: *\ndisallow: /{p}\nallow: /{p}/{q}$\n", "{a}", "/{p}/{q}"),
    Seed::of_match(MidDollar, "user-agent: {a}\ndisallow: /{p}${q}\n", "{a}", "/{p}${q}"),
    Seed::of_match(MidDollar, "user-agent: *\ndisallow: /{p}$*\n", "{a}", "/{p}"),
    // Two rules match, so that the answers about a single kind of escape make no difference.
    Seed::of_match(
        Escapes,
        "user-agent: {a}\ndisallow: /{p}/é\ndisallow: /{p}/%C3%A9/z\n",
        "{a}",
        "/{p}/%C3%A9/%7A{q}",
    ),
    Seed::of_match(
        Escapes,
        "user-agent: *\ndisallow: /{p}\nallow: /{p}/ü\nallow: /{p}/%C3%BC/y\n",
        "{a}",
        "/{p}/%C3%BC/%79{q}",
    ),
    Seed::of_match(NonAscii, "user-agent: {a}\ndisallow: /{p}/ツ\n", "{a}", "/{p}/%E3%83%84/{q}")
        .gives(&[("equal", Disallow), ("different", Allow)]),
    Seed::of_match(NonAscii, "user-agent: *\ndisallow: /{p}\nallow: /{p}/é\n", "{a}", "/{p}/%C3%A9")
        .gives(&[("equal", Allow), ("different", Disallow)]),
    Seed::of_match(RawUrl, "user-agent: {a}\ndisallow: /{p}/ツ\n", "{a}", "/{p}/ツ/{q}")
        .given(NonAscii, "equal"),
    Seed::of_match(RawUrl, "user-agent: *\ndisallow: /{p}/%C3%A9\n", "{a}", "/{p}/é")
        .given(NonAscii, "equal"),
    Seed::of_match(AsciiEscape, "user-agent: {a}\ndisallow: /{p}/%7A{q}\n", "{a}", "/{p}/z{q}"),
    Seed::of_match(AsciiEscape, "user-agent: {a}\ndisallow: /{p}/z{q}\n", "{a}", "/{p}/%7A{q}"),
    Seed::of_match(AsciiEscape, "user-agent: *\ndisallow: /{p}\nallow: /{p}/z\n", "{a}", "/{p}/%7A"),
    Seed::of_match(HexCase, "user-agent: {a}\ndisallow: /{p}%c3%a9{q}\n", "{a}", "/{p}%C3%A9{q}")
        .about(&[("small letters in the rule", "")]),
    Seed::of_match(HexCase, "user-agent: *\ndisallow: /{p}%E3%83%84\n", "{a}", "/{p}%e3%83%84")
        .about(&[("small letters in the URL", "")]),
    Seed::of_match(HexCase, "user-agent: {a}\ndisallow: /{p}%c3%a9{q}\n", "{a}", "/{p}%c3%a9{q}")
        .gives(&[("equal", Disallow), ("different", Disallow), ("rule-in-capitals", Allow)])
        .about(&[("small letters in both", "")]),
    Seed::of_match(SlashDigits, "user-agent: {a}\ndisallow: /{p}%2f{q}\n", "{a}", "/{p}%2F{q}"),
    Seed::of_match(SlashDigits, "user-agent: *\ndisallow: /{p}\nallow: /{p}%2F{q}\n", "{a}", "/{p}%2f{q}"),
    Seed::of_match(ReservedEscape, "user-agent: {a}\ndisallow: /{p}:{q}\n", "{a}", "/{p}%3A{q}")
        .about(&[(": in the rule", "")]),
    Seed::of_match(ReservedEscape, "user-agent: {a}\ndisallow: /{p}%3A{q}\n", "{a}", "/{p}:{q}")
        .about(&[(": in the URL", "")]),
    Seed::of_match(ReservedEscape, "user-agent: *\ndisallow: /{p},{q}\n", "{a}", "/{p}%2C{q}")
        .about(&[(", in the rule", "")]),
    Seed::of_match(ReservedEscape, "user-agent: *\ndisallow: /{p}%2C{q}\n", "{a}", "/{p},{q}")
        .about(&[(", in the URL", "")]),
    Seed::of_match(ReservedEscape, "user-agent: *\ndisallow: /{p}?{q}&{p}\n", "{a}", "/{p}?{q}%26{p}")
        .about(&[("& in the rule", "")]),
    Seed::of_match(ReservedEscape, "user-agent: *\ndisallow: /{p}?{q}%26{p}\n", "{a}", "/{p}?{q}&{p}")
        .about(&[("& in the URL", "")]),
    Seed::of_match(PartialEscape, "user-agent: {a}\ndisallow: /{p}%\n", "{a}", "/{p}%E3%83%84"),
    Seed::of_match(PartialEscape, "user-agent: {a}\ndisallow: /{p}*E3%83\n", "{a}", "/{p}%E3%83%84{q}"),
    Seed::of_match(PartialEscape, "user-agent: {a}\ndisallow: /{p}*e3%83\n", "{a}", "/{p}%E3%83%84{q}"),
    Seed::of_match(PartialEscape, "user-agent: {a}\ndisallow: /{p}*e3%83\n", "{a}", "/{p}%e3%83%84{q}"),
    Seed::of_match(EscapedSlash, "user-agent: {a}\ndisallow: /{p}%2F{q}\n", "{a}", "/{p}/{q}")
        .gives(&[("different", Allow), ("equal", Disallow)]),
    Seed::of_match(EscapedSlash, "user-agent: *\ndisallow: /{p}/{q}\n", "{a}", "/{p}%2F{q}")
        .gives(&[("different", Allow), ("equal", Disallow)]),
    Seed::of_match(EscapedSpecial, "user-agent: {a}\ndisallow: /{p}%2A{q}\n", "{a}", "/{p}*{q}")
        .about(&[("%2A", "")]),
    Seed::of_match(EscapedSpecial, "user-agent: *\ndisallow: /{p}%24\n", "{a}", "/{p}${q}")
        .about(&[("%24", "")]),
    Seed::of_match(BrokenEscape, "user-agent: {a}\ndisallow: /{p}%\n", "{a}", "/{p}%"),
    Seed::of_match(BrokenEscape, "user-agent: *\ndisallow: /{q}\n", "{a}", "/{p}%zz"),
    Seed::of_match(BrokenEscape, "user-agent: *\nallow: /{p}\ndisallow: /\n", "{a}", "/{q}%4{p}"),
    Seed::of_match(Fragment, "user-agent: {a}\ndisallow: /{p}$\n", "{a}", "/{p}#{q}")
        .gives(&[("drop", Disallow), ("keep", Allow)]),
    Seed::of_match(Fragment, "user-agent: *\ndisallow: /*{q}\n", "{a}", "/{p}#{q}")
        .gives(&[("drop", Allow), ("keep", Disallow)]),
    Seed::of_match(DotSegments, "user-agent: {a}\ndisallow: /{p}\n", "{a}", "/{q}/../{p}"),
    Seed::of_match(DotSegments, "user-agent: *\ndisallow: /{p}\n", "{a}", "/./{p}"),
    Seed::of_match(DotSegments, "user-agent: *\ndisallow: /{q}/../{p}\n", "{a}", "/{q}/../{p}"),
    Seed::of_match(DotSegments, "user-agent: *\ndisallow: /{q}/..\n", "{a}", "/{p}"),
    Seed::of_match(EscapedDot, "user-agent: {a}\ndisallow: /{p}\n", "{a}", "/{q}/%2e%2E/{p}")
        .given(DotSegments, "normalise-url")
        .given(AsciiEscape, "different"),
    Seed::of_match(EscapedDot, "user-agent: *\ndisallow: /{p}\n", "{a}", "/%2e/{p}")
        .given(DotSegments, "normalise-url")
        .given(AsciiEscape, "different"),
    Seed::of_match(EscapedDot, "user-agent: *\ndisallow: /{q}/.%2E/{p}\n", "{a}", "/{p}")
        .given(DotSegments, "normalise-both")
        .given(AsciiEscape, "different"),
    Seed::of_match(DoubleSlash, "user-agent: {a}\ndisallow: /{p}/{q}\n", "{a}", "/{p}//{q}")
        .gives(&[("keep", Allow), ("drop", Disallow)]),
    Seed::of_match(DoubleSlash, "user-agent: *\ndisallow: /{p}//{q}\n", "{a}", "/{p}/{q}")
        .gives(&[("keep", Allow), ("drop", Disallow)]),
    Seed::of_match(RobotsTxtItself, "user-agent: {a}\ndisallow: /\nallow: /{p}\n", "{a}", "/robots.txt"),
    Seed::of_match(RobotsTxtItself, "user-agent: *\ndisallow: /r\ndisallow: /{q}\n", "{a}", "/robots.txt"),
    Seed::of_match(
        RobotsTxtNamed,
        "user-agent: {a}\ndisallow: /robots.txt\nallow: /{p}\n",
        "{a}",
        "/robots.txt",
    ),
    Seed::of_match(
        RobotsTxtNamed,
        "user-agent: *\ndisallow: /robots.txt$\ndisallow: /{q}\n",
        "{a}",
        "/robots.txt",
    ),
    Seed::of_match(EscapedRobotsTxt, "user-agent: {a}\ndisallow: /\nallow: /{p}\n", "{a}", "/r%6Fbots.txt")
        .given(RobotsTxtItself, "allow")
        .given(AsciiEscape, "equal"),
    Seed::of_match(EscapedRobotsTxt, "user-agent: *\ndisallow: /r\ndisallow: /{q}\n", "{a}", "/robots%2Etxt")
        .given(RobotsTxtItself, "allow")
        .given(AsciiEscape, "equal"),
    Seed::of_match(EscapedRobotsTxt, "user-agent: *\ndisallow: /\n", "{a}", "/robots.%74%78t")
        .given(RobotsTxtItself, "allow")
        .given(AsciiEscape, "equal"),
    // ---- Precedence ----
    Seed::of_match(FirstRule, "user-agent: {a}\nallow: /{p}\ndisallow: /{p}/{q}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(FirstRule, "user-agent: *\ndisallow: /{p}\nallow: /{p}/{q}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(FirstRule, "user-agent: {a}\ndisallow: /{p}/{q}\nallow: /{p}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(FirstRule, "user-agent: *\nallow: /{p}/{q}\ndisallow: /{p}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(
        WildcardPrecedence,
        "user-agent: {a}\nallow: /*{q}\ndisallow: /{p}/{q}/\n",
        "{a}",
        "/{p}/{q}/",
    ),
    Seed::of_match(
        WildcardPrecedence,
        "user-agent: *\nallow: /{p}/{q}\ndisallow: /*{q}\n",
        "{a}",
        "/{p}/{q}",
    ),
    Seed::of_match(EqualLength, "user-agent: {a}\nallow: /{p}\ndisallow: /{p}\n", "{a}", "/{p}/{q}"),
    Seed::of_match(EqualLength, "user-agent: *\ndisallow: /{p}/\nallow: /{p}/\n", "{a}", "/{p}/{q}"),
    Seed::of_match(Equivalent, "user-agent: {a}\nallow: /{p}*o\ndisallow: /{p}/o\n", "{a}", "/{p}/o/{q}"),
    Seed::of_match(Equivalent, "user-agent: *\ndisallow: /{p}*o\nallow: /{p}/o\n", "{a}", "/{p}/o"),
    Seed::of_match(LengthOf, "user-agent: {a}\nallow: /{p}|||\ndisallow: /{p}*xxxx\n", "{a}", "/{p}|||xxxx")
        .given(WildcardPrecedence, "longer-wins"),
    Seed::of_match(
        LengthOf,
        "user-agent: {a}\nallow: /{p}/:::\ndisallow: /{p}/*xxxx\n",
        "{a}",
        "/{p}/:::xxxx",
    )
    .given(WildcardPrecedence, "longer-wins"),
    Seed::of_match(LengthOf, "user-agent: {a}\nallow: /{p}ツ\ndisallow: /{p}*x\n", "{a}", "/{p}%E3%83%84x")
        .given(WildcardPrecedence, "longer-wins")
        .given(NonAscii, "equal"),
    Seed::of_match(
        LengthOf,
        "user-agent: {a}\nallow: /{p}%E3%83%84\ndisallow: /{p}ツ{q}\n",
        "{a}",
        "/{p}%E3%83%84{q}",
    )
    .given(NonAscii, "equal"),
    Seed::of_match(
        LengthOf,
        "user-agent: *\ndisallow: /{p}%E3%83%84/\nallow: /{p}ツ/o\n",
        "{a}",
        "/{p}%E3%83%84/o",
    )
    .given(NonAscii, "equal"),
    Seed::of_match(
        TrailingStarCounts,
        "user-agent: {a}\nallow: /{p}/o\ndisallow: /{p}****\n",
        "{a}",
        "/{p}/o",
    )
    .given(WildcardPrecedence, "longer-wins"),
    Seed::of_match(TrailingStarCounts, "user-agent: *\ndisallow: /{p}/o\nallow: /{p}****\n", "{a}", "/{p}/o")
        .given(WildcardPrecedence, "longer-wins"),
    // ---- Scope ----
    Seed::of_scope(IdnHost, "http://müller.eu/robots.txt", "http://xn--mller-kva.eu/{p}"),
    Seed::of_scope(IdnHost, "https://xn--bcher-kva.example/robots.txt", "https://bücher.example/{p}"),
    Seed::of_scope(IdnHost, "http://köln.example/robots.txt", "http://xn--kln-sna.example/{q}/{p}"),
    Seed::of_scope(HostForm, "http://127.0.0.1/robots.txt", "http://127.1/{p}"),
    Seed::of_scope(HostForm, "http://10.0.0.1/robots.txt", "http://10.1/{q}"),
    Seed::of_scope(HostForm, "https://192.168.1.9/robots.txt", "https://0xc0.168.1.9/{p}"),
    Seed::of_scope(TrailingDotHost, "http://{p}.example./robots.txt", "http://{p}.example/{q}"),
    Seed::of_scope(TrailingDotHost, "https://www.{p}.example/robots.txt", "https://www.{p}.example./{q}"),
    Seed::of_scope(RobotsUrlQuery, "http://{p}.example/robots.txt?{q}", "http://{p}.example/{q}"),
    Seed::of_scope(RobotsUrlQuery, "https://{p}.example/robots.txt?a={q}", "https://{p}.example/"),
    // ---- Sitemaps ----
    Seed::of_sitemaps(RelativeSitemap, "sitemap: /{p}.xml\n")
        .gives(&[("accept", Sitemap("/{p}.xml")), ("ignore", NoSitemap)]),
    Seed::of_sitemaps(RelativeSitemap, "user-agent: {a}\ndisallow: /{q}\n\nSitemap: {p}/{q}.xml\n")
        .gives(&[("accept", Sitemap("{p}/{q}.xml")), ("ignore", NoSitemap)]),
];
