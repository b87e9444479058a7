// Describes the code of a source, from its bundle on the log or a new build, which the outcome names.
import type { BundleLocation } from '../../../domain/component/bundle/messages.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { Forms } from './forms.ts';
import type { Components } from '../components/components.ts';
import type { Definition } from '../source/definitions.ts';
import { withBundle, withDataStores } from '../outcome/describe-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import type { BundleUser } from '../bundles/bundle-uses.ts';
import type { BundleBuilder } from '../bundles/bundle-builder.ts';
import type { StoreClient } from '../stores/store-client.ts';

export interface SourceDescriberOptions {
  readonly builder: BundleBuilder;
  /** Where the bundle of the code that this revision brought is on the log; undefined: there is none. */
  readonly storedPlaceFor: (user: BundleUser) => BundleLocation | undefined;
  readonly components: Pick<Components, 'load'>;
  readonly stores: Pick<StoreClient, 'storeIds'>;
}

/** The source to describe; `previous`: the revision before. */
export interface DescribeRequest {
  readonly record: Trigger;
  readonly definition: Definition;
  readonly previous: Definition | undefined;
}

export class SourceDescriber {
  readonly #forms: Forms;
  readonly #options: SourceDescriberOptions;

  constructor(forms: Forms, options: SourceDescriberOptions) {
    this.#forms = forms;
    this.#options = options;
  }

  /** Undefined: the invocation was lost. */
  async describe(
    attempt: Attempt,
    code: Program,
    { record, definition, previous }: DescribeRequest,
  ): Promise<TriggerResult | undefined> {
    const { builder, storedPlaceFor, components } = this.#options;
    const { workspace } = attempt.trigger;
    // The bundle stays as long as the code: an update of props alone is described from the same bundle.
    const place = storedPlaceFor({ sourceId: definition.sourceId, revision: definition.codeRevision });
    const built = await builder.bundleToDescribe(programOf(code), workspace, place);
    const memoryMb = definition.settings?.memoryMb;
    const program = await this.#forms.describeBuilt(built, { workspace, memoryMb });
    const result = await this.#forms.describeForDeploy(attempt, program, {
      asked: record.data.asked,
      previous: async () => (previous === undefined ? undefined : (await components.load(previous))?.configured),
      endpointKey: definition.endpointKey,
      memoryMb,
    });
    if (result === undefined || built.kind !== 'built') return result;
    return this.#withDataStores(withBundle(result, built));
  }

  /** Adds the ids of the workspace's data stores for lifecycle, which checks the props but does not know the stores. */
  async #withDataStores(result: TriggerResult): Promise<TriggerResult> {
    const { hook, trigger } = result;
    if (hook?.type !== 'SourceDescribed') return result;
    if (!hook.data.manifest.props.some(({ type }) => type === 'data_store')) return result;
    const dataStores = await this.#options.stores.storeIds(trigger);
    return dataStores === undefined ? result : withDataStores(result, hook, dataStores);
  }
}
