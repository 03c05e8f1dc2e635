//! The functions that the browser calls.

use robotspec_playground::exports::{playground_request, playground_respond, playground_response_length};
use robotspec_playground::respond;

#[test]
fn a_request_that_is_not_written_has_an_error_as_its_response() {
    for length in [0, 10, 100_000, 1] {
        assert!(!playground_request(length).is_null());
        assert!(!playground_respond().is_null());
        assert_eq!(playground_response_length(), respond(&vec![0; length]).len());
    }
}
