// Makes the input of an invocation from its trigger and its source's props, or the reason why there is none.
import { isFormCall } from '../../../domain/call/call.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { Invocation } from '../../../sandbox/sandbox.ts';
import type { Alerts } from '../../loop/alerts/alerts.ts';
import { addedProps, formInput } from '../calls/form-input.ts';
import type { Forms } from '../calls/forms.ts';
import { propsRefused } from '../outcome/answered.ts';
import { refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';
import type { Configured, Definition } from '../source/definitions.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { givenEvent, givenProps } from '../source/run-input.ts';
import type { GivenProps } from '../source/run-input.ts';
import type { Vault } from '../source/vault.ts';

export interface InputsOptions {
  readonly vault: Vault;
  readonly alerts: Alerts;
  readonly forms: Pick<Forms, 'asked'>;
  readonly endpointUrl: (endpointKey: string) => string;
  /** Whether the source's stored db cannot be opened. */
  readonly dbCloses: (queued: QueuedTrigger) => boolean;
}

/** A loaded component, in its current version. */
export interface Loaded {
  readonly definition: Definition;
  readonly program: Program;
  readonly configured: Configured;
}

export type Input = Pick<Invocation, 'event' | 'isHttp' | 'onlyBody' | 'props' | 'addedProps' | 'secrets'>;

export class Inputs {
  readonly #options: InputsOptions;
  /** Unsealed props, made once for each revision; the entry is dropped with its revision. */
  readonly #props = new WeakMap<Configured, GivenProps>();

  constructor(options: InputsOptions) {
    this.#options = options;
  }

  /** A Finished is a refusal. A value that cannot be unsealed ends only this run. */
  of(begun: Begun, loaded: Loaded, record: Trigger): Input | Finished {
    const { queued } = begun;
    const { vault, forms, dbCloses } = this.#options;
    const { workspace } = record;
    const { manifest } = loaded.configured;
    if (dbCloses(queued)) return this.#refuseSealed(begun, 'What the source has stored in its db');
    let opening = "What is secret in the source's configured props";
    try {
      const { props, secrets } = this.#propsOf(loaded, workspace);
      opening = 'What is secret in the request';
      if (isFormCall(queued.kind)) {
        const input = formInput(forms.asked(record.data, workspace), manifest, { props, secrets });
        return 'problems' in input ? propsRefused(begun, input.problems) : input;
      }
      const ofSource = { manifest, endpoint: this.#endpoint(loaded) };
      const given = givenEvent(record, ofSource, {
        open: (sealed) => vault.open(workspace, sealed),
        openBytes: (sealed) => vault.openBytes(workspace, sealed),
      });
      return { ...given, props, addedProps: addedProps(manifest.props), secrets: [...secrets, ...given.secrets] };
    } catch (error) {
      if (error instanceof PortError) throw error;
      return this.#refuseSealed(begun, opening);
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

  #propsOf(loaded: Loaded, workspace: string): GivenProps {
    const { configured } = loaded;
    const known = this.#props.get(configured);
    if (known !== undefined) return known;
    const { vault } = this.#options;
    const given = givenProps(configured, this.#endpoint(loaded), (sealed) => vault.open(workspace, sealed));
    this.#props.set(configured, given);
    return given;
  }

  #endpoint({ definition }: Loaded): string {
    return this.#options.endpointUrl(definition.endpointKey);
  }
}
