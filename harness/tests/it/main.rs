//! Tests of the library: endpoints, the conformance macro, likely causes, and a client against the mock server.

mod access;
mod adapter;
mod blame;
mod conformance;
mod diagnosis;
mod exec;
mod in_process;
mod levels;
mod names;
mod protocol;
mod state;
mod support;
mod variants;
