//! What is played at an origin during a visit.

use std::sync::Arc;

use crate::plan::{Page, VisitPlan};
use crate::record::{RecordedRequest, RequestLog, Role, path_of_target};

/// What all connections to an origin share during a visit.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) role: Role,
    pub(crate) port: u16,
    /// The number of the visit.
    pub(crate) visit: usize,
    pub(crate) plan: Arc<VisitPlan>,
    pub(crate) log: RequestLog,
}

impl Context {
    /// Returns the page that a target of a request names.
    pub(crate) fn find_page(&self, target: &str) -> Option<&Page> {
        let path = path_of_target(target);
        self.plan.pages.iter().find(|page| page.role == self.role && page.path == path)
    }

    /// Records a request for a page and returns its index in the log.
    pub(crate) fn record(
        &self,
        method: &str,
        target: &str,
        headers: Vec<(String, String)>,
        page: Option<&Page>,
    ) -> usize {
        self.log.push(RecordedRequest {
            visit: self.visit,
            role: self.role,
            port: self.port,
            method: method.to_owned(),
            target: target.to_owned(),
            headers,
            is_for_rules: page.is_some_and(|page| page.is_for_rules),
            hop: page.and_then(|page| page.hop),
            body: None,
        })
    }
}
