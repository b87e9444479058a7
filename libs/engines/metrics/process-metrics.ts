// Measures the Node process: processor, memory, garbage collection, and the delay of its event loop.
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Metrics, PutSample } from '../../primitives/metrics/metrics.ts';
import { families } from '../../stages/loop/measuring/families.ts';

/** The sampling interval, which each measurement of the delay contains. */
const loopResolutionMs = 20;

const collectionKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/** Begins to measure; returns a function that ends it. */
export function measureProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: loopResolutionMs });
  delay.enable();
  const collections = observeCollections(metrics);
  metrics.addReader((put) => {
    putUse(put);
    const seconds = (nanoseconds: number): number => Math.max(0, (nanoseconds || 0) / 1e9 - loopResolutionMs / 1_000);
    put(families.loopMean, {}, seconds(delay.mean));
    put(families.loopP50, {}, seconds(delay.percentile(50)));
    put(families.loopP99, {}, seconds(delay.percentile(99)));
    put(families.loopMax, {}, delay.count === 0 ? 0 : seconds(delay.max));
    delay.reset();
  });
  return () => {
    delay.disable();
    collections.disconnect();
  };
}

function putUse(put: PutSample): void {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  put(families.cpuUser, {}, user / 1e6);
  put(families.cpuSystem, {}, system / 1e6);
  put(families.startTime, {}, performance.timeOrigin / 1_000);
  put(families.residentMemory, {}, rss);
  put(families.heapTotal, {}, heapTotal);
  put(families.heapUsed, {}, heapUsed);
  put(families.external, {}, external);
  put(families.version, { version: process.version }, 1);
}

/** The details that Node adds to an entry about garbage collection. */
interface Collection {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

function observeCollections(metrics: Metrics): PerformanceObserver {
  const durations = new Map(
    Object.entries(collectionKinds).map(([code, kind]) => [
      Number(code),
      metrics.histogram(families.collections, { kind }),
    ]),
  );
  const observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as unknown as readonly Collection[])
      durations.get(detail.kind)?.observe(duration / 1_000);
  });
  observer.observe({ entryTypes: ['gc'] });
  return observer;
}
