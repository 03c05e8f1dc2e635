"""Crawls a site with ParselCrawler of Crawlee for Python: `crawl.py http://…/`.

Crawlee ignores the robots.txt by default; `respect_robots_txt_file` is its option to obey it. The other settings are only
about time and output: no request is repeated, the time limit is two seconds, and nothing is stored or printed.
"""

import asyncio
import logging
import sys
from datetime import timedelta

from crawlee.crawlers import ParselCrawler
from crawlee.storage_clients import MemoryStorageClient

logging.disable()
crawler = ParselCrawler(
    respect_robots_txt_file=True,
    max_request_retries=0,
    navigation_timeout=timedelta(seconds=2),
    storage_client=MemoryStorageClient(),
    configure_logging=False,
)


@crawler.router.default_handler
async def follow(context):
    await context.enqueue_links()


asyncio.run(crawler.run([sys.argv[1]]))
