// undici as components find it, in any version: over the isolate's own fetch, since its sockets have no place there.
import {
  Agent,
  BalancedPool,
  Client,
  Dispatcher,
  EnvHttpProxyAgent,
  H2CClient,
  MockAgent,
  MockClient,
  MockPool,
  Pool,
  ProxyAgent,
  RetryAgent,
  RoundRobinPool,
  SnapshotAgent,
  Socks5ProxyAgent,
  getGlobalDispatcher,
  setGlobalDispatcher,
} from './dispatchers.ts';
import { errors, NotSupportedError } from './undici-errors.ts';
import { request, stream } from './request.ts';

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

const { fetch, File, FormData, Headers, MessageEvent, Request, Response, WebSocket } = globalThis;

const buildConnector = absent('buildConnector');
const connect = absent('connect');
const deleteCookie = absent('deleteCookie');
const getCookies = absent('getCookies');
const getSetCookies = absent('getSetCookies');
const parseCookie = absent('parseCookie');
const parseMIMEType = absent('parseMIMEType');
const ping = absent('ping');
const pipeline = absent('pipeline');
const serializeAMimeType = absent('serializeAMimeType');
const setCookie = absent('setCookie');
const setGlobalOrigin = absent('setGlobalOrigin');
const upgrade = absent('upgrade');

const CloseEvent = absentClass('CloseEvent');
const DecoratorHandler = absentClass('DecoratorHandler');
const ErrorEvent = absentClass('ErrorEvent');
const EventSource = absentClass('EventSource');
const MockCallHistory = absentClass('MockCallHistory');
const MockCallHistoryLog = absentClass('MockCallHistoryLog');
const RedirectHandler = absentClass('RedirectHandler');
const RetryHandler = absentClass('RetryHandler');
const WebSocketError = absentClass('WebSocketError');
const WebSocketStream = absentClass('WebSocketStream');

/** They change how a dispatcher sends, and none of them does. */
const passedOn = (): ((dispatch: unknown) => unknown) => (dispatch) => dispatch;
const interceptors = {
  redirect: passedOn,
  responseError: passedOn,
  retry: passedOn,
  dump: passedOn,
  dns: passedOn,
  cache: passedOn,
  decompress: passedOn,
  deduplicate: passedOn,
};
const cacheStores = {};
const caches = undefined;
const mockErrors = {};
const util = {};
const getGlobalOrigin = (): undefined => undefined;
const install = (): void => {};

const undici = {
  Agent,
  BalancedPool,
  buildConnector,
  caches,
  cacheStores,
  Client,
  CloseEvent,
  connect,
  DecoratorHandler,
  deleteCookie,
  Dispatcher,
  EnvHttpProxyAgent,
  ErrorEvent,
  errors,
  EventSource,
  fetch,
  File,
  FormData,
  getCookies,
  getGlobalDispatcher,
  getGlobalOrigin,
  getSetCookies,
  H2CClient,
  Headers,
  install,
  interceptors,
  MessageEvent,
  MockAgent,
  MockCallHistory,
  MockCallHistoryLog,
  MockClient,
  mockErrors,
  MockPool,
  parseCookie,
  parseMIMEType,
  ping,
  pipeline,
  Pool,
  ProxyAgent,
  RedirectHandler,
  Request,
  request,
  Response,
  RetryAgent,
  RetryHandler,
  RoundRobinPool,
  serializeAMimeType,
  setCookie,
  setGlobalDispatcher,
  setGlobalOrigin,
  SnapshotAgent,
  Socks5ProxyAgent,
  stream,
  upgrade,
  util,
  WebSocket,
  WebSocketError,
  WebSocketStream,
};

export {
  Agent,
  BalancedPool,
  buildConnector,
  caches,
  cacheStores,
  Client,
  CloseEvent,
  connect,
  DecoratorHandler,
  deleteCookie,
  Dispatcher,
  EnvHttpProxyAgent,
  ErrorEvent,
  errors,
  EventSource,
  fetch,
  File,
  FormData,
  getCookies,
  getGlobalDispatcher,
  getGlobalOrigin,
  getSetCookies,
  H2CClient,
  Headers,
  install,
  interceptors,
  MessageEvent,
  MockAgent,
  MockCallHistory,
  MockCallHistoryLog,
  MockClient,
  mockErrors,
  MockPool,
  parseCookie,
  parseMIMEType,
  ping,
  pipeline,
  Pool,
  ProxyAgent,
  RedirectHandler,
  Request,
  request,
  Response,
  RetryAgent,
  RetryHandler,
  RoundRobinPool,
  serializeAMimeType,
  setCookie,
  setGlobalDispatcher,
  setGlobalOrigin,
  SnapshotAgent,
  Socks5ProxyAgent,
  stream,
  upgrade,
  util,
  WebSocket,
  WebSocketError,
  WebSocketStream,
  undici as default,
};
