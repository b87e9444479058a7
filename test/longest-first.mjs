// Orders specs by duration: a spec that takes minutes begins first, so that it does not run alone at the end.
import { statSync } from 'node:fs';

/** Longest first; file sizes do not show it. Other specs come after them, larger files first. */
const longest = [
  'invariants/kills',
  'invariants/counters',
  'invariants/embedded/fuzz',
  'hostile/what-goes-onto-the-log',
  'hostile/embedded/what-runs-use-up',
  'invariants/embedded/retention-bytes',
  'browser/workspace',
  'hostile/embedded/what-is-compiled',
  'flow/delivery/delivery',
  'flow/sources/sources',
  'hostile/embedded/what-runs-tell',
  'browser/console',
  'browser/keeping',
  'hostile/embedded/what-ends-processes',
  'flow/start-and-stop',
  'flow/github',
  'hostile/embedded/what-callers-send-and-declare',
  'invariants/embedded/dropped-lines',
  'flow/distributed/kcat',
  'invariants/broken-receivers',
  'invariants/malformed-records',
  'invariants/retention',
  'log/kafka/kafka-log',
  'packages/npm/install/installer',
  'transform/isolated-vm-transformer',
  'view-store/mongo/mongo-view-store',
  'packages/npm/compile/compilers',
  'isolated-vm/spec/deaths',
  'log/kafka/spec/faults',
].map((path) => `/${path}.`);

const rank = ({ path }) => {
  const at = longest.findIndex((part) => path.includes(part));
  return at < 0 ? longest.length : at;
};

/** The interface that Jest requires of a sequencer; nothing is kept between runs. */
export default class LongestFirst {
  sort(tests) {
    const sized = [...tests].map((test) => ({ test, rank: rank(test), size: statSync(test.path).size }));
    return sized.sort((a, b) => a.rank - b.rank || b.size - a.size).map(({ test }) => test);
  }

  shard(tests) {
    return tests;
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
