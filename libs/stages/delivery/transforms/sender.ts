// Sends an attempt: the unchanged event, or the result of its subscription's transform.
import {
  transformMetadata,
  type TransformError,
  type TransformOutcome,
} from '../../../domain/delivery/transform/transform.ts';
import type { Transformer } from '../../../sandbox/transformer.ts';
import type { Webhook, WebhookRequest } from '../../../webhooks/webhook.ts';
import { transformOf } from '../filters/subscription-filters.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { Attempt } from '../records/attempt-records.ts';
import { requestOf, sign, type SignedMessage } from '../targets/request.ts';
import type { AttemptOutcome } from '../outcomes/outcome.ts';

export class Sender {
  readonly #webhook: Webhook;
  readonly #transformer: Pick<Transformer, 'transform'>;

  constructor(webhook: Webhook, transformer: Pick<Transformer, 'transform'>) {
    this.#webhook = webhook;
    this.#transformer = transformer;
  }

  /** Sends an attempt; `signed`: the unchanged event. Always resolves. */
  send(attempt: Attempt, signed: SignedMessage): Promise<AttemptOutcome> {
    const { cursor, event } = attempt;
    const { webhook } = cursor.subscription;
    const text = transformOf(cursor.subscription, event);
    if (text !== undefined) return this.#sendTransformed(attempt, text);
    const request = requestOf(webhook, event, signed, { number: attempt.number, replayId: cursor.replayId });
    return this.#post(attempt, request, webhook.headers);
  }

  async #sendTransformed(attempt: Attempt, text: string): Promise<AttemptOutcome> {
    const { subscriptionId, workspace, webhook } = attempt.cursor.subscription;
    const { event } = attempt;
    // A copy, because the webhook can change after the attempt has begun.
    const target = { ...webhook };
    const metadata = transformMetadata(subscriptionId, event);
    const begunAt = performance.now();
    const input = { subscriptionId, workspace, text, event: event.body, metadata };
    const result = await this.#transformer.transform(input);
    if (result.kind === 'sent') return this.#post(attempt, requestFor(attempt, target, result), target.headers);
    if (result.kind === 'dropped') return result;
    const durationMs = Math.round(performance.now() - begunAt);
    return { kind: 'failed', failure: 'transform_failed', message: errorText(result.error), durationMs, trace: {} };
  }

  #post(attempt: Attempt, request: WebhookRequest, fixed: WebhookTarget['headers']): Promise<AttemptOutcome> {
    attempt.sent = { headers: request.headers, fixed };
    return this.#webhook.post(request);
  }
}

/** The transform's headers override the webhook's, and never those of the service. */
function requestFor(
  { cursor, keys, number, startedAt, event: original }: Attempt,
  { url, timeoutMs, headers: fixed }: WebhookTarget,
  { body, headers }: Extract<TransformOutcome, { kind: 'sent' }>,
): WebhookRequest {
  const event = { ...original, body: body ?? original.body };
  const signed = sign(event, cursor.subscription, keys, startedAt);
  return requestOf({ url, timeoutMs, headers: mergeHeaders(fixed, headers) }, event, signed, {
    number,
    replayId: cursor.replayId,
  });
}

/** Merges headers; their names ignore case. */
function mergeHeaders(...all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const entries = all.flatMap((headers) => Object.entries(headers));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** The most characters of an error that are kept on the log and shown. */
const messageCharsMax = 1_000;

/** The error as shown: its place in the text, and what is wrong there. */
export const errorText = ({ message, line, column }: TransformError): string =>
  `${line === null ? '' : `line ${line}, column ${column ?? 1}: `}${message}`.slice(0, messageCharsMax);
