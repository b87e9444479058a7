// Gives kafkajs an encoding of records that allocates one buffer instead of many. The bundles of the apps have it in place of
// theirs (deploy/local/bundling/kafkajs.mjs).
import { createRequire } from 'node:module';
import { kafkajsEncoding } from './record-encoding.ts';

const require = createRequire(import.meta.url);

/** Replaces the record encoding of kafkajs, which the first produce request loads, with ours. */
export function replaceRecordEncoding(): void {
  const path = require.resolve('kafkajs/src/protocol/recordBatch/record/v0');
  require(path);
  const loaded = require.cache[path];
  if (loaded === undefined) throw new Error('this is not the kafkajs that was built against: records have no encoding');
  loaded.exports = kafkajsEncoding;
}
