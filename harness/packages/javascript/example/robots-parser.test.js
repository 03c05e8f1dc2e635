const robotsParser = require('robots-parser');
const { testRows } = require('robotspec');

function isAllowed(robots, agent, url) {
  const allowed = robotsParser(new URL('/robots.txt', url).href, robots.toString()).isAllowed(url, agent);
  if (allowed === undefined) throw new Error('isAllowed returned undefined');
  return allowed;
}

testRows(isAllowed);
