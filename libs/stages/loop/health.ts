// GET /health: open, 200 while every stage's loop moves, 503 with the stalled one's name when it does not.
// GET /health/live: open, 200 while the process answers at all, whatever its servers do: a restart brings none of them back.
import { Controller, Get, Inject } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { HealthCheckResult, HealthIndicatorResult } from '@nestjs/terminus';

/** One loop whose movement health watches. */
export interface Watched {
  readonly name: string;
  readonly healthy: boolean;
}

/** The list of what this process runs. */
export abstract class WatchedLoops {
  abstract readonly all: readonly Watched[];
}

@ApiExcludeController()
@Controller('health')
export class HealthController {
  readonly #health: HealthCheckService;
  readonly #indicators: HealthIndicatorService;
  readonly #loops: WatchedLoops;

  constructor(
    @Inject(HealthCheckService) health: HealthCheckService,
    @Inject(HealthIndicatorService) indicators: HealthIndicatorService,
    @Inject(WatchedLoops) loops: WatchedLoops,
  ) {
    this.#health = health;
    this.#indicators = indicators;
    this.#loops = loops;
  }

  @Get()
  @HealthCheck()
  check(): Promise<HealthCheckResult> {
    return this.#health.check(this.#loops.all.map((loop) => () => this.#indicate(loop)));
  }

  @Get('live')
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  #indicate(loop: Watched): HealthIndicatorResult {
    const indicator = this.#indicators.check(loop.name);
    return loop.healthy ? indicator.up() : indicator.down('its loop has not turned for 30 s');
  }
}

export class HealthModule {
  static register(loops: WatchedLoops): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [{ provide: WatchedLoops, useValue: loops }],
    };
  }
}
