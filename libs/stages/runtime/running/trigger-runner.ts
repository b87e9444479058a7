// Runs one trigger: reads it from the log if only its offset was kept, and does what is planned for it.
import type { Ambient } from '../../../domain/ambient.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { SourceDescriber } from '../calls/source-describer.ts';
import type { SourceDescriberOptions } from '../calls/source-describer.ts';
import { Forms } from '../calls/forms.ts';
import type { FormsOptions } from '../calls/forms.ts';
import type { Components } from '../components/components.ts';
import type { Plan } from '../components/plan.ts';
import type { ExecutionMode } from '../lanes/dispatcher-options.ts';
import { carriedEmitsResult } from '../outcome/carried-emits-result.ts';
import { refusedResult } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import { withoutPayloads } from '../source/queued-trigger.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { StoreClient } from '../stores/store-client.ts';
import { SourcelessTriggers } from './sourceless-triggers.ts';
import type { SourcelessTriggersOptions } from './sourceless-triggers.ts';
import { InvocationInputs } from './invocation-inputs.ts';
import type { InvocationInputsOptions } from './invocation-inputs.ts';
import { Invoker } from './invoker.ts';
import type { InvokerOptions } from './invoker.ts';

/** The options of the runner's parts, except those that it makes itself. */
type PartsOptions = FormsOptions &
  SourceDescriberOptions &
  Omit<SourcelessTriggersOptions, 'forms'> &
  Omit<InvocationInputsOptions, 'forms'> &
  Omit<InvokerOptions, 'inputs' | 'endSignal'>;

export interface TriggerRunnerOptions extends PartsOptions {
  readonly log: Pick<CheckedLog, 'read' | 'reply'>;
  readonly partition: number;
  readonly ambient: Ambient;
  readonly components: Components;
  readonly stores: StoreClient;
  readonly planFor: (queued: QueuedTrigger) => Plan;
}

const noRunMessage = 'The request asked not to be run (x-pd-notrigger).';
const unreadableMessage = 'What the log holds of the component cannot be read. Delete the source and deploy it again.';

export class TriggerRunner {
  readonly #options: TriggerRunnerOptions;
  readonly #endController = new AbortController();
  readonly #sourceless: SourcelessTriggers;
  readonly #describer: SourceDescriber;
  readonly #invoker: Invoker;

  constructor(options: TriggerRunnerOptions) {
    this.#options = options;
    const forms = new Forms(options);
    this.#sourceless = new SourcelessTriggers({ ...options, forms });
    this.#describer = new SourceDescriber(forms, options);
    const inputs = new InvocationInputs({ ...options, forms });
    this.#invoker = new Invoker({ ...options, inputs, endSignal: this.#endController.signal });
  }

  /** Ends the runner: from now on the results of what still runs are ignored. */
  end(): void {
    this.#endController.abort();
    this.#options.calls.releaseAll();
    // Only after the abort: a run that failed without an answer would count as ended, and would not be repeated.
    this.#options.stores.stop();
  }

  /** Undefined: the invocation was lost, or the runner has ended. */
  async run(queued: QueuedTrigger, mode: ExecutionMode): Promise<TriggerResult | undefined> {
    const result = await this.#run(queued, mode);
    return this.#hasEnded ? undefined : result;
  }

  async #run(queued: QueuedTrigger, mode: ExecutionMode): Promise<TriggerResult | undefined> {
    const { refusal } = queued;
    if (refusal !== undefined)
      return refusedResult(this.#startAttempt(queued, refusal.trigger), refusal.message, 'MalformedTriggerError');
    // Planned now, as the trigger is sent: what can run concurrently was decided from the same definitions.
    const plan = this.#options.planFor(queued);
    const record = queued.record ?? (await this.#readBack(queued));
    // By now the sandbox belongs to the next task.
    if (this.#hasEnded) return undefined;
    const attempt = this.#startAttempt(queued, withoutPayloads(record));
    if (record.data.http?.noRun === true) return refusedResult(attempt, noRunMessage, 'NotTriggeredError');
    switch (plan.kind) {
      case 'wait':
      case 'unknown':
        return undefined;
      case 'refuse':
        return refusedResult(attempt, plan.message, plan.name);
      case 'brought_code':
        return this.#sourceless.run(attempt, record, mode);
      default:
        return this.#runSource(attempt, plan, { record, mode });
    }
  }

  async #runSource(
    attempt: Attempt,
    plan: Extract<Plan, { readonly definition: unknown }>,
    { record, mode }: { readonly record: Trigger; readonly mode: ExecutionMode },
  ): Promise<TriggerResult | undefined> {
    const { definition } = plan;
    const { components } = this.#options;
    const component = components.get(definition) ?? (await components.load(definition));
    if (this.#hasEnded) return undefined;
    if (component === undefined) return refusedResult(attempt, unreadableMessage, 'ComponentUnreadableError');
    const { configured } = component;
    if (plan.kind === 'describe')
      return this.#describer.describe(attempt, component, { record, definition, previous: plan.previous });
    if (configured === undefined) return undefined;
    if (attempt.queued.kind === 'emit')
      return carriedEmitsResult(attempt, record.data.emits ?? [], configured.manifest.dedupe);
    return this.#invoker.invoke(attempt, { definition, program: programOf(component), configured }, { record, mode });
  }

  #startAttempt(queued: QueuedTrigger, trigger: Trigger): Attempt {
    return { queued, trigger, startedAt: this.#options.ambient.now() };
  }

  get #hasEnded(): boolean {
    return this.#endController.signal.aborted;
  }

  async #readBack({ offset }: QueuedTrigger): Promise<StoredRecord<Trigger>> {
    const { log, partition } = this.#options;
    const { records } = await log.read('triggers', partition, offset, { recordsMax: 1, bytesMax: 1 });
    const [record] = records;
    if (record?.offset === offset && record.type === 'TriggerRequested') return record;
    throw new PortError('corrupt', `triggers/${partition} has no record at ${offset} any more, which was read before`);
  }
}
