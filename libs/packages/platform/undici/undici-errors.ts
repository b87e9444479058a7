// The error classes of undici that code tests for.

export class UndiciError extends Error {
  readonly code: string;

  constructor(message: string, code = 'UND_ERR', options: ErrorOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

const errorClass = (name: string, code: string): typeof UndiciError => {
  const created = class extends UndiciError {
    constructor(message: string, _code?: string, options: ErrorOptions = {}) {
      super(message, code, options);
    }
  };
  return Object.defineProperty(created, 'name', { value: name });
};

export const ResponseError = errorClass('ResponseError', 'UND_ERR_RESPONSE');
export const InvalidArgumentError = errorClass('InvalidArgumentError', 'UND_ERR_INVALID_ARG');
export const NotSupportedError = errorClass('NotSupportedError', 'UND_ERR_NOT_SUPPORTED');
export const BodyTimeoutError = errorClass('BodyTimeoutError', 'UND_ERR_BODY_TIMEOUT');

export const RequestRetryError = errorClass('RequestRetryError', 'UND_ERR_REQ_RETRY');
export const MaxRedirectsError = errorClass('MaxRedirectsError', 'UND_ERR_REDIRECT_MAX');

export const errors = {
  RequestRetryError,
  MaxRedirectsError,
  UndiciError,
  ResponseError,
  ResponseStatusCodeError: ResponseError,
  InvalidArgumentError,
  NotSupportedError,
  BodyTimeoutError,
  HeadersTimeoutError: errorClass('HeadersTimeoutError', 'UND_ERR_HEADERS_TIMEOUT'),
  ConnectTimeoutError: errorClass('ConnectTimeoutError', 'UND_ERR_CONNECT_TIMEOUT'),
  RequestAbortedError: errorClass('RequestAbortedError', 'UND_ERR_ABORTED'),
  SocketError: errorClass('SocketError', 'UND_ERR_SOCKET'),
  InformationalError: errorClass('InformationalError', 'UND_ERR_INFO'),
  ClientClosedError: errorClass('ClientClosedError', 'UND_ERR_CLOSED'),
  ClientDestroyedError: errorClass('ClientDestroyedError', 'UND_ERR_DESTROYED'),
  HTTPParserError: errorClass('HTTPParserError', 'HPE_INVALID'),
} as const;
