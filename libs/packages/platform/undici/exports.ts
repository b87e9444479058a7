// The exports of undici, of any version, implemented on the isolate's fetch, because an isolate has no sockets.
import { NotSupportedError } from './undici-errors.ts';

export * from './dispatchers.ts';
export { interceptors } from './interceptors.ts';
export { fetch, request, stream } from './request.ts';
export { errors } from './undici-errors.ts';

const refuse = (name: string): never => {
  throw new NotSupportedError(`undici's ${name} is not available to components: use fetch or request`);
};
const unavailable = (name: string) => (): never => refuse(name);
const unavailableClass = (name: string): new () => object =>
  class {
    constructor() {
      refuse(name);
    }
  };

export const { File, FormData, Headers, MessageEvent, Request, Response, WebSocket } = globalThis;

export const buildConnector = unavailable('buildConnector');
export const connect = unavailable('connect');
export const deleteCookie = unavailable('deleteCookie');
export const getCookies = unavailable('getCookies');
export const getSetCookies = unavailable('getSetCookies');
export const parseCookie = unavailable('parseCookie');
export const parseMIMEType = unavailable('parseMIMEType');
export const ping = unavailable('ping');
export const pipeline = unavailable('pipeline');
export const serializeAMimeType = unavailable('serializeAMimeType');
export const setCookie = unavailable('setCookie');
export const setGlobalOrigin = unavailable('setGlobalOrigin');
export const upgrade = unavailable('upgrade');

export const CloseEvent = unavailableClass('CloseEvent');
export const DecoratorHandler = unavailableClass('DecoratorHandler');
export const ErrorEvent = unavailableClass('ErrorEvent');
export const EventSource = unavailableClass('EventSource');
export const MockCallHistory = unavailableClass('MockCallHistory');
export const MockCallHistoryLog = unavailableClass('MockCallHistoryLog');
export const RedirectHandler = unavailableClass('RedirectHandler');
export const RetryHandler = unavailableClass('RetryHandler');
export const WebSocketError = unavailableClass('WebSocketError');
export const WebSocketStream = unavailableClass('WebSocketStream');

export const cacheStores = {};
export const caches = undefined;
export const mockErrors = {};
export const util = {};
export const getGlobalOrigin = (): undefined => undefined;
export const install = (): void => {};
