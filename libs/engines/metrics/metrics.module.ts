// GET /metrics on every process: its metrics in Prometheus' text format.
import { Controller, ForbiddenException, Get, Inject, Module, Req, Res, UnauthorizedException } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expositionType } from '../../primitives/metrics/exposition.ts';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import { refusalOf } from './metrics-access.ts';

/** The dependencies of the controller. */
export class MetricsSource {
  readonly metrics: Metrics;
  readonly token: string | undefined;

  constructor(metrics: Metrics, token: string | undefined) {
    this.metrics = metrics;
    this.token = token;
  }
}

@Controller('metrics')
export class MetricsController {
  readonly #source: MetricsSource;

  constructor(@Inject(MetricsSource) source: MetricsSource) {
    this.#source = source;
  }

  /** 403 for other machines if no token is set, 401 for those that do not send it. */
  @Get()
  async read(@Req() { raw }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { metrics, token } = this.#source;
    const refusal = refusalOf({ address: raw.socket.remoteAddress, headers: raw.headers }, token);
    if (refusal === undefined) {
      reply.header('content-type', expositionType);
      return metrics.text();
    }
    if (refusal === 'local')
      throw new ForbiddenException(
        'Metrics are for this machine only, by localhost or an address: set METRICS_TOKEN, and send it as a bearer token.',
      );
    reply.header('www-authenticate', 'Bearer');
    throw new UnauthorizedException('Send METRICS_TOKEN as a bearer token.');
  }
}

@Module({})
export class MetricsModule {
  static register(metrics: Metrics, token: string | undefined): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [MetricsController],
      providers: [{ provide: MetricsSource, useValue: new MetricsSource(metrics, token) }],
    };
  }
}
