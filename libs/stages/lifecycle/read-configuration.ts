// Reads a source's configuration from the log: an update keeps the props that it does not name.
import type { Configuration } from '../../domain/source/process/configure.ts';
import { partitionOf } from '../../domain/flow.ts';
import type { CheckedLog } from '../loop/reading/checked-log.ts';
import { pagesFrom, type PagesLog } from '../loop/reading/pages-from.ts';

/** The source and revision of a configuration. `from`: the offset of its record on `components`, or a lower one. */
export interface ConfiguredPlace {
  readonly sourceId: string;
  readonly revision: number;
  readonly from: number;
}

/** A definition mostly names the record's exact offset, so the first page is one record. */
const onePage = { recordsMax: 1, bytesMax: 1 };
const widePage = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

/** Undefined: there is none that can be read. Throws PortError. */
export async function readConfiguration(
  log: PagesLog & Pick<CheckedLog, 'partitions'>,
  { sourceId, revision, from }: ConfiguredPlace,
): Promise<Configuration | undefined> {
  const place = { topic: 'components', partition: partitionOf(sourceId, log.partitions), from } as const;
  for await (const { records } of pagesFrom(log, place, { first: onePage, further: widePage })) {
    for (const { type, data } of records)
      if (type === 'SourceConfigured' && data.sourceId === sourceId && data.revision === revision) return data;
  }
  return undefined;
}
