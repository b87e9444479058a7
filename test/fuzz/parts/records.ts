// The part that acts as an earlier version or a careless operator: puts drawn records on the log before a start.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { sizes } from '../../../libs/domain/sizes.ts';
import { partitionCount, partitionOf, topicNames, topics } from '../../../libs/domain/flow.ts';
import type { OwningStage, TopicName } from '../../../libs/domain/flow.ts';
import { SqliteLog } from '../../../libs/log/sqlite/sqlite-log.ts';
import { readCatalog } from '../../form/topics/catalog.ts';
import { FromSchema } from '../drawing/from-schema.ts';
import { FuzzFailure, ProductUnderTest } from '../product-under-test.ts';
import type { Part, Round } from '../part.ts';
import { populate } from './shared-product.ts';

interface DrawnRecord {
  readonly topic: TopicName;
  readonly type: string;
  readonly data: unknown;
  readonly key: string;
}

const partitions = 4;
/** Many, because the start takes the time, and hardly the records. */
const recordsMax = 600;
/** Enough for every stage to read them; a view that fails at one reports it at once. */
const settleMs = 500;

/** Marks belong to the log itself, and are not messages. */
const drawable = topicNames.filter((name) => !name.startsWith('marks.'));

interface Base {
  readonly directory: string;
  readonly workspace: string;
  readonly known: readonly string[];
  readonly records: fc.Arbitrary<unknown>;
}

export class Records implements Part {
  readonly name = 'records';
  readonly casesPerRound = 20;
  readonly tried = { of: 'records', count: 0 };
  #base: Base | undefined;

  async begin(): Promise<Round> {
    const base = (this.#base ??= await prepareBase());
    return {
      property: fc.asyncProperty(base.records, (drawn) => {
        const records = drawn as readonly DrawnRecord[];
        this.tried.count += records.length;
        return tryRecords(base, records);
      }),
      settle: async () => undefined,
    };
  }

  async close(): Promise<void> {
    if (this.#base !== undefined) await rm(this.#base.directory, { recursive: true, force: true });
    this.#base = undefined;
  }
}

/** Prepares the data of a used and stopped product; every case begins on a copy of it. */
async function prepareBase(): Promise<Base> {
  const directory = await ProductUnderTest.newDirectory();
  const { product } = await ProductUnderTest.open(directory);
  const { known, client } = await populate(product);
  const { id } = await client.me();
  await product.stop();
  const [owner = ''] = await workspacesOf(directory);
  const catalog = readCatalog();
  const draw = new FromSchema({ shapes: catalog.shapes, known: [...known, owner, id] });
  const messages = catalog.topics
    .filter(({ name }) => drawable.includes(name))
    .flatMap(({ name, messages: all }) => all.map(({ type, data }) => ({ topic: name, type, data })));
  const one = fc.oneof(
    ...messages.map(({ topic, type, data }) =>
      fc.record({
        topic: fc.constant(topic),
        type: fc.oneof({ weight: 19, arbitrary: fc.constant(type) }, fc.constant('Unheard')),
        data: draw.draw(data),
        key: fc.constantFrom(...known.slice(0, 4), 'unknown'),
      }),
    ),
  );
  return {
    directory,
    workspace: owner,
    known,
    records: fc.array(one, { minLength: 1, maxLength: recordsMax, size: 'max' }),
  };
}

async function workspacesOf(directory: string): Promise<readonly string[]> {
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions });
  try {
    const { records } = await log.read('workspaces', 0, 0, { recordsMax: 10, bytesMax: 1024 * 1024 });
    return records.map(({ workspace }) => workspace);
  } finally {
    await log.close();
  }
}

async function tryRecords(base: Base, records: readonly DrawnRecord[]): Promise<void> {
  const directory = await ProductUnderTest.newDirectory();
  await cp(base.directory, directory, { recursive: true });
  await appendRecords(base, directory, records);
  const tested = await ProductUnderTest.open(directory).catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true });
    throw error;
  });
  try {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    await expectReadable(tested, base.known);
    await tested.expectHealthy();
  } catch (error) {
    throw await tested.causeOf(error);
  } finally {
    await tested.close();
  }
}

async function appendRecords({ workspace }: Base, directory: string, records: readonly DrawnRecord[]): Promise<void> {
  const log = await SqliteLog.open({ file: join(directory, 'log.sqlite'), partitions });
  try {
    for (const [n, { topic, type, data, key }] of records.entries()) {
      const id = `rec_fuzz${String(n).padStart(12, '0')}`;
      const at = Date.now();
      // A service rightly refuses to start if its only data key cannot be opened: drawn keys are another workspace's.
      const owningWorkspace = topic === 'keys' ? 'o_0000000000000000' : workspace;
      const record = {
        id,
        type,
        version: 1,
        key,
        data,
        at,
        workspace: owningWorkspace,
        correlationId: id,
        causationId: id,
      };
      const { writer } = topics[topic];
      const partition = partitionCount(topic, partitions) === 1 ? 0 : partitionOf(key, partitions);
      // Such a record cannot be on a log: it is rejected before it is written.
      if (Buffer.byteLength(JSON.stringify(record)) > sizes.recordBytes) continue;
      if (topic === 'commands' || topic === 'triggers' || topic === 'requests')
        await log.request({ topic, partition, record });
      else {
        const owner = await log.own(writer as OwningStage, writer === 'lifecycle' ? 0 : partition);
        await owner.append([{ topic, partition, record }], owner.mark.positions);
      }
    }
  } finally {
    await log.close();
  }
}

/** Checks that the API shows what the views made of the records. */
async function expectReadable({ product }: ProductUnderTest, [source, webhook]: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${await product.apiKey()}` };
  const lists = ['users/me', 'sources', 'webhooks', 'subscriptions', `sources/${source}`, `webhooks/${webhook}`];
  for (const list of [...lists, `sources/${source}/runs`, `sources/${source}/event_summaries?expand=event`]) {
    const { status } = await fetch(`${product.baseUrl}/v1/${list}`, { headers });
    if (status >= 500) throw new FuzzFailure(`GET /v1/${list.replace(source ?? '', '{id}')} answers ${status}`);
  }
}
