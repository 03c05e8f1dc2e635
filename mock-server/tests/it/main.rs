//! Tests of the server with clients that see every byte.

mod bodies;
mod faults;
mod ftp;
mod leaks;
mod life;
mod redirects;
mod responses;
mod support;
mod tls;
mod visits;
