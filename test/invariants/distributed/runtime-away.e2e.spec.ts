import { Cluster } from '../../support/cluster/cluster.ts';
import { lightJava } from '../../support/cluster/light-java.ts';
import { Receiver } from '../../support/receiver.ts';
import { pause, until } from '../../support/until.ts';

const startMs = 120_000;
/** Every 5 s runtime tells gateways what it has taken. */
const toldMs = 6_000;
/** From its start: the group needs 6 s to notice that a member is missing. */
const takenAgainMs = 20_000;

/** Its run ends when the receiver answers. */
const component = (url: string): string => `export default {
  name: 'Asks', version: '0.0.1', type: 'source',
  async run(event) { await fetch('${url}', { method: 'POST', body: JSON.stringify(event) }); },
};`;

let cluster: Cluster;
let receiver: Receiver;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  receiver = await Receiver.start();
  cluster = await Cluster.start({ brokerOptions: { javaOptions: lightJava } });
  headers = { authorization: `Bearer ${await cluster.apiKey()}`, 'content-type': 'application/json' };
}, startMs);

afterAll(async () => {
  await cluster?.remove();
  await receiver?.stop();
}, startMs);

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly details?: { readonly run_id?: string }; readonly data?: object };
}

async function sendRequest(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${cluster.baseUrl}/v1/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

test('while runtime is killed, a run that it had taken is waited for, and one that none has taken is answered with 503 and begins later', async () => {
  const [runtime] = cluster.instances('runtime');
  const deployed = await sendRequest('POST', 'sources', { component_code: component(receiver.url('/asked')) });
  const { id } = deployed.body.data as { id: string };
  const runNow = (n: number): Promise<Answer> => sendRequest('POST', `sources/${id}/run?wait=1`, { event: { n } });
  receiver.behaviours.set('/asked', 'hang');

  const taken = runNow(1);
  await until('the run to begin', () => receiver.requestsTo('/asked').length > 0);
  await pause(toldMs);
  await runtime?.kill();
  const untaken = await runNow(2);
  expect([untaken.status, untaken.body.code]).toEqual([503, 'unknown_outcome']);

  receiver.behaviours.set('/asked', 'ok');
  await runtime?.start();
  const { status, body } = await taken;
  expect([status, body.data]).toMatchObject([200, { outcome: 'succeeded' }]);
  const path = `sources/${id}/runs/${untaken.body.details?.run_id}`;
  const run = await until('the other run', async () => (await sendRequest('GET', path)).body.data, takenAgainMs);
  expect(run).toMatchObject({ outcome: 'succeeded' });
}, 120_000);
