// Runs one trigger: reads it back if needed, gives the sandbox what the component may know, and takes the outcome.
import type { Ambient } from '../../domain/ambient.ts';
import { isCall, isFormCall } from '../../domain/call/call.ts';
import type { CallKind } from '../../domain/call/call.ts';
import { originalOf, tellingOf } from '../../domain/run/failed-run.ts';
import { runIdOf } from '../../domain/run/run-output.ts';
import type { HookKind, Trigger } from '../../domain/source/messages.ts';
import type { PropProblem } from '../../domain/component/props/prop-problem.ts';
import { programOf } from '../../domain/component/program/program.ts';
import type { Program } from '../../domain/component/program/program.ts';
import type { StoredRecord } from '../../domain/message.ts';
import { PortError } from '../../domain/port-error.ts';
import type { CheckedLog } from '../loop/reading/checked-log.ts';
import type { Alerts } from '../loop/alerts/alerts.ts';
import type { Packages } from '../../packages/packages.ts';
import type { HttpResponse, Invocation, Sandbox } from '../../sandbox/sandbox.ts';
import type { Calls } from './calls/calls.ts';
import { alertCrash } from './outcome/crash-alert.ts';
import { refuseAuth, withAuth } from './accounts/given-auth.ts';
import type { Auth } from './accounts/given-auth.ts';
import { addedProps, formInput, Forms } from './calls/forms.ts';
import { carried } from './outcome/carried.ts';
import { describedToSave } from './outcome/described-to-save.ts';
import { answered, invoked, named, propsRefused, refused } from './outcome/finished.ts';
import type { Begun, Finished } from './outcome/finished.ts';
import type { Manner } from './lanes/dispatcher-options.ts';
import { envelope, overheadBytes } from './source/queued-trigger.ts';
import type { QueuedTrigger } from './source/queued-trigger.ts';
import { boundsOf, isMuted, within } from './calls/bounds.ts';
import type { Components } from './components/components.ts';
import type { Configured, Definition } from './source/definitions.ts';
import { Describing } from './calls/describing.ts';
import type { Described, DescribingOptions } from './calls/describing.ts';
import { Loading } from './components/loading.ts';
import { Fetching } from './fetching/fetching.ts';
import { givenEvent, givenProps } from './source/run-input.ts';
import type { GivenProps } from './source/run-input.ts';
import type { Plan } from './components/plan.ts';
import { withoutText } from './outcome/without-text.ts';
import type { Vault } from './source/vault.ts';
import type { StoreAsker } from './stores/store-asker.ts';

export interface TriggerRunnerOptions extends Omit<DescribingOptions, 'load'> {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  readonly log: Pick<CheckedLog, 'read' | 'reply'>;
  readonly partition: number;
  readonly vault: Vault;
  readonly auth: Auth;
  readonly ambient: Ambient;
  readonly endpointUrl: (endpointKey: string) => string;
  readonly components: Components;
  readonly plan: (queued: QueuedTrigger) => Plan;
  /** The source's db after every outcome so far, on the log or not. */
  readonly db: (queued: QueuedTrigger) => Readonly<Record<string, string>>;
  /** Whether the source's stored db cannot be opened. */
  readonly dbCloses: (queued: QueuedTrigger) => boolean;
  readonly calls: Calls;
  readonly stores: StoreAsker;
  readonly alerts: Alerts;
}

/** The part of an invocation that comes from the trigger and the source's props. */
type Given = Pick<Invocation, 'event' | 'isHttp' | 'onlyBody' | 'props' | 'addedProps' | 'secrets'>;

/** What is wrong with what a form gives. */
interface Refusal {
  readonly problems: readonly PropProblem[];
}

/** A loaded component, in its current version. */
interface Loaded {
  readonly definition: Definition;
  readonly program: Program;
  readonly configured: Configured;
}

const notToBeRun = 'The request asked not to be run (x-pd-notrigger).';
const unreadable = 'What the log holds of the component cannot be read. Delete the source and deploy it again.';

export class TriggerRunner {
  readonly #options: TriggerRunnerOptions;
  /** Props are unsealed once for each revision; the entry goes with its revision. */
  readonly #given = new WeakMap<Configured, GivenProps>();
  readonly #fetching: Fetching;
  readonly #forms: Forms;
  readonly #describing: Describing;
  #ended = false;

