// POST /rebuild: rebuilds all views while the live ones stay in use; for the operator, who has the data directory.
import { ConflictException, Controller, Headers, HttpCode, Inject, Post, UnauthorizedException } from '@nestjs/common';
import { isOperator } from '../loop/operator/operator-key.ts';
import { NewerRecordError } from '../loop/reading/unusable.ts';
import { StageSettings } from '../loop/settings.ts';
import { Projection } from './projection.ts';
import type { Rebuilt } from './projection.ts';
import { RebuildRefused } from './rebuild/rebuild.ts';

@Controller('rebuild')
export class RebuildController {
  readonly #projection: Projection;
  readonly #settings: StageSettings;

  constructor(@Inject(Projection) projection: Projection, @Inject(StageSettings) settings: StageSettings) {
    this.#projection = projection;
    this.#settings = settings;
  }

  /**
   * Answers when readers have switched. 409 while several projections share the log. 401 without the first API key of
   * this data directory.
   */
  @Post()
  @HttpCode(200)
  async rebuild(@Headers('authorization') authorization: string | undefined): Promise<Rebuilt> {
    if (!(await isOperator(this.#settings.dataDir, authorization)))
      throw new UnauthorizedException('Send the key in the file api-key of the data directory as a bearer token.');
    return this.#projection.rebuild().catch((error: unknown) => {
      throw error instanceof RebuildRefused || error instanceof NewerRecordError
        ? new ConflictException(error.message)
        : error;
    });
  }
}
