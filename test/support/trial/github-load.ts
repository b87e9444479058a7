// The GitHub story as a load: posts to one source without end, in order, each delivery until it is acknowledged.
import { createHash } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.ts';
import { gitHubDeliveries } from '../github.ts';
import type { GitHubDelivery } from '../github.ts';
import {
  emittedIds,
  expectDelivered,
  expectedState,
  gitHubScenario,
  gitHubSecret,
  isInViews,
  filteredChannel,
} from '../github-scenario.ts';
import type { GitHubScenario } from '../github-scenario.ts';
import { Receiver } from '../receiver.ts';
import { pause, until } from '../until.ts';
import { RetryingClient } from './retrying-client.ts';

/** Pause between posts: two busy cores can carry the load of several stories, so that only the recovery is measured. */
const pauseMs = 50;
/** docs/reference/delivery.md, "After a crash": for each subscription, one in flight and those since the last flush. */
const copiesMaxPerFault = 2 * (1 + 100);
/** Limit of a recovery without help (issue 4). */
export const recoveryMs = 30_000;
/** For what is still to do when the load ends. */
const settleMs = 60_000;

const payloads = gitHubDeliveries(gitHubSecret);

export class GitHubLoad {
  readonly retryingClient = new RetryingClient();
  readonly scenario: GitHubScenario;
  readonly #receiver: Receiver;
  readonly #acknowledged: GitHubDelivery[] = [];
  #posting: Promise<void> | undefined;
  #stopped = false;
  #failure: unknown;

  private constructor(scenario: GitHubScenario, receiver: Receiver) {
    this.scenario = scenario;
    this.#receiver = receiver;
  }

  /** Deploys the source, and begins to post to it. */
  static async begin(cluster: Cluster): Promise<GitHubLoad> {
    const receiver = await Receiver.start();
    const load = new GitHubLoad(await gitHubScenario(cluster, receiver), receiver);
    load.#posting = load.#post().catch((error: unknown) => {
      load.#failure = error;
    });
    return load;
  }

  /** Waits until something posted from now on is acknowledged, at the webhook and in the views, within `recoveryMs`. */
  async waitUntilRecovered(): Promise<void> {
    const next = await this.#nextDelivered();
    await until(`${next.id} in the views`, () => this.#isInViews(next), recoveryMs);
  }

  /** Waits until something posted from now on is acknowledged and at the webhook. */
  waitForDelivery(): Promise<unknown> {
    return this.#nextDelivered();
  }

  /** Ends the load; throws what broke it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#posting;
    if (this.#failure !== undefined) throw new Error('the load broke', { cause: this.#failure });
  }

  /** Checks all acknowledged deliveries: once in views and db, at both webhooks in order, with few copies. */
  async expectComplete(faults: number): Promise<void> {
    const posted = this.#acknowledged;
    await until('the last at the webhook', () => posted.slice(-1).every((last) => this.#hasArrived(last)), settleMs);
    await expectDelivered(this.#receiver, posted);
    const copies = this.#receiver.received.length - this.#receiver.countOf('/all') - this.#receiver.countOf('/one');
    expect(copies).toBeLessThanOrEqual(faults * copiesMaxPerFault);
    const inViews = async (): Promise<boolean> => (await emittedIds(this.scenario)).length >= posted.length;
    await until(`${posted.length} events in the views`, inViews, settleMs);
    expect((await emittedIds(this.scenario)).sort()).toEqual(this.acknowledgedIds.sort());
    expect(await (await fetch(this.scenario.endpoint)).json()).toEqual(expectedState(posted));
  }

  get acknowledgedIds(): string[] {
    return this.#acknowledged.map(({ id }) => id);
  }

  /** Ends the load and the receiver. */
  async close(): Promise<void> {
    this.#stopped = true;
    await this.#posting;
    await this.#receiver.stop();
  }

  async #post(): Promise<void> {
    for (const delivery of endlessDeliveries()) {
      if (this.#stopped) return;
      const { headers, body } = delivery;
      await this.retryingClient.untilAcknowledged(this.scenario.endpoint, { method: 'POST', headers, body });
      this.#acknowledged.push(delivery);
      await pause(pauseMs);
    }
  }

  /** Waits for the delivery after the one in flight, which was posted earlier. */
  async #nextDelivered(): Promise<GitHubDelivery> {
    const next = this.#acknowledged.length + 1;
    const delivery = await until('a post to be acknowledged', () => this.#acknowledgedAt(next), recoveryMs);
    await until(`${delivery.id} at the webhook`, () => this.#hasArrived(delivery), recoveryMs);
    return delivery;
  }

  #acknowledgedAt(index: number): GitHubDelivery | undefined {
    if (this.#failure !== undefined) throw new Error('the load broke', { cause: this.#failure });
    return this.#acknowledged[index];
  }

  /** Whether it is at every webhook that gets it. */
  #hasArrived({ id, name }: GitHubDelivery): boolean {
    const paths = name === filteredChannel ? ['/all', '/one'] : ['/all'];
    const start = `{"delivery":"${id}"`;
    const { received } = this.#receiver;
    return paths.every((path) => received.findLast((one) => one.path === path && one.body.startsWith(start)));
  }

  /** Searches all pages, because views that were behind get many at once. */
  #isInViews({ id }: GitHubDelivery): Promise<boolean> {
    const ids = this.acknowledgedIds;
    return isInViews(this.scenario, id, new Set(ids.slice(0, ids.indexOf(id)))).catch(() => false);
  }
}

/** GitHub's payloads again and again, each time with new delivery ids. */
function* endlessDeliveries(): Generator<GitHubDelivery> {
  for (let round = 0; ; round++)
    for (const delivery of payloads) yield round === 0 ? delivery : withNewId(delivery, round);
}

function withNewId(delivery: GitHubDelivery, round: number): GitHubDelivery {
  const id = createHash('sha256').update(`${delivery.id}/${round}`).digest('hex').slice(0, 36);
  return { ...delivery, id, headers: { ...delivery.headers, 'x-github-delivery': id } };
}
