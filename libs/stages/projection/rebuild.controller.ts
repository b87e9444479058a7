// POST /rebuild: rebuilds all views while the live ones stay in use; for the operator, who has the data directory.
import { ConflictException, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { OperatorGuard } from '../loop/operator/operator-route.ts';
import { NewerRecordError } from '../loop/reading/unusable.ts';
import { Projection } from './projection.ts';
import type { Rebuilt } from './projection.ts';
import { RebuildRefused } from './rebuild/rebuild.ts';

/** `ProjectionModule` restricts it to the operator. */
@UseGuards(OperatorGuard)
@Controller('rebuild')
export class RebuildController {
  readonly #projection: Projection;

  constructor(@Inject(Projection) projection: Projection) {
    this.#projection = projection;
  }

  /** Answers when readers use the new views. 409 while several projections share the log. */
  @Post()
  @HttpCode(200)
  async rebuild(): Promise<Rebuilt> {
    return this.#projection.rebuild().catch((error: unknown) => {
      throw error instanceof RebuildRefused || error instanceof NewerRecordError
        ? new ConflictException(error.message)
        : error;
    });
  }
}
