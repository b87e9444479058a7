// Answers forms through components, deployed or not: with the options of a prop, or the props for the values so far.
import { withAuthFields } from '../../../domain/component/props/accounts/auth-fields.ts';
import { callRunTimeoutMs, isFormCall } from '../../../domain/call/call.ts';
import type { FormCallKind } from '../../../domain/call/call.ts';
import { readFormCallResult } from '../../../domain/call/form.ts';
import type { FormRequest } from '../../../domain/call/form.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { retainedProps } from '../../../domain/source/process/configure.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Bundle, BuildOutcome, Lock, Packages } from '../../../packages/packages.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type {
  DescribeOptions,
  DescribeOutcome,
  Invocation,
  InvocationOutcome,
  Sandbox,
} from '../../../sandbox/sandbox.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { refuseAuth, withAuth } from '../accounts/auth.ts';
import type { Auth } from '../accounts/auth.ts';
import type { Configured } from '../source/definitions.ts';
import type { ExecutionMode } from '../lanes/dispatcher-options.ts';
import { buildLocked } from '../bundles/bundle-builder.ts';
import { formCallResult, notLoadedResult, propsRefusedResult } from '../outcome/form-call-result.ts';
import { describeResult } from '../outcome/describe-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { unsealProps } from '../source/run-input.ts';
import type { Vault } from '../source/vault.ts';
import type { CallGate } from './call-gate.ts';
import { formInput } from './form-input.ts';
import type { FormInput } from './form-input.ts';

export interface FormsOptions {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  readonly vault: Vault;
  readonly auth: Auth;
  readonly alerts: Alerts;
  readonly calls: CallGate;
  readonly ambient: { readonly now: () => number };
  readonly endpointUrl: (endpointKey: string) => string;
  /** The source's db after every outcome so far. */
  readonly dbOf: (queued: QueuedTrigger) => Readonly<Record<string, string>>;
  /** Whether the source's stored db cannot be opened. */
  readonly isDbUnreadable: (queued: QueuedTrigger) => boolean;
}

/** A described program; without a bundle it could not be built. */
export interface DescribedProgram {
  readonly outcome: DescribeOutcome;
  readonly bundle?: Bundle;
  /** The versions of its packages; absent: there are none, or it was built before. */
  readonly lock?: Lock;
}

type BuiltProgram =
  | { readonly kind: 'built'; readonly bundle: Bundle; readonly lock?: Lock | null }
  | Exclude<BuildOutcome, { readonly kind: 'built' }>;

/** A source that is being deployed or updated. */
interface DeployContext {
  /** The configured props of the command. */
  readonly asked: Sealed | undefined;
  /** The revision before; undefined: there is none, or it cannot be read. */
  readonly previous: () => Promise<Configured | undefined>;
  readonly endpointKey: string;
  /** The source's memory limit; undefined: the default. */
  readonly memoryMb: number | undefined;
}

interface ConfigureInput extends Pick<DeployContext, 'asked'> {
  readonly previous: Configured | undefined;
  readonly endpoint: string;
}

/** For an instance that is discarded after the answer. */
const throwawayInstance = { revision: 1, db: () => ({}), onRespond: () => {} } as const;

/** The props of the new code, and those that `additionalProps` had added to the old: it might add them again. */
function withDynamic(manifest: Manifest, before: Manifest): Manifest {
  const ownNames = new Set(manifest.props.map(({ name }) => name));
  const added = before.props.filter(({ name, dynamic }) => dynamic === true && !ownNames.has(name));
  return { ...manifest, props: [...manifest.props, ...added] };
}

export class Forms {
  readonly #options: FormsOptions;

  constructor(options: FormsOptions) {
    this.#options = options;
  }

