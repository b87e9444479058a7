// `POST /v1/sources/ID/events`: events that an application publishes on a source without code.
import { Controller, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jsonDepthMax } from '../../../../../domain/json.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { IdempotencyKey } from '../../../http/input/idempotency-key.ts';
import { Input } from '../../../http/input/input.ts';
import { dataValuesMax } from '../../../http/json/json-scan.ts';
import { ApiPublishes } from '../../../openapi/operation.ts';
import { PublishDto, PublishedRecord } from './publish.dto.ts';
import { publishEvents } from './publish.ts';

/** The deepest event, inside an object, a list and the body. */
const bodyLevels = jsonDepthMax + 3;

type RequiredParts = Parts<'definitions' | 'views' | 'publishing'>;

@ApiTags('sources')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class PublishController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Post('sources/:id/events')
  @HttpCode(200)
  @ApiPublishes({
    summary: 'Publish events on a source of kind `channel`',
    bodyBytesMax: sizes.publishBodyBytes,
    bodyJson: { levelsMax: bodyLevels, valuesMax: dataValuesMax },
    input: PublishDto,
    record: PublishedRecord,
    shape: 'many',
  })
  async publishEvents(
    @CalledBy() caller: Caller,
    @Param('id') sourceId: string,
    @IdempotencyKey() idempotencyKey: string | null,
    @Input(PublishDto) input: PublishDto,
  ): Promise<{ readonly data: readonly PublishedRecord[] }> {
    return { data: await publishEvents(this.#parts, caller, { sourceId, idempotencyKey }, input) };
  }
}
