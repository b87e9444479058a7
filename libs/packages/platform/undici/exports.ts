// The exports of undici, of any version, implemented on the isolate's fetch, because an isolate has no sockets.
import { NotSupportedError } from './undici-errors.ts';

export * from './dispatchers.ts';
export { interceptors } from './interceptors.ts';
export { fetch, request, stream } from './request.ts';
export { errors } from './undici-errors.ts';

const refuse = (name: string): never => {
  throw new NotSupportedError(`undici's ${name} is not available to components: use fetch or request`);
};
const absent = (name: string) => (): never => refuse(name);
const absentClass = (name: string): new () => object =>
  class {
    constructor() {
      refuse(name);
    }
  };

export const { File, FormData, Headers, MessageEvent, Request, Response, WebSocket } = globalThis;

export const buildConnector = absent('buildConnector');
export const connect = absent('connect');
export const deleteCookie = absent('deleteCookie');
export const getCookies = absent('getCookies');
export const getSetCookies = absent('getSetCookies');
export const parseCookie = absent('parseCookie');
export const parseMIMEType = absent('parseMIMEType');
export const ping = absent('ping');
export const pipeline = absent('pipeline');
export const serializeAMimeType = absent('serializeAMimeType');
export const setCookie = absent('setCookie');
export const setGlobalOrigin = absent('setGlobalOrigin');
export const upgrade = absent('upgrade');

export const CloseEvent = absentClass('CloseEvent');
export const DecoratorHandler = absentClass('DecoratorHandler');
export const ErrorEvent = absentClass('ErrorEvent');
export const EventSource = absentClass('EventSource');
export const MockCallHistory = absentClass('MockCallHistory');
export const MockCallHistoryLog = absentClass('MockCallHistoryLog');
export const RedirectHandler = absentClass('RedirectHandler');
export const RetryHandler = absentClass('RetryHandler');
export const WebSocketError = absentClass('WebSocketError');
export const WebSocketStream = absentClass('WebSocketStream');

export const cacheStores = {};
export const caches = undefined;
export const mockErrors = {};
export const util = {};
export const getGlobalOrigin = (): undefined => undefined;
export const install = (): void => {};
