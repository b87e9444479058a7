// The whole product in memory: the gateway with real stages and views, scripted components, and injected requests.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { viewDefinitions } from '../../domain/views/index.ts';
import { MemoryLog } from '../../log/log.fake.ts';
import { Log } from '../../log/log.ts';
import { FakePackages } from '../../packages/packages.fake.ts';
import { FakeSandbox } from '../../sandbox/sandbox.fake.ts';
import type { FakeComponent } from '../../sandbox/sandbox.fake.ts';
import { MemoryViewStore } from '../../view-store/view-store.fake.ts';
import { ViewStore } from '../../view-store/view-store.ts';
import { LifecycleStage } from '../lifecycle/lifecycle.stage.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { StageSettings } from '../loop/settings.ts';
import { StageLoop } from '../loop/stage-loop.ts';
import { AlertSender } from '../loop/alerts/alerts.ts';
import { Projection } from '../projection/projection.ts';
import type { RuntimeLimits } from '../runtime/runtime-limits.ts';
import { RuntimeStage } from '../runtime/runtime.stage.ts';
import { SchedulerStage } from '../scheduler/scheduler.stage.ts';
import { gatewayServerOptions } from './configure.ts';
import type { GatewayLimits } from './gateway-options.ts';
import { GatewayModule } from './gateway.module.ts';
import { Gateway } from './gateway.ts';
import { GatewayParts } from './parts/parts.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The JSON body; empty if the body is not JSON. */
  readonly body: AnswerBody;
}

/** Loose on purpose: each test states what it expects. */
export interface AnswerBody {
  readonly error?: string;
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly page_info?: Readonly<Record<string, unknown>>;
}

export interface TestRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestBedOptions {
  readonly limits?: Partial<GatewayLimits>;
  readonly runtimeLimits?: Partial<RuntimeLimits>;
  readonly log?: MemoryLog;
  readonly masterKey?: Buffer;
  readonly dataDir?: string;
  readonly endpointUrl?: string;
  readonly trustedProxies?: readonly string[];
  readonly consoleDir?: string;
  readonly components?: ReadonlyMap<string, FakeComponent>;
}

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS' | 'HEAD';

/** The master key of the service under test. */
export const testMasterKey = Buffer.alloc(32, 7);

const silent = pino({ level: 'silent' });

const endpointManifest = {
  name: 'Endpoint',
  version: '0.0.1',
  type: 'source' as const,
  props: [{ name: 'http', type: '$.interface.http' }],
  hooks: [],
  methods: [],
  additionalProps: false,
};

export class TestBed {
  readonly log: MemoryLog;
  readonly views = new MemoryViewStore(viewDefinitions);
  readonly components: Map<string, FakeComponent>;
  readonly packages = new FakePackages();
  readonly settings: StageSettings;
  readonly fatal: unknown[] = [];
  apiKey = '';
  readonly #loops: StageLoop[];
  readonly #projection: Projection;
  #app: NestFastifyApplication | undefined;

