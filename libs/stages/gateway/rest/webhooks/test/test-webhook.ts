// Tests a webhook: delivery sends one signed event now, and what came of it is the answer.
import { testMs, testsWaitingMax } from '../../../../../domain/delivery/attempt/tested.ts';
import { isSuccess } from '../../../../../domain/delivery/retry.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../../../domain/id.ts';
import { actedOnVersion } from '../../../../../domain/shape/version.ts';
import { chainFrom } from '../../../../../domain/trace/traceparent.ts';
import { asJson } from '../../../../../domain/views/view.ts';
import type { AttemptView, WebhookView } from '../../../../../domain/views/index.ts';
import type { Reply } from '../../../../../log/log.ts';
import { Shares } from '../../../../../primitives/sharing/shares.ts';
import { withinOr } from '../../../../../primitives/time-limit.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Gateway } from '../../../gateway.ts';
import { ApiProblem, notFound, tooMany, unavailable } from '../../../http/api-problem.ts';
import { checkId, findOwned } from '../../owned.ts';

type Tested = Extract<Reply, { readonly type: 'WebhookTested' }>;

const waiting = new WeakMap<Gateway, Shares>();

/** Also of a webhook that is inactive. Throws ApiProblem or PortError. */
export async function testWebhook(gateway: Gateway, caller: Caller, webhookId: string): Promise<AttemptView> {
  checkId('wh', webhookId);
  if ((await findOwned<WebhookView>(gateway, caller, 'webhooks', webhookId)) === undefined) throw notFound();
  const places = waiting.get(gateway) ?? new Shares(testsWaitingMax);
  waiting.set(gateway, places);
  if (!places.take(caller.workspace)) throw tooMany('Too many tests of webhooks are under way.');
  try {
    return attemptOf(await tested(gateway, caller, webhookId), webhookId);
  } finally {
    places.leave(caller.workspace);
  }
}

/** Undefined: no answer in time. */
async function tested(gateway: Gateway, caller: Caller, webhookId: string): Promise<Tested | undefined> {
  const { ambient, log, instanceId } = gateway.options;
  const id = idFromBytes('req', ambient.randomBytes(idBytes));
  const chain = chainFrom(id, caller.traceparent);
  const { promise, resolve } = Promise.withResolvers<Tested>();
  // Listens before it asks, since the answer may come before the acknowledgement.
  const leave = log.onReply(instanceId, (reply) => {
    if (reply.type === 'WebhookTested' && reply.correlationId === chain.correlationId) resolve(reply);
  });
  try {
    const data = { webhookId, replyTo: instanceId };
    const envelope = { id, version: actedOnVersion, key: webhookId, at: ambient.now(), workspace: caller.workspace };
    const record = { ...envelope, type: 'WebhookTestRequested' as const, data, ...chain };
    await log.request({ topic: 'requests', partition: partitionOf(webhookId, log.partitions), record });
    return await gateway.watch.whileAnswering(withinOr(promise, Math.min(testMs, gateway.limits.callMs), undefined));
  } finally {
    leave();
  }
}

function attemptOf(reply: Tested | undefined, webhookId: string): AttemptView {
  if (reply === undefined) throw new ApiProblem(504, 'call_timed_out', 'No delivery process has answered in time.');
  const { attempt, refused } = reply;
  if (refused === 'too_many') throw tooMany('Too many tests of webhooks are under way.');
  if (attempt === null)
    throw unavailable(
      refused === 'no_key'
        ? `The signing key of webhook ${webhookId} does not open.`
        : `Delivery does not know webhook ${webhookId} yet.`,
    );
  const { trace, requestHeaders, answerHeaders, ...rest } = attempt;
  return {
    attempt: 1,
    outcome: attempt.status !== null && isSuccess(attempt.status) ? 'delivered' : 'failed',
    ...rest,
    trace: asJson(trace),
    requestHeaders: asJson(requestHeaders),
    answerHeaders: asJson(answerHeaders),
  };
}
