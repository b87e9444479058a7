// A gateway next to newer programs refuses commands whose outcome it could not read.
import { until } from '../../../../test/support/until.ts';
import { TestBed } from '../test-bed.fake.ts';

test('a command is refused at once, and not carried out, if records of a newer program hide its outcome', async () => {
  const bed = await TestBed.start();
  const writer = await bed.log.own('lifecycle', 0);
  const chain = { id: 'rec_newer', at: 0, workspace: 'o_1', correlationId: 'req_newer', causationId: 'cmd_newer' };
  const record = { ...chain, type: 'WebhookCreated', version: 99, key: 'wh_newer', data: {} };
  await writer.append([{ topic: 'listeners', partition: 0, record }] as never, writer.mark.positions);
  // It no longer knows whether a key is unknown.
  const stranger = { headers: { authorization: `Bearer pd_${'0'.repeat(40)}` } };
  await until('the gateway to notice', async () => (await bed.send('GET', '/v1/users/me', stranger)).status === 503);
  const began = performance.now();
  const { status, headers, body } = await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } });
  expect(performance.now() - began).toBeLessThan(bed.parts.limits.outcomeMs / 2);
  expect({ status, body, after: headers['retry-after'] }).toEqual({
    status: 503,
    body: {
      error: expect.stringMatching(/listeners holds records of version 99.*start the newer program/),
      code: 'unavailable',
    },
    after: '1',
  });
  expect(bed.log.records('commands').map(({ type }) => type)).not.toContain('CreateWebhook');
  await bed.stop();
});
