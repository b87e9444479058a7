// Rebuilds the views of the distributed product: asks the projection at HEALTH_PORT, or does it itself.
import { distributed } from '../../libs/engines/distributed/distributed.engine.ts';
import { rebuild } from '../../libs/engines/index.ts';
import { Projection } from '../../libs/stages/projection/projection.ts';
import { rebuildAsSoleOwner } from '../../libs/stages/projection/rebuild-as-sole-owner.ts';

await rebuild(distributed, ({ log, views, ownership }, onRetry) =>
  rebuildAsSoleOwner(new Projection({ log, views, ownership, onRetry })),
);
