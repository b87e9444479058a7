// Reads fetched code from `hooks`, where runtime has put it: the outcome on `saves` has only its offset.
import { partitionOf } from '../../../../domain/flow.ts';
import type { RecordOn } from '../../../../domain/messages-of.ts';
import type { OutcomeOf } from '../../control/waiting/outcomes.ts';
import type { RegistryComponent } from '../../../../domain/component/program/registry-component.ts';
import { unavailable } from '../../http/api-problem.ts';
import type { CheckedLog } from '../../../loop/reading/checked-log.ts';

type FetchLog = Pick<CheckedLog, 'read' | 'partitions'>;
type DataOf<Type extends 'ComponentFetched' | 'ComponentsFound'> = OutcomeOf<Type>['data'];

/** One record: the offset is exact. */
const oneRecord = { recordsMax: 1, bytesMax: 1 };

/** Throws ApiProblem or PortError. */
export async function readFetchedCode(
  log: FetchLog,
  { code, ...position }: DataOf<'ComponentFetched'>,
): Promise<string> {
  if (code !== undefined) return code;
  const record = await readFetchRecord(log, position);
  if (record?.type !== 'CodeFetched') throw expiredProblem();
  return record.data.code;
}

/** The same. */
export async function readFetchedComponents(
  log: FetchLog,
  { components, ...position }: DataOf<'ComponentsFound'>,
): Promise<readonly RegistryComponent[]> {
  if (components !== undefined) return components;
  const record = await readFetchRecord(log, position);
  if (record?.type !== 'ComponentsListed') throw expiredProblem();
  return record.data.components;
}

/** Undefined: the record is gone. */
async function readFetchRecord(
  log: FetchLog,
  { fetchId, hooksOffset = 0 }: { readonly fetchId: string; readonly hooksOffset?: number },
): Promise<RecordOn<'hooks'> | undefined> {
  const { records } = await log.read('hooks', partitionOf(fetchId, log.partitions), hooksOffset, oneRecord);
  return records.find(({ offset, data }) => offset === hooksOffset && data.sourceId === fetchId);
}

/** Retention by bytes can be this quick if other records fill the log. */
const expiredProblem = () => unavailable('What was found has been given up since: ask again.');
