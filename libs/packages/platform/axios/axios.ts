// The platform's axios: a function of the step and a request, which resolves with the data of the response.
import client from 'axios';
import type { AxiosInstance, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { rethrow } from './axios-failure.ts';
import { signRequest } from './oauth.ts';
import type { SignConfig } from './oauth.ts';
import { prepareRequest } from './request.ts';
import type { RequestConfig } from './request.ts';
import { exportDebug } from './step.ts';

/** The parts of a response that JSON can show, without streams, agents and internals of axios. */
const plainResponse = ({ status, statusText, headers, data }: AxiosResponse): object => ({
  status,
  statusText,
  headers,
  data,
});

const resultOf = (response: AxiosResponse, config: RequestConfig): unknown =>
  config.returnFullResponse === true ? response : (response.data as unknown);

async function call(step: unknown, config: RequestConfig, sign?: SignConfig): Promise<unknown> {
  const cleaned = prepareRequest(config);
  const request = sign === undefined ? cleaned : await signRequest(cleaned, sign);
  if (config.debug) exportDebug(step, 'debug_config', request);
  try {
    const response = await client(request);
    if (config.debug) exportDebug(step, 'debug_response', plainResponse(response));
    return resultOf(response, config);
  } catch (error) {
    return rethrow(error, step);
  }
}

/** An axios instance whose requests are all made like this. */
function create(config: RequestConfig = {}, sign?: SignConfig): AxiosInstance {
  const instance = client.create(config);
  instance.interceptors.request.use(async (request: InternalAxiosRequestConfig & RequestConfig) => {
    const cleaned = prepareRequest(request);
    const signedRequest = sign === undefined ? cleaned : await signRequest(cleaned, sign);
    if (request.debug) exportDebug(undefined, 'debug_config', signedRequest);
    return signedRequest;
  });
  instance.interceptors.response.use(
    (response) => {
      const request = response.config as RequestConfig;
      if (request.debug) exportDebug(undefined, 'debug_response', plainResponse(response));
      // Callers receive the data, contrary to the type of axios' interceptors.
      return resultOf(response, request) as AxiosResponse;
    },
    (error: unknown) => rethrow(error, undefined),
  );
  return instance;
}

export const axios = Object.assign(call, { create });
