// Sends webhooks by undici's connection pools, whose connections the address guard checks.
import type { EgressGuard } from '../../egress/index.ts';
import { OriginPools } from '../../egress/index.ts';
import type { WebhookOutcome, WebhookRequest } from '../webhook.ts';
import { Webhook } from '../webhook.ts';
import { timeoutBounds } from '../../domain/listener/webhook/settings.ts';
import { AttemptExchange } from './attempt-exchange.ts';

/** The most parsed URLs in the cache; one more empties it, which costs a microsecond for each that is parsed again. */
const targetsMax = 4_096;
/** How long closing waits for requests in flight, whose outcomes nobody uses any more. */
const closeWaitMs = 1_000;

interface Target {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
}

export class UndiciWebhook extends Webhook {
  readonly #pools: OriginPools;
  readonly #totalTimeoutMs: number;
  readonly #targets = new Map<string, Target>();
  #closed = false;

  constructor(options: {
    readonly guard: EgressGuard;
    /** The limit of attempts that name none (docs/reference/delivery.md, "Attempts"). */
    readonly totalTimeoutMs?: number;
    readonly connectionsMax?: number;
  }) {
    super();
    this.#pools = new OriginPools(options.guard, { connectionsMax: options.connectionsMax });
    this.#totalTimeoutMs = options.totalTimeoutMs ?? timeoutBounds.default;
  }

  override post(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome> {
    return new Promise((resolve) => {
      const target = this.#targetOf(request.url);
      const abort = (): void => exchange.fail('aborted', 'the attempt was aborted');
      const exchange = new AttemptExchange(
        target?.host ?? 'the URL',
        request.timeoutMs ?? this.#totalTimeoutMs,
        (outcome) => {
          signal?.removeEventListener('abort', abort);
          resolve(outcome);
        },
      );
      if (target === undefined) return exchange.fail('protocol', 'is not one of http or https');
      if (this.#closed || signal?.aborted === true) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      this.#send(target, request, exchange);
    });
  }

  override async close(): Promise<void> {
    this.#closed = true;
    await this.#pools.close(closeWaitMs);
  }

  #send({ origin, path }: Target, { headers, body, workspace }: WebhookRequest, exchange: AttemptExchange): void {
    try {
      this.#pools.poolOf(origin, workspace).dispatch({ method: 'POST', path, headers, body }, exchange);
    } catch (error) {
      exchange.fail('protocol', error instanceof Error ? error.message : String(error));
    }
  }

  #targetOf(url: string): Target | undefined {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const parsed = URL.parse(url);
    if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
    const target = { origin: parsed.origin, host: parsed.host, path: parsed.pathname + parsed.search };
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }
}
