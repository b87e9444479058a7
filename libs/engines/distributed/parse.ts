// Parses the distributed engine's settings. Each parser throws an Error that says what to enter instead.
import { isIP } from 'node:net';
import { parsePort } from '../config/parse.ts';

export function parseBrokers(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const broker = item.trim();
    // kafkajs takes the text before the first colon as the host.
    if (broker.startsWith('[') || isIP(broker) === 6)
      throw new Error(`${JSON.stringify(broker)} is an IPv6 address; give a host name that resolves to it, and a port`);
    const parts = /^(?<host>[a-z0-9._-]+):(?<port>\d+)$/i.exec(broker)?.groups;
    if (parts?.['port'] === undefined)
      throw new Error(`${JSON.stringify(broker)} is no host:port; give brokers such as kafka-1:9092,kafka-2:9092`);
    parsePort(parts['port']);
    return broker;
  });
}

/** Kafka's rule for names, with room for the rest of the topic names. */
export function parseTopicPrefix(text: string): string {
  if (!/^[a-zA-Z0-9._-]{1,100}$/.test(text))
    throw new Error('give 1 to 100 letters, digits, dots, dashes or underscores');
  return text;
}

/** For a URL without a database, for which the driver would use `test`. */
const databaseDefault = 'wellspring';
/** MongoDB's own limit. */
const databaseBytesMax = 63;

export function parseMongoUrl(text: string): string {
  if (!/^mongodb(\+srv)?:\/\/[^/\s]+/.test(text))
    throw new Error('give a URL such as mongodb://user:password@host:27017/wellspring');
  const { database } = databaseOf(text);
  if (Buffer.byteLength(database) > databaseBytesMax || /[/\\. "$*<>:|?\0]/.test(database))
    throw new Error(
      `give up to ${databaseBytesMax} letters, digits, dashes or underscores as the name of the database`,
    );
  return text;
}

/** Returns the views' database, and whether the URL names it. User and password are before an @. */
export function databaseOf(url: string): { readonly database: string; readonly isNamed: boolean } {
  const [, rawName = ''] = /^[^:]+:\/\/(?:[^@]*@|[^?]*@)?[^/?@]+\/([^?]*)/.exec(url) ?? [];
  return rawName === ''
    ? { database: databaseDefault, isNamed: false }
    : { database: decodeName(rawName), isNamed: true };
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Masks the URL's password with dots, and its options too: some are secrets, and drivers add new ones. */
export function withoutSecrets(url: string): string {
  const [address = '', ...options] = url.split('?');
  // Then the ? might be part of a password.
  if (!address.includes('@') && options.join().includes('@')) return address.replace(/\/\/.*$/s, '//...');
  const masked = address.replace(/^([^:]+:\/\/[^:@]*):.*@/s, '$1:...@');
  return options.length === 0 ? masked : `${masked}?...`;
}
