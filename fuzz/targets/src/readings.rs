//! Random readings of an edition.

use std::hash::{DefaultHasher, Hash, Hasher};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Reading};

/// The number of random readings.
const RANDOM: usize = 3;

/// Returns the plainest reading of an edition, and a few random ones. The same bytes give the same readings.
pub fn readings(edition: Edition, bytes: &[u8]) -> Vec<Reading> {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let mut random = ChaCha8Rng::seed_from_u64(hasher.finish());
    let mut draw = || {
        TABLE.iter().fold(Reading::plainest(edition), |reading, row| {
            let answers = row.answers(edition);
            let answer = answers[random.next_u32() as usize % answers.len()];
            reading.with(answer).expect("the edition admits its own answer")
        })
    };
    let random = std::iter::repeat_with(&mut draw).take(RANDOM);
    std::iter::once(Reading::plainest(edition)).chain(random).collect()
}
