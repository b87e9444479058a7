// `GET /v1/stats`: what happened in a workspace, minute by minute or hour by hour.
import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Millis } from '../../../../domain/message.ts';
import { statsViews, sumOf } from '../../../../domain/views/index.ts';
import type { MinuteCounts, StatsView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { chosenFields } from '../../http/answer.ts';
import { checkWorkspace } from '../../http/own-workspace.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { Input } from '../../http/input/input.ts';
import { ApiReads } from '../../openapi/operation.ts';
import { hourlyDocuments } from './hourly-documents.ts';
import { hourMs, minuteMs } from '../../../../domain/views/stats/stats.view.ts';
import { spanOf, stepsOf, type Span } from './span.ts';
import { StatsDto, StatsRecord } from './stats.dto.ts';

/** The last hour, or the last day. */
const steps = { minute: { ms: minuteMs, steps: 60 }, hour: { ms: hourMs, steps: 24 } } as const;

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
    checkWorkspace(caller, input);
    const span = spanOf(input, steps[input.step ?? 'minute'], this.#parts.ambient.now());
    const counts = await this.#counts(caller, span);
    return { data: stepsOf(span, (at) => chosenFields(presentStats(at, counts.get(at) ?? {}), input)) };
  }

  async #counts(caller: Caller, { from, to, stepMs }: Span): Promise<ReadonlyMap<Millis, MinuteCounts>> {
    const counts = new Map<Millis, MinuteCounts>();
    for (const { definition } of statsViews) {
      const list = { view: definition.name, index: 'byWorkspace', equals: [caller.workspace] };
      for await (const { value } of hourlyDocuments(this.#parts.views(), list, { from, to })) {
        const { hour, minutes } = value as StatsView;
        for (const [minute, counted] of Object.entries(minutes)) {
          const step = Math.floor((hour + Number(minute) * minuteMs) / stepMs) * stepMs;
          counts.set(step, sumOf(counts.get(step) ?? {}, counted));
        }
      }
    }
    return counts;
  }
}

const presentStats = (ts: Millis, counts: MinuteCounts): StatsRecord => ({
  ts,
  events: counts.events ?? 0,
  runs: counts.runs ?? 0,
  failed_runs: counts.failedRuns ?? 0,
  attempts: counts.attempts ?? 0,
  failed_attempts: counts.failedAttempts ?? 0,
  parked: counts.parked ?? 0,
  mean_attempt_ms: counts.attempts === undefined ? null : Math.round((counts.attemptMs ?? 0) / counts.attempts),
});
