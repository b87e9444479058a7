import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string>>;
const file = new URL('../../../deploy/local/distributed/environment.mjs', import.meta.url).href;
const { projectionFile, projectionPort } = (await import(file)) as {
  projectionFile(env: Environment): string;
  projectionPort(env: Environment): Environment;
};

let DATA_DIR: string;
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'environment-'));
});
afterEach(() => rm(DATA_DIR, { recursive: true }));

test.each(['http://127.0.0.1:40123', 'http://[::1]:40123'])(
  'a rebuild asks the projection that was started at %s, whatever HEALTH_PORT says',
  async (url) => {
    const env = { DATA_DIR, HEALTH_PORT: '8080' };
    await writeFile(projectionFile(env), url);
    expect({ ...env, ...projectionPort(env) }).toEqual({ DATA_DIR, HEALTH_PORT: '40123' });
  },
);

test('a rebuild uses HEALTH_PORT when no projection was started here', () => {
  const env = { DATA_DIR, HEALTH_PORT: '8080' };
  expect({ ...env, ...projectionPort(env) }).toEqual(env);
});
