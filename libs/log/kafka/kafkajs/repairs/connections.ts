// Lets concurrent requests share one connection attempt.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

interface KafkaConnection {
  connect(): Promise<true>;
}

/**
 * When a connection is not open yet, two requests open a socket each, and kafkajs forgets one of them. When the
 * forgotten socket is closed as idle, kafkajs takes the other for closed too.
 */
export function connectOnceAtATime(): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: KafkaConnection };
  const connect = prototype.connect;
  const pendingConnects = new WeakMap<KafkaConnection, Promise<true>>();
  prototype.connect = function (this: KafkaConnection): Promise<true> {
    const known = pendingConnects.get(this);
    if (known !== undefined) return known;
    const connecting = connect.call(this).finally(() => pendingConnects.delete(this));
    pendingConnects.set(this, connecting);
    return connecting;
  };
}
