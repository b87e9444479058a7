// `GET /v1/webhooks/ID/stats`: counts of how the receiver of a webhook has answered, by minute or hour.
import { Controller, Get, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { Input } from '../../http/input/input.ts';
import { ApiReads } from '../../openapi/operation.ts';
import { readOwned } from '../owned-documents.ts';
import { presentAttempts } from './attempt-counts.ts';
import { countsByHours, countsBySteps, stepLengths } from './counts.ts';
import type { StatsList } from './hourly-documents.ts';
import { spanOf, stepsOf } from './span.ts';
import { AttemptStatsRecord, StatsDto } from './stats.dto.ts';

@ApiTags('webhooks')
@UseGuards(ApiKeyGuard)
@Controller('v1/webhooks/:id/stats')
export class WebhookStatsController {
  readonly #parts: Parts<'views' | 'ambient'>;

  constructor(@Inject(GatewayParts) parts: Parts<'views' | 'ambient'>) {
    this.#parts = parts;
  }

  @Get()
  @ApiReads({
    summary: 'Attempts to a webhook over time: how many, how many failed, and how long they took',
    description: 'One record for each minute or hour, also for those without an attempt, oldest first',
    input: StatsDto,
    record: AttemptStatsRecord,
    shape: 'many',
  })
  async getWebhookStats(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(StatsDto) input: StatsDto,
  ): Promise<{ readonly data: readonly AttemptStatsRecord[] }> {
    const { views, ambient } = this.#parts;
    await readOwned(this.#parts, caller, 'webhooks', id);
    const step = input.step ?? 'minute';
    const span = spanOf(input, stepLengths[step], ambient.now());
    const statsListOf = (view: string): StatsList => ({ view, index: 'byWebhook', equals: [id] });
    const [daily, hourly] = [statsListOf('webhookDays'), statsListOf('webhookStats')];
    const counts = await (step === 'hour'
      ? countsByHours(views(), { daily, hourly }, span)
      : countsBySteps(views(), [hourly], span));
    return { data: stepsOf(span, (ts) => selectFields({ ts, ...presentAttempts(counts.get(ts) ?? {}) }, input)) };
  }
}
