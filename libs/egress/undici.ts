// Only the parts of undici in use: all of it takes half again as much memory and twice the load time, in every runner.
import { createRequire } from 'node:module';
import type {
  buildConnector as BuildConnector,
  Client as ClientOfUndici,
  Dispatcher,
  Pool as PoolOfUndici,
} from 'undici';

const require = createRequire(import.meta.url);

export type Pool = PoolOfUndici;
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof PoolOfUndici;
export const Client = require('undici/lib/dispatcher/client.js') as typeof ClientOfUndici;
export const buildConnector = require('undici/lib/core/connect.js') as typeof BuildConnector;

type Request = (options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>;
const { call } = Function.prototype;

/** The function that undici's own index makes a method of every dispatcher. */
export const request: (dispatcher: Dispatcher, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData> =
  call.bind(require('undici/lib/api/api-request.js') as Request);
