// Adapts the robots.txt audit of Lighthouse (https://github.com/GoogleChrome/lighthouse), a validator.
//
// The complete list of adaptations:
//
// - The audit receives the file as Lighthouse stores it after a request with status 200. It takes text. A file in UTF-8 is
//   passed as it is, with its byte order mark. In any other file, bytes that are not UTF-8 become U+FFFD, as Node decodes
//   them (`buffer.toString()`).
// - A file is valid if its score is 1. This includes an empty file, to which the audit does not apply.
// - Lighthouse decides nothing about agents and URLs, so `grammar` is the only operation.
// - An exception of the audit is the error of the request. Error texts are cut at 500 characters.
import { readFileSync } from 'node:fs';
import RobotsTxtAudit from 'lighthouse/core/audits/seo/robots-txt.js';
import wire from '../wire.js';

// The package does not export its package.json.
const { version } = JSON.parse(readFileSync(new URL('node_modules/lighthouse/package.json', import.meta.url)));

wire.serve(
  { name: 'lighthouse', version, homepage: 'https://github.com/GoogleChrome/lighthouse', package: 'lighthouse (npm)' },
  {
    grammar: (request) => {
      const content = wire.robotsBytes(request).toString();
      return { valid: RobotsTxtAudit.audit({ RobotsTxt: { status: 200, content } }, {}).score === 1 };
    },
  },
);
