// The gateway's Nest module: its providers and controllers, and what it adds to the HTTP server.
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Log } from '../../log/log.ts';
import { ViewStore } from '../../view-store/view-store.ts';
import { StageSettings } from '../loop/settings.ts';
import { ConsolePages } from './console/console-pages.ts';
import { configureGateway, gatewayServerOptions } from './configure.ts';
import { Gateway } from './gateway.ts';
import { ListAnswers } from './http/lists/list-answers.ts';
import { GatewayParts } from './parts/parts.ts';
import { AccountsController } from './rest/accounts/accounts.controller.ts';
import { ApiKeysController } from './rest/api-keys/api-keys.controller.ts';
import { AppsController } from './rest/apps/apps.controller.ts';
import { ComponentsController } from './rest/components/components.controller.ts';
import { RegistryController } from './rest/components/registry/registry.controller.ts';
import { DataStoresController } from './rest/data-stores/data-stores.controller.ts';
import { RecordsController } from './rest/data-stores/records.controller.ts';
import { FormsController } from './rest/forms/forms.controller.ts';
import { DeliveriesController } from './rest/deliveries/deliveries.controller.ts';
import { ExportController } from './rest/history/export/export.controller.ts';
import { AuditKeysController } from './rest/history/keys/keys.controller.ts';
import { ProofsController } from './rest/history/proofs/proofs.controller.ts';
import { SignedHistory } from './rest/history/signed/signed-history.ts';
import { PublishController } from './rest/sources/channel/publish.controller.ts';
import { EventsController } from './rest/sources/events/events.controller.ts';
import { RunsController } from './rest/sources/runs/runs.controller.ts';
import { SourcesController } from './rest/sources/sources.controller.ts';
import { AutoSubscriptionsController } from './rest/subscriptions/auto/auto-subscriptions.controller.ts';
import { FilteredController } from './rest/subscriptions/filter/filtered.controller.ts';
import { HistoryController } from './rest/history/history.controller.ts';
import { StatsController } from './rest/stats/stats.controller.ts';
import { WebhookStatsController } from './rest/stats/webhook-stats.controller.ts';
import { PositionsController } from './rest/subscriptions/positions/positions.controller.ts';
import { ReplaysController } from './rest/subscriptions/replays/replays.controller.ts';
import { SubscriptionsController } from './rest/subscriptions/subscriptions.controller.ts';
import { UsersController } from './rest/users/users.controller.ts';
import { WebhooksController } from './rest/webhooks/webhooks.controller.ts';
import { StreamsController } from './rest/streams/streams.controller.ts';
import { ProblemFilter } from './server/problem.filter.ts';
import { RouteTable } from './server/route-table.ts';

@Module({
  controllers: [
    UsersController,
    ApiKeysController,
    WebhooksController,
    SubscriptionsController,
    AutoSubscriptionsController,
    PositionsController,
    FilteredController,
    ReplaysController,
    DeliveriesController,
    AccountsController,
    DataStoresController,
    RecordsController,
    AppsController,
    ComponentsController,
    RegistryController,
    FormsController,
    SourcesController,
    EventsController,
    RunsController,
    PublishController,
    StreamsController,
    StatsController,
    WebhookStatsController,
    AuditKeysController,
    ProofsController,
    ExportController,
    HistoryController,
  ],
  providers: [
    {
      provide: Gateway,
      inject: [Log, ViewStore, StageSettings],
      useFactory: (log: Log, views: ViewStore, settings: StageSettings) => {
        const { masterKey, ambient, publicUrl, endpointUrl, trustedProxies, dataDir, instanceId } = settings;
        const { logger, alerts } = settings;
        const instanceOptions = { publicUrl, endpointUrl, trustedProxies, dataDir, instanceId };
        return new Gateway({
          log,
          views,
          masterKey,
          ambient,
          ...instanceOptions,
          logger,
          alerts: alerts.forStage('gateway'),
        });
      },
    },
    { provide: GatewayParts, inject: [Gateway], useFactory: ({ parts }: Gateway): GatewayParts => parts },
    SignedHistory,
    RouteTable,
    ConsolePages,
    { provide: ListAnswers, useFactory: (): ListAnswers => new ListAnswers() },
    ProblemFilter,
  ],
  exports: [Gateway],
})
export class GatewayModule {
  static readonly stage = Gateway;
  static readonly ports = ['views'] as const;
  static readonly server = gatewayServerOptions;

  static async configure(this: void, app: NestFastifyApplication): Promise<void> {
    await configureGateway(app, GatewayModule);
  }

  /** Returns a link that signs in: print it only to a terminal. */
  static invitation(this: void, app: NestFastifyApplication): string | undefined {
    const { access, addresses } = app.get(GatewayParts);
    const token = app.get(ConsolePages).isBuilt ? access.signInToken() : undefined;
    return token === undefined ? undefined : `${addresses.publicUrl}/#sign-in=${token}`;
  }
}
