// Crawls a site with Colly: `crawl http://…/ NAME`.
//
// Colly ignores the robots.txt by default; IgnoreRobotsTxt = false is its option to obey it. The other settings are only
// about time: two levels of pages, and a time limit of two seconds.
package main

import (
	"os"
	"time"

	"github.com/gocolly/colly/v2"
)

func main() {
	collector := colly.NewCollector()
	collector.IgnoreRobotsTxt = false
	collector.MaxDepth = 2
	collector.UserAgent = os.Args[2]
	collector.SetRequestTimeout(2 * time.Second)
	collector.OnHTML("a[href]", func(link *colly.HTMLElement) {
		// An error means that the page cannot be fetched, or that the robots.txt disallows it.
		_ = link.Request.Visit(link.Attr("href"))
	})
	_ = collector.Visit(os.Args[1])
}
