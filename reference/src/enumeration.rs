//! The enumeration of all readings, which defines a ruling, and from which explanations come.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::edition::Edition;
use crate::path::Target;
use crate::question::{Choice, Question};
use crate::reading::{Explorer, explore};
use crate::ruling::{AppliedRules, RobotsTxt, Verdict};

/// The readings of a file about an agent, whether or not they differ in a verdict.
#[derive(Debug, Clone)]
pub(crate) struct Readings<'r> {
    edition: Edition,
    /// The steps that it took to find them.
    pub(crate) steps: usize,
    /// The questions that lines raise about the groups, with the numbers of the lines.
    pub(crate) raised: BTreeSet<(Question, u32)>,
    /// The different sets of rules that the agent follows, and the first choices that lead to each.
    ways: Vec<(Vec<Choice>, AppliedRules<'r>)>,
}

impl<'r> Readings<'r> {
    pub(crate) fn new(robots: &'r RobotsTxt, edition: Edition, agent: &str) -> Self {
        let mut ways: Vec<(Vec<Choice>, AppliedRules)> = Vec::new();
        let mut explorer = Explorer::noting(edition);
        let _ = explore(
            &mut explorer,
            |explorer| robots.followed(agent, explorer),
            |choices, followed| {
                if !ways.iter().any(|(_, rules)| rules.are_of(&followed)) {
                    ways.push((choices.to_vec(), AppliedRules::new(followed)));
                }
                ControlFlow::Continue(())
            },
        );
        Readings { edition, steps: explorer.steps(), raised: explorer.into_raised(), ways }
    }

    /// Returns every combination of choices, about the groups and about the paths, with its verdict, and the explorer of those
    /// about the paths.
    pub(crate) fn outcomes(&self, target: &Target) -> (Vec<(Vec<Choice>, Verdict)>, Explorer) {
        let mut outcomes = Vec::new();
        let mut explorer = Explorer::noting(self.edition);
        for (first, rules) in &self.ways {
            let near = rules.near(target, &explorer);
            let _ = explore(
                &mut explorer,
                |explorer| rules.verdict_of(&near, target, explorer).0,
                |further, verdict| {
                    outcomes.push(([first, further].concat(), verdict));
                    ControlFlow::Continue(())
                },
            );
        }
        (outcomes, explorer)
    }
}
