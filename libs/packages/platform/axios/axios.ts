// The platform's axios: a function of the step and a request, which resolves with the data of the response.
import client from 'axios';
import type { AxiosInstance, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { rethrow } from './axios-failure.ts';
import { signed } from './oauth.ts';
import type { SignConfig } from './oauth.ts';
import { prepared } from './request.ts';
import type { RequestConfig } from './request.ts';
import { debugOf } from './step.ts';

/** The parts of a response that JSON can show, without streams, agents and internals of axios. */
const shown = ({ status, statusText, headers, data }: AxiosResponse): object => ({ status, statusText, headers, data });

const answerOf = (response: AxiosResponse, config: RequestConfig): unknown =>
  config.returnFullResponse === true ? response : (response.data as unknown);

async function call(step: unknown, config: RequestConfig, sign?: SignConfig): Promise<unknown> {
  const cleaned = prepared(config);
  const asked = sign === undefined ? cleaned : await signed(cleaned, sign);
  if (config.debug) debugOf(step, 'debug_config', asked);
  try {
    const response = await client(asked);
    if (config.debug) debugOf(step, 'debug_response', shown(response));
    return answerOf(response, config);
  } catch (error) {
    return rethrow(error, step);
  }
}

/** An axios instance whose requests are all made like this. */
function create(config: RequestConfig = {}, sign?: SignConfig): AxiosInstance {
  const instance = client.create(config);
  instance.interceptors.request.use(async (asked: InternalAxiosRequestConfig & RequestConfig) => {
    const cleaned = prepared(asked);
    const ready = sign === undefined ? cleaned : await signed(cleaned, sign);
    if (asked.debug) debugOf(undefined, 'debug_config', ready);
    return ready;
  });
  instance.interceptors.response.use(
    (response) => {
      const asked = response.config as RequestConfig;
      if (asked.debug) debugOf(undefined, 'debug_response', shown(response));
      // Callers receive the data, contrary to the type of axios' interceptors.
      return answerOf(response, asked) as AxiosResponse;
    },
    (error: unknown) => rethrow(error, undefined),
  );
  return instance;
}

export const axios = Object.assign(call, { create });
