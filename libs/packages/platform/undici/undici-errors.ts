// The error classes of undici that code tests for.

export class UndiciError extends Error {
  readonly code: string;

  constructor(message: string, code = 'UND_ERR', options: ErrorOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

const named = (name: string, code: string): typeof UndiciError => {
  const made = class extends UndiciError {
    constructor(message: string, _code?: string, options: ErrorOptions = {}) {
      super(message, code, options);
    }
  };
  return Object.defineProperty(made, 'name', { value: name });
};

export const ResponseError = named('ResponseError', 'UND_ERR_RESPONSE');
export const InvalidArgumentError = named('InvalidArgumentError', 'UND_ERR_INVALID_ARG');
export const NotSupportedError = named('NotSupportedError', 'UND_ERR_NOT_SUPPORTED');
export const BodyTimeoutError = named('BodyTimeoutError', 'UND_ERR_BODY_TIMEOUT');

export const RequestRetryError = named('RequestRetryError', 'UND_ERR_REQ_RETRY');
export const MaxRedirectsError = named('MaxRedirectsError', 'UND_ERR_REDIRECT_MAX');

export const errors = {
  RequestRetryError,
  MaxRedirectsError,
  UndiciError,
  ResponseError,
  ResponseStatusCodeError: ResponseError,
  InvalidArgumentError,
  NotSupportedError,
  BodyTimeoutError,
  HeadersTimeoutError: named('HeadersTimeoutError', 'UND_ERR_HEADERS_TIMEOUT'),
  ConnectTimeoutError: named('ConnectTimeoutError', 'UND_ERR_CONNECT_TIMEOUT'),
  RequestAbortedError: named('RequestAbortedError', 'UND_ERR_ABORTED'),
  SocketError: named('SocketError', 'UND_ERR_SOCKET'),
  InformationalError: named('InformationalError', 'UND_ERR_INFO'),
  ClientClosedError: named('ClientClosedError', 'UND_ERR_CLOSED'),
  ClientDestroyedError: named('ClientDestroyedError', 'UND_ERR_DESTROYED'),
  HTTPParserError: named('HTTPParserError', 'HPE_INVALID'),
} as const;
