// The gateway: the API, the sources' endpoints; any number of instances.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { GatewayModule } from '../../libs/stages/gateway/gateway.module.ts';

await run(distributed, [GatewayModule]);
