// Bundles kafkajs into the apps with this project's replacements of its inner modules, as without a bundle.
import { join, sep } from 'node:path';
import { distDir } from '../distributed/environment.mjs';

const ours = join(distDir, 'libs', 'log', 'kafka', 'kafkajs') + sep;

/**
 * Replacements by the end of a module's path: bundled modules are not in a module cache, where they could be replaced.
 */
const replaced = new Map([
  [
    join('kafkajs', 'src', 'protocol', 'recordBatch', 'record', 'v0', 'index.js'),
    `module.exports = require(${JSON.stringify(join(ours, 'repairs', 'record-encoding.js'))}).kafkajsEncoding;`,
  ],
  [join(ours, 'repairs', 'replace-encoding.js'), 'export function replaceRecordEncoding() {}'],
]);
const seen = new Set();

/** Returns the text of a module for the bundle. */
export function withRepairs(path, text) {
  const end = [...replaced.keys()].find((one) => path.endsWith(one));
  if (end !== undefined) {
    seen.add(end);
    return replaced.get(end);
  }
  if (!path.startsWith(ours)) return text;
  // A bundler resolves only the platform's own `require`; another one would load and repair a second kafkajs at run
  // time.
  const resolvable = text.replace('const require = createRequire(import.meta.url);', '');
  if (resolvable.includes('createRequire(')) throw new Error(`${path} requires in a way that the bundle does not know`);
  return resolvable;
}

/**
 * Throws unless each module with a replacement was bundled: otherwise kafkajs would be used without the replacements.
 */
export function checkRepaired() {
  const missed = [...replaced.keys()].filter((end) => !seen.has(end));
  if (missed.length > 0)
    throw new Error(`the bundles of the apps lack ${missed.join(', ')}: see deploy/local/bundling/kafkajs.mjs`);
}
