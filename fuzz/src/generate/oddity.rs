//! Properties that plain files, agents and URLs do not have.

use super::dice::Dice;

/// A property that a plain robots.txt does not have.
#[derive(Debug, Clone, Copy)]
pub(super) enum Oddity {
    // Lines
    LineEnds,
    NoFinalNewline,
    Bom,
    FieldCase,
    Spacing,
    Comment,
    BlankLine,
    UnknownField,
    Typo,
    /// Field names that go on after a known name.
    FieldPrefix,
    MissingColon,
    InvalidUtf8,
    ControlCharacter,
    /// White space other than spaces and tabs.
    OtherWhitespace,
    /// Lines that are not records, or a page of HTML.
    Noise,
    // Groups
    /// Rules before the first group.
    Orphans,
    /// Several user-agent lines in a group.
    AgentRun,
    /// Several groups for an agent.
    SameAgent,
    /// Groups without rules.
    EmptyGroup,
    /// Many groups or rules.
    Many,
    /// Other records between user-agent lines.
    Between,
    // Agents
    AgentCase,
    /// Names with a version or a `*` after the token.
    AgentSuffix,
    /// Names with further words.
    AgentText,
    /// Names with characters that a token cannot contain.
    AgentOther,
    /// Names that are the start of others.
    AgentPrefix,
    EmptyAgent,
    AdsBot,
    /// Names of fields, and words of programming languages, as names of agents.
    Word,
    // Paths
    Star,
    TrailingStar,
    Dollar,
    /// `$` elsewhere in paths.
    MidDollar,
    EmptyPath,
    NoSlash,
    /// URLs instead of paths.
    FullUrl,
    PathCase,
    Query,
    NonAscii,
    /// Escapes of any byte.
    Escape,
    Punctuation,
    /// Escapes of reserved characters.
    ReservedEscape,
    /// Escapes of characters that are special in rules.
    SpecialEscape,
    DotSegments,
    InnerSpace,
    LongPath,
    RobotsTxt,
    Fragment,
    /// Texts of few different bytes, with many wildcards.
    Repetition,
    /// URLs with user information, ports and addresses.
    Origin,
    /// Characters that decoders and normalisers treat in their own ways.
    Confusion,
    // Precedence
    /// Rules that match the same paths.
    Conflict,
    Duplicate,
}

/// The number of oddities.
const COUNT: usize = Duplicate as usize + 1;

use Oddity::*;

impl<'b> Dice<'b> {
    /// Returns dice for an input with a few oddities.
    pub(super) fn with_oddities(bytes: &'b [u8]) -> Self {
        let mut dice = Dice::new(bytes);
        dice.draw_oddities();
        dice
    }

    /// Draws a few oddities; sometimes none, rarely all.
    pub(super) fn draw_oddities(&mut self) {
        let count = match self.below(64) {
            0..=9 => 0,
            10..=31 => 1,
            32..=49 => 2,
            50..=58 => 3,
            59..=62 => 5,
            _ if self.one_in(64) => {
                self.oddities = u64::MAX;
                return;
            }
            _ => 8,
        };
        for _ in 0..count {
            self.oddities |= 1 << self.below(COUNT);
        }
        // Features that decide which rule prevails are combined with all others.
        for (common, one_in) in [
            (Conflict, 3),
            (Star, 4),
            (Dollar, 8),
            (AgentRun, 12),
            (Escape, 16),
            (ReservedEscape, 16),
            (SpecialEscape, 24),
            (Confusion, 12),
            (UnknownField, 16),
            (Typo, 24),
        ] {
            if self.one_in(one_in) {
                self.oddities |= 1 << common as u64;
            }
        }
    }

    /// Returns whether the oddity occurs at this place: one time in `one_in` where the input has it.
    pub(super) fn strike(&mut self, oddity: Oddity, one_in: usize) -> bool {
        self.oddities & 1 << oddity as u64 != 0 && self.one_in(one_in)
    }
}

/// Each oddity has a bit.
const _: () = assert!(COUNT <= u64::BITS as usize);