  /** For a component that is not deployed: the trigger carries its code. Undefined: the runner has ended. */
  async answerForCode(
    attempt: Attempt,
    { data, workspace }: Trigger,
    mode: ExecutionMode,
  ): Promise<TriggerResult | undefined> {
    const { calls, sandbox } = this.#options;
    const { code = '', kind, sourceId } = data;
    if (!isFormCall(kind)) return undefined;
    const request = this.unsealRequest(data, workspace);
    const refusal = calls.refusalOf(attempt);
    if (refusal !== undefined) return refusal;
    // If packages must be installed first, the caller waits for that too: the component still has its whole time.
    const { outcome, bundle } = await this.describe(programOf({ ...data, code }), workspace);
    if (outcome.kind !== 'described') return notLoadedResult(attempt, outcome, this.#took(attempt));
    if (bundle === undefined) return undefined;
    const draft = formInput(request, outcome.manifest);
    if ('problems' in draft) return propsRefusedResult(attempt, draft.problems);
    const auth = await this.#options.auth.resolve(outcome.manifest, draft.props, workspace);
    if ('kind' in auth) return refuseAuth(attempt, auth, this.#options.alerts);
    const input = withAuth(draft, auth);
    const runTimeoutMs = await calls.begin(attempt, performance.now());
    if (typeof runTimeoutMs === 'object') return runTimeoutMs;
    const beginBy = performance.now() + runTimeoutMs;
    const invocation = {
      ...throwawayInstance,
      sourceId,
      workspace,
      what: kind,
      ...input,
      ...mode,
      runTimeoutMs,
      beginBy,
    };
    const answer = await sandbox.invoke({ ...invocation, bundle: async () => bundle });
    await sandbox.unload(sourceId);
    return answer.end === 'lost' ? calls.interruptedResult(attempt) : formCallResult(attempt, answer, kind);
  }

  /** Builds a program and describes the result. */
  async describe(program: Program, workspace: string): Promise<DescribedProgram> {
    return this.describeBuilt(await buildLocked(this.#options.packages, program, workspace), { workspace });
  }

  /** Describes a built program. */
  async describeBuilt(built: BuiltProgram, options: DescribeOptions): Promise<DescribedProgram> {
    if (built.kind !== 'built') return { outcome: { kind: 'invalid', error: built.error, console: [] } };
    const { bundle, lock = null } = built;
    const outcome = await this.#options.sandbox.describe(bundle, options);
    if (outcome.kind !== 'described') return { outcome, bundle };
    const manifest = withAuthFields(outcome.manifest, bundle.js);
    return { outcome: { ...outcome, manifest }, bundle, ...(lock === null ? {} : { lock }) };
  }

  /** The form's question. Throws if it cannot be unsealed. */
  unsealRequest({ asked: sealedRequest }: Trigger['data'], workspace: string): FormRequest {
    const unsealed =
      sealedRequest === undefined ? {} : (this.#options.vault.open(workspace, sealedRequest) as JsonObject);
    return { configuredProps: {}, ...unsealed };
  }

  /**
   * The end of `describe` for a component that is being deployed: its manifest with the props that `additionalProps`
   * adds for the given values; without them if the values are wrong, for which lifecycle refuses the deploy. Undefined:
   * the invocation was lost.
   */
  async describeForDeploy(
    attempt: Attempt,
    { outcome, bundle }: DescribedProgram,
    { asked, previous, endpointKey, memoryMb }: DeployContext,
  ): Promise<TriggerResult | undefined> {
    const took = (): number => this.#took(attempt);
    if (outcome.kind !== 'described' || bundle === undefined || !outcome.manifest.additionalProps)
      return describeResult(attempt, outcome, took());
    const { manifest } = outcome;
    const configureInput = { asked, previous: await previous(), endpoint: this.#options.endpointUrl(endpointKey) };
    const input = this.#configuredInput(attempt, manifest, configureInput);
    if (input === undefined || 'problems' in input) return describeResult(attempt, outcome, took());
    const auth = await this.#options.auth.resolve(manifest, input.props, attempt.trigger.workspace);
    if ('kind' in auth) return describeResult(attempt, outcome, took());
    const answer = await this.#callAdditionalProps(attempt, bundle, {
      ...withAuth(input, auth),
      ...(memoryMb === undefined ? {} : { memoryMb }),
    });
    if (answer.end === 'lost') return undefined;
    const console = [...outcome.console, ...answer.console];
    const returned = answer.end === 'finished' ? readFormCallResult('props', answer.emits[0]?.event) : answer.error;
    if (returned !== undefined && 'kind' in returned && returned.kind === 'props')
      return describeResult(attempt, { ...outcome, manifest: { ...manifest, props: returned.props }, console }, took());
    const error = returned !== undefined && 'name' in returned ? returned : { name: 'Error', message: answer.end };
    return describeResult(attempt, { kind: 'invalid', error, console }, took(), 'additionalProps');
  }

  /** Undefined: the values cannot be unsealed, which lifecycle also notices and reports. */
  #configuredInput(
    { trigger: { workspace } }: Attempt,
    manifest: Manifest,
    { asked, previous, endpoint }: ConfigureInput,
  ): ReturnType<typeof formInput> | undefined {
    const unseal = (sealed: Sealed): Json => this.#options.vault.open(workspace, sealed);
    try {
      const retained =
        previous === undefined ? {} : retainedProps(previous, withDynamic(manifest, previous.manifest), { unseal });
      const requested = asked === undefined ? {} : (unseal(asked) as JsonObject);
      const unsealed = unsealProps({ manifest, props: {} }, endpoint, unseal);
      return formInput({ configuredProps: { ...retained, ...requested } }, manifest, unsealed);
    } catch (error) {
      if (error instanceof PortError) throw error;
      return undefined;
    }
  }

  /** Calls `additionalProps`. It reads the source's db; its writes are discarded with the instance. */
  async #callAdditionalProps(
    attempt: Attempt,
    bundle: Bundle,
    input: FormInput & Pick<Invocation, 'memoryMb'>,
  ): Promise<InvocationOutcome> {
    const { sandbox, isDbUnreadable } = this.#options;
    const { workspace } = attempt.trigger;
    const db = () => (isDbUnreadable(attempt.queued) ? {} : this.#options.dbOf(attempt.queued));
    const sourceId = runIdOf(attempt.trigger);
    const what: FormCallKind = 'props';
    const invocation = {
      ...throwawayInstance,
      db,
      sourceId,
      workspace,
      what,
      ...input,
      runTimeoutMs: callRunTimeoutMs,
    };
    const answer = await sandbox.invoke({ ...invocation, bundle: async () => bundle });
    await sandbox.unload(sourceId);
    return answer;
  }

  #took({ startedAt }: Attempt): number {
    return this.#options.ambient.now() - startedAt;
  }
}
