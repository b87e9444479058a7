// Caches recently used code and props of components, within a byte limit, for all partitions of a process.
import type { SourceEvent } from '../../../domain/source/messages.ts';
import { programBytes, programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { Configured } from '../source/definitions.ts';

/** The part of a component that one record of `components` holds and runs need. */
export type ComponentPart = Program | { readonly configured: Configured };

export type PartType = 'code' | 'configured';

/** The kind of part that each type of record can hold. */
const partTypes: ReadonlyMap<string, PartType> = new Map<SourceEvent['type'], PartType>([
  ['SourceDeploying', 'code'],
  ['SourceUpdating', 'code'],
  ['SourceConfigured', 'configured'],
]);

export const partTypeOf = (recordType: unknown): PartType | undefined => partTypes.get(String(recordType));

export interface Revision {
  readonly sourceId: string;
  readonly revision: number;
}

interface Entry {
  readonly part: ComponentPart;
  readonly bytes: number;
}

/** The memory of one character of code, at most. */
const bytesPerCharacter = 2;
/** The approximate memory of one byte of JSON text, once parsed. */
const bytesPerJsonByte = 4;

export class ComponentCache {
  readonly #bytesMax: number;
  /** Parts by key, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  has(type: PartType, revision: Revision): boolean {
    return this.#entries.has(keyOf(type, revision));
  }

  get(type: PartType, revision: Revision): ComponentPart | undefined {
    const key = keyOf(type, revision);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.part;
  }

  /** Keeps the record's part, and drops the least recently used parts beyond the limit. */
  keep(event: SourceEvent): void {
    const part = partOf(event);
    if (part === undefined) return;
    const bytes = bytesOf(part);
    const key = keyOf('code' in part ? 'code' : 'configured', event.data as Revision);
    this.#drop(key);
    this.#entries.set(key, { part, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** The part that the record holds; undefined: none. */
export function partOf({ type, data }: SourceEvent): ComponentPart | undefined {
  if (type === 'SourceConfigured') {
    const { manifest, props, bundle } = data;
    return { configured: { manifest, props, ...(bundle && { bundle }) } };
  }
  if (type !== 'SourceDeploying' && type !== 'SourceUpdating') return undefined;
  const { code } = data;
  return code === undefined ? undefined : programOf({ ...data, code });
}

const keyOf = (type: PartType, { sourceId, revision }: Revision): string => `${sourceId}/${revision}/${type}`;

const bytesOf = (part: ComponentPart): number =>
  'code' in part
    ? (programBytes(part) + (part.lock ?? '').length) * bytesPerCharacter
    : JSON.stringify(part.configured).length * bytesPerJsonByte;
