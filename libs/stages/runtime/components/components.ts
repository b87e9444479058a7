// Reads the code and the props of a source back from `components` when it is loaded, and keeps what is used.
import type { SourceEvent } from '../../../domain/component/messages.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { CheckedPage } from '../../loop/reading/unusable.ts';
import { partOf } from './cache.ts';
import type { ComponentCache, Part, PartType } from './cache.ts';
import type { Configured, Definition } from './definitions.ts';

/** A definition mostly says where the record stands: then nothing else is read. */
const onePage = { recordsMax: 1, bytesMax: 1 };
/** Or that it stands among what was appended together, which is likely to be loaded together. */
const widePage = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

export interface Component {
  readonly code: string;
  /** Undefined: its revision was not configured yet when it was loaded. */
  readonly configured: Configured | undefined;
}

export class Components {
  readonly #log: Pick<CheckedLog, 'read'>;
  readonly #partition: number;
  readonly #cache: ComponentCache;
  /** One after another: what is read for one is often what the next one needs. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(log: Pick<CheckedLog, 'read'>, partition: number, cache: ComponentCache) {
    this.#log = log;
    this.#partition = partition;
    this.#cache = cache;
  }

  isLoaded(definition: Definition): boolean {
    const hasProps = definition.configuredFrom === null || this.#cache.has('SourceConfigured', definition);
    return hasProps && this.#cache.has('SourceDeploying', definition);
  }

  /** Undefined: it must be loaded. */
  get(definition: Definition): Component | undefined {
    if (!this.isLoaded(definition)) return undefined;
    const props = definition.configuredFrom === null ? undefined : this.#cache.get('SourceConfigured', definition);
    return componentOf(this.#cache.get('SourceDeploying', definition), props);
  }

  /** Undefined: what the definition names cannot be read. Throws PortError and NewerRecordError. */
  load(definition: Definition): Promise<Component | undefined> {
    const loaded = this.#reading.then(() => this.#load(definition));
    this.#reading = loaded.catch(() => undefined);
    return loaded;
  }

  async #load(definition: Definition): Promise<Component | undefined> {
    const { codeFrom, configuredFrom } = definition;
    const code = await this.#part('SourceDeploying', definition, codeFrom);
    if (configuredFrom === null || code === undefined) return componentOf(code, undefined);
    const props = await this.#part('SourceConfigured', definition, configuredFrom);
    return props === undefined ? undefined : componentOf(code, props);
  }

  async #part(type: PartType, definition: Definition, from: number): Promise<Part | undefined> {
    const known = this.#cache.get(type, definition);
    if (known !== undefined) return known;
    let bounds = onePage;
    for (let next = from; ;) {
      const page = await this.#log.read('components', this.#partition, next, bounds);
      const found = this.#find(page, type, definition);
      if (found !== undefined) return found;
      const isSpoiled = page.malformed.some(({ record }) => record.type === type && record.key === definition.sourceId);
      if (isSpoiled || page.next <= next) return undefined;
      next = page.next;
      bounds = widePage;
    }
  }

  #find({ records }: CheckedPage, type: PartType, { sourceId, revision }: Definition): Part | undefined {
    let found: Part | undefined;
    for (const record of records) {
      const event = record as LogRecord as SourceEvent;
      this.#cache.keep(event);
      if (event.type !== type || event.data.sourceId !== sourceId || event.data.revision !== revision) continue;
      found = partOf(event as SourceEvent & { readonly type: PartType });
    }
    return found;
  }
}

function componentOf(code: Part | undefined, props: Part | undefined): Component | undefined {
  if (code === undefined || !('code' in code)) return undefined;
  return { code: code.code, configured: props !== undefined && 'configured' in props ? props.configured : undefined };
}
