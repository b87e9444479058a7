// `GET /v1/stats`: counts of what happened in a workspace, by minute or hour.
import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Millis } from '../../../../domain/message.ts';
import { statsViews } from '../../../../domain/views/index.ts';
import type { MinuteCounts } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { Input } from '../../http/input/input.ts';
import { ApiReads } from '../../openapi/operation.ts';
import { countsBySteps, stepLengths } from './counts.ts';
import { spanOf, stepsOf } from './span.ts';
import { StatsDto, StatsRecord } from './stats.dto.ts';
import { presentAttempts } from './attempt-counts.ts';

@ApiTags('stats')
@UseGuards(ApiKeyGuard)
@Controller('v1/stats')
export class StatsController {
  readonly #parts: Parts<'views' | 'ambient'>;

  constructor(@Inject(GatewayParts) parts: Parts<'views' | 'ambient'>) {
    this.#parts = parts;
  }

  @Get()
  @ApiReads({
    summary: 'Events, runs and attempts of deliveries over time',
    description: 'One record for each minute or hour, also for those in which nothing happened, oldest first',
    input: StatsDto,
    record: StatsRecord,
    shape: 'many',
  })
  async getStats(
    @CalledBy() caller: Caller,
    @Input(StatsDto) input: StatsDto,
  ): Promise<{ readonly data: readonly StatsRecord[] }> {
    const span = spanOf(input, stepLengths[input.step ?? 'minute'], this.#parts.ambient.now());
    const lists = statsViews.map(({ definition: { name } }) => ({
      view: name,
      index: 'byWorkspace',
      equals: [caller.workspace],
    }));
    const counts = await countsBySteps(this.#parts.views(), lists, span);
    return { data: stepsOf(span, (at) => selectFields(presentStats(at, counts.get(at) ?? {}), input)) };
  }
}

const presentStats = (ts: Millis, counts: MinuteCounts): StatsRecord => ({
  ts,
  events: counts.events ?? 0,
  runs: counts.runs ?? 0,
  failed_runs: counts.failedRuns ?? 0,
  ...presentAttempts(counts),
});
