// Starts and stops the parts of a process: the stages on an engine's ports, the HTTP server, and their shutdown.
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HealthModule, WatchedLoops } from '../stages/loop/health.ts';
import type { WatchedLoop } from '../stages/loop/health.ts';
import { restrictToOperator } from '../stages/loop/operator/operator-route.ts';
import type { StageSettings } from '../stages/loop/settings.ts';
import { Stage } from '../stages/loop/stage.ts';
import { StageLoop } from '../stages/loop/stage-loop.ts';
import { StageStrategy } from '../stages/loop/strategy.ts';
import type { Runnable, StageModule } from '../stages/loop/strategy.ts';
import type { Ports } from './engine.ts';
import { createServerDrain } from './shutdown/drain-server.ts';
import { countRequests } from './metrics/http-metrics.ts';
import { measureLoops } from './metrics/loop-metrics.ts';
import { MetricsModule } from './metrics/metrics.module.ts';
import { measureProcess } from './metrics/process-metrics.ts';
import { measureStores } from './metrics/store-metrics.ts';
import { ListenError } from './listen-error.ts';
import { NestLogger } from './nest-logger.ts';
import { PortsModule } from './ports.module.ts';

/** Only the API's stage accepts bodies, with its own limits; Fastify accepts no smaller limit. */
const bodyBytesMax = 1;

class Loops extends WatchedLoops {
  readonly runnables: Runnable[] = [];
  readonly #extraLoops: readonly WatchedLoop[];

  constructor({ watched }: Ports) {
    super();
    this.#extraLoops = watched === undefined ? [] : [watched];
  }

  get all(): readonly WatchedLoop[] {
    return [...this.runnables, ...this.#extraLoops];
  }
}

@Module({})
class Root {
  static of(parts: {
    ports: Ports;
    settings: StageSettings;
    stages: readonly StageModule[];
    loops: Loops;
    metricsToken?: string | undefined;
  }): DynamicModule {
    return {
      module: Root,
      imports: [
        PortsModule.register(parts.ports, parts.settings),
        ...parts.stages,
        HealthModule.register(parts.loops),
        MetricsModule.register(parts.settings.metrics, parts.metricsToken),
      ],
    };
  }
}

export interface BootedProcess {
  /** The port at which HTTP answers. */
  readonly port: number;
  /** Returns a link that signs in to the console once; undefined if there is no console. */
  invitation(): string | undefined;
  /** Stops accepting, drains the stages, and closes the ports; everything appended is kept. */
  close(): Promise<void>;
}

export interface BootOptions {
  /** Port 0: any free port. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly ports: Ports;
  readonly settings: StageSettings;
  readonly stages: readonly StageModule[];
  /** The token that other machines must send to read the metrics; undefined: they may not. */
  readonly metricsToken?: string | undefined;
}

/** Resolves when every stage runs and HTTP answers. */
export async function boot({ listen, ports, settings, stages, metricsToken }: BootOptions): Promise<BootedProcess> {
  const loops = new Loops(ports);
  const app = await NestFactory.create<NestFastifyApplication>(
    Root.of({ ports, settings, stages, loops, metricsToken }),
    new FastifyAdapter({
      forceCloseConnections: 'idle',
      bodyLimit: bodyBytesMax,
      ...Object.assign({}, ...stages.map(({ server }) => server?.(settings))),
    }),
    { logger: new NestLogger(settings.logger), abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  countRequests(fastify, settings.metrics);
  const drainServer = createServerDrain(fastify);
  const apiStages: Runnable[] = [];
  for (const stage of stages) {
    if (stage.operatorRoute !== undefined) restrictToOperator(fastify, stage.operatorRoute, settings.dataDir);
    await stage.configure?.(app);
    const runnable = runnableOf(app.get<Stage | Runnable>(stage.stage), ports, settings);
    loops.runnables.push(runnable);
    if (stage.configure !== undefined) apiStages.push(runnable);
    app.connectMicroservice({ strategy: new StageStrategy(runnable, settings.onFatal) });
  }
  const stopMeasuring = measure(loops.runnables, ports, settings);
  await app.startAllMicroservices();
  await app.init();
  const port = await listenOn(app, listen);
  const close = async (): Promise<void> => {
    const refuse = (): Promise<unknown> => Promise.all(apiStages.map((one) => one.stop(0)));
    await drainServer({ close: () => app.getHttpAdapter().close(), refuse });
    await app.close().finally(() => ports.close());
  };
  const invitation = (): string | undefined => stages.map((stage) => stage.invitation?.(app)).find(Boolean);
  return { port, invitation, close: () => close().finally(stopMeasuring) };
}

/** Listens on the server itself, since Nest would log an error that is rethrown here. Returns the port. */
async function listenOn(app: NestFastifyApplication, { host, port }: BootOptions['listen']): Promise<number> {
  try {
    await app.getHttpAdapter().getInstance().listen({ port, host });
  } catch (error) {
    throw new ListenError(host, port, error as NodeJS.ErrnoException);
  }
  return (app.getHttpServer().address() as AddressInfo).port;
}

function runnableOf(stage: Stage | Runnable, { log, ownership }: Ports, settings: StageSettings): Runnable {
  if (!(stage instanceof Stage)) return stage;
  const { logger, metrics } = settings;
  const alerts = settings.alerts.forStage(stage.name);
  return new StageLoop(stage, log, logger, { ownership, alerts, metrics });
}

/** Measures loops, stores and the process; returns a function that ends it. */
function measure(loops: readonly Runnable[], { log, sizes }: Ports, { metrics, ambient }: StageSettings): () => void {
  measureLoops(metrics, { loops, log, now: ambient.now });
  if (sizes !== undefined) measureStores(metrics, sizes);
  return measureProcess(metrics);
}
