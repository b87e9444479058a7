// Creates a second workspace in a test bed, whose requests must not see anything of the first one.
import { randomBytes } from 'node:crypto';
import { derivedId } from '../../../domain/id.ts';
import { keyBytes, nonceBytes } from '../../../domain/secrets/seal.ts';
import { wrapKey } from '../../../domain/workspace/keyring.ts';
import { hashApiKey } from '../control/api-keys.ts';
import type { Answer, TestRequest, TestBed } from '../test-bed.fake.ts';

export type Ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, asked?: TestRequest) => Promise<Answer>;

const workspace = derivedId('o', 'second');
const strangerKey = 'pd_stranger';

/** Returns a function that sends a request with the new workspace's key. */
export async function askFromSecondWorkspace(bed: TestBed): Promise<Ask> {
  const ask: Ask = (method, url, { headers = {}, ...request } = {}) =>
    bed.send(method, url, { ...request, headers: { authorization: `Bearer ${strangerKey}`, ...headers } });
  const userId = derivedId('u', 'second');
  const dataKey = wrapKey(bed.settings.masterKey, randomBytes(keyBytes), randomBytes(nonceBytes), workspace);
  const data = { name: 'Second', userId, username: 's', email: 's@x', apiKeyHash: hashApiKey(strangerKey), dataKey };
  const ids = { id: 'cmd_second', correlationId: 'req_second', causationId: 'req_second' };
  const record = { ...ids, type: 'CreateWorkspace', version: 1, key: workspace, data, at: Date.now(), workspace };
  await bed.log.request({ topic: 'commands', partition: 0, record });
  while ((await ask('GET', '/v1/users/me')).status !== 200) await new Promise(setImmediate);
  return ask;
}
