//! Tests of the library: endpoints, the judge, events, the conformance macro, lists of known failures, likely causes, and a
//! client against the mock server.

mod access;
mod adapter;
mod blame;
mod conformance;
mod diagnosis;
mod events;
mod exec;
mod failing;
mod in_process;
mod inference;
mod judge;
mod known;
mod levels;
mod messages;
mod protocol;
mod state;
mod support;
mod variants;
