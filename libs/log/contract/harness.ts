// Tools of the log's contract suite: an opened log, records to append, and waiting until they can be read.
import { randomBytes } from 'node:crypto';
import type { RequestTopic, TopicName } from '../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import { PortError, type PortErrorCode } from '../../domain/port-error.ts';
import { originOf } from '../../domain/trace/chain.ts';
import type { Log, Outgoing, OutgoingOn, PageBounds } from '../log.ts';

/** `unknown_outcome_*`: the append throws `unknown_outcome`, committed or lost. `unavailable`: nothing is written. */
export type AppendFault = 'unknown_outcome_committed' | 'unknown_outcome_lost' | 'unavailable';

/** A log with at least 4 partitions, empty or not, that nobody else appends to. */
export interface OpenedLog {
  readonly log: Log;
  failNextAppend(fault: AppendFault): void;
  /** Called after the last test, when the log is closed. */
  dispose?(): Promise<void>;
}

/** A log that keeps what was appended. */
export interface OpenedDurableLog extends OpenedLog {
  /** Closes the log and opens what it has kept. */
  reopen(): Promise<Log>;
}

export type OpenLog = () => Promise<OpenedLog>;
export type OpenDurableLog = () => Promise<OpenedDurableLog>;

/** Opens a log before the first test of the `describe` that it is called in, and closes it after the last. */
export function withLog(open: OpenLog, use: (opened: OpenedLog) => void): void {
  let opened: OpenedLog;
  beforeAll(async () => {
    opened = await open();
    use(opened);
  });
  afterAll(async () => {
    await opened.log.close();
    await opened.dispose?.();
  });
}

/** Long enough for any engine on a busy machine; nothing waits for it unless it fails. */
export const deadlineMs = 10_000;
export const wide: PageBounds = { recordsMax: 1000, bytesMax: 16 * 1024 * 1024 };

let count = 0;

/** A record of a type that no stage knows: a log does not look into records. */
export function outgoing<T extends TopicName>(
  topic: T,
  partition = 0,
  overrides: Partial<LogRecord> = {},
): OutgoingOn<T> {
  const id = `rec_${String(++count).padStart(16, '0')}`;
  const base = { id, type: 'Tested', version: 1, key: 'dc_1', data: { count }, at: 1_700_000_000_000 + count };
  const chain = { workspace: 'o_0000000000000001', correlationId: 'req_1', causationId: 'cmd_1' };
  return { topic, partition, record: { ...base, ...chain, ...overrides } } as OutgoingOn<T>;
}

/** A record whose JSON text has exactly this many bytes, which compress badly. */
export function outgoingOfBytes<T extends TopicName>(topic: T, bytes: number): OutgoingOn<T> {
  const { record } = outgoing(topic, 0, { data: '' });
  const paddingLength = bytes - Buffer.byteLength(JSON.stringify(traced(record)));
  return outgoing(topic, 0, { ...record, data: randomBytes(paddingLength).toString('base64').slice(0, paddingLength) });
}

/** The record as it is read back. */
export const traced = (record: LogRecord): LogRecord => ({ ...record, ...originOf(record) });

/** Appends requests concurrently, one call for each; returns their offsets. */
export const requestAll = (log: Log, requests: readonly OutgoingOn<RequestTopic>[]): Promise<readonly number[]> =>
  Promise.all(requests.map((request) => log.request(request)));

/** Reads on from `from` until it has `atLeast` records: an engine may show acknowledged records a moment later. */
export async function readRecords(
  log: Log,
  { topic, partition, from }: { topic: TopicName; partition: number; from: number },
  atLeast: number,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  const deadline = Date.now() + deadlineMs;
  for (let next = from; Date.now() < deadline;) {
    const page = await log.read(topic, partition, next, wide);
    records.push(...page.records);
    next = page.next;
    if (records.length >= atLeast && page.records.length === 0) return records;
    if (page.records.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(
    `${topic}/${partition}: ${records.length} records from ${from}, not ${atLeast}, after ${deadlineMs} ms`,
  );
}

export const ids = (records: readonly { readonly id: string }[]): readonly string[] => records.map(({ id }) => id);
export const idsOf = (records: readonly Outgoing[]): readonly string[] => records.map(({ record }) => record.id);

/** The code of the PortError that a promise rejects with; fails when it resolves or rejects with any other error. */
export async function codeOf(promise: Promise<unknown>): Promise<PortErrorCode> {
  const error = await promise.then(
    () => new Error('it was done'),
    (reason: unknown) => reason,
  );
  if (error instanceof PortError) return error.code;
  throw error;
}
