// Tests a webhook: delivery sends one signed event now, and the result is the answer.
import { testTimeoutMs } from '../../../../../domain/delivery/attempt/webhook-test.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { isSuccess } from '../../../../../domain/delivery/retry.ts';
import { asJson } from '../../../../../domain/views/view.ts';
import type { AttemptView } from '../../../../../domain/views/index.ts';
import type { Reply } from '../../../../../log/log.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, tooManyRequests, unavailable } from '../../../http/api-problem.ts';
import { readOwned } from '../../owned-documents.ts';
import { requestRecord } from '../../../commands/request-record.ts';

type TestReply = Extract<Reply, { readonly type: 'WebhookTested' }>;

/** Works for an inactive webhook, too. Throws ApiProblem, TooManyWaiting or PortError. */
export async function testWebhook(
  parts: Parts<'views' | 'log' | 'webhookTests' | 'limits' | 'ambient' | 'instanceId'>,
  caller: Caller,
  webhookId: string,
): Promise<AttemptView> {
  await readOwned(parts, caller, 'webhooks', webhookId);
  const { ambient, instanceId } = parts;
  const message = { type: 'WebhookTestRequested', data: { webhookId, replyTo: instanceId } } as const;
  const record = requestRecord(ambient, caller, { key: webhookId, ...message });
  const partition = partitionOf(webhookId, parts.log.partitions);
  const answer = await parts.webhookTests.send(partition, record, Math.min(testTimeoutMs, parts.limits.callMs));
  return attemptOf(answer, webhookId);
}

function attemptOf(reply: TestReply | undefined, webhookId: string): AttemptView {
  if (reply === undefined) throw new ApiProblem(504, 'call_timed_out', 'No delivery process has answered in time.');
  const { attempt, refused } = reply;
  if (refused === 'too_many') throw tooManyRequests('Too many tests of webhooks are under way.');
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
