// A response whose head has arrived; its body is received as it is read.
import type { Dispatcher } from 'undici';
import { AnswerBody } from './answer-body.ts';
import type { Part } from './answer-body.ts';
import { decodeBody } from './decode.ts';
import { fieldsOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Field } from './outgoing-request.ts';

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
const encodingFields = /^(content-encoding|content-length)$/i;

export class Answer {
  readonly head: AnswerHead;
  /** The part of the body that came with the head. */
  readonly firstPart: Part;
  readonly #exchange: Exchange;
  readonly #body: AnswerBody;

  private constructor(exchange: Exchange, body: AnswerBody, head: AnswerHead, firstPart: Part) {
    this.#exchange = exchange;
    this.#body = body;
    this.head = head;
    this.firstPart = firstPart;
  }

  static async begin(exchange: Exchange, response: Dispatcher.ResponseData): Promise<Answer> {
    const { statusCode, statusText, body } = response;
    const fields = fieldsOf(response);
    const hasBody = exchange.request.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
    const valueOf = (name: string): string | undefined => fields.find(([field]) => field.toLowerCase() === name)?.[1];
    if (hasBody) exchange.checkExpectedLength(Number(valueOf('content-length') ?? 0));
    const encoding = hasBody ? valueOf('content-encoding') : undefined;
    const { stream, wasEncoded } = decodeBody(body, encoding, (bytes) => exchange.count('encoded', bytes));
    const answerBody = new AnswerBody(stream, (bytes) => exchange.count('decoded', bytes));
    const headers = wasEncoded ? fields.filter(([name]) => !encodingFields.test(name)) : fields;
    const url = exchange.request.url.replace(/#.*$/s, '');
    const head = { status: statusCode, statusText, headers, url, redirected: exchange.hasRedirected };
    const firstPart = await answerBody.begin(beginMs);
    if (firstPart.isLast) exchange.finish();
    return new Answer(exchange, answerBody, head, firstPart);
  }

  /** Resolves when the body breaks off, even while nobody reads it. */
  get failure(): Promise<unknown> {
    return this.#body.failure.then((error) => this.#exchange.finish(error));
  }

  /** Resolves with more of the body. Rejects as `send` does; do not call again after the last part or a rejection. */
  async next(): Promise<Part> {
    try {
      const part = await this.#body.next();
      if (part.isLast) this.#exchange.finish();
      return part;
    } catch (error) {
      throw this.#exchange.finish(error);
    }
  }
}
