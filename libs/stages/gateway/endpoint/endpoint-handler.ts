// Handles requests to endpoints: accepted once the trigger is on the log, answered then or when the source responds.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EndpointHosts } from '../../../domain/source/endpoint/endpoint-hosts.ts';
import { endpointUrl, sharedBase } from '../../../domain/source/endpoint/endpoint-url.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { partitionOf } from '../../../domain/flow.ts';
import { sizes } from '../../../domain/sizes.ts';
import { readTraceparent } from '../../../domain/trace/traceparent.ts';
import type { Endpoint } from '../control/registry/endpoints.ts';
import type { Parts } from '../parts/parts.ts';
import { ApiProblem, tooManyRequests } from '../http/api-problem.ts';
import { checkAccepted, checkEvent, isForApphook, isFilteredOut, sendAccepted } from './apphook/apphook.ts';
import { noEndpoint, sendPreflight, sendWaitResult, sendSuccess } from './endpoint-answer.ts';
import { RateLimits } from '../http/limits/rate-limits.ts';
import type { WaitResult } from '../control/waiting/reply-router.ts';
import { requestData } from './request-data.ts';
import { isPreflight, requestOptionsOf } from './request-options.ts';
import { targetAsSent } from './target.ts';
import { requestRecord } from '../commands/request-record.ts';

/** Bytes of bodies that wait for their append: bounds memory when the log is slower than the clients. */
const appendingBytesMax = 64 * 1024 * 1024;
/** What a request costs in addition to its body: headers, URL, the record around it. */
const requestOverheadBytes = 4 * 1024;

export interface EndpointParams {
  readonly endpointKey: string;
}

interface AcceptedTrigger {
  readonly trigger: Trigger;
  /** Bytes held in memory until the request is on the log. */
  readonly bytes: number;
}

/** The parts with which requests to endpoints are answered. */
export type EndpointParts = Parts<
  | 'secrets'
  | 'definitions'
  | 'log'
  | 'watch'
  | 'replies'
  | 'limits'
  | 'ambient'
  | 'instanceId'
  | 'addresses'
  | 'proxies'
>;

