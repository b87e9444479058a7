// kafkajs in the bundles of the apps: our repairs reach its inner modules there too, as without a bundle.
import { join, sep } from 'node:path';
import { distDir } from '../distributed/environment.mjs';

const ours = join(distDir, 'libs', 'log', 'kafka', 'kafkajs') + sep;

/** By the end of a module's path: what stands in its place. Modules of a bundle are not in a cache in which one could be replaced. */
const replaced = new Map([
  [
    join('kafkajs', 'src', 'protocol', 'recordBatch', 'record', 'v0', 'index.js'),
    `module.exports = require(${JSON.stringify(join(ours, 'repairs', 'record-encoding.js'))}).kafkajsEncoding;`,
  ],
  [join(ours, 'repairs', 'replace-encoding.js'), 'export function replaceRecordEncoding() {}'],
]);
const seen = new Set();

/** The text of a module as it goes into the bundle. */
export function withRepairs(path, text) {
  const end = [...replaced.keys()].find((one) => path.endsWith(one));
  if (end !== undefined) {
    seen.add(end);
    return replaced.get(end);
  }
  if (!path.startsWith(ours)) return text;
  // A bundler resolves what it sees to be the `require` of the platform; another would load and repair a second kafkajs.
  const resolvable = text.replace('const require = createRequire(import.meta.url);', '');
  if (resolvable.includes('createRequire(')) throw new Error(`${path} requires in a way that the bundle does not know`);
  return resolvable;
}

/** Throws unless each module that has another in its place was met: kafkajs would be used without our encoding. */
export function checkRepaired() {
  const missed = [...replaced.keys()].filter((end) => !seen.has(end));
  if (missed.length > 0)
    throw new Error(`the bundles of the apps lack ${missed.join(', ')}: see deploy/local/bundling/kafkajs.mjs`);
}
