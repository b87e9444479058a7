// Describes the code of a source, from its bundle on the log or a new build, which the outcome names.
import type { BundlePlace } from '../../../domain/component/bundle/messages.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { Forms } from './forms.ts';
import type { Components } from '../components/components.ts';
import type { Definition } from '../source/definitions.ts';
import { builtInto, withDataStores } from '../outcome/described.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import type { User } from '../bundles/bundle-uses.ts';
import type { Builder } from '../bundles/builder.ts';
import type { StoreAsker } from '../stores/store-asker.ts';

export interface DescribingOptions {
  readonly builder: Builder;
  /** Where the bundle of the code that this revision brought is on the log; undefined: there is none. */
  readonly placeOf: (user: User) => BundlePlace | undefined;
  readonly components: Pick<Components, 'load'>;
  readonly stores: Pick<StoreAsker, 'storeIds'>;
}

/** The source to describe; `previous`: the revision before. */
export interface Described {
  readonly record: Trigger;
  readonly definition: Definition;
  readonly previous: Definition | undefined;
}

export class Describing {
  readonly #forms: Forms;
  readonly #options: DescribingOptions;

  constructor(forms: Forms, options: DescribingOptions) {
    this.#forms = forms;
    this.#options = options;
  }

  /** Undefined: the invocation was lost. */
  async describe(
    begun: Begun,
    code: Program,
    { record, definition, previous }: Described,
  ): Promise<Finished | undefined> {
    const { builder, placeOf, components } = this.#options;
    const { workspace } = begun.trigger;
    // The bundle stays as long as the code: an update of props alone is described from the same bundle.
    const place = placeOf({ sourceId: definition.sourceId, revision: definition.codeRevision });
    const built = await builder.toDescribe(programOf(code), workspace, place);
    const memoryMb = definition.settings?.memoryMb;
    const program = await this.#forms.describeBuilt(built, { workspace, memoryMb });
    const finished = await this.#forms.described(begun, program, {
      asked: record.data.asked,
      previous: async () => (previous === undefined ? undefined : (await components.load(previous))?.configured),
      endpointKey: definition.endpointKey,
      memoryMb,
    });
    if (finished === undefined || built.kind !== 'built') return finished;
    return this.#withStores(builtInto(finished, built));
  }

  /** Adds the ids of the workspace's data stores for lifecycle, which checks the props but does not know the stores. */
  async #withStores(finished: Finished): Promise<Finished> {
    const { hook, trigger } = finished;
    if (hook?.type !== 'SourceDescribed') return finished;
    if (!hook.data.manifest.props.some(({ type }) => type === 'data_store')) return finished;
    const dataStores = await this.#options.stores.storeIds(trigger);
    return dataStores === undefined ? finished : withDataStores(finished, hook, dataStores);
  }
}
