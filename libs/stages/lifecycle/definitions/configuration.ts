// Reads a source's configuration back: an update keeps the props that it does not name.
import type { Configuration } from '../../../domain/component/life/configure.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';

/** The source and revision of a configuration. `from`: the offset of its record on `components`, or a lower one. */
export interface ConfiguredPlace {
  readonly sourceId: string;
  readonly revision: number;
  readonly from: number;
}

/** A definition mostly names the record's exact offset: then nothing else is read. */
const onePage = { recordsMax: 1, bytesMax: 1 };
const widePage = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

/** Undefined when there is none that can be read. Throws PortError. */
export async function readConfiguration(
  log: Pick<CheckedLog, 'read' | 'settledEnd' | 'partitions'>,
  { sourceId, revision, from }: ConfiguredPlace,
): Promise<Configuration | undefined> {
  const partition = partitionOf(sourceId, log.partitions);
  // Not `end`: what was appended a moment ago may still be below the end that can be read.
  const to = await log.settledEnd('components', partition);
  let bounds = onePage;
  for (let next = from; next < to;) {
    const page = await log.read('components', partition, next, { ...bounds, to });
    for (const { type, data } of page.records) {
      if (type === 'SourceConfigured' && data.sourceId === sourceId && data.revision === revision) return data;
    }
    if (page.next <= next) return undefined;
    next = page.next;
    bounds = widePage;
  }
  return undefined;
}
