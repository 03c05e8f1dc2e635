const robotsParser = require('robots-parser');

exports.Robots = class {
  constructor(text) {
    this.text = text;
  }

  isAllowed(agent, url) {
    const allowed = robotsParser(new URL('/robots.txt', url).href, this.text).isAllowed(url, agent);
    if (allowed === undefined) throw new Error('isAllowed returned undefined');
    return allowed;
  }
};
