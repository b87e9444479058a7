// Draws messages of the guest's mailbox; a message that passes the check must have the types that the host expects.
import fc from 'fast-check';
import { receive } from '../../../libs/sandbox/isolated-vm/runner/isolate/mailbox.ts';
import type { MailboxOwner } from '../../../libs/sandbox/isolated-vm/runner/isolate/mailbox.ts';
import { FuzzFailure } from '../product-under-test.ts';
import { hostileTexts, hostileValues } from '../drawing/hostile.ts';

const argument = fc.oneof(hostileTexts, fc.double(), fc.constantFrom(null, undefined, true, 0, NaN), hostileValues);

/** An operation's number, an invocation, and three arguments. */
export const mail: fc.Arbitrary<readonly unknown[]> = fc.tuple(
  fc.oneof({ weight: 9, arbitrary: fc.nat(12) }, argument),
  fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, argument),
  argument,
  argument,
  argument,
);

/** Throws FuzzFailure if a message passes the check and does not match the owner's types. */
export function expectOnlyTyped(message: readonly unknown[]): void {
  const is = (...types: readonly string[]): ((...values: readonly unknown[]) => void) => {
    return (...values) => {
      const found = values.map((value) => (value === null ? 'null' : typeof value));
      if (!found.every((type, at) => types[at]?.split('|').includes(type)))
        throw new FuzzFailure(`the mailbox lets ${found.join(', ')} through for ${types.join(', ')}`);
    };
  };
  const owner: MailboxOwner = {
    emit: is('number', 'string'),
    console: is('number', 'string', 'string'),
    respond: is('number', 'string', 'string'),
    db: is('string', 'string|null'),
    done: is('number', 'string|null'),
    tampered: is(),
    timers: { set: is('number', 'number', 'number'), delete: is('number'), unref: is('number') },
    requests: {
      ask: is('number', 'number', 'string', 'object|undefined'),
      pull: is('number'),
      abort: is('number'),
    },
  };
  receive(owner, ...message);
}
