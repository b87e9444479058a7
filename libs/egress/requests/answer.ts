// A response whose head has arrived; its body is received as it is read.
import type { Dispatcher } from 'undici';
import { AnswerBody } from './answer-body.ts';
import type { Part } from './answer-body.ts';
import { decoded } from './decode.ts';
import { fieldsOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Field } from './outgoing.ts';

export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly Field[];
  /** The URL of the last hop, without a fragment. */
  readonly url: string;
  readonly redirected: boolean;
}

/** How long a response's head waits for its body, so that both are returned together if the body is small. */
const beginMs = 20;

/** These fields describe the body as it was sent, not as it is passed on. */
const ofEncoding = /^(content-encoding|content-length)$/i;

export class Answer {
  readonly head: AnswerHead;
  /** The part of the body that came with the head. */
  readonly first: Part;
  readonly #exchange: Exchange;
  readonly #body: AnswerBody;

  private constructor(exchange: Exchange, body: AnswerBody, head: AnswerHead, first: Part) {
    this.#exchange = exchange;
    this.#body = body;
    this.head = head;
    this.first = first;
  }

  static async begin(exchange: Exchange, response: Dispatcher.ResponseData): Promise<Answer> {
    const { statusCode, statusText, body } = response;
    const all = fieldsOf(response);
    const hasBody = exchange.request.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
    const valueOf = (name: string): string | undefined => all.find(([field]) => field.toLowerCase() === name)?.[1];
    if (hasBody) exchange.expect(Number(valueOf('content-length') ?? 0));
    const encoding = hasBody ? valueOf('content-encoding') : undefined;
    const { stream, wasEncoded } = decoded(body, encoding, (bytes) => exchange.count('encoded', bytes));
    const answerBody = new AnswerBody(stream, (bytes) => exchange.count('decoded', bytes));
    const headers = wasEncoded ? all.filter(([name]) => !ofEncoding.test(name)) : all;
    const url = exchange.request.url.replace(/#.*$/s, '');
    const head = { status: statusCode, statusText, headers, url, redirected: exchange.hasRedirected };
    const first = await answerBody.begin(beginMs);
    if (first.isLast) exchange.end();
    return new Answer(exchange, answerBody, head, first);
  }

  /** Resolves when the body breaks off, even while nobody reads it. */
  get failure(): Promise<unknown> {
    return this.#body.failure.then((error) => this.#exchange.end(error));
  }

  /** Resolves with more of the body. Rejects as `ask` does; do not call again after the last part or a rejection. */
  async next(): Promise<Part> {
    try {
      const part = await this.#body.next();
      if (part.isLast) this.#exchange.end();
      return part;
    } catch (error) {
      throw this.#exchange.end(error);
    }
  }
}
