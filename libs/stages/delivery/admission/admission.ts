// Decides whether an attempt may begin now, and with which keys; others are held until they may begin.
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
  /** No more may be sent to this webhook. */
  readonly stop: (webhook: WebhookTarget) => void;
  /** The webhook's signing key does not open. */
  readonly closed: (webhook: WebhookTarget) => void;
  readonly logError: (message: string, details: object) => void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  /** Attempts that wait for a data key or for room in the outbox. */
  #held: (() => void)[] = [];

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The keys to sign with; undefined: not now, and `again` is called when the attempt may be possible. */
  keysOf(webhook: WebhookTarget, again: () => void): readonly SigningKey[] | undefined {
    const { outbox, keyring, ambient, logError, stop, closed } = this.#options;
    if (outbox.full) {
      this.#held.push(again);
      return undefined;
    }
    try {
      const keys = signingKeys(webhook, keyring, ambient.now());
      if (keys === undefined) this.#held.push(again);
      return keys;
    } catch {
      stop(webhook);
      closed(webhook);
      logError('The signing key of a webhook does not open: nothing is delivered to it.', {
        webhookId: webhook.webhookId,
      });
      // Nothing is sent now: a retry is suspended until the webhook is changed.
      again();
      return undefined;
    }
  }

  /** Tries the held attempts again. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const again of held) again();
  }
}
