// Parses a filter from a request, or says where it is wrong.
import type { Json } from '../../json.ts';
import { isObject } from '../../shape/checks.ts';
import { filterBytesMax, filterDepthMax, filterTestsMax, memberOf } from './filter.ts';
import type { FieldTest, Filter, Scalar, Test, WantedField } from './filter.ts';
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
  const reading = new FilterReading();
  const filter = reading.object(value as Json, '', 1);
  return reading.fault === undefined ? { filter } : { fault: reading.fault };
}

const tooDeep = `must have at most ${filterDepthMax} levels of objects`;
const noFields = 'must name at least one field';
const listForm = 'must be a list of allowed values that is not empty, or an object with fields';
const valueForm = `must be a text, a number, true, false, null, or an object with one of ${operatorNames.join(', ')}`;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

class FilterReading {
  /** The first fault that was found. */
  fault: FilterFault | undefined;
  #tests = 0;

  object(value: Json, at: string, depth: number): Filter {
    const fields: WantedField[] = [];
    let anyOf: readonly Filter[] | undefined;
    const members = isObject(value) ? Object.entries(value as { readonly [name: string]: Json }) : [];
    if (members.length === 0) this.#refuse(at, noFields);
    if (depth > filterDepthMax) this.#refuse(at, tooDeep);
    for (const [name, wanted] of this.fault === undefined ? members : []) {
      const member = memberOf(at, name);
      if (name === '$or') anyOf = this.#anyOf(wanted, member, depth);
      else fields.push({ name, at: member, wanted: this.#wanted(wanted, member, depth) });
    }
    return { at, fields, anyOf };
  }

  #wanted(value: Json, at: string, depth: number): Filter | FieldTest {
    if (Array.isArray(value) && value.length > 0) return this.#list(value, at);
    if (!isObject(value)) this.#refuse(at, listForm);
    return this.object(value, at, depth + 1);
  }

  #anyOf(value: Json, at: string, depth: number): readonly Filter[] {
    if (!Array.isArray(value) || value.length === 0) this.#refuse(at, 'must be a list of filters that is not empty');
    const filters = Array.isArray(value) ? (value as readonly Json[]) : [];
    for (let i = 0; i < filters.length; i++) this.#count(1, memberOf(at, i));
    return filters.map((one, i) => this.object(one, memberOf(at, i), depth + 1));
  }

  #list(values: readonly Json[], at: string): FieldTest {
    const literals = new Set<Scalar>();
    const tests: Test[] = [];
    const exists = new Set<boolean>();
    for (const [i, value] of values.entries()) {
      const place = memberOf(at, i);
      if (this.fault !== undefined) break;
      if (isScalar(value)) {
        this.#count(1, place);
        literals.add(value);
      } else this.#operator(value, place, { tests, exists });
    }
    return { literals, tests, ifThere: exists.has(true), ifAbsent: exists.has(false) };
  }

  #operator(value: Json, at: string, to: { readonly tests: Test[]; readonly exists: Set<boolean> }): void {
    const member = onlyMember(value);
    if (member === undefined) return this.#refuse(at, valueForm);
    const [name, operand] = member;
    const place = memberOf(at, name);
    if (name === 'exists') {
      if (typeof operand !== 'boolean') return this.#refuse(place, 'must be true or false');
      this.#count(1, place);
      to.exists.add(operand);
      return;
    }
    const operator = operatorOf(name, operand);
    if (operator === undefined) return this.#refuse(at, valueForm);
    if ('fault' in operator)
      return this.#refuse(operator.of === undefined ? place : memberOf(place, operator.of), operator.fault);
    this.#count(operator.count, place);
    to.tests.push(operator.test);
  }

  #count(tests: number, at: string): void {
    this.#tests += tests;
    if (this.#tests > filterTestsMax)
      this.#refuse(at, `is one value more than the ${filterTestsMax} that a filter may have`);
  }

  #refuse(at: string, message: string): void {
    this.fault ??= { at, message };
  }
}
