import { localImport } from './code.ts';

test.each([
  ["import { a } from './a.mjs';", './a.mjs'],
  ["import a, {\n  b,\n} from '../b.js'", '../b.js'],
  ["import './side-effect.mjs'", './side-effect.mjs'],
  ["export * from './c.ts';", './c.ts'],
  ["const d = require('./d');", './d'],
  ["const e = await import('./e.mjs');", './e.mjs'],
  ["import axios from 'axios';", undefined],
  ["import { createHash } from 'node:crypto';\nexport default { name: './x' };", undefined],
  ["// import a from './a.mjs'", undefined],
  ['const text = "import a from \'./a.mjs\'";', undefined],
])('of %j the file that is imported is %j', (code, imported) => {
  expect(localImport(code)).toBe(imported);
});
