//! Readings of an edition, drawn from an input.

use std::hash::{DefaultHasher, Hash, Hasher};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use robotspec_reference::question::TABLE;
use robotspec_reference::{Edition, Reading};

/// How many are drawn.
const DRAWN: usize = 3;

/// A few readings that the edition admits, the same for the same octets, and after the plainest one.
pub fn other_readings(edition: Edition, octets: &[u8]) -> Vec<Reading> {
    let mut hasher = DefaultHasher::new();
    octets.hash(&mut hasher);
    let mut random = ChaCha8Rng::seed_from_u64(hasher.finish());
    let mut readings = vec![Reading::plainest(edition)];
    for _ in 0..DRAWN {
        readings.push(TABLE.iter().fold(Reading::plainest(edition), |reading, row| {
            let answers = row.answers(edition);
            let answer = answers[random.next_u32() as usize % answers.len()];
            reading.with(answer).expect("the edition admits its own answer")
        }));
    }
    readings
}
