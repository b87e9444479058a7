import { builtinModules } from 'node:module';
import { availableBuiltins, unavailableBuiltins } from './builtins.ts';

test('every public builtin of Node is either offered or refused with a reason', () => {
  const known: ReadonlySet<string> = new Set([...availableBuiltins, ...Object.keys(unavailableBuiltins)]);
  const isPublic = (name: string): boolean => !/^(node:)?_/.test(name);
  expect(builtinModules.filter((name) => isPublic(name) && !known.has(name.replace(/^node:/, '')))).toEqual([]);
  expect(availableBuiltins.filter((name) => Object.hasOwn(unavailableBuiltins, name))).toEqual([]);
});
