// `npm run rebuild`: rebuilds the views of the embedded product from its log.
import { embedded } from '../../libs/engines/embedded/embedded.engine.ts';
import { rebuild } from '../../libs/engines/index.ts';
import { Projection } from '../../libs/stages/projection/projection.ts';

await rebuild(embedded, ({ log, views }, onRetry) => new Projection({ log, views, onRetry }).rebuild());
