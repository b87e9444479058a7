// One request to a source's endpoint: accepted once its trigger is on the log, answered then or when the source responds.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Trigger } from '../../../domain/component/messages.ts';
import { partitionOf } from '../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { Endpoint } from '../control/endpoints.ts';
import type { Gateway } from '../gateway.ts';
import { ApiProblem, notFound, tooMany } from '../rim/api-problem.ts';
import { sendPreflight, sendReached, sendSuccess } from './endpoint-answer.ts';
import { requestData } from './request-data.ts';

/** Body bytes that wait for their append: bounds memory when the log is slower than the clients. */
const appendingBytesMax = 64 * 1024 * 1024;
/** What a request costs beside its body: headers, URL, the record around it. */
const requestOverheadBytes = 4 * 1024;

export interface EndpointParams {
  readonly endpointKey: string;
}

export class EndpointDesk {
  readonly #gateway: Gateway;
  #appendingBytes = 0;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Throws ApiProblem or PortError. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { endpointKey } = request.params as EndpointParams;
    const endpoint = this.#gateway.knownEndpoint(endpointKey) ?? (await this.#gateway.endpointOf(endpointKey));
    if (endpoint === undefined) throw notFound({ record: 'endpoint' });
    if (request.method === 'OPTIONS') return sendPreflight(reply, asked(request));
    this.#checkRoom(endpoint);
    const trigger = this.#trigger(endpoint, endpointKey, request);
    if (!endpoint.customResponse) {
      await this.#append(trigger, request);
      return sendSuccess(reply);
    }
    return this.#respond(trigger, request, reply);
  }

  #checkRoom(endpoint: Endpoint): void {
    const { replies } = this.#gateway;
    if (replies.isFull(endpoint.sourceId)) throw tooMany('The queue of this source is full.');
    if (endpoint.customResponse && replies.crowded) throw tooMany('Too many requests wait for a response.');
    if (this.#appendingBytes > appendingBytesMax) throw tooMany('Too many requests wait for the log.');
  }

  #trigger(endpoint: Endpoint, endpointKey: string, request: FastifyRequest): Trigger {
    const { ambient, instanceId, publicUrl } = this.#gateway.options;
    const { sourceId, revision, workspace, customResponse } = endpoint;
    const http = requestData(request, endpointKey, {
      publicUrl,
      seal: (value) => this.#gateway.seal(workspace, value),
    });
    const id = idFromBytes('req', ambient.randomBytes(idBytes));
    return {
      id,
      type: 'TriggerRequested',
      version: 1,
      key: sourceId,
      data: { sourceId, kind: 'http', revision, http, ...(customResponse ? { replyTo: instanceId } : {}) },
      at: ambient.now(),
      workspace,
      correlationId: id,
      causationId: id,
    };
  }

  async #append(record: Trigger, request: FastifyRequest): Promise<void> {
    const { log } = this.#gateway.options;
    const bytes = requestOverheadBytes + (Buffer.isBuffer(request.body) ? request.body.length : 0);
    this.#appendingBytes += bytes;
    try {
      await log.request({ topic: 'triggers', partition: partitionOf(record.key, log.partitions), record });
    } finally {
      this.#appendingBytes -= bytes;
    }
  }

  async #respond(trigger: Trigger, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { replies, limits, watch } = this.#gateway;
    const reached = replies.wait(trigger.correlationId, limits.respondMs);
    const gone = (): void => replies.leave(trigger.correlationId);
    reply.raw.once('close', gone);
    try {
      await this.#append(trigger, request);
      return sendReached(reply, (await watch.whileAnswering(reached)) ?? 'log_away');
    } finally {
      reply.raw.off('close', gone);
      gone();
    }
  }
}

const asked = (request: FastifyRequest): string | undefined => {
  const headers = request.headers['access-control-request-headers'];
  return typeof headers === 'string' ? headers : undefined;
};

export const bodyTooLarge = (): ApiProblem =>
  new ApiProblem(413, 'too_large', `The body is larger than ${sizes.endpointBodyBytes} bytes.`);
