// The script of a process of transforms: handles one call at a time, and dies with the product.
import { endWithParent } from '../../../../primitives/worker-pool/end-with-parent.ts';
import type { FromTransforms, ToTransforms } from '../transform-protocol.ts';
import { TransformIsolates } from './isolates.ts';

/** Never exit(): V8 may crash on the way out while isolates are hot. */
const die = (): void => void process.kill(process.pid, 'SIGKILL');
endWithParent(die);

const isolates = new TransformIsolates(die);
const send = (message: FromTransforms): void => void process.send?.(message);

process.on('message', (call: ToTransforms) => {
  if (call.text === undefined && !isolates.has(call.key)) return send({ type: 'missing' });
  send({ type: 'done', ...isolates.run(call) });
});
send({ type: 'ready' });
