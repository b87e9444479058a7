// Makes the input of an invocation from its trigger and its source's props, or the reason why there is none.
import { isFormCall } from '../../../domain/call/call.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { Invocation } from '../../../sandbox/sandbox.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { addedProps, formInput } from '../calls/form-input.ts';
import type { Forms } from '../calls/forms.ts';
import { propsRefusedResult } from '../outcome/form-call-result.ts';
import { refusedResult } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';
import type { Configured, Definition } from '../source/definitions.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { makeEventInput, unsealProps } from '../source/run-input.ts';
import type { UnsealedProps } from '../source/run-input.ts';
import type { Vault } from '../source/vault.ts';

export interface InvocationInputsOptions {
  readonly vault: Vault;
  readonly alerts: Alerts;
  readonly forms: Pick<Forms, 'unsealRequest'>;
  readonly endpointUrl: (endpointKey: string) => string;
  /** Whether the source's stored db cannot be opened. */
  readonly isDbUnreadable: (queued: QueuedTrigger) => boolean;
}

/** A loaded component, in its current version. */
export interface LoadedComponent {
  readonly definition: Definition;
  readonly program: Program;
  readonly configured: Configured;
}

export type InvocationInput = Pick<Invocation, 'event' | 'isHttp' | 'onlyBody' | 'props' | 'addedProps' | 'secrets'>;

export class InvocationInputs {
  readonly #options: InvocationInputsOptions;
  /** Unsealed props, made once for each revision; the entry is dropped with its revision. */
  readonly #props = new WeakMap<Configured, UnsealedProps>();

  constructor(options: InvocationInputsOptions) {
    this.#options = options;
  }

  /** A Finished is a refusal. A value that cannot be unsealed ends only this run. */
  inputFor(attempt: Attempt, loaded: LoadedComponent, record: Trigger): InvocationInput | TriggerResult {
    const { queued } = attempt;
    const { vault, forms, isDbUnreadable } = this.#options;
    const { workspace } = record;
    const { manifest } = loaded.configured;
    if (isDbUnreadable(queued)) return this.#refuseSealed(attempt, 'What the source has stored in its db');
    let unsealing = "What is secret in the source's configured props";
    try {
      const { props, secrets } = this.#unsealedProps(loaded, workspace);
      unsealing = 'What is secret in the request';
      if (isFormCall(queued.kind)) {
        const input = formInput(forms.unsealRequest(record.data, workspace), manifest, { props, secrets });
        return 'problems' in input ? propsRefusedResult(attempt, input.problems) : input;
      }
      const sourceInfo = { manifest, endpoint: this.#endpoint(loaded) };
      const eventInput = makeEventInput(record, sourceInfo, {
        open: (sealed) => vault.open(workspace, sealed),
        openBytes: (sealed) => vault.openBytes(workspace, sealed),
      });
      return {
        ...eventInput,
        props,
        addedProps: addedProps(manifest.props),
        secrets: [...secrets, ...eventInput.secrets],
      };
    } catch (error) {
      if (error instanceof PortError) throw error;
      return this.#refuseSealed(attempt, unsealing);
    }
  }

  #refuseSealed(attempt: Attempt, what: string): TriggerResult {
    const { sourceId } = attempt.queued;
    const found = `${what} cannot be opened: it is damaged, or was sealed with another data key.`;
    const advice = what.includes('request') ? 'Send the request again.' : 'Delete the source and deploy it again.';
    this.#options.alerts.raise(
      'seal_does_not_open',
      sourceId,
      `${found} Source ${sourceId} does not run on it. ${advice}`,
    );
    return refusedResult(attempt, `${found} ${advice}`, 'SealedError');
  }

  #unsealedProps(loaded: LoadedComponent, workspace: string): UnsealedProps {
    const { configured } = loaded;
    const known = this.#props.get(configured);
    if (known !== undefined) return known;
    const { vault } = this.#options;
    const unsealed = unsealProps(configured, this.#endpoint(loaded), (sealed) => vault.open(workspace, sealed));
    this.#props.set(configured, unsealed);
    return unsealed;
  }

  #endpoint({ definition }: LoadedComponent): string {
    return this.#options.endpointUrl(definition.endpointKey);
  }
}