export class EndpointHandler {
  readonly #parts: EndpointParts;
  readonly #hosts: EndpointHosts;
  readonly #rates = new RateLimits();
  #appendingBytes = 0;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.#hosts = new EndpointHosts(parts.addresses);
  }

  /** Finds the endpoint for a request before its body is read. Throws ApiProblem 404 or 429, or PortError. */
  async admit(request: FastifyRequest): Promise<Endpoint> {
    const { endpointKey } = request.params as EndpointParams;
    const endpoint =
      this.#parts.definitions.knownEndpoint(endpointKey) ?? (await this.#parts.definitions.endpointOf(endpointKey));
    if (endpoint === undefined) throw noEndpoint();
    if (isAnsweredByGateway(request, endpoint)) return endpoint;
    checkAccepted(request, endpoint);
    this.#checkCapacity(endpoint);
    this.#checkRate(endpoint);
    return endpoint;
  }

  /** Answers an admitted request; its source can be deleted while the body arrives. Throws ApiProblem or PortError. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const endpoint = this.#parts.definitions.knownEndpoint((request.params as EndpointParams).endpointKey);
    if (endpoint === undefined) throw noEndpoint();
    if (isAnsweredByGateway(request, endpoint)) return sendPreflight(reply, requestedHeaders(request));
    checkAccepted(request, endpoint);
    this.#checkCapacity(endpoint);
    if (isForApphook(request, endpoint)) checkEvent(request);
    if (isFilteredOut(request, endpoint)) return sendAccepted(reply, false);
    const accepted = { trigger: this.#trigger(endpoint, request), bytes: bytesOf(request) };
    // The trigger holds the body now; the request stays in memory while it waits for its answer, possibly for long.
    request.body = undefined;
    if (accepted.trigger.data.replyTo !== undefined) return this.#respond(accepted, reply);
    await this.#append(accepted);
    return accepted.trigger.data.kind === 'apphook' ? sendAccepted(reply, true) : sendSuccess(reply);
  }

  #checkCapacity(endpoint: Endpoint): void {
    const { replies } = this.#parts;
    if (replies.isSourceFull(endpoint.sourceId)) throw tooManyRequests('The queue of this source is full.');
    if (endpoint.customResponse && replies.isCrowded) throw tooManyRequests('Too many requests wait for a response.');
    if (this.#appendingBytes > appendingBytesMax) throw tooManyRequests('Too many requests wait for the log.');
  }

  /** Called once per request, before its body arrives. */
  #checkRate({ sourceId, rateLimit }: Endpoint): void {
    if (rateLimit === undefined || this.#rates.tryTake(sourceId, rateLimit)) return;
    throw tooManyRequests(`This source takes ${rateLimit} requests a second.`);
  }

  #trigger(endpoint: Endpoint, request: FastifyRequest): Trigger {
    const { ambient, instanceId } = this.#parts;
    const { sourceId, revision, workspace, customResponse } = endpoint;
    const options = requestOptionsOf(request);
    const http = requestData(request, {
      url: this.#urlOf(request),
      clientIp: this.#parts.proxies.clientOf(request.raw),
      options,
      seal: (value) => this.#parts.secrets.seal(workspace, value),
      sealBytes: (bytes) => this.#parts.secrets.sealBytes(workspace, bytes),
    });
    const isApphook = isForApphook(request, endpoint);
    const replyTo = customResponse && !options.noRun && !isApphook ? { replyTo: instanceId } : {};
    const data = { sourceId, kind: isApphook ? 'apphook' : 'http', revision, http, ...replyTo } as const;
    const requester = { workspace, keyId: 'gateway', traceparent: readTraceparent(request.headers['traceparent']) };
    return requestRecord(ambient, requester, { type: 'TriggerRequested', data, key: sourceId });
  }

  /** The whole URL as the client wrote it, but with the address that the operator gave endpoints. */
  #urlOf(request: FastifyRequest): string {
    const { addresses } = this.#parts;
    const key = this.#hosts.keyOf(request.headers.host);
    return (key === undefined ? sharedBase(addresses) : endpointUrl(addresses, key)) + targetAsSent(request);
  }

  async #append({ trigger, bytes }: AcceptedTrigger): Promise<void> {
    const { log } = this.#parts;
    this.#appendingBytes += bytes;
    try {
      await log.request({ topic: 'triggers', partition: partitionOf(trigger.key, log.partitions), record: trigger });
    } finally {
      this.#appendingBytes -= bytes;
    }
  }

  /** Does not keep the trigger, which holds the body, in memory while it waits for the answer. */
  #respond(accepted: AcceptedTrigger, reply: FastifyReply): Promise<FastifyReply> {
    const { replies, limits } = this.#parts;
    const { correlationId } = accepted.trigger;
    const result = replies.wait(correlationId, limits.respondMs);
    return this.#answerWhenSettled(result, this.#append(accepted), correlationId, reply);
  }

  async #answerWhenSettled(
    result: Promise<WaitResult>,
    appended: Promise<void>,
    correlationId: string,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { replies, watch } = this.#parts;
    const cancelWait = (): void => replies.cancelWait(correlationId);
    reply.raw.once('close', cancelWait);
    try {
      await appended;
      return sendWaitResult(reply, (await watch.whileLogAnswers(result)) ?? 'log_away');
    } finally {
      reply.raw.off('close', cancelWait);
      cancelWait();
    }
  }
}

/** The gateway answers OPTIONS, unless the component sends its own responses and the request is not a preflight. */
const isAnsweredByGateway = (request: FastifyRequest, { customResponse }: Endpoint): boolean =>
  request.method === 'OPTIONS' && (!customResponse || isPreflight(request));

const bytesOf = ({ body }: FastifyRequest): number => requestOverheadBytes + (Buffer.isBuffer(body) ? body.length : 0);

const requestedHeaders = (request: FastifyRequest): string | undefined => {
  const headers = request.headers['access-control-request-headers'];
  return typeof headers === 'string' ? headers : undefined;
};

export const bodyTooLarge = (): ApiProblem =>
  new ApiProblem(413, 'too_large', `The body is larger than ${sizes.endpointBodyBytes} bytes.`);

export const decodedTooLarge = (): ApiProblem =>
  new ApiProblem(413, 'too_large', `The body is larger than ${sizes.endpointBodyBytes} bytes once it is decoded.`);
