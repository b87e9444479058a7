// The platform's axios: a call with the step that it is for, which answers with the data of the response.
import client from 'axios';
import type { AxiosInstance, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { rethrow } from './axios-failure.ts';
import { signed } from './oauth.ts';
import type { SignConfig } from './oauth.ts';
import { prepared } from './request.ts';
import type { RequestConfig } from './request.ts';
import { debugOf } from './step.ts';

/** As much of it as JSON shows: streams, agents and what axios keeps for itself say nothing. */
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

/** A client of axios of which every request is made in the same way. */
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
      // What callers get is the data, against the type that axios gives interceptors.
      return answerOf(response, asked) as AxiosResponse;
    },
    (error: unknown) => rethrow(error, undefined),
  );
  return instance;
}

export const axios = Object.assign(call, { create });
