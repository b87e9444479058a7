// Starts the embedded product without its audit stage, to measure what an event costs without it.
import 'reflect-metadata';
import { embedded } from '../../../libs/engines/embedded/embedded.engine.ts';
import { run } from '../../../libs/engines/index.ts';
import { DeliveryModule } from '../../../libs/stages/delivery/delivery.module.ts';
import { GatewayModule } from '../../../libs/stages/gateway/gateway.module.ts';
import { LifecycleModule } from '../../../libs/stages/lifecycle/lifecycle.module.ts';
import { ProjectionModule } from '../../../libs/stages/projection/projection.module.ts';
import { RuntimeModule } from '../../../libs/stages/runtime/runtime.module.ts';
import { SchedulerModule } from '../../../libs/stages/scheduler/scheduler.module.ts';

await run(embedded, [LifecycleModule, SchedulerModule, RuntimeModule, DeliveryModule, ProjectionModule, GatewayModule]);
