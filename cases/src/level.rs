//! How strongly an edition requires what a clause states.

use robotspec_reference::named_enum;

named_enum! {
    /// How strongly an edition requires what a clause states, the strongest first, in the words of BCP 14 (RFC 2119).
    ///
    /// A judgement has the weakest level of the clauses that it depends on, which is the greatest in this order.
    pub enum Level: "level" {
        /// Required: MUST, REQUIRED, or a plain statement. An implementation that does otherwise violates the edition.
        Must = "must",
        /// Recommended: SHOULD, RECOMMENDED. An implementation that does otherwise departs from a recommendation.
        Should = "should",
        /// Permitted: MAY, OPTIONAL, "can", "for example". An implementation may do otherwise.
        May = "may",
    }
}

impl Level {
    /// Returns the level of a check that depends on clauses with these levels: the weakest, without permissions. A
    /// permission changes no answer that other clauses require, so it counts only where there is nothing else.
    pub fn weakest(levels: impl IntoIterator<Item = Level>) -> Level {
        let binding = levels.into_iter().filter(|level| *level != Level::May);
        binding.max().unwrap_or(Level::May)
    }

    /// The weakest level of failures that fail a run, unless the caller chooses another.
    pub fn of_runs() -> Level {
        Level::Should
    }
}

#[cfg(test)]
mod tests {
    use super::Level::{May, Must, Should};
    use super::*;

    #[test]
    fn the_weakest_level_counts_and_a_permission_only_alone() {
        assert_eq!(Level::weakest([Must, Should, Must]), Should);
        assert_eq!(Level::weakest([May, Must]), Must);
        assert_eq!(Level::weakest([Should, May]), Should);
        assert_eq!(Level::weakest([May]), May);
    }
}
