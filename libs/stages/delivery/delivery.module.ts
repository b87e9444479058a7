// The delivery stage for Nest.
import { Module } from '@nestjs/common';
import { Webhook } from '../../webhooks/webhook.ts';
import { StageSettings } from '../loop/settings.ts';
import { DeliveryStage } from './delivery.stage.ts';

@Module({
  providers: [
    {
      provide: DeliveryStage,
      inject: [Webhook, StageSettings],
      useFactory: (webhook: Webhook, { masterKey, ambient, logger, metrics }: StageSettings) =>
        new DeliveryStage({
          webhook,
          masterKey,
          ambient,
          metrics,
          alert: (message, details) => logger.error(details, message),
        }),
    },
  ],
  exports: [DeliveryStage],
})
export class DeliveryModule {
  static readonly stage = DeliveryStage;
  static readonly ports = ['webhook'] as const;
}
