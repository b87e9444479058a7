// A fake webhook port in memory: returns scripted outcomes and records every call.
import { sizes } from '../domain/sizes.ts';
import type { AnswerHeaders, AttemptTrace } from '../domain/delivery/attempt/attempt-details.ts';
import type { WebhookFailure, WebhookOutcome, WebhookRequest } from './webhook.ts';
import { Webhook } from './webhook.ts';

/** `hangs` resolves only when it is aborted, settled by hand, or the port closes. */
export type ScriptedOutcome =
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: AnswerHeaders;
      readonly retryAfterSeconds?: number;
    }
  | { readonly failure: WebhookFailure }
  | 'hangs';

export interface FakeCall {
  readonly request: WebhookRequest;
  /** Undefined while it is in flight. */
  outcome: WebhookOutcome | undefined;
  /** Ends a hanging call. */
  settle(scripted: Exclude<ScriptedOutcome, 'hangs'>): void;
}

type Script = (request: WebhookRequest, nth: number) => ScriptedOutcome | Promise<ScriptedOutcome>;

export class FakeWebhook extends Webhook {
  readonly calls: FakeCall[] = [];
  script: Script;
  #closed = false;

  constructor(script: Script = () => ({ status: 200, body: 'ok' })) {
    super();
    this.script = script;
  }

  get inFlight(): number {
    return this.calls.filter((call) => call.outcome === undefined).length;
  }

  override post(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome> {
    if (this.#closed || signal?.aborted === true) return Promise.resolve(outcomeOf({ failure: 'aborted' }));
    return new Promise((resolve) => {
      const call: FakeCall = {
        request,
        outcome: undefined,
        settle: (scripted) => {
          call.outcome ??= outcomeOf(scripted);
          resolve(call.outcome);
        },
      };
      this.calls.push(call);
      signal?.addEventListener('abort', () => call.settle({ failure: 'aborted' }), { once: true });
      void this.#runScript(call);
    });
  }

  override close(): Promise<void> {
    this.#closed = true;
    for (const call of this.calls) call.settle({ failure: 'aborted' });
    return Promise.resolve();
  }

  async #runScript(call: FakeCall): Promise<void> {
    const scripted = await this.script(call.request, this.calls.length);
    if (scripted !== 'hangs') call.settle(scripted);
  }
}

/** The trace of a request on a connection that was already open. */
const trace: AttemptTrace = { address: '192.0.2.1:443', firstByteMs: 1 };

function outcomeOf(scripted: Exclude<ScriptedOutcome, 'hangs'>): WebhookOutcome {
  if ('failure' in scripted) {
    const { failure } = scripted;
    return { kind: 'failed', failure, message: `receiver.example: ${failure}`, durationMs: 1, trace: {} };
  }
  const { status, body = '', headers = {}, retryAfterSeconds } = scripted;
  const answer = Buffer.from(body).subarray(0, sizes.answerStoredBytes).toString();
  return {
    kind: 'answered',
    status,
    answer,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    headers,
    durationMs: 1,
    trace,
  };
}
