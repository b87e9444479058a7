// The Nest module of the delivery stage.
import { Module } from '@nestjs/common';
import { Transformer } from '../../sandbox/transformer.ts';
import { Webhook } from '../../webhooks/webhook.ts';
import { StageSettings } from '../loop/settings.ts';
import { DeliveryStage } from './delivery.stage.ts';

@Module({
  providers: [
    {
      provide: DeliveryStage,
      inject: [Webhook, Transformer, StageSettings],
      useFactory: (
        webhook: Webhook,
        transformer: Transformer,
        { masterKey, ambient, logger, metrics }: StageSettings,
      ) =>
        new DeliveryStage({
          webhook,
          transformer,
          masterKey,
          ambient,
          metrics,
          logError: (message, details) => logger.error(details, message),
        }),
    },
  ],
  exports: [DeliveryStage],
})
export class DeliveryModule {
  static readonly stage = DeliveryStage;
  static readonly ports = ['webhook', 'transformer'] as const;
}
