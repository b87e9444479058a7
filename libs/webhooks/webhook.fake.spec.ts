import { webhookContract, type Receiver } from './webhook.contract.ts';
import { FakeWebhook, type ScriptedOutcome } from './webhook.fake.ts';

webhookContract('FakeWebhook', async () => {
  let scripted: ScriptedOutcome = { status: 200 };
  const webhook = new FakeWebhook((request, nth) => {
    if (scripted === 'hangs' && request.body !== '{}') {
      // A fake has no clock: whoever stays silent for good has timed out.
      queueMicrotask(() => webhook.calls[nth - 1]?.settle({ failure: 'timeout' }));
    }
    return scripted;
  });
  const receiver: Receiver = {
    url: 'https://receiver.example/',
    answers(how) {
      if (how === 'silent') scripted = 'hangs';
      else if (how === 'closing') scripted = { failure: 'closed' };
      else {
        const { retryAfter, ...answer } = how;
        const headers = { 'retry-after': retryAfter ?? '' };
        scripted = retryAfter === undefined ? answer : { ...answer, headers, retryAfterSeconds: Number(retryAfter) };
      }
    },
    get received() {
      return webhook.calls.map(({ request }) => request);
    },
  };
  return { webhook, receiver, end: () => webhook.close() };
});
