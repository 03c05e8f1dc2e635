//! The fields, and values that probes have.

use robotspec_reference::named_enum;

named_enum! {
    /// A field that no edition specifies, and of which parsers have values.
    pub enum Field: "field" {
        /// How many seconds a crawler waits between two requests.
        CrawlDelay = "crawl-delay",
        /// How many requests a crawler sends in how many seconds.
        RequestRate = "request-rate",
        /// The time of day at which a crawler visits the site.
        VisitTime = "visit-time",
        /// The name of the site that it prefers.
        Host = "host",
        /// Parameters of URLs that do not change the page.
        CleanParam = "clean-param",
    }
}

impl Field {
    /// Returns pairs of values that every parser of the field should read. Numbers are in both orders.
    pub(super) fn pairs(self) -> [(&'static str, &'static str); 4] {
        match self {
            Field::CrawlDelay => [("3", "7"), ("12", "5"), ("2", "9"), ("8", "4")],
            Field::RequestRate => [("1/5", "1/20"), ("1/30", "1/10"), ("2/15", "1/60"), ("1/50", "3/10")],
            Field::VisitTime => [
                ("0600-0845", "1000-1230"),
                ("0200-0430", "0100-0300"),
                ("1400-1500", "2000-2200"),
                ("2100-2330", "0730-0915"),
            ],
            Field::Host => [
                ("example.com", "www.example.org"),
                ("www.example.net", "example.net"),
                ("a.example", "b.example"),
                ("shop.example.com", "example.com"),
            ],
            Field::CleanParam => [
                ("ref /articles/", "sid /forum/"),
                ("session /shop/", "from /news/"),
                ("a&b /c/", "d /e/"),
                ("utm /", "id /old/"),
            ],
        }
    }
}
