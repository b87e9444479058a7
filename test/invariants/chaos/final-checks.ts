// Checks, after a chaos run, that everything has arrived, the counters agree, and history can be verified.
import type { SubscriptionDetail } from '../../../libs/client/index.ts';
import { verifyExport } from '../../../libs/verifier/index.ts';
import type { Actions, Scene } from './actions.ts';
import { sumsOf } from './listeners.ts';
import type { Listener } from './listeners.ts';
import { pause } from '../../support/until.ts';

type Details = ReadonlyMap<string, SubscriptionDetail>;

/** The views follow the log. */
const listedWithinMs = 120_000;
const lookEveryMs = 500;

export async function checkOutcome(scene: Scene, actions: Actions, details: Details): Promise<readonly string[]> {
  const problems = scene.listeners.flatMap((listener) => listenerProblems(listener, actions, details));
  problems.push(
    ...(await replayProblems(scene, actions)),
    ...(await eventProblems(scene)),
    ...(await historyProblems(scene)),
  );
  return problems;
}

function listenerProblems(listener: Listener, { discards }: Actions, details: Details): readonly string[] {
  const { name, subscriptionId, received } = listener;
  const counters = details.get(subscriptionId)?.counters;
  if (counters === undefined) return [`${name} was never seen`];
  const { published, wanted, thrown } = sumsOf(listener);
  // On a busy machine, a transform can reach its limits; its event is then parked.
  const isTransformed = listener.kind.throws !== undefined;
  const { delivered, filtered, parked, expired } = counters;
  const describe = (what: string): string => `${name}: ${what}: ${JSON.stringify(counters)}`;
  const problems: string[] = received.faults.map((fault) => `${name}: ${fault}`);
  const dropped = isTransformed ? filtered : published - wanted;
  if (filtered > published - wanted || filtered !== dropped)
    problems.push(describe('others are filtered than should be'));
  if (delivered !== published - dropped - parked - expired) problems.push(describe(`not ${wanted} are delivered`));
  if (parked < thrown) problems.push(describe(`not all ${thrown} are parked that could not be made`));
  if (expired > (discards.get(subscriptionId) ?? 0)) problems.push(describe('more are given up than were asked for'));
  const arrived = [...received.orders.values()].reduce((sum, orders) => sum + orders.size, 0);
  if (arrived < delivered) problems.push(describe(`only ${arrived} have arrived`));
  return problems;
}

/** Checks that each replay that was not cancelled has sent as many as it counted. */
async function replayProblems({ client, listeners }: Scene, { replays }: Actions): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { listener, replayId } of replays) {
    const { name, subscriptionId, kind, received } = listener;
    if (!listeners.includes(listener) || kind.throws !== undefined) continue;
    const replay = await client.replayOf(subscriptionId, replayId);
    const { state, total, done, failed, passed, left } = replay;
    const sent = received.byReplay.get(replayId)?.size ?? 0;
    const problem = `${name}: ${replayId} has sent ${sent}: ${JSON.stringify(replay)}`;
    if (state === 'done' && (total !== done + failed + passed || left !== 0)) problems.push(problem);
    else if (state === 'done' && sent < done) problems.push(problem);
  }
  return problems;
}

/** Checks that each event is listed once. */
async function eventProblems({ client, orders }: Scene): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { sourceId, channel, acknowledged } of orders) {
    const deadline = performance.now() + listedWithinMs;
    let count = 0;
    while (count !== acknowledged && performance.now() < deadline) {
      const { page_info } = await client.eventSummaries(sourceId, { limit: 1 });
      count = page_info.total_count;
      if (count !== acknowledged) await pause(lookEveryMs);
    }
    if (count !== acknowledged) problems.push(`channel ${channel}: ${count} of ${acknowledged} events are listed`);
  }
  return problems;
}

async function historyProblems({ client: { signedHistory } }: Scene): Promise<readonly string[]> {
  const keys = (await signedHistory.keys()).map(({ public_key }) => public_key);
  const { isWhole, findings, checkpoints } = await verifyExport(await signedHistory.export({}), { keys });
  const problems = findings.map((finding) => `history: ${JSON.stringify(finding)}`);
  if (!isWhole) problems.push('history: it is not whole');
  if (checkpoints === 0) problems.push('history: nothing of it is signed');
  return problems;
}
