import { pathsProblem } from './paths.ts';
import { codeHashOf, filesMax, pathCharsMax, programBytes } from './program.ts';

test.each([
  [['/etc/passwd'], /not relative/],
  [['C:/x.mjs'], /not relative/],
  [['../x.mjs'], /shortest form/],
  [['a/../x.mjs'], /shortest form/],
  [['./x.mjs'], /shortest form/],
  [['a//x.mjs'], /shortest form/],
  [['a/'], /shortest form/],
  [[''], /shortest form/],
  [['a\\x.mjs'], /backslash/],
  [['a\u0000.mjs'], /characters/],
  [['\ud800.mjs'], /characters/],
  [['node_modules/axios/index.js'], /packages are imported by name/],
  [['a/x.mjs', 'a'], /a file and a folder/],
  [['p'.repeat(pathCharsMax + 1)], /more than 200/],
  [Array.from({ length: filesMax + 1 }, (_, n) => `${n}.mjs`), /at most 200 files/],
])('the paths %j are refused', (paths, why) => {
  expect(pathsProblem(paths)).toMatch(why);
});

test('paths across folders are accepted, also with spaces and non-ASCII names', () => {
  const paths = [
    'sources/new issue/new-issue.mjs',
    'gitlab.app.mjs',
    'common/base.mjs',
    '.hidden/ä.ts',
    '__proto__.js',
  ];
  expect(pathsProblem([...paths, 'p'.repeat(pathCharsMax)])).toBeUndefined();
});

test('the hash covers all texts and paths in any order, and for a single file is the hash of its code', () => {
  const files = { 'b.mjs': 'b', 'c.mjs': 'c' };
  const hash = codeHashOf({ code: 'a', entry: 'a.mjs', files });
  expect(codeHashOf({ code: 'a', entry: 'a.mjs', files: { 'c.mjs': 'c', 'b.mjs': 'b' } })).toBe(hash);
  const others = [
    { code: 'x', entry: 'a.mjs', files },
    { code: 'a', entry: 'x.mjs', files },
    { code: 'a', files },
    { code: 'a', entry: 'a.mjs' },
    { code: 'a', entry: 'a.mjs', files: { 'b.mjs': 'x', 'c.mjs': 'c' } },
    { code: 'a', entry: 'a.mjs', files: { 'x.mjs': 'b', 'c.mjs': 'c' } },
  ].map(codeHashOf);
  expect(new Set([hash, ...others]).size).toBe(others.length + 1);
  expect(codeHashOf({ code: '' })).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('the size of a program counts the bytes of all paths and texts', () => {
  expect(programBytes({ code: 'ä', entry: 'a.mjs', files: { 'b.mjs': 'bb' } })).toBe(2 + 5 + 5 + 2);
});
