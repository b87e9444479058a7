// Replaces the record encoding of kafkajs with one that allocates one buffer instead of many. In the bundles of the
// apps it is replaced at build time (deploy/local/bundling/kafkajs.mjs).
import { createRequire } from 'node:module';
import { kafkajsEncoding } from './record-encoding.ts';

const require = createRequire(import.meta.url);

/** Replaces the module's exports before the first produce request loads it. */
export function replaceRecordEncoding(): void {
  const path = require.resolve('kafkajs/src/protocol/recordBatch/record/v0');
  require(path);
  const loaded = require.cache[path];
  if (loaded === undefined) throw new Error('this is not the kafkajs that was built against: records have no encoding');
  loaded.exports = kafkajsEncoding;
}
