import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ApiError } from '../../../libs/client/index.ts';
import { codeOf, refuseFolder, refuseUnknownCode } from './code.ts';
import { importedFiles } from './files.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'files-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

test('every imported file is sent once, from any folder and for every form of import', async () => {
  const files = {
    'app/sources/a/a.mjs':
      'import app from "../../acme.app.mjs";\nexport * from \'../common/base.mjs\';\nconst x = require("./data");\nimport "axios";',
    'app/acme.app.mjs': 'import sources from "./sources/a/a.mjs";\nconst later = () => import(`./later.js`);',
    'app/sources/common/base.mjs': "import { t } from './types.js';\nimport e from './events';",
    'app/sources/common/types.ts': 'export const t = 1;',
    'app/sources/common/events/index.mjs': 'export default [];',
    'app/sources/a/data.json': '{ "from": "./not-this.mjs" }',
    'app/later.js': '',
  };
  await write({ ...files, 'app/sources/a/not-this.mjs': '', 'app/unused.mjs': '', 'app/sources/a/picture.png': 'x' });
  const code = await codeOf(join(dir, 'app/sources/a/a.mjs'));
  const expected = Object.fromEntries(Object.entries(files).map(([path, text]) => [path.slice('app/'.length), text]));
  expect(code).toEqual({ entry: 'sources/a/a.mjs', files: expected });
});

test('a file that imports no other file is sent alone, also if its text only looks like an import', async () => {
  const text = '// from "./nowhere.mjs"\nimport y from "../missing";\nrequire(".");';
  await write({ 'a.mjs': text });
  expect(await codeOf(join(dir, 'a.mjs'))).toEqual({ component_code: text });
});

test('files that import each other are collected once', async () => {
  const many = Array.from({ length: 400 }, (_, n) => [`${n}.mjs`, `import "./${n + 1}.mjs";`]);
  await write(Object.fromEntries(many) as Record<string, string>);
  const path = join(dir, '0.mjs');
  expect((await importedFiles({ path, text: 'import "./1.mjs";' })).files.length).toBeLessThanOrEqual(202);
});

test('for a missing import, the paths where it could be are returned', async () => {
  const path = join(dir, 'a.mjs');
  const { files, missing: absent } = await importedFiles({
    path,
    text: 'import "./common/b.js"; import "./picture.png";',
  });
  expect(files.map((file) => file.path)).toEqual([path]);
  expect(absent).toEqual(expect.arrayContaining(['b.js', 'b.ts'].map((name) => join(dir, 'common', name))));
  expect(absent).not.toContain(join(dir, 'picture.png'));
});

test('a folder is refused: the file in it is to be named', async () => {
  await expect(codeOf(`${dir}/.`)).rejects.toThrow('is a folder.');
  await expect(codeOf('apps/cli/')).rejects.toThrow('is a folder.');
  await expect(codeOf('apps/cli')).rejects.toThrow('is a folder.');
  expect(await codeOf('apps')).toEqual({ component_id: 'apps' });
  expect(() => refuseFolder('apps')).toThrow('is a folder.');
  expect(() => refuseFolder('no-such-folder')).not.toThrow();
});

test('only where nothing has the name of a folder, the folder is what was meant', () => {
  const notFound = new ApiError('not found', { status: 404, code: 'not_found', details: undefined });
  const refused = new ApiError('refused', { status: 400, code: 'invalid_request', details: undefined });
  expect(() => refuseUnknownCode(notFound, 'apps')).toThrow('is a folder.');
  expect(() => refuseUnknownCode(notFound, 'no-such-folder')).toThrow(notFound);
  expect(() => refuseUnknownCode(refused, 'apps')).toThrow(refused);
});
