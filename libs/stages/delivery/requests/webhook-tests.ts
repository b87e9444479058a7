// Tests webhooks: sends one signed attempt at once, without lanes, cursors or counters, and reports it in a reply.
import { boundedHeaders, maskAnswer, maskHeaders } from '../../../domain/delivery/attempt/attempt-details.ts';
import {
  testAttemptTimeoutMs,
  testEvent,
  testTimeoutMs,
  testsRunningMax,
} from '../../../domain/delivery/attempt/webhook-test.ts';
import type { TestAttempt, TestRefusal } from '../../../domain/delivery/attempt/webhook-test.ts';
import type { DeliveryRequest } from '../../../domain/delivery/replay/messages.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import { timeoutBounds } from '../../../domain/listener/webhook/settings.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import { sizes } from '../../../domain/sizes.ts';
import { SharedSlots } from '../../../primitives/sharing/shared-slots.ts';
import type { WebhookOutcome, WebhookRequest } from '../../../webhooks/webhook.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import { signingKeys } from '../targets/signing-keys.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { TaskOptions } from '../delivery-options.ts';
import { requestOf, sign } from '../targets/request.ts';

type TestRequest = Extract<DeliveryRequest, { readonly type: 'WebhookTestRequested' }>;

export interface WebhookTestsOptions extends Pick<TaskOptions, 'context' | 'ambient' | 'webhook'> {
  readonly registry: Registry;
  readonly keyring: Keyring;
}

export class WebhookTests {
  readonly #options: WebhookTestsOptions;
  readonly #slots = new SharedSlots(testsRunningMax);

  constructor(options: WebhookTestsOptions) {
    this.#options = options;
  }

  /** Starts a test. Never throws and never waits, so that no other work waits for a test. */
  start(request: TestRequest): void {
    const { registry, ambient } = this.#options;
    // After a restart or a long outage no client waits for the result any more.
    if (Math.abs(ambient.now() - request.at) > testTimeoutMs) return;
    const target = registry.webhook(request.data.webhookId);
    if (target === undefined || target.workspace !== request.workspace) return this.#refuse(request, 'unknown_webhook');
    const keys = this.#keysOf(target);
    if (keys === undefined) return this.#refuse(request, 'no_key');
    if (!this.#slots.tryAcquire(request.workspace)) return this.#refuse(request, 'too_many');
    this.#send(request, target, keys);
  }

  #keysOf(target: WebhookTarget): readonly SigningKey[] | undefined {
    try {
      return signingKeys(target, this.#options.keyring, this.#options.ambient.now());
    } catch {
      return undefined;
    }
  }

  #send(request: TestRequest, target: WebhookTarget, keys: readonly SigningKey[]): void {
    const { webhook, ambient, context } = this.#options;
    const startedAt = ambient.now();
    const post = testPost(request, target, { keys, at: startedAt });
    const fixed = target.headers;
    webhook.post(post).then(
      (outcome) => {
        this.#slots.release(request.workspace);
        const masked = outcome.kind === 'answered' ? maskAnswer(outcome, fixed) : outcome;
        const attempt = attemptOf(masked, startedAt, maskHeaders(post.headers, fixed));
        this.#reply(request, { attempt, refused: null });
      },
      (error: unknown) => context.fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #refuse(request: TestRequest, refused: TestRefusal): void {
    this.#reply(request, { attempt: null, refused });
  }

  #reply(
    { correlationId, data }: TestRequest,
    result: { readonly attempt: TestAttempt | null; readonly refused: TestRefusal | null },
  ): void {
    this.#options.context.log.reply(data.replyTo, { type: 'WebhookTested', correlationId, ...result });
  }
}

/** The test's POST: with a new `webhook-id`, so that no receiver takes it for a copy, and without a source. */
function testPost(
  { id, data: { webhookId }, workspace, correlationId }: TestRequest,
  target: WebhookTarget,
  { keys, at }: { readonly keys: readonly SigningKey[]; readonly at: number },
): WebhookRequest {
  const event = {
    offset: 0,
    emitterId: webhookId,
    eventId: id,
    channel: '',
    workspace,
    correlationId,
    recordId: id,
    body: testEvent(webhookId, at),
    hops: 0,
    isSample: true,
    budget: 'catchUp' as const,
    holders: 0,
  };
  const signed = sign(event, { subscriptionId: webhookId }, keys, at);
  const timeoutMs = Math.min(target.timeoutMs ?? timeoutBounds.default, testAttemptTimeoutMs);
  const { headers, ...request } = requestOf({ ...target, timeoutMs }, event, signed, {
    number: 1,
    replayId: undefined,
  });
  const { 'x-pd-emitter-id': _none, ...sent } = headers;
  return { ...request, headers: sent };
}

function attemptOf(
  outcome: WebhookOutcome,
  startedAt: number,
  requestHeaders: Readonly<Record<string, string>>,
): TestAttempt {
  const { durationMs, trace } = outcome;
  const shared = { startedAt, durationMs, trace, requestHeaders };
  if (outcome.kind === 'failed') {
    const { failure, message } = outcome;
    return { ...shared, status: null, failure, message, answer: null, answerHeaders: null };
  }
  const answerHeaders = boundedHeaders(outcome.headers, sizes.answerHeadersBytes);
  return { ...shared, status: outcome.status, failure: null, message: null, answer: outcome.answer, answerHeaders };
}
