// Errors keep only the parts that are useful to their author, whatever the guest sends.
import { bundleOf } from '../../spec/harness.ts';
import { componentError, mapConsoleText } from './component-error.ts';
import { Positions } from './positions.ts';

/** The position of a text in the compiled file, counted from 1. */
function placeOf(js: string, text: string): string {
  const lines = js.split('\n');
  const line = lines.findIndex((candidate) => candidate.includes(text));
  return `${line + 1}:${(lines[line] ?? '').indexOf(text) + 1}`;
}

it('maps frames of the component, and drops those of anything else', async () => {
  const bundle = await bundleOf('import "path";\n\nexport default {\n  run() { explode(); },\n};\n');
  const at = placeOf(bundle.js, 'explode()');
  const stack = `Error: x\n    at Object.run (component.js:${at})\n    at invoke (runtime.js:1:2)\n    at async component.js:${at}\n    at eval (<anonymous>:1:1)`;
  const error = componentError(JSON.stringify({ name: 'Error', message: 'x', stack }), new Positions(bundle.map));
  expect(error).toMatchObject({ line: 4, column: 11 });
  expect(error.stack).toBe('Error: x\n    at Object.run (component.js:4:11)\n    at async component.js:4:11');
  expect(mapConsoleText(`Uncaught ${stack}`, new Positions(bundle.map))).toContain('component.js:4:11');
});

it.each([
  ['(0 , import_node_util.parseArgs) is not a function', 'parseArgs is not a function'],
  ['(0,import_node_util2.parseArgs) is not a function', 'parseArgs is not a function'],
  ['import_node_crypto.default.createECDH is not a function', 'crypto.createECDH is not a function'],
  ['import_axios2.default.fetch is not a function', 'axios.fetch is not a function'],
  ["Cannot read properties of undefined (reading 'x')", "Cannot read properties of undefined (reading 'x')"],
])('says %j as its author wrote it', async (message, written) => {
  const json = JSON.stringify({
    name: 'TypeError',
    message,
    stack: `TypeError: ${message}\n    at x (runtime.js:1:1)`,
  });
  const error = componentError(json, new Positions((await bundleOf('exports.a = 1')).map));
  expect(error).toEqual({ name: 'TypeError', message: written, stack: `TypeError: ${written}` });
});

it('shows no frame of the service where an error has no other, and keeps lines that only look like one', async () => {
  const positions = new Positions((await bundleOf('exports.a = 1')).map);
  const frames =
    '    at systemError (runtime.js:118:83402)\n    at runtime.js:36:2959\n    at (<isolated-vm boundary>)';
  expect(mapConsoleText(`Uncaught Error: ENOENT\n${frames}`, positions)).toBe('Uncaught Error: ENOENT');
  for (const text of ['at runtime.js:1:2', 'see\n  at noon: runtime.js is late', '  at home\nruntime.js:1:2'])
    expect(mapConsoleText(text, positions)).toBe(text);
});

it('keeps the brace behind which the console shows the fields of an error', async () => {
  const bundle = await bundleOf('export default {\n  run() { explode(); },\n};\n');
  const positions = new Positions(bundle.map);
  const at = placeOf(bundle.js, 'explode()');
  const shown = (frames: string): string =>
    mapConsoleText(`{\n  e: Error: x\n${frames} {\n    code: 1\n  }\n}`, positions);
  const mapped = '{\n  e: Error: x\n    at run (component.js:2:11) {\n    code: 1\n  }\n}';
  expect(shown(`    at run (component.js:${at})`)).toBe(mapped);
  expect(shown(`    at run (component.js:${at})\n    at invoke (runtime.js:1:2)`)).toBe(mapped);
});

it.each([
  ['', 'Unknown error'],
  ['[]', 'Unknown error'],
  ['null', 'Unknown error'],
  ['{"message":5,"name":{},"stack":[]}', 'Unknown error'],
  ['{"message":"m"}', 'm'],
])('reads %j without trusting it', async (json, message) => {
  expect(componentError(json, new Positions((await bundleOf('exports.a = 1')).map))).toEqual({
    name: 'Error',
    message,
  });
});
