// Decides whether an attempt can begin now, and which keys sign it; holds the other attempts until they can begin.
import type { Ambient } from '../../../domain/ambient.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import type { Keyring } from '../../../domain/workspace/keyring.ts';
import { signingKeys } from '../targets/signing-keys.ts';
import type { WebhookTarget } from '../targets/target.ts';
import type { Outbox } from '../outbox.ts';

export interface AdmissionOptions {
  readonly outbox: Outbox;
  readonly keyring: Keyring;
  readonly ambient: Pick<Ambient, 'now'>;
  /** Stops sending to this webhook. */
  readonly stop: (webhook: WebhookTarget) => void;
  /** Reports that the webhook's signing key cannot be unsealed. */
  readonly onClosedKey: (webhook: WebhookTarget) => void;
  readonly logError: (message: string, details: object) => void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  /** Attempts that wait for a data key or for room in the outbox. */
  #waiting: (() => void)[] = [];

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The keys to sign with; undefined: the attempt cannot begin now, and `retry` is called when it might. */
  keysOf(webhook: WebhookTarget, retry: () => void): readonly SigningKey[] | undefined {
    const { outbox, keyring, ambient, logError, stop, onClosedKey } = this.#options;
    if (outbox.isFull) {
      this.#waiting.push(retry);
      return undefined;
    }
    try {
      const keys = signingKeys(webhook, keyring, ambient.now());
      if (keys === undefined) this.#waiting.push(retry);
      return keys;
    } catch {
      stop(webhook);
      onClosedKey(webhook);
      logError('The signing key of a webhook does not open: nothing is delivered to it.', {
        webhookId: webhook.webhookId,
      });
      // The webhook is stopped now, so this suspends a retry until the webhook is changed.
      retry();
      return undefined;
    }
  }

  /** Tries the held attempts again. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const retry of waiting) retry();
  }
}
