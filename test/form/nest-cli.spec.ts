import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface NestCli {
  readonly projects: Readonly<Record<string, { readonly root: string; readonly entryFile: string }>>;
}

/** `pd` and the console are clients of the service and do not use Nest. */
const clients = new Set(['cli', 'console']);

test('every app of the service is a project of the Nest CLI with the same name', () => {
  const { projects } = JSON.parse(read('nest-cli.json')) as NestCli;
  const apps = readdirSync(new URL('../../apps', import.meta.url)).filter((name) => !clients.has(name));
  expect(Object.keys(projects).sort()).toEqual(apps.sort());
  for (const [name, { root, entryFile }] of Object.entries(projects)) {
    expect(root).toBe(`apps/${name}`);
    expect(read(`${root}/${entryFile}.ts`)).toContain('await run(');
  }
});
