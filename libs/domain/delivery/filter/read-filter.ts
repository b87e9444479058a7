// Parses a filter from a request, or says where it is wrong.
import type { Json } from '../../json.ts';
import { isObject } from '../../shape/checks.ts';
import { filterBytesMax, filterDepthMax, filterTestsMax, memberOf } from './filter.ts';
import type { FieldTest, Filter, Scalar, Test, FieldPattern } from './filter.ts';
import { isScalar, onlyMember, operatorNames, operatorOf } from './operators.ts';

export interface FilterFault {
  /** JSON pointer; '': the filter itself. */
  readonly at: string;
  readonly message: string;
}

export type ReadFilter = { readonly filter: Filter } | { readonly fault: FilterFault };

/** Never throws, and takes time linear in the value. */
export function readFilter(value: unknown): ReadFilter {
  if (!isObject(value)) return { fault: { at: '', message: 'must be an object' } };
  if (isDeeper(value, 2 * filterDepthMax)) return { fault: { at: '', message: tooDeep } };
  if (Buffer.byteLength(JSON.stringify(value)) > filterBytesMax)
    return { fault: { at: '', message: `must be at most ${filterBytesMax / 1024} KiB of JSON` } };
  const parser = new FilterParser();
  const filter = parser.parseObject(value as Json, '', 1);
  return parser.fault === undefined ? { filter } : { fault: parser.fault };
}

const tooDeep = `must have at most ${filterDepthMax} levels of objects`;
const noFields = 'must name at least one field';
const listForm = 'must be a list of allowed values that is not empty, or an object with fields';
const valueForm = `must be a text, a number, true, false, null, or an object with one of ${operatorNames.join(', ')}`;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

class FilterParser {
  /** The first fault that was found. */
  fault: FilterFault | undefined;
  #tests = 0;

  parseObject(value: Json, at: string, depth: number): Filter {
    const fields: FieldPattern[] = [];
    let anyOf: readonly Filter[] | undefined;
    const members = isObject(value) ? Object.entries(value as { readonly [name: string]: Json }) : [];
    if (members.length === 0) this.#report(at, noFields);
    if (depth > filterDepthMax) this.#report(at, tooDeep);
    for (const [name, pattern] of this.fault === undefined ? members : []) {
      const member = memberOf(at, name);
      if (name === '$or') anyOf = this.#parseAnyOf(pattern, member, depth);
      else fields.push({ name, at: member, pattern: this.#parsePattern(pattern, member, depth) });
    }
    return { at, fields, anyOf };
  }

  #parsePattern(value: Json, at: string, depth: number): Filter | FieldTest {
    if (Array.isArray(value) && value.length > 0) return this.#parseList(value, at);
    if (!isObject(value)) this.#report(at, listForm);
    return this.parseObject(value, at, depth + 1);
  }

  #parseAnyOf(value: Json, at: string, depth: number): readonly Filter[] {
    if (!Array.isArray(value) || value.length === 0) this.#report(at, 'must be a list of filters that is not empty');
    const filters = Array.isArray(value) ? (value as readonly Json[]) : [];
    for (let i = 0; i < filters.length; i++) this.#countTests(1, memberOf(at, i));
    return filters.map((one, i) => this.parseObject(one, memberOf(at, i), depth + 1));
  }

  #parseList(values: readonly Json[], at: string): FieldTest {
    const literals = new Set<Scalar>();
    const tests: Test[] = [];
    const exists = new Set<boolean>();
    for (const [i, value] of values.entries()) {
      const pointer = memberOf(at, i);
      if (this.fault !== undefined) break;
      if (isScalar(value)) {
        this.#countTests(1, pointer);
        literals.add(value);
      } else this.#parseOperator(value, pointer, { tests, exists });
    }
    return { literals, tests, ifPresent: exists.has(true), ifAbsent: exists.has(false) };
  }

  #parseOperator(value: Json, at: string, target: { readonly tests: Test[]; readonly exists: Set<boolean> }): void {
    const member = onlyMember(value);
    if (member === undefined) return this.#report(at, valueForm);
    const [name, operand] = member;
    const pointer = memberOf(at, name);
    if (name === 'exists') {
      if (typeof operand !== 'boolean') return this.#report(pointer, 'must be true or false');
      this.#countTests(1, pointer);
      target.exists.add(operand);
      return;
    }
    const operator = operatorOf(name, operand);
    if (operator === undefined) return this.#report(at, valueForm);
    if ('fault' in operator)
      return this.#report(operator.of === undefined ? pointer : memberOf(pointer, operator.of), operator.fault);
    this.#countTests(operator.count, pointer);
    target.tests.push(operator.test);
  }

  #countTests(tests: number, at: string): void {
    this.#tests += tests;
    if (this.#tests > filterTestsMax)
      this.#report(at, `is one value more than the ${filterTestsMax} that a filter may have`);
  }

  #report(at: string, message: string): void {
    this.fault ??= { at, message };
  }
}
