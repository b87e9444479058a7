// Runs one trigger: reads it from the log if only its offset was kept, and does what is planned for it.
import type { Ambient } from '../../../domain/ambient.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { Describing } from '../calls/describing.ts';
import type { DescribingOptions } from '../calls/describing.ts';
import { Forms } from '../calls/forms.ts';
import type { FormsOptions } from '../calls/forms.ts';
import type { Components } from '../components/components.ts';
import type { Plan } from '../components/plan.ts';
import type { Manner } from '../lanes/dispatcher-options.ts';
import { carried } from '../outcome/carried.ts';
import { refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import { envelope } from '../source/queued-trigger.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { StoreAsker } from '../stores/store-asker.ts';
import { BroughtCode } from './brought-code.ts';
import type { BroughtCodeOptions } from './brought-code.ts';
import { Inputs } from './inputs.ts';
import type { InputsOptions } from './inputs.ts';
import { Invoker } from './invoker.ts';
import type { InvokerOptions } from './invoker.ts';

/** The options of the runner's parts, except those that it makes itself. */
type PartsOptions = FormsOptions &
  DescribingOptions &
  Omit<BroughtCodeOptions, 'forms'> &
  Omit<InputsOptions, 'forms'> &
  Omit<InvokerOptions, 'inputs' | 'ended'>;

export interface TriggerRunnerOptions extends PartsOptions {
  readonly log: Pick<CheckedLog, 'read' | 'reply'>;
  readonly partition: number;
  readonly ambient: Ambient;
  readonly components: Components;
  readonly stores: StoreAsker;
  readonly plan: (queued: QueuedTrigger) => Plan;
}

const notToBeRun = 'The request asked not to be run (x-pd-notrigger).';
const unreadable = 'What the log holds of the component cannot be read. Delete the source and deploy it again.';

export class TriggerRunner {
  readonly #options: TriggerRunnerOptions;
  readonly #ending = new AbortController();
  readonly #broughtCode: BroughtCode;
  readonly #describing: Describing;
  readonly #invoker: Invoker;

  constructor(options: TriggerRunnerOptions) {
    this.#options = options;
    const forms = new Forms(options);
    this.#broughtCode = new BroughtCode({ ...options, forms });
    this.#describing = new Describing(forms, options);
    const inputs = new Inputs({ ...options, forms });
    this.#invoker = new Invoker({ ...options, inputs, ended: this.#ending.signal });
  }

  /** Ends the runner: from now on the results of what still runs are ignored. */
  end(): void {
    this.#ending.abort();
    this.#options.calls.stop();
    // Only after the abort: a run that failed without an answer would count as ended, and would not be repeated.
    this.#options.stores.stop();
  }

  /** Undefined: the invocation was lost, or the runner has ended. */
  async run(queued: QueuedTrigger, manner: Manner): Promise<Finished | undefined> {
    const finished = await this.#run(queued, manner);
    return this.#hasEnded ? undefined : finished;
  }

  async #run(queued: QueuedTrigger, manner: Manner): Promise<Finished | undefined> {
    const { refusal } = queued;
    if (refusal !== undefined)
      return refused(this.#begin(queued, refusal.trigger), refusal.message, 'MalformedTriggerError');
    // Planned now, as the trigger is sent: what can run concurrently was decided from the same definitions.
    const plan = this.#options.plan(queued);
    const record = queued.record ?? (await this.#readBack(queued));
    // By now the sandbox belongs to the next task.
    if (this.#hasEnded) return undefined;
    const begun = this.#begin(queued, envelope(record));
    if (record.data.http?.noRun === true) return refused(begun, notToBeRun, 'NotTriggeredError');
    switch (plan.kind) {
      case 'wait':
      case 'unknown':
        return undefined;
      case 'refuse':
        return refused(begun, plan.message, plan.name);
      case 'brought_code':
        return this.#broughtCode.run(begun, record, manner);
      default:
        return this.#runSource(begun, plan, { record, manner });
    }
  }

  async #runSource(
    begun: Begun,
    plan: Extract<Plan, { readonly definition: unknown }>,
    { record, manner }: { readonly record: Trigger; readonly manner: Manner },
  ): Promise<Finished | undefined> {
    const { definition } = plan;
    const { components } = this.#options;
    const component = components.get(definition) ?? (await components.load(definition));
    if (this.#hasEnded) return undefined;
    if (component === undefined) return refused(begun, unreadable, 'ComponentUnreadableError');
    const { configured } = component;
    if (plan.kind === 'describe')
      return this.#describing.describe(begun, component, { record, definition, previous: plan.previous });
    if (configured === undefined) return undefined;
    if (begun.queued.kind === 'emit') return carried(begun, record.data.emits ?? [], configured.manifest.dedupe);
    return this.#invoker.invoke(begun, { definition, program: programOf(component), configured }, { record, manner });
  }

  #begin(queued: QueuedTrigger, trigger: Trigger): Begun {
    return { queued, trigger, startedAt: this.#options.ambient.now() };
  }

  get #hasEnded(): boolean {
    return this.#ending.signal.aborted;
  }

  async #readBack({ offset }: QueuedTrigger): Promise<StoredRecord<Trigger>> {
    const { log, partition } = this.#options;
    const { records } = await log.read('triggers', partition, offset, { recordsMax: 1, bytesMax: 1 });
    const [record] = records;
    if (record?.offset === offset && record.type === 'TriggerRequested') return record;
    throw new PortError('corrupt', `triggers/${partition} has no record at ${offset} any more, which was read before`);
  }
}
