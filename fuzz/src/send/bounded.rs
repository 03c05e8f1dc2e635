//! An implementation whose slow queries are skipped, and that is left out of a search after it took too long several times.

use std::mem::{Discriminant, discriminant};

use robotspec::{Batch, BatchAnswer, Endpoint, Fault, Info};
use robotspec_cases::Query;

/// How many batches may take too long. Each takes at least the time limit, and shows nothing that the first ones do not.
const MOST_LATE: usize = 20;

/// How many late batches a batch must resemble to be skipped.
const FEW_LATE: usize = 3;

/// Of batches that resemble late ones, those with these numbers are sent nevertheless: the resemblance is a guess.
const SENT: [u64; 4] = [1 << 4, 1 << 8, 1 << 12, 1 << 16];

/// At most one batch in this many is skipped. An implementation that is late more often is left out.
const MOST_SKIPPED: u64 = 2;

/// Why a batch is skipped.
pub(crate) const SKIPPED: &str = "it resembles others that took too long";

/// What the time for an answer mostly depends on, roughly, so that few late batches show which shapes are late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    kind: Discriminant<Query>,
    /// The greatest number of `*` in a line: the number of its digits to the base 4.
    stars: u32,
    /// The size of the file and the longest URL: the number of hexadecimal digits.
    size: u32,
}

impl Shape {
    fn of(batch: &Batch) -> Shape {
        let digits = |number: usize| usize::BITS - number.leading_zeros();
        let (file, longest): (&[u8], usize) = match batch.first() {
            Query::Match { robots, .. } => {
                let queries = batch.match_queries();
                (robots, queries.iter().map(|query| query.url.len()).max().unwrap_or_default())
            }
            Query::Sitemaps { robots } => (robots, 0),
            _ => (&[], 0),
        };
        let stars = |line: &[u8]| line.iter().filter(|byte| **byte == b'*').count();
        let most = file.split(|byte| matches!(byte, b'\r' | b'\n')).map(stars).max().unwrap_or_default();
        Shape {
            kind: discriminant(batch.first()),
            stars: digits(most).div_ceil(2),
            size: digits(file.len() + longest).div_ceil(4),
        }
    }

    /// Returns whether the answers probably take no less time than those to a batch of the other shape.
    fn takes_as_long_as(self, other: Shape) -> bool {
        self.kind == other.kind && self.stars >= other.stars && self.size >= other.size
    }
}

/// An endpoint that does not receive queries that are probably slow, and none after it took too long several times.
pub(crate) struct Bounded {
    endpoint: Box<dyn Endpoint + Send>,
    /// The shapes of the batches that took too long.
    late: Vec<Shape>,
    /// The number of batches, and of those that resemble late ones.
    seen: u64,
    resembling: u64,
    /// The number of queries that were skipped, since a caller last took it.
    pub(crate) skipped: u64,
}

impl Bounded {
    pub(crate) fn new(endpoint: Box<dyn Endpoint + Send>) -> Self {
        Bounded { endpoint, late: Vec::new(), seen: 0, resembling: 0, skipped: 0 }
    }

    fn is_skipped(&mut self, batch: &Batch) -> bool {
        self.seen += 1;
        if self.late.len() < FEW_LATE || self.resembling * MOST_SKIPPED >= self.seen {
            return false;
        }
        let shape = Shape::of(batch);
        let resembled = self.late.iter().filter(|late| shape.takes_as_long_as(**late)).count();
        if resembled < FEW_LATE {
            return false;
        }
        self.resembling += 1;
        !SENT.contains(&self.resembling)
    }
}

impl Endpoint for Bounded {
    fn info(&self) -> Info {
        self.endpoint.info()
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        if self.late.len() >= MOST_LATE {
            let fault = Fault::NotRun(format!("it took too long {MOST_LATE} times").into());
            batches.iter().enumerate().for_each(|(index, batch)| on_answer(index, batch.each_fails(&fault)));
            return;
        }
        let mut sent = Vec::with_capacity(batches.len());
        for (index, batch) in batches.iter().enumerate() {
            if self.is_skipped(batch) {
                self.skipped += batch.queries().len() as u64;
                on_answer(index, batch.each_fails(&Fault::NotRun(SKIPPED.into())));
            } else {
                sent.push(index);
            }
        }
        let Bounded { endpoint, late, .. } = self;
        let mut receive = |index: usize, answer: BatchAnswer| {
            if answer.iter().any(|answer| matches!(answer, Err(Fault::Timeout(_)))) {
                late.push(Shape::of(&batches[index]));
            }
            on_answer(index, answer);
        };
        if sent.len() == batches.len() {
            endpoint.answer(batches, &mut receive);
        } else if !sent.is_empty() {
            let rest: Vec<Batch> = sent.iter().map(|&index| batches[index].clone()).collect();
            endpoint.answer(&rest, &mut |place, answer| receive(sent[place], answer));
        }
    }

    fn finish(&mut self) {
        self.endpoint.finish();
    }
}
