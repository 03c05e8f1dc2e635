"""A spider of Scrapy that follows every link of a site: `scrapy runspider spider.py -a url=http://…/`.

Scrapy obeys the robots.txt because of `ROBOTSTXT_OBEY`. The other settings are only about time: no request is repeated,
and the time limit is three seconds.
"""

import scrapy


class Links(scrapy.Spider):
    name = "links"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": 3,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "CRITICAL",
    }

    def __init__(self, url):
        super().__init__()
        self.start_urls = [url]

    def parse(self, response):
        yield from response.follow_all(css="a", callback=self.parse)
