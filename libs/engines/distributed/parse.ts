// What the text of a setting of the distributed engine means. Each throws an Error that says what to give instead.
import { isIP } from 'node:net';
import { parsePort } from '../config/parse.ts';

export function parseBrokers(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const broker = item.trim();
    // kafkajs takes what stands before the first colon for the host.
    if (broker.startsWith('[') || isIP(broker) === 6)
      throw new Error(`${JSON.stringify(broker)} is an IPv6 address; give a host name that stands for it, and a port`);
    const parts = /^(?<host>[a-z0-9._-]+):(?<port>\d+)$/i.exec(broker)?.groups;
    if (parts?.['port'] === undefined)
      throw new Error(`${JSON.stringify(broker)} is no host:port; give brokers such as kafka-1:9092,kafka-2:9092`);
    parsePort(parts['port']);
    return broker;
  });
}

/** Kafka's own rule for names, with room left for ours. */
export function parseTopicPrefix(text: string): string {
  if (!/^[a-zA-Z0-9._-]{1,100}$/.test(text))
    throw new Error('give 1 to 100 letters, digits, dots, dashes or underscores');
  return text;
}

export function parseMongoUrl(text: string): string {
  if (!/^mongodb(\+srv)?:\/\/[^/\s]+/.test(text))
    throw new Error('give a URL such as mongodb://user:password@host:27017/wellspring');
  return text;
}

/** The password of the URL becomes dots, and so do its options: some are secrets, and drivers learn new ones. */
export function withoutSecrets(url: string): string {
  const [address = '', ...options] = url.split('?');
  // Then the ? may well stand in a password.
  if (!address.includes('@') && options.join().includes('@')) return address.replace(/\/\/.*$/s, '//...');
  const shown = address.replace(/^([^:]+:\/\/[^:@]*):.*@/s, '$1:...@');
  return options.length === 0 ? shown : `${shown}?...`;
}
