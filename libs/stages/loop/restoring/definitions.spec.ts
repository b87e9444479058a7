// A stage starts from definitions only when lifecycle has written all of them: with some, it would take sources and
// subscriptions for deleted.
import { recordOf, samples } from '../../../domain/record/samples.fake.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import { noAlerts } from '../alerts/alerts.ts';
import { AlertingReporter } from '../reading/alerting-reporter.ts';
import { CheckedLog } from '../reading/checked-log.ts';
import { readDefinitions } from './definitions.ts';

let log: MemoryLog;
let taken: [string, number | undefined][];
beforeEach(() => {
  log = new MemoryLog({ partitions: 1 });
  taken = [];
});

async function write(...records: readonly LogRecord[]): Promise<void> {
  const writer = await log.own('lifecycle', 0);
  const outgoing = records.map((record) => ({ topic: 'sources', partition: 0, record }) as unknown as OutgoingOn);
  await writer.append(outgoing, writer.mark.positions);
}

const defined = (key: string, revision: number): LogRecord =>
  recordOf('SourceDefined', { ...samples.sources.SourceDefined, sourceId: key, revision }, { key });
const deleted = (key: string): LogRecord => recordOf('SourceDefined', undefined, { key });
const folded = recordOf('DefinitionsFolded', samples.sources.DefinitionsFolded, { key: 'folded' });

const read = (): Promise<number> =>
  readDefinitions(
    new CheckedLog(log, new AlertingReporter(noAlerts, { warn: () => {} })),
    { topic: 'sources', partition: 0 },
    { take: ({ key, data }) => taken.push([key, data && 'revision' in data ? data.revision : undefined]) },
  );

test('passes on all definitions and deletions in order, across pages, also those after the closing record', async () => {
  const many = Array.from({ length: 2_500 }, (_, n) => defined(`dc_${n}`, 1));
  await write(...many.slice(0, 500), folded, ...many.slice(500), defined('dc_0', 2), deleted('dc_1'));
  expect(await read()).toBe(await log.end('sources', 0));
  expect(taken).toEqual([...many.map(({ key }) => [key, 1]), ['dc_0', 2], ['dc_1', undefined]]);
});

test('waits until lifecycle has written its closing record, and passes on what it wrote until then', async () => {
  await write(defined('dc_a', 1));
  const reading = read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await write(defined('dc_b', 1), folded);
  expect(await reading).toBe(await log.end('sources', 0));
  expect(taken).toEqual([
    ['dc_a', 1],
    ['dc_b', 1],
  ]);
});

test.each([
  ['never wrote a closing record', []],
  ['deleted the closing record', [{ ...folded, data: undefined }]],
])('fails after two seconds, to be tried again, if lifecycle %s', async (_, last) => {
  await write(defined('dc_a', 1), ...last);
  let reads = 0;
  const readLog = log.read.bind(log);
  log.read = (...args) => {
    reads++;
    return readLog(...args);
  };
  await expect(read()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  expect(reads).toBeLessThan(150);
});
