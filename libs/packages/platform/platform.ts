// @pipedream/platform for components, in place of any version: bundled with them, it runs in their isolate.
import { axios } from './axios/axios.ts';
import { transformConfigForOauth } from './axios/oauth.ts';
import { ConfigurationError } from './configuration-error.ts';
import { getFileStream, getFileStreamAndMetadata } from './files/file-stream.ts';
import { cloneSafe, jsonStringifySafe } from './safe-json.ts';
import {
  $end,
  $event,
  $send,
  HTTP_METHODS,
  SendConfigEmail,
  SendConfigEmit,
  SendConfigHTTP,
  SendConfigS3,
  SendConfigSQL,
  SendConfigSSE,
  SendConfigSnowflake,
  sendTypeMap,
} from './sending.ts';
import { sqlProp, sqlProxy } from './sql.ts';

/** Seconds between two runs of a polling source. */
const DEFAULT_POLLING_SOURCE_TIMER_INTERVAL = 15 * 60;

/** Apps compare an account's OAuth client with this one of the hosted service; here no account ever has it. */
const PD_OFFICIAL_GMAIL_OAUTH_CLIENT_ID = 'the-client-of-another-service';

const platform = {
  axios,
  transformConfigForOauth,
  ConfigurationError,
  getFileStream,
  getFileStreamAndMetadata,
  cloneSafe,
  jsonStringifySafe,
  sqlProp,
  sqlProxy,
  $end,
  $event,
  $send,
  sendTypeMap,
  HTTP_METHODS,
  SendConfigEmail,
  SendConfigEmit,
  SendConfigHTTP,
  SendConfigS3,
  SendConfigSQL,
  SendConfigSSE,
  SendConfigSnowflake,
  DEFAULT_POLLING_SOURCE_TIMER_INTERVAL,
  PD_OFFICIAL_GMAIL_OAUTH_CLIENT_ID,
};

export {
  $end,
  $event,
  $send,
  ConfigurationError,
  DEFAULT_POLLING_SOURCE_TIMER_INTERVAL,
  HTTP_METHODS,
  PD_OFFICIAL_GMAIL_OAUTH_CLIENT_ID,
  SendConfigEmail,
  SendConfigEmit,
  SendConfigHTTP,
  SendConfigS3,
  SendConfigSQL,
  SendConfigSSE,
  SendConfigSnowflake,
  axios,
  cloneSafe,
  getFileStream,
  getFileStreamAndMetadata,
  jsonStringifySafe,
  platform as default,
  sendTypeMap,
  sqlProp,
  sqlProxy,
  transformConfigForOauth,
};