  constructor(options: TriggerRunnerOptions) {
    this.#options = options;
    this.#fetching = new Fetching(options);
    this.#forms = new Forms(options);
    this.#describing = new Describing(this.#forms, {
      ...options,
      load: (definition) => options.components.load(definition),
    });
  }

  /** From now on the results of what still runs are ignored. */
  end(): void {
    this.#ended = true;
    this.#options.calls.stop();
    // Not before: a run that failed for want of an answer would be over, and the next owner would not repeat it.
    this.#options.stores.stop();
  }

  /** Undefined: it did not happen, because it was lost or the runner has ended. */
  async run(queued: QueuedTrigger, manner: Manner): Promise<Finished | undefined> {
    const { refusal } = queued;
    if (refusal !== undefined) {
      const begun = { queued, trigger: refusal.trigger, startedAt: this.#options.ambient.now() };
      return refused(begun, refusal.message, 'MalformedTriggerError');
    }
    // Planned when the trigger is sent: what may run beside it was decided by the same definitions.
    const plan = this.#options.plan(queued);
    const record = queued.record ?? (await this.#readBack(queued));
    // The sandbox belongs to the next task by now.
    if (this.#ended) return undefined;
    const begun: Begun = { queued, trigger: envelope(record), startedAt: this.#options.ambient.now() };
    if (record.data.http?.noRun === true) return refused(begun, notToBeRun, 'NotTriggeredError');
    if (plan.kind === 'wait' || plan.kind === 'unknown') return undefined;
    if (plan.kind === 'refuse') return refused(begun, plan.message, plan.name);
    if (plan.kind === 'brought_code') return this.#runBroughtCode(begun, record, manner);
    const { definition } = plan;
    const { components } = this.#options;
    const component = components.get(definition) ?? (await components.load(definition));
    if (this.#ended) return undefined;
    if (component === undefined) return refused(begun, unreadable, 'ComponentUnreadableError');
    const { configured } = component;
    if (plan.kind === 'describe')
      return this.#describeSource(begun, component, { record, definition, previous: plan.previous });
    if (configured === undefined) return undefined;
    if (queued.kind === 'emit') return carried(begun, record.data.emits ?? [], configured.manifest.dedupe);
    return this.#invoke(begun, { definition, program: programOf(component), configured }, { record, manner });
  }

  /** The trigger has no source: it carries the code that is meant, the URL of the code, or what is to be found. */
  #runBroughtCode(begun: Begun, record: Trigger, manner: Manner): Promise<Finished | undefined> | Finished {
    const { data } = record;
    const { code = '', url, find: wanted, kind } = data;
    if (isFormCall(kind)) return this.#answerForm(begun, record, manner);
    if (wanted !== undefined) return this.#unlessEnded(this.#fetching.find(begun, wanted));
    if (url !== undefined) return this.#unlessEnded(this.#fetching.fetch(begun, url, manner));
    return this.#describe(begun, { ...data, code });
  }

  async #unlessEnded(finished: Promise<Finished | undefined>): Promise<Finished | undefined> {
    const one = await finished;
    return this.#ended ? undefined : one;
  }

  async #describe(begun: Begun, program: Program): Promise<Finished | undefined> {
    const { outcome, lock } = await this.#forms.describe(programOf(program), begun.trigger.workspace);
    const took = this.#options.ambient.now() - begun.startedAt;
    return this.#ended ? undefined : describedToSave(begun, outcome, { took, lock });
  }

  async #describeSource(begun: Begun, code: Program, what: Described): Promise<Finished | undefined> {
    const finished = await this.#describing.describe(begun, code, what);
    return this.#ended ? undefined : finished;
  }

  async #answerForm(begun: Begun, record: Trigger, manner: Manner): Promise<Finished | undefined> {
    try {
      const finished = await this.#forms.ofCode(begun, record, manner);
      return this.#ended ? undefined : finished;
    } catch (error) {
      if (error instanceof PortError) throw error;
      return refused(begun, 'What is asked cannot be opened with the data key of this workspace', 'SealedError');
    }
  }

  async #invoke(
    begun: Begun,
    loaded: Loaded,
    { record, manner }: { readonly record: Trigger; readonly manner: Manner },
  ): Promise<Finished | undefined> {
    const { queued } = begun;
    const input = this.#giveTo(begun, loaded, record);
    if (typeof input === 'string') return this.#refuseSealed(begun, input);
    if ('problems' in input) return propsRefused(begun, input.problems);
    const asked = this.#options.auth.of(loaded.configured.manifest, input.props, record.workspace);
    const auth = asked instanceof Promise ? await asked : asked;
    if (this.#ended) return undefined;
    if ('kind' in auth) return refuseAuth(begun, auth, this.#options.alerts);
    const given = withAuth(input, auth);
    const call = isCall(queued.kind) ? await this.#options.calls.begin(begun) : undefined;
    if (this.#ended) return undefined;
    if (typeof call === 'object') return call;
    const { http } = record.data;
    const telling = tellingOf(runIdOf(record), http, queued.bytes - overheadBytes);
    // If the request must not be kept, the report is made later, when the error's text has been removed.
    const told = http?.sealedBody === undefined ? { telling } : {};
    const { program, configured } = loaded;
    const loading = new Loading(() => this.#options.builder.toLoad(program, queued.workspace, configured.bundle));
    const invocation = {
      ...this.#invocation(begun, loaded, given),
      ...told,
      ...manner,
      ...within(call, loaded.definition),
    };
    const ended = await this.#options.sandbox.invoke({ ...invocation, bundle: loading.bundle });
    if (this.#ended) return undefined;
    const outcome = loading.ended(ended);
    if (outcome.end === 'crashed') alertCrash(this.#options.alerts, queued);
    if (outcome.end === 'lost') return call === undefined ? undefined : this.#options.calls.interrupted(begun);
    if (isFormCall(queued.kind)) return answered(begun, outcome, queued.kind);
    const original = () => originalOf(telling, given.event, given.secrets ?? []);
    const kept = http?.sealedBody === undefined ? outcome : withoutText(outcome);
    if (queued.kind === 'event_names') return named(begun, outcome);
    return invoked(begun, kept, { strategy: loaded.configured.manifest.dedupe, original });
  }

  /** As text: which part cannot be unsealed. That ends this run and nothing else. */
  #giveTo({ queued }: Begun, loaded: Loaded, record: Trigger): Given | Refusal | string {
    const { workspace } = record;
    if (this.#options.dbCloses(queued)) return 'What the source has stored in its db';
    let what = "What is secret in the source's configured props";
    try {
      const { props, secrets } = this.#props(loaded, workspace);
      what = 'What is secret in the request';
      const { manifest } = loaded.configured;
      if (isFormCall(queued.kind))
        return formInput(this.#forms.asked(record.data, workspace), manifest, { props, secrets });
      const ofSource = { manifest, endpoint: this.#endpoint(loaded) };
      const { vault } = this.#options;
      const given = givenEvent(record, ofSource, {
        open: (sealed) => vault.open(workspace, sealed),
        openBytes: (sealed) => vault.openBytes(workspace, sealed),
      });
      return { ...given, props, addedProps: addedProps(manifest.props), secrets: [...secrets, ...given.secrets] };
    } catch (error) {
      if (error instanceof PortError) throw error;
      return what;
    }
  }

  #refuseSealed(begun: Begun, what: string): Finished {
    const { sourceId } = begun.queued;
    const found = `${what} cannot be opened: it is damaged, or was sealed with another data key.`;
    const advice = what.includes('request') ? 'Send the request again.' : 'Delete the source and deploy it again.';
    this.#options.alerts.raise(
      'seal_does_not_open',
      sourceId,
      `${found} Source ${sourceId} does not run on it. ${advice}`,
    );
    return refused(begun, `${found} ${advice}`, 'SealedError');
  }

  #invocation(
    begun: Begun,
    { definition, configured: { manifest } }: Loaded,
    given: Given,
  ): Omit<Invocation, 'bundle'> {
    const { queued } = begun;
    const { sourceId, kind } = queued;
    return {
      sourceId,
      revision: definition.revision,
      workspace: queued.workspace,
      what: queued.lane === 'runs' ? 'run' : (kind as CallKind | Exclude<HookKind, 'describe'>),
      ...given,
      ...boundsOf(definition),
      ...(isMuted(kind, definition) ? { muted: true } : {}),
      db: () => this.#options.db(queued),
      onRespond: (response) => this.#respond(begun.trigger, response),
      askStore: this.#options.stores.doorFor(begun.trigger, manifest, given),
    };
  }

  #respond({ correlationId, data }: Trigger, response: HttpResponse): void {
    if (this.#ended || data.replyTo === undefined || data.kind !== 'http') return;
    const { status, headers, bodyBase64 } = response;
    this.#options.log.reply(data.replyTo, { type: 'HttpResponded', correlationId, status, headers, bodyBase64 });
  }

  #endpoint({ definition }: Loaded): string {
    return this.#options.endpointUrl(definition.endpointKey);
  }

  #props(loaded: Loaded, workspace: string): GivenProps {
    const { configured } = loaded;
    const known = this.#given.get(configured);
    if (known !== undefined) return known;
    const given = givenProps(configured, this.#endpoint(loaded), (sealed) =>
      this.#options.vault.open(workspace, sealed),
    );
    this.#given.set(configured, given);
    return given;
  }

  async #readBack({ offset }: QueuedTrigger): Promise<StoredRecord<Trigger>> {
    const { log, partition } = this.#options;
    const { records } = await log.read('triggers', partition, offset, { recordsMax: 1, bytesMax: 1 });
    const [record] = records;
    if (record?.offset === offset && record.type === 'TriggerRequested') return record;
    throw new PortError('corrupt', `triggers/${partition} has no record at ${offset} any more, which was read before`);
  }
}
