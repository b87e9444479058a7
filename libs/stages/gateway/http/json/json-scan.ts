// Scans JSON text once before it is parsed, for what is refused: depth, number of values, repeated names, bad text,
// numbers out of range.
import { inputDepthMax } from '../../../../domain/json.ts';
import { hexOf, isHighHalf, isLowHalf } from './escapes.ts';
import { MemberNames } from './member-names.ts';
import { refusedName, shortName } from './text-fault.ts';

/**
 * Values in one text, containers included: each takes some hundred bytes of memory, however short its text is.
 * Props of 64 KiB that are lists of words have a few thousand.
 */
export const inputValuesMax = 20_000;

/** The same in a body of events, or of a value for a data store: a thousand events with some sixty values each. */
export const dataValuesMax = 64_000;

export interface JsonFault {
  /** A clause: "it is nested deeper than ...". */
  readonly why: string;
  /** The name of the outermost object's member that holds the fault, if there is one. */
  readonly field: string | undefined;
}

/** The bounds of a text. */
export interface JsonBounds {
  readonly levelsMax: number;
  readonly valuesMax: number;
}

const inputBounds: JsonBounds = { levelsMax: inputDepthMax, valuesMax: inputValuesMax };

/** Where a text belongs: how many levels deep, and under which name. */
export interface JsonContext {
  readonly levels: number;
  readonly field: string | undefined;
}

const outermostContext: JsonContext = { levels: 0, field: undefined };

/**
 * Returns the first fault, or undefined. The text must be well-formed Unicode. Reading ends where it stops being JSON,
 * which is not a fault here, since parsing reports it. Linear in the text, and never recursive.
 */
export const findJsonFault = (
  text: string,
  context: JsonContext = outermostContext,
  bounds: JsonBounds = inputBounds,
): JsonFault | undefined => new JsonScan(text, context, bounds).findFault();

/** How a step ended: undefined continues, `notJson` ends the reading, any other text is a fault. */
type Step = string | undefined;
const notJson = '';

const nul = 'a text holds the character NUL';
const halfCharacter = 'a text is not well-formed Unicode';
/** It would be parsed as `Infinity`, which JSON does not have, and stored as null. */
const outOfRange = 'a number is beyond 1.8e308, the range of JSON numbers';
/** A number with fewer characters is in range, unless it has an exponent. */
const plainNumberChars = 309;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const letterE = 0x65;
const letterU = 0x75;
/** The bit that turns a capital letter into a small one. */
const smallBit = 0x20;
/** The codes below are control characters; JSON allows three of them, between values. */
const space = 0x20;

class JsonScan {
  readonly #text: string;
  readonly #levels: number;
  readonly #bounds: JsonBounds;
  /** The open containers, outermost first: the names of an object so far; undefined: a list. */
  readonly #openContainers: (MemberNames | undefined)[] = [];
  #names: MemberNames | undefined;
  #field: string | undefined;
  #expectsName = false;
  #hasEscape = false;
  #values = 0;
  #offset = 0;

  constructor(text: string, { levels, field }: JsonContext, bounds: JsonBounds) {
    this.#text = text;
    this.#levels = levels;
    this.#bounds = bounds;
    this.#field = field;
  }

  findFault(): JsonFault | undefined {
    while (this.#offset < this.#text.length) {
      const step = this.#step(this.#text.charCodeAt(this.#offset));
      if (step !== undefined) return step === notJson ? undefined : { why: step, field: this.#field };
    }
    return undefined;
  }

  #step(code: number): Step {
    if (code <= space || code === colon) this.#offset++;
    else if (code === quote) return this.#expectsName ? this.#readName() : (this.#countValue() ?? this.#readString());
    else if (code === comma) this.#passComma();
    else if (code === openObject) return this.#openContainer(new MemberNames());
    else if (code === openList) return this.#openContainer(undefined);
    else if (code === closeObject || code === closeList) return this.#closeContainer(code === closeObject);
    else return this.#countValue() ?? this.#readScalar();
    return undefined;
  }

  #passComma(): void {
    this.#offset++;
    this.#expectsName = this.#names !== undefined;
  }

  #openContainer(names: MemberNames | undefined): Step {
    this.#offset++;
    this.#openContainers.push(names);
    this.#names = names;
    this.#expectsName = names !== undefined;
    const { levelsMax } = this.#bounds;
    const isTooDeep = this.#levels + this.#openContainers.length > levelsMax;
    return isTooDeep ? `it is nested deeper than ${levelsMax} levels` : this.#countValue();
  }

  #closeContainer(isObject: boolean): Step {
    if (this.#openContainers.length === 0 || (this.#names !== undefined) !== isObject) return notJson;
    this.#offset++;
    this.#openContainers.pop();
    this.#names = this.#openContainers.at(-1);
    this.#expectsName = false;
    return undefined;
  }

  #countValue(): Step {
    const { valuesMax } = this.#bounds;
    return ++this.#values > valuesMax ? `it holds more than ${valuesMax} values` : undefined;
  }

  #readName(): Step {
    this.#expectsName = false;
    const begin = this.#offset;
    const fault = this.#readString();
    if (fault !== undefined) return fault;
    const name = this.#textFrom(begin);
    if (name === undefined) return notJson;
    if (this.#levels + this.#openContainers.length === 1) this.#field = name;
    if (name === refusedName) return `the name ${name} is not allowed`;
    return this.#names?.add(name) === false
      ? `the name ${JSON.stringify(shortName(name))} occurs twice in one object`
      : undefined;
  }

  /** The text between two quotes. */
  #textFrom(begin: number): string | undefined {
    if (!this.#hasEscape) return this.#text.slice(begin + 1, this.#offset - 1);
    try {
      return JSON.parse(this.#text.slice(begin, this.#offset)) as string;
    } catch {
      return undefined;
    }
  }

  /** Reads from the opening quote to just after the closing one. */
  #readString(): Step {
    this.#hasEscape = false;
    for (let at = this.#offset + 1; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        this.#offset = at + 1;
        return undefined;
      }
      if (code < space) return notJson;
      if (code === backslash) {
        this.#hasEscape = true;
        const escape = this.#readEscape(at);
        if (typeof escape === 'string') return escape;
        at += escape - 1;
      }
    }
    return notJson;
  }

  /** Returns the escape's length in characters, or what is wrong with it. */
  #readEscape(at: number): number | string {
    if (this.#text.charCodeAt(at + 1) !== letterU) return 2;
    const code = hexOf(this.#text, at + 2);
    if (code === undefined) return notJson;
    if (code === 0) return nul;
    if (isLowHalf(code)) return halfCharacter;
    if (!isHighHalf(code)) return 6;
    const next = this.#text.startsWith('\\u', at + 6) ? hexOf(this.#text, at + 8) : undefined;
    return next !== undefined && isLowHalf(next) ? 12 : halfCharacter;
  }

  /** Reads a number or a word: all characters up to one that can follow it. */
  #readScalar(): Step {
    const begin = this.#offset;
    let exponent = false;
    for (this.#offset++; this.#offset < this.#text.length; this.#offset++) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code <= space || code === comma || code === closeObject || code === closeList || code === quote) break;
      exponent ||= (code | smallBit) === letterE;
    }
    if (!exponent && this.#offset - begin < plainNumberChars) return undefined;
    const number = Number(this.#text.slice(begin, this.#offset));
    return number === Infinity || number === -Infinity ? outOfRange : undefined;
  }
}
