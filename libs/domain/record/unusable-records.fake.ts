// Makes unusable records from good ones, for specs.
import type { TopicName } from '../flow.ts';
import type { Json } from '../json.ts';
import type { LogRecord } from '../message.ts';
import { recordOf } from './samples.fake.ts';
import { erasable } from './check-record.ts';

/** Arrays nested `levels` deep, which JSON.parse can yield. */
export function nestedArrays(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

/** Unusable records, and why. `topic` selects a type that must not be on that topic. */
export function unusableRecords(
  topic: TopicName,
  type: string,
  data: object,
): readonly (readonly [string, LogRecord])[] {
  const [firstField = 'none'] = Object.keys(data);
  return [
    ['of an unknown type', recordOf('NobodyKnowsThis', data)],
    ['of a type from a prototype', recordOf('constructor', data)],
    ...(erasable.has(topic)
      ? []
      : ([
          ['without data', undefined],
          ['with null data', null],
        ] as const)
    ).map(([description, none]) => [description, recordOf(type, none)] as const),
    ['with an array for an object', recordOf(type, [data])],
    ['with a text for an object', recordOf(type, 'x')],
    ['without its first field', recordOf(type, { ...data, [firstField]: undefined })],
    ['with an object for its first field', recordOf(type, { ...data, [firstField]: { a: 1 } })],
    ['with something deep in its first field', recordOf(type, { ...data, [firstField]: nestedArrays(3_000) })],
    ['of version 0', recordOf(type, data, { version: 0 })],
    ['of no version', recordOf(type, data, { version: 1.5 })],
    ['of no time', recordOf(type, data, { at: 9e15 })],
  ];
}
