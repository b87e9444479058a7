// Shared by the routes of signed history: the log, its newest checkpoints, and turns, so that no caller can take all
// the time.
import { Inject, Injectable } from '@nestjs/common';
import { Log } from '../../../../../log/log.ts';
import { StageSettings } from '../../../../loop/settings.ts';
import { tooManyRequests } from '../../../http/api-problem.ts';
import { FairTurns } from '../../../http/limits/fair-turns.ts';
import { Trees } from './trees.ts';

/** Each reads up to 10,000 records. */
const proofs = {
  atOnce: 2,
  perOwnerMax: 16,
  totalMax: 128,
  full: () => tooManyRequests('Too many proofs are being made.'),
};

@Injectable()
export class SignedHistory {
  /** The unchecked log, because unusable records were signed as well. */
  readonly log: Log;
  readonly trees: Trees;
  readonly #turns = new FairTurns(proofs);

  constructor(@Inject(Log) log: Log, @Inject(StageSettings) { masterKey }: Pick<StageSettings, 'masterKey'>) {
    this.log = log;
    this.trees = new Trees(log, masterKey);
  }

  /** Throws ApiProblem 429 if too many proofs wait. */
  inTurn<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(workspace, work);
  }
}
