// Runs a trigger that has no source: it carries code, the URL of code, or a search in the registry.
import { isFormCall } from '../../../domain/call/call.ts';
import { programOf } from '../../../domain/component/program/program.ts';
import type { Program } from '../../../domain/component/program/program.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { Forms } from '../calls/forms.ts';
import { Fetching } from '../fetching/fetching.ts';
import type { FetchingOptions } from '../fetching/fetching.ts';
import type { Manner } from '../lanes/dispatcher-options.ts';
import { describedToSave } from '../outcome/described-to-save.ts';
import { refused } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';

export interface BroughtCodeOptions extends FetchingOptions {
  readonly forms: Pick<Forms, 'ofCode' | 'describe'>;
}

export class BroughtCode {
  readonly #options: BroughtCodeOptions;
  readonly #fetching: Fetching;

  constructor(options: BroughtCodeOptions) {
    this.#options = options;
    this.#fetching = new Fetching(options);
  }

  /** Undefined: the invocation was lost, or the runner has ended. */
  async run(begun: Begun, record: Trigger, manner: Manner): Promise<Finished | undefined> {
    const { code = '', url, find: wanted, kind } = record.data;
    if (isFormCall(kind)) return this.#answerForm(begun, record, manner);
    if (wanted !== undefined) return this.#fetching.find(begun, wanted);
    if (url !== undefined) return this.#fetching.fetch(begun, url, manner);
    return this.#describe(begun, { ...record.data, code });
  }

  async #describe(begun: Begun, program: Program): Promise<Finished> {
    const { forms, ambient } = this.#options;
    const { outcome, lock } = await forms.describe(programOf(program), begun.trigger.workspace);
    return describedToSave(begun, outcome, { took: ambient.now() - begun.startedAt, lock });
  }

  async #answerForm(begun: Begun, record: Trigger, manner: Manner): Promise<Finished | undefined> {
    try {
      return await this.#options.forms.ofCode(begun, record, manner);
    } catch (error) {
      if (error instanceof PortError) throw error;
      return refused(begun, 'What is asked cannot be opened with the data key of this workspace', 'SealedError');
    }
  }
}