  constructor({
    log,
    masterKey,
    dataDir,
    components,
    endpointUrl,
    trustedProxies,
    consoleDir,
    runtimeLimits = {},
  }: TestBedOptions & { readonly dataDir: string }) {
    this.components = new Map(components);
    this.log = log ?? new MemoryLog({ partitions: 2 });
    const ambient = { now: Date.now, randomBytes };
    this.settings = {
      masterKey: masterKey ?? testMasterKey,
      ambient,
      publicUrl: 'http://test.local',
      endpointUrl,
      trustedProxies,
      consoleDir,
      dataDir,
      instanceId: 'gw_test',
      logger: silent,
      retention: { days: 0 },
      alerts: new AlertSender({ log: this.log, ambient, onLost: () => {} }),
      metrics: new Metrics(),
      onFatal: (error) => this.fatal.push(error),
    };
    const stages = [
      new LifecycleStage(this.settings),
      new SchedulerStage(this.settings),
      new RuntimeStage({
        ...this.settings,
        sandbox: new FakeSandbox(this.components),
        packages: this.packages,
        limits: runtimeLimits,
        endpointUrl: (key) => `http://test.local/e/${key}`,
      }),
    ];
    this.#loops = stages.map(
      (stage) => new StageLoop(stage, this.log, silent, { alerts: this.settings.alerts.forStage(stage.name) }),
    );
    this.#projection = new Projection({
      log: this.log,
      views: this.views,
      alerts: this.settings.alerts.forStage('projection'),
    });
  }

  static async start(options: TestBedOptions = {}): Promise<TestBed> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gateway-')));
    const bed = new TestBed({ ...options, dataDir });
    try {
      await bed.#start(options.limits);
    } catch (error) {
      await bed.stop();
      throw error;
    }
    return bed;
  }

  /** Applies other limits while `body` runs; requests before and after have the usual limits. */
  async withLimits<T>(changed: Partial<GatewayLimits>, body: () => Promise<T>): Promise<T> {
    const { limits } = this.parts;
    const original = { ...limits };
    Object.assign(limits, changed);
    try {
      return await body();
    } finally {
      Object.assign(limits, original);
    }
  }

  /** Answers a command that has not ended after a second, while `body` runs. */
  answeringEarly<T>(body: () => Promise<T>): Promise<T> {
    return this.withLimits({ outcomeMs: 1_000 }, body);
  }

  get parts(): GatewayParts {
    return this.app.get(GatewayParts);
  }

  get app(): NestFastifyApplication {
    if (this.#app === undefined) throw new Error('the test bed is not started');
    return this.#app;
  }

  async #start(limits: Partial<GatewayLimits> = {}): Promise<void> {
    const root = Ports.of(this.log, this.views, this.settings);
    const adapter = new FastifyAdapter(gatewayServerOptions(this.settings));
    const app = await NestFactory.create<NestFastifyApplication>(root, adapter, { logger: false, abortOnError: false });
    this.#app = app;
    Object.assign(app.get(GatewayParts).limits, limits);
    await GatewayModule.configure(app);
    for (const loop of this.#loops) loop.start(this.settings.onFatal);
    await this.#projection.start(this.settings.onFatal);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    await app.get(Gateway).start(this.settings.onFatal);
    this.apiKey = (await readFile(join(this.settings.dataDir, 'api-key'), 'utf8')).trim();
  }

  /** Ends the stages only: later commands get no outcome. */
  async stopStages(): Promise<void> {
    for (const loop of this.#loops.splice(0)) await loop.stop(0);
  }

  async stop(): Promise<void> {
    await this.#app?.close();
    await this.#app?.get(Gateway).stop();
    await this.stopStages();
    await this.#projection.stop();
    await rm(this.settings.dataDir, { recursive: true, force: true });
  }

  /** Deploys a source with an endpoint, whose runs do nothing; returns the endpoint's path. */
  async deployEndpoint(): Promise<string> {
    return (await this.deployEndpointUrl()).pathname;
  }

  async deployEndpointUrl(): Promise<URL> {
    this.components.set('endpoint', { manifest: endpointManifest });
    const { body } = await this.call('POST', '/v1/sources', { body: { component_code: 'endpoint' } });
    const source = body.data as { configured_props: { http: { endpoint_url: string } } };
    return new URL(source.configured_props.http.endpoint_url);
  }

  /** Sends a request with the API key. */
  async call(method: Method, url: string, { query = {}, body, headers = {} }: TestRequest = {}): Promise<Answer> {
    return this.send(method, url, { query, body, headers: { authorization: `Bearer ${this.apiKey}`, ...headers } });
  }

  /** Sends a request unchanged; a body that is neither text nor bytes is sent as JSON. */
  async send(method: Method, url: string, { query = {}, body, headers = {} }: TestRequest = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const payload = body === undefined ? {} : { payload: isRaw ? body : JSON.stringify(body) };
    const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' };
    const answer = await this.app.inject({ method, url, query, headers: { ...type, ...headers }, ...payload });
    const isJson = String(answer.headers['content-type']).startsWith('application/json') && answer.body !== '';
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? (JSON.parse(answer.body) as AnswerBody) : {},
    };
  }
}

@Module({})
class Ports {
  static of(log: Log, views: ViewStore, settings: StageSettings): DynamicModule {
    const providers = [
      { provide: Log, useValue: log },
      { provide: ViewStore, useValue: views },
      { provide: StageSettings, useValue: settings },
    ];
    return { module: Ports, global: true, imports: [GatewayModule], providers, exports: providers };
  }
}
