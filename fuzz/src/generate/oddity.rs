//! What makes a file, an agent or a URL other than the plainest there is.

use super::dice::Dice;

macro_rules! oddities {
    ($($name:ident,)*) => {
        /// Something that a plain robots.txt does not have.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)] // the names are those of the clauses and questions
        pub enum Oddity { $($name,)* }

        const ALL: &[Oddity] = &[$(Oddity::$name,)*];
    };
}

oddities! {
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
    FieldPrefix,
    MissingColon,
    InvalidUtf8,
    ControlCharacter,
    OtherWhitespace,
    Noise,
    // Groups
    Orphans,
    AgentRun,
    SameAgent,
    EmptyGroup,
    Many,
    Between,
    // Agents
    AgentCase,
    AgentSuffix,
    AgentText,
    AgentOther,
    AgentPrefix,
    EmptyAgent,
    AdsBot,
    // Paths
    Star,
    TrailingStar,
    Dollar,
    MidDollar,
    EmptyPath,
    NoSlash,
    FullUrl,
    PathCase,
    Query,
    NonAscii,
    Escape,
    Punctuation,
    ReservedEscape,
    SpecialEscape,
    DotSegments,
    InnerSpace,
    LongPath,
    RobotsTxt,
    Fragment,
    // Precedence
    Conflict,
    Duplicate,
}

use Oddity::*;

/// The oddities that an input may have.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oddities(u64);

impl Oddities {
    /// A few, mostly; sometimes none, and now and then all.
    pub(super) fn drawn(dice: &mut Dice) -> Self {
        let count = match dice.below(64) {
            0..=9 => 0,
            10..=31 => 1,
            32..=49 => 2,
            50..=58 => 3,
            59..=62 => 5,
            _ if dice.one_in(4) => return Oddities(u64::MAX),
            _ => 8,
        };
        let mut drawn = Oddities::default();
        for _ in 0..count {
            drawn.0 |= 1 << dice.below(ALL.len());
        }
        // What decides which rule wins goes together with everything else.
        for (common, one_in) in [
            (Conflict, 3),
            (Star, 4),
            (Dollar, 8),
            (AgentRun, 12),
            (Escape, 16),
            (ReservedEscape, 16),
            (SpecialEscape, 24),
        ] {
            if dice.one_in(one_in) {
                drawn.0 |= 1 << common as u64;
            }
        }
        drawn
    }

    fn has(self, oddity: Oddity) -> bool {
        self.0 & 1 << oddity as u64 != 0
    }

    /// Whether this one occurs here: never where the input has none, one time in so many otherwise.
    pub(super) fn strike(self, dice: &mut Dice, oddity: Oddity, one_in: usize) -> bool {
        self.has(oddity) && dice.one_in(one_in)
    }
}

/// Each has a bit.
const _: () = assert!(ALL.len() <= u64::BITS as usize);
