// What the routes of signed history share: the log, its newest checkpoints, and turns, so that no caller takes all the
// time.
import { Inject, Injectable } from '@nestjs/common';
import { Log } from '../../../../../log/log.ts';
import { StageSettings } from '../../../../loop/settings.ts';
import { PortError } from '../../../../../domain/port-error.ts';
import { Turns } from '../../../streams/sharing/turns-of-groups.ts';
import { tooMany } from '../../../http/api-problem.ts';
import { Trees } from './trees.ts';

/** Each reads up to 10,000 records. */
const proofsAtOnce = 2;
const proofsWaiting = { ofOwnerMax: 16, allMax: 128 };

@Injectable()
export class SignedHistory {
  /** Unchecked, because unusable records were signed as well. */
  readonly log: Log;
  readonly trees: Trees;
  readonly #turns = new Turns(proofsAtOnce, proofsWaiting);

  constructor(@Inject(Log) log: Log, @Inject(StageSettings) { masterKey }: Pick<StageSettings, 'masterKey'>) {
    this.log = log;
    this.trees = new Trees(log, masterKey);
  }

  /** Throws ApiProblem 429 when too many proofs wait. */
  async inTurn<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    let hasBegun = false;
    try {
      return await this.#turns.take(workspace, () => {
        hasBegun = true;
        return work();
      });
    } catch (error) {
      if (!hasBegun && error instanceof PortError) throw tooMany('Too many proofs are being made.');
      throw error;
    }
  }
}
