// The contract suite of the webhook port, for every adapter and fake.
import type { Webhook, WebhookOutcome } from './webhook.ts';

/** A receiver under the suite's control. */
export interface Receiver {
  readonly url: string;
  /** Sets the receiver's response from now on; `silent`: none, `closing`: it closes the connection. */
  answers(
    how: { readonly status: number; readonly body?: string; readonly retryAfter?: string } | 'silent' | 'closing',
  ): void;
  /** Bodies and headers received so far. */
  readonly received: readonly { readonly body: string; readonly headers: Readonly<Record<string, unknown>> }[];
}

export interface WebhookUnderTest {
  readonly webhook: Webhook;
  readonly receiver: Receiver;
  end(): Promise<void>;
}

const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };

export function webhookContract(name: string, start: () => Promise<WebhookUnderTest>): void {
  describe(`${name} keeps the webhook port's promises`, () => {
    let under: WebhookUnderTest;
    const post = (body = '{"a":"ü"}', signal?: AbortSignal): Promise<WebhookOutcome> =>
      under.webhook.post({ url: under.receiver.url, headers, body }, signal);

    beforeEach(async () => {
      under = await start();
    });
    afterEach(() => under.end());

    test('the body arrives unchanged, with its headers', async () => {
      under.receiver.answers({ status: 200, body: 'ok' });
      expect(await post()).toMatchObject({ kind: 'answered', status: 200, answer: 'ok' });
      expect(under.receiver.received).toHaveLength(1);
      expect(under.receiver.received[0]).toMatchObject({ body: '{"a":"ü"}', headers });
    });

    test.each([204, 301, 404, 410, 429, 500, 503])(
      'status %d is an answer; redirects are not followed',
      async (status) => {
        under.receiver.answers({ status });
        expect(await post()).toMatchObject({ kind: 'answered', status });
        expect(under.receiver.received).toHaveLength(1);
      },
    );

    test('Retry-After is given in seconds, and only when it was sent', async () => {
      under.receiver.answers({ status: 503, retryAfter: '120' });
      expect(await post()).toMatchObject({ kind: 'answered', retryAfterSeconds: 120 });
      under.receiver.answers({ status: 503 });
      expect(await post()).not.toHaveProperty('retryAfterSeconds');
    });

    test('an outcome has the answer’s headers, the address that was dialled and when the first byte came', async () => {
      under.receiver.answers({ status: 503, retryAfter: '120' });
      const outcome = await post();
      expect(outcome).toMatchObject({ headers: { 'retry-after': '120' } });
      expect(outcome.trace).toMatchObject({ address: expect.stringMatching(/^\S+:\d+$/) });
      expect(outcome.trace.firstByteMs).toBeLessThanOrEqual(outcome.durationMs);
      expect(outcome.trace.firstByteMs).toBeGreaterThanOrEqual(0);
    });

    test('an answer is kept up to 16 KiB, and a longer one still counts by its status', async () => {
      under.receiver.answers({ status: 200, body: 'x'.repeat(20_000) });
      expect(await post()).toMatchObject({ status: 200, answer: 'x'.repeat(16_384) });
      under.receiver.answers({ status: 200, body: 'x'.repeat(5_000_000) });
      expect(await post()).toMatchObject({ kind: 'answered', status: 200, answer: 'x'.repeat(16_384) });
    });

    test('without an answer in time the outcome is a timeout', async () => {
      under.receiver.answers('silent');
      expect(await post()).toMatchObject({ kind: 'failed', failure: 'timeout' });
    });

    test('a closed connection gives a failed outcome, and the next post works', async () => {
      under.receiver.answers('closing');
      expect(await post()).toMatchObject({ kind: 'failed', failure: 'closed' });
      under.receiver.answers({ status: 200 });
      expect(await post()).toMatchObject({ kind: 'answered', status: 200 });
    });

    test('an aborted attempt has the outcome aborted', async () => {
      under.receiver.answers('silent');
      const controller = new AbortController();
      const outcome = post('{}', controller.signal);
      controller.abort();
      expect(await outcome).toMatchObject({ kind: 'failed', failure: 'aborted' });
      expect(await post('{}', controller.signal)).toMatchObject({ kind: 'failed', failure: 'aborted' });
    });

    test('many posts at once are all answered', async () => {
      under.receiver.answers({ status: 200, body: 'ok' });
      const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => post(`{"n":${i}}`)));
      expect(outcomes.every((outcome) => outcome.kind === 'answered' && outcome.status === 200)).toBe(true);
      const bodies = under.receiver.received.map(({ body }) => body);
      expect(new Set(bodies).size).toBe(100);
    });

    test('a closed webhook port answers without sending', async () => {
      await under.webhook.close();
      expect(await post()).toMatchObject({ kind: 'failed' });
      expect(under.receiver.received).toHaveLength(0);
    });
  });
}
