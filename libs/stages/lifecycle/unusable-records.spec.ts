import { recordOf, samples } from '../../domain/record/samples.fake.ts';
import { unusableRecords } from '../../domain/record/unusable-records.fake.ts';
import type { LogRecord } from '../../domain/message.ts';
import { wrapKey } from '../../domain/workspace/keyring.ts';
import { ControlLog, masterKey, workspace } from './control-log.fake.ts';

const request = (control: ControlLog, record: LogRecord): Promise<number> =>
  control.log.request({ topic: 'commands', partition: 0, record });

test.each([
  ['DeploySource', 'components', 'SourceDeployRefused'],
  ['DeleteSource', 'components', 'SourceDeleteRefused'],
  ['CreateWebhook', 'listeners', 'WebhookCreateRefused'],
  ['DeleteWebhook', 'listeners', 'WebhookDeleteRefused'],
  ['DisableWebhook', 'listeners', 'WebhookDisableRefused'],
  ['CreateSubscription', 'listeners', 'SubscriptionCreateRefused'],
  ['DeleteSubscription', 'listeners', 'SubscriptionDeleteRefused'],
] as const)('refuses each %s that cannot be read, once', async (type, topic, refused) => {
  const control = new ControlLog();
  const readable = unusableRecords('commands', type, samples.commands[type]).filter(
    ([, record]) => record.type === type,
  );
  for (const [i, [, record]] of readable.entries()) await request(control, { ...record, id: `cmd_${i}` });
  await control.settle();
  expect(control.types(topic)).toEqual(readable.map(() => refused));
  expect(control.newest(topic, refused)).toMatchObject({ reason: 'malformed' });
});

test('an alert is recorded once, is known to the next owner, and ends on request', async () => {
  const control = new ControlLog();
  const alert = { code: 'malformed_record', subject: 'runs' };
  const send = (type: string, data: object, id: string) =>
    request(control, recordOf(type, data, { id, workspace: '' }));
  for (const id of ['cmd_1', 'cmd_2']) await send('RaiseAlert', { ...alert, message: 'm' }, id);
  await control.settle();
  const raised = control.log.records('alerts');
  expect(raised).toMatchObject([{ type: 'AlertRaised' }]);
  control.kill();
  await send('RaiseAlert', { ...alert, message: 'm' }, 'cmd_3');
  await control.settle();
  expect(control.log.records('alerts')).toEqual(raised);
  await send('EndAlert', alert, 'cmd_4');
  await control.settle();
  expect(control.types('alerts')).toEqual(['AlertEnded']);
});

test('opens despite one damaged data key among good ones', async () => {
  const control = new ControlLog();
  await control.createWorkspace();
  await control.settle();
  control.kill();
  const writer = await control.log.own('lifecycle', 0);
  const damaged = recordOf('DataKeyAdded', { keyId: 'k', wrapped: 'AAAA' }, { key: 'o_2', workspace: 'o_2' });
  await writer.append([{ topic: 'keys', partition: 0, record: damaged }], writer.mark.positions);
  await expect(control.open()).resolves.toBeDefined();
  expect(wrapKey(masterKey, Buffer.alloc(32), Buffer.alloc(12), workspace).wrapped).not.toBe('AAAA');
});
