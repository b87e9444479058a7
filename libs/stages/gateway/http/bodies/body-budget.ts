// Bounds the memory for bodies that are being received: each claims its bytes before the first of them is read.
import type { IncomingMessage } from 'node:http';
import { ByteBudget } from '../limits/byte-budget.ts';

/** As much as a gateway can spare; bodies that wait for the log take further memory. */
export const bodyBudgetBytes = 192 * 1024 * 1024;

/** The traffic classes of a workspace are the API and each of its sources, whose endpoint anybody might know. */
export class BodyBudget extends ByteBudget {
  constructor(bytes = bodyBudgetBytes) {
    super(bytes, 'Too many bodies are being received.');
  }
}

/** The most bytes that a request's body can have; 0: there is no body, or it is rejected unread. */
export function expectedBytes({ headers }: IncomingMessage, bytesMax: number): number {
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes <= bytesMax ? bytes : 0;
}
