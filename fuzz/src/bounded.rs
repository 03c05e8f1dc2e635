//! An implementation that is left out of a search after it took too long several times.

use robotspec::{Batch, BatchAnswer, Endpoint, Fault, Incident, Info};
use robotspec_reference::Edition;

/// How many answers may take too long. Each takes the whole time limit, and shows nothing that the first ones do not.
const MOST_LATE: usize = 20;

/// An endpoint that receives no further queries after it took too long several times.
pub(crate) struct Bounded {
    endpoint: Box<dyn Endpoint + Send>,
    late: usize,
}

impl Bounded {
    pub(crate) fn new(endpoint: Box<dyn Endpoint + Send>) -> Self {
        Bounded { endpoint, late: 0 }
    }
}

impl Endpoint for Bounded {
    fn info(&self) -> Info {
        self.endpoint.info()
    }

    fn answer(&mut self, batches: &[Batch], on_answer: &mut dyn FnMut(usize, BatchAnswer)) {
        if self.late >= MOST_LATE {
            let fault = Fault::NotRun(format!("it took too long {MOST_LATE} times").into());
            batches.iter().enumerate().for_each(|(index, batch)| on_answer(index, batch.each_fails(&fault)));
            return;
        }
        let late = &mut self.late;
        self.endpoint.answer(batches, &mut |index, answer| {
            *late += answer.iter().filter(|answer| matches!(answer, Err(Fault::Timeout(_)))).count();
            on_answer(index, answer);
        });
    }

    fn read_as(&mut self, edition: Edition) -> bool {
        self.endpoint.read_as(edition)
    }

    fn finish(&mut self) {
        self.endpoint.finish();
    }

    fn incidents(&mut self) -> Vec<Incident> {
        self.endpoint.incidents()
    }
}
