// GET /health: 200 while every stage's loop turns, else 503 that names the stalled one; with live alerts. Needs no key.
// GET /health/live: 200 while the process answers at all, even if its servers are down: a restart would not help there.
import { Controller, Get, Inject, Res, ServiceUnavailableException } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { HealthCheckResult, HealthIndicatorResult } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import type { LiveAlert } from '../../domain/alert/alerts.ts';
import type { LoopFigures } from './measuring/loop-figures.ts';

/** A loop that health watches for stalls. */
export interface WatchedLoop extends LoopFigures {
  readonly name: string;
  readonly healthy: boolean;
  /** Why it is not healthy; undefined while it is. */
  readonly trouble: string | undefined;
  /** Absent where the process does not follow alerts. */
  readonly alerts?: readonly LiveAlert[];
}

/** The loops that this process runs. */
export abstract class WatchedLoops {
  abstract readonly all: readonly WatchedLoop[];
}

interface ShownAlerts {
  /** The newest first; absent where the process does not follow alerts. `since_ms` is epoch milliseconds. */
  readonly alerts?: readonly {
    readonly code: string;
    readonly subject: string;
    readonly message: string;
    readonly since_ms: number;
  }[];
}

/** Documenting it would load all of Swagger, even in processes that serve no API. */
const undocumented = { noCache: true, swaggerDocumentation: false };

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
  @HealthCheck(undocumented)
  /** Answers 503 instead of throwing: an exception would be reported as a problem of the request. */
  async check(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthCheckResult & ShownAlerts> {
    const shownAlerts = this.#shownAlerts();
    try {
      return {
        ...(await this.#health.check(this.#loops.all.map((loop) => () => this.#indicate(loop)))),
        ...shownAlerts,
      };
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      reply.code(error.getStatus());
      return { ...(error.getResponse() as HealthCheckResult), ...shownAlerts };
    }
  }

  @Get('live')
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** Alerts do not make health answer 503: each reports one record, source or receiver, while the stages continue. */
  #shownAlerts(): ShownAlerts {
    const known = this.#loops.all.find(({ alerts }) => alerts !== undefined)?.alerts;
    if (known === undefined) return {};
    return { alerts: known.map(({ code, subject, message, since }) => ({ code, subject, message, since_ms: since })) };
  }

  #indicate(loop: WatchedLoop): HealthIndicatorResult {
    const indicator = this.#indicators.check(loop.name);
    return loop.healthy ? indicator.up() : indicator.down(loop.trouble ?? 'it makes no progress');
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
