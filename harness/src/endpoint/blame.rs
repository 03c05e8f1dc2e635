//! Which query is to blame where a request has no answer: the queries are sent again, each alone.
//!
//! What carries requests to an implementation blames none of them. It passes on that a request failed, or that it could not
//! finish several requests, any of which may have caused that.

use std::collections::BTreeMap;
use std::slice;

use robotspec_cases::Query;
use robotspec_text::sentences::counted;

use super::{Batch, BatchAnswer, OnAnswer, OnReply, RequestAnswers, not_answered};
use crate::answer::{Breach, Fault, TwoAnswers};

/// The number of requests that are sent before the first reply is read.
const TOGETHER: usize = 64;

/// What carries requests to an implementation.
pub(crate) trait Transport {
    /// Sends a request for each batch, and passes on the answers to each, or the fault that no other request caused. If the
    /// implementation fails, the result is the fault, and any request without an answer may have caused it.
    fn send(&mut self, batches: &[Batch], on_reply: OnReply) -> Result<(), Fault>;

    /// Returns whether an earlier request may cause a fault of the next one, by what it does after its own answer. A fault
    /// starts the implementation anew.
    fn is_used(&self) -> bool {
        false
    }

    /// Returns how many requests that are sent alone may take too long before none is sent twice, and no check is sent alone.
    fn most_late(&self) -> usize {
        usize::MAX
    }

    /// Takes note that a request failed that was sent alone. An implementation that fails often receives no further ones.
    fn has_failed(&mut self, _failures: &Failures, _fault: &Fault) {}
}

/// How often an implementation failed on requests that were sent alone.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// The requests on which it failed for certain.
    pub(crate) requests: usize,
    /// The requests after which lines of text came that were no replies.
    pub(crate) chatter: usize,
    /// The requests that took too long.
    late: usize,
}

impl Failures {
    /// Sends batches, and passes on the answer to each. A query has a fault of its own only where it was sent alone.
    pub(crate) fn answer(&mut self, transport: &mut dyn Transport, batches: &[Batch], on_answer: OnAnswer) {
        // The visits of an access query, and two files, are requests themselves.
        let is_one_request =
            |batch: &Batch| !matches!(batch.first(), Query::Access { .. } | Query::Alike { .. });
        let windows = batches.chunk_by(|a, b| is_one_request(a) && is_one_request(b));
        let mut start = 0;
        for window in windows.flat_map(|window| window.chunks(TOGETHER)) {
            self.answer_window(transport, window, &mut |at, answer| on_answer(start + at, answer));
            start += window.len();
        }
    }

    /// Sends batches together, and those without an answer again.
    fn answer_window(&mut self, transport: &mut dyn Transport, batches: &[Batch], on_answer: OnAnswer) {
        let mut left: BTreeMap<usize, Option<Fault>> = (0..batches.len()).map(|at| (at, None)).collect();
        let mut suspicion = None;
        if batches.len() > 1 {
            let sent = transport.send(batches, &mut |at, answered| match answered {
                Ok(answers) => {
                    left.remove(&at);
                    on_answer(at, answers.into_iter().map(Ok).collect());
                }
                Err(fault) => drop(left.insert(at, Some(fault))),
            });
            suspicion = sent.err();
        }
        for (at, fault) in left {
            let batch = &batches[at];
            let is_single = batch.queries().len() == 1;
            // Also the only request without an answer may be innocent. The first one is the most likely cause, so its
            // queries are sent alone at once.
            let known = fault.or_else(|| suspicion.take().filter(|_| !is_single));
            let is_suspected = known.is_some();
            let answered = known.map_or_else(|| self.send_alone(transport, batch), Err);
            let fault = answered.as_ref().err().cloned();
            let answers = match answered {
                Ok(answers) => answers.into_iter().map(Ok).collect(),
                Err(fault) => self.send_each(transport, batch, &fault),
            };
            if let Some(fault @ (Fault::Crash(_) | Fault::Timeout(_) | Fault::Protocol(_))) = fault
                && (!is_suspected || answers.iter().any(Result::is_err))
            {
                self.requests += 1;
                transport.has_failed(self, &fault);
            }
            on_answer(at, answers);
        }
    }

    /// Returns the answers to a batch whose request has this fault: each query is sent alone, because any of them may be to
    /// blame. Those that take too long are limited in number, because each takes the whole time limit.
    fn send_each(&mut self, transport: &mut dyn Transport, batch: &Batch, fault: &Fault) -> BatchAnswer {
        // Of other faults, no query of a request is the cause.
        let may_be_of_one =
            matches!(fault, Fault::Error(_) | Fault::Crash(_) | Fault::Timeout(_) | Fault::Protocol(_));
        if batch.queries().len() == 1 || !may_be_of_one {
            return batch.each_fails(fault);
        }
        let send = |query: &Query| {
            if self.late >= transport.most_late() {
                let late = counted(self.late, "check");
                let reason = format!("its request failed, and {late} sent alone took too long");
                return Err(Fault::NotRun(reason.into()));
            }
            let answer = self.send_alone(transport, &Batch::single(query.clone()))?.pop();
            answer.ok_or_else(|| Breach::WrongKind.into())
        };
        let mut answers: BatchAnswer = batch.queries().iter().map(send).collect();
        // A request can be too long for its time limit, but no query of this one is an error.
        if matches!(fault, Fault::Error(_)) && answers.iter().all(Result::is_ok) {
            let (first, then) = (Err(fault.clone()), answers[0].clone());
            answers[0] = Err(Fault::Flaky(Box::new(TwoAnswers { first, then })));
        }
        answers
    }

    /// Sends one request alone. A fault is certainly caused by it only where nothing else was sent, so that it is sent once more
    /// after another one.
    fn send_alone(&mut self, transport: &mut dyn Transport, batch: &Batch) -> RequestAnswers {
        let is_used = transport.is_used();
        let answered = send_one(transport, batch);
        let is_uncertain = match &answered {
            Err(Fault::Timeout(_)) => {
                self.late += 1;
                is_used && self.late <= transport.most_late()
            }
            Err(fault @ Fault::Protocol(error)) => {
                if error.is_text() {
                    self.chatter += 1;
                    transport.has_failed(self, fault);
                }
                is_used
            }
            Err(Fault::Crash(_)) => is_used,
            _ => false,
        };
        if is_uncertain { send_one(transport, batch) } else { answered }
    }
}

fn send_one(transport: &mut dyn Transport, batch: &Batch) -> RequestAnswers {
    let mut answered = Err(not_answered());
    transport.send(slice::from_ref(batch), &mut |_, answer| answered = answer)?;
    answered
}
