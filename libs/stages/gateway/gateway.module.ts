// The gateway as a Nest module.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { GATEWAY_OPTIONS } from './gateway-options.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { Gateway } from './gateway.ts';
import { SourcesController } from './rest/sources/sources.controller.ts';
import { SubscriptionsController } from './rest/subscriptions/subscriptions.controller.ts';
import { UsersController } from './rest/users/users.controller.ts';
import { WebhooksController } from './rest/webhooks/webhooks.controller.ts';
import { ProblemFilter } from './rim/problem.filter.ts';
import { RouteTable } from './rim/route-table.ts';

@Module({})
export class GatewayModule {
  /** `Gateway` is to be started once the stages run, and stopped before they stop. */
  static register(options: GatewayOptions): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [UsersController, WebhooksController, SubscriptionsController, SourcesController],
      providers: [
        { provide: GATEWAY_OPTIONS, useValue: options },
        { provide: Gateway, useFactory: () => new Gateway(options) },
        RouteTable,
        ProblemFilter,
      ],
      exports: [Gateway],
    };
  }
}
