// The set-up for faults on the distributed engine: a cluster under load, its recovery, and the final checks.
import { createClient } from '../../../libs/client/index.ts';
import { topicNames, topics } from '../../../libs/domain/flow.ts';
import { Cluster } from '../cluster/cluster.ts';
import type { ClusterOptions } from '../cluster/cluster.ts';
import { lightJava } from '../cluster/light-java.ts';
import { isKcatInstalled, readTopic } from '../kcat.ts';
import { expectVerifiedHistory } from '../signed-history.ts';
import type { KcatRecord } from '../kcat.ts';
import type { Answer } from './retrying-client.ts';
import { Commands } from './commands.ts';
import { recoveryMs, GitHubLoad } from './github-load.ts';

export interface TrialOptions extends ClusterOptions {
  /** Sources that are posted to at the same time. */
  readonly loads: number;
}

/** Topics without copies. A compacted topic holds states, which can be repeated; trials make no accounts. */
const topicsWithoutCopies = topicNames.filter((topic) => !topics[topic].compacted && topic !== 'connections');

/** For the start of servers and apps on a busy machine, and the deploys. */
const beginMs = 150_000;

export class Trial {
  readonly cluster: Cluster;
  readonly loads: readonly GitHubLoad[];
  readonly commands: Commands;

  private constructor(cluster: Cluster, loads: readonly GitHubLoad[], commands: Commands) {
    this.cluster = cluster;
    this.loads = loads;
    this.commands = commands;
  }

  /** Resolves once the load flows. */
  static async begin(options: TrialOptions): Promise<Trial> {
    const cluster = await Cluster.start({ brokerOptions: { javaOptions: lightJava }, ...options });
    const loads: GitHubLoad[] = [];
    try {
      for (let i = 0; i < options.loads; i++) loads.push(await GitHubLoad.begin(cluster));
      const trial = new Trial(cluster, loads, await Commands.connect(cluster));
      await trial.waitUntilRecovered();
      return trial;
    } catch (error) {
      await Promise.all(loads.map((load) => load.close()));
      await cluster.remove();
      throw error;
    }
  }

  /** Waits, up to `recoveryMs`, until new requests are carried out completely; or else prints the apps' output. */
  async waitUntilRecovered(): Promise<void> {
    const startedAt = performance.now();
    try {
      await Promise.all([...this.loads.map((load) => load.waitUntilRecovered()), this.commands.send()]);
    } catch (error) {
      process.stderr.write(await this.cluster.outputTails());
      throw error;
    }
    expect(performance.now() - startedAt).toBeLessThanOrEqual(recoveryMs);
  }

  /** The answers to all clients. */
  get answers(): readonly Answer[] {
    return [this.commands, ...this.loads].flatMap(({ retryingClient: asking }) => asking.answers);
  }

  async end(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.close()));
    await this.cluster.remove();
  }
}

/** Checks, after `faults` faults, that nothing acknowledged is lost, nothing is there twice, and all is in order. */
export async function expectNothingLost(trial: Trial, faults: number): Promise<void> {
  for (const load of trial.loads) await load.stop();
  for (const load of trial.loads) await load.expectComplete(faults);
  await trial.commands.expectComplete();
  await expectNoLogCopies(trial);
  const { cluster } = trial;
  await expectVerifiedHistory(createClient({ baseUrl: cluster.baseUrl, apiKey: await cluster.apiKey() }));
  expect(trial.cluster.unexpectedExits).toEqual([]);
  expect(trial.cluster.libraryWarnings).toEqual([]);
}

/** Checks the committed records, as any reader of the topics sees them. */
async function expectNoLogCopies({ cluster, loads }: Trial): Promise<void> {
  if (!(await isKcatInstalled())) {
    process.stderr.write('skipped: install kcat (Debian: apt-get install kcat) to look for copies on the log\n');
    expect(process.env['CI']).not.toBe('true');
    return;
  }
  const [, brokers] = cluster.servers.kafka.variable;
  const read = async (topic: string) => [topic, await readTopic(brokers, topic)] as const;
  const recordsByTopic = new Map(await Promise.all(topicsWithoutCopies.map(read)));
  expect([...recordsByTopic].flatMap(([topic, records]) => copiesAmong(topic, records))).toEqual([]);
  for (const { scenario, acknowledgedIds } of loads) {
    const sourceRecords = (recordsByTopic.get('channels') ?? []).filter(({ key }) => key === scenario.sourceId);
    const ids = sourceRecords.map(({ data }) => (data as { event: { delivery: string } }).event.delivery);
    expect(ids).toEqual(acknowledgedIds);
  }
}

/** Ids that occur more than once. A request that its client repeats has a new id. */
function copiesAmong(topic: string, records: readonly KcatRecord[]): readonly string[] {
  if (records.length === 0) throw new Error(`kcat shows nothing on ${topic}`);
  const counts = new Map<string, number>();
  for (const { headers } of records) counts.set(headers['ce_id'] ?? '', (counts.get(headers['ce_id'] ?? '') ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([id, count]) => `${topic}: ${id} ${count} times`);
}

/** Call it once at the top of a spec; the trial exists within its tests. */
export function withTrial(options: TrialOptions): { readonly trial: Trial } {
  let trial: Trial | undefined;
  beforeAll(async () => {
    trial = await Trial.begin(options);
  }, beginMs);
  afterAll(() => trial?.end(), beginMs);
  return {
    get trial() {
      if (trial === undefined) throw new Error('the trial is there only within tests');
      return trial;
    },
  };
}
