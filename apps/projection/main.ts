// The projection: keeps the views; any number of instances share the partitions.
import 'reflect-metadata';
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { run } from '../../libs/engines/index.ts';
import { ProjectionModule } from '../../libs/stages/projection/projection.module.ts';

await run(distributed, [ProjectionModule]);
