import { builtinModules } from 'node:module';
import { availableBuiltins, isKnownBuiltin, unavailableBuiltins, whyUnavailable } from './builtins.ts';

test('every public builtin of Node is either offered or refused with a reason', () => {
  const isPublic = (name: string): boolean => !/^(node:)?_/.test(name);
  expect(builtinModules.filter((name) => isPublic(name) && !isKnownBuiltin(name))).toEqual([]);
  expect(availableBuiltins.filter((name) => Object.hasOwn(unavailableBuiltins, name))).toEqual([]);
});

test('a name counts with and without node:', () => {
  expect([whyUnavailable('node:net'), whyUnavailable('net')]).toEqual(Array(2).fill(expect.stringContaining('HTTP')));
  expect([isKnownBuiltin('node:fs'), whyUnavailable('fs'), isKnownBuiltin('lodash')]).toEqual([true, undefined, false]);
});
