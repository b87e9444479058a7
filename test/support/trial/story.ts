// The GitHub story as a load: one source to which GitHub posts without end, in order, each until it is acknowledged.
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
  oneChannel,
} from '../github-scenario.ts';
import type { GitHubScenario } from '../github-scenario.ts';
import { Receiver } from '../receiver.ts';
import { pause, until } from '../until.ts';
import { Asking } from './asking.ts';

/** Between posts: with several stories a load that two busy cores carry, so that what is measured is the recovery. */
const pauseMs = 50;
/** docs/reference/delivery.md, "After a crash": those in flight (one, in order) and the completions since the last flush, for each subscription. */
const copiesMaxPerFault = 2 * (1 + 100);
/** issue 4: without a hand. */
export const recoveryMs = 30_000;
/** What was behind when the load ended. */
const settleMs = 60_000;

const payloads = gitHubDeliveries(gitHubSecret);

export class Story {
  readonly asking = new Asking();
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

  /** The source is deployed, and posted to from now on. */
  static async begin(cluster: Cluster): Promise<Story> {
    const receiver = await Receiver.start();
    const story = new Story(await gitHubScenario(cluster, receiver), receiver);
    story.#posting = story.#post().catch((error: unknown) => {
      story.#failure = error;
    });
    return story;
  }

  /** Something posted from now on is acknowledged, at the webhook and in the views, within `recoveryMs`. */
  async recovered(): Promise<void> {
    const next = await this.#arrived();
    await until(`${next.id} in the views`, () => this.#isInViews(next), recoveryMs);
  }

  /** Something posted from now on is acknowledged and at the webhook. */
  flows(): Promise<unknown> {
    return this.#arrived();
  }

  /** Ends the load; throws what broke it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#posting;
    if (this.#failure !== undefined) throw new Error('the load broke', { cause: this.#failure });
  }

  /** Each that was acknowledged: once in the views and in the db, at both webhooks in order, with few copies. */
  async expectWhole(faults: number): Promise<void> {
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

  /** The load continues until it is stopped. */
  async close(): Promise<void> {
    this.#stopped = true;
    await this.#posting;
    await this.#receiver.stop();
  }

  async #post(): Promise<void> {
    for (const delivery of withoutEnd()) {
      if (this.#stopped) return;
      const { headers, body } = delivery;
      await this.asking.untilAcknowledged(this.scenario.endpoint, { method: 'POST', headers, body });
      this.#acknowledged.push(delivery);
      await pause(pauseMs);
    }
  }

  /** The one in flight was posted before; the one after it was not. */
  async #arrived(): Promise<GitHubDelivery> {
    const next = this.#acknowledged.length + 1;
    const delivery = await until('a post to be acknowledged', () => this.#nth(next), recoveryMs);
    await until(`${delivery.id} at the webhook`, () => this.#hasArrived(delivery), recoveryMs);
    return delivery;
  }

  #nth(index: number): GitHubDelivery | undefined {
    if (this.#failure !== undefined) throw new Error('the load broke', { cause: this.#failure });
    return this.#acknowledged[index];
  }

  /** At every webhook that gets it. */
  #hasArrived({ id, name }: GitHubDelivery): boolean {
    const paths = name === oneChannel ? ['/all', '/one'] : ['/all'];
    const start = `{"delivery":"${id}"`;
    const { received } = this.#receiver;
    return paths.every((path) => received.findLast((one) => one.path === path && one.body.startsWith(start)));
  }

  /** Wherever among them: views that were behind get many at once. */
  #isInViews({ id }: GitHubDelivery): Promise<boolean> {
    const ids = this.acknowledgedIds;
    return isInViews(this.scenario, id, new Set(ids.slice(0, ids.indexOf(id)))).catch(() => false);
  }
}

/** GitHub's payloads again and again, each time as other deliveries. */
function* withoutEnd(): Generator<GitHubDelivery> {
  for (let round = 0; ; round++) for (const delivery of payloads) yield round === 0 ? delivery : again(delivery, round);
}

function again(delivery: GitHubDelivery, round: number): GitHubDelivery {
  const id = createHash('sha256').update(`${delivery.id}/${round}`).digest('hex').slice(0, 36);
  return { ...delivery, id, headers: { ...delivery.headers, 'x-github-delivery': id } };
}
