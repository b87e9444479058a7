// Delivery: pushes events to webhooks; any number of instances share the partitions.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { DeliveryModule } from '../../libs/stages/delivery/delivery.module.ts';

await run(distributed, [DeliveryModule]);
