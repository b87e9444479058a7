// Reads a source's code and props back from `components` when the source is loaded, and caches them.
import type { Program } from '../../../domain/component/program/program.ts';
import { pagesFrom, type PagesLog } from '../../loop/reading/pages-from.ts';
import type { CheckedPage } from '../../loop/reading/unusable.ts';
import { partOf, partTypeOf } from './component-cache.ts';
import type { ComponentCache, ComponentPart, PartType, Revision } from './component-cache.ts';
import type { Configured, Definition } from '../source/definitions.ts';

/** The first page: a definition usually names the offset of the record itself. */
const onePage = { recordsMax: 1, bytesMax: 1 };
/** Further pages: the record is among those appended together, which are likely to be loaded together. */
const widePage = { recordsMax: 1_000, bytesMax: 1024 * 1024 };

export interface Component extends Program {
  /** Undefined: the revision was not configured yet when it was loaded. */
  readonly configured: Configured | undefined;
}

export class Components {
  readonly #log: PagesLog;
  readonly #partition: number;
  readonly #cache: ComponentCache;
  /** Settles after the last read: one at a time, since a read often brings what the next one needs. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(log: PagesLog, partition: number, cache: ComponentCache) {
    this.#log = log;
    this.#partition = partition;
    this.#cache = cache;
  }

  isLoaded(definition: Definition): boolean {
    const hasProps = definition.configuredFrom === null || this.#cache.has('configured', definition);
    return hasProps && this.#cache.has('code', codeOf(definition));
  }

  /** The component, if it is cached; undefined: it must be loaded first. */
  get(definition: Definition): Component | undefined {
    if (!this.isLoaded(definition)) return undefined;
    const props = definition.configuredFrom === null ? undefined : this.#cache.get('configured', definition);
    return componentOf(this.#cache.get('code', codeOf(definition)), props);
  }

  /** Undefined: the records that the definition names cannot be read. Throws PortError and NewerRecordError. */
  load(definition: Definition): Promise<Component | undefined> {
    const loaded = this.#reading.then(() => this.#load(definition));
    this.#reading = loaded.catch(() => undefined);
    return loaded;
  }

  async #load(definition: Definition): Promise<Component | undefined> {
    const { codeFrom, configuredFrom } = definition;
    const code = await this.#part('code', codeOf(definition), codeFrom);
    if (configuredFrom === null || code === undefined) return componentOf(code, undefined);
    const props = await this.#part('configured', definition, configuredFrom);
    return props === undefined ? undefined : componentOf(code, props);
  }

  async #part(type: PartType, revision: Revision, from: number): Promise<ComponentPart | undefined> {
    const known = this.#cache.get(type, revision);
    if (known !== undefined) return known;
    const place = { topic: 'components', partition: this.#partition, from } as const;
    for await (const page of pagesFrom(this.#log, place, { first: onePage, further: widePage })) {
      const found = this.#find(page, type, revision);
      if (found !== undefined) return found;
      const isUnreadable = page.malformed.some(
        ({ record }) => partTypeOf(record.type) === type && record.key === revision.sourceId,
      );
      if (isUnreadable) return undefined;
    }
    return undefined;
  }

  #find(
    { records }: CheckedPage<'components'>,
    type: PartType,
    { sourceId, revision }: Revision,
  ): ComponentPart | undefined {
    let found: ComponentPart | undefined;
    for (const event of records) {
      this.#cache.keep(event);
      if (partTypeOf(event.type) !== type || event.data.sourceId !== sourceId) continue;
      if ('revision' in event.data && event.data.revision === revision) found = partOf(event) ?? found;
    }
    return found;
  }
}

const codeOf = ({ sourceId, codeRevision }: Definition): Revision => ({ sourceId, revision: codeRevision });

function componentOf(code: ComponentPart | undefined, props: ComponentPart | undefined): Component | undefined {
  if (code === undefined || !('code' in code)) return undefined;
  return { ...code, configured: props !== undefined && 'configured' in props ? props.configured : undefined };
}
