import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { families } from '../../stages/loop/measuring/families.ts';
import { countRequests } from './http-metrics.ts';
import { MetricsModule } from './metrics.module.ts';

const token = 'a-token-of-some-length';
const away = '10.0.0.7';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const apps: NestFastifyApplication[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function serve(token?: string) {
  const metrics = new Metrics();
  metrics.count(families.events).value = 5;
  const module = MetricsModule.register(metrics, token);
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
  const fastify = app.getHttpAdapter().getInstance();
  countRequests(fastify, metrics);
  apps.push(app);
  await app.init();
  await fastify.ready();
  return { metrics, fastify };
}

type Asked = readonly [from: string, headers: Readonly<Record<string, string>>];

test.each<readonly [string, string | undefined, Asked, number]>([
  ['this machine', undefined, ['127.0.0.1', {}], 200],
  ['this machine by IPv6', undefined, ['::1', {}], 200],
  ['this machine on a socket of both', token, ['::ffff:127.0.0.1', {}], 200],
  ['this machine by its name for itself', undefined, ['127.0.0.1', { host: 'LocalHost.:3000' }], 200],
  ['this machine by an address with a port', undefined, ['127.0.0.1', { host: '127.0.0.1:3000' }], 200],
  ['this machine by an IPv6 address with a port', undefined, ['::1', { host: '[::1]:3000' }], 200],
  ['a page in a browser here, whose name leads here', undefined, ['127.0.0.1', { host: 'evil.example:3000' }], 403],
  ['such a page, by a name like an address', undefined, ['127.0.0.1', { host: '127.0.0.1.evil.example' }], 403],
  ['another name of this machine without the token', token, ['127.0.0.1', { host: 'box:3000' }], 401],
  ['another name of this machine with the token', token, ['127.0.0.1', { host: 'box:3000', ...bearer(token) }], 200],
  ['another machine, while there is no token', undefined, [away, bearer(token)], 403],
  ['a proxy on this machine', undefined, ['127.0.0.1', { 'x-forwarded-for': away }], 403],
  ['a proxy on this machine with the token', token, ['127.0.0.1', { forwarded: `for=${away}`, ...bearer(token) }], 200],
  ['another machine without the token', token, [away, {}], 401],
  ['another machine with a wrong token', token, [away, bearer(`${token}x`)], 401],
  ['another machine with the token', token, [away, bearer(token)], 200],
])(
  '%s: with the configured token %s, the request %j gets status %d',
  async (_name, token, [remoteAddress, headers], status) => {
    const { fastify } = await serve(token);
    const answer = await fastify.inject({ url: '/metrics', remoteAddress, headers: { ...headers } });
    expect(answer.statusCode).toBe(status);
    if (status === 200) {
      expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(answer.body).toContain('wellspring_events_emitted_total 5\n');
    } else {
      expect(answer.json()).toMatchObject({ message: expect.stringContaining('METRICS_TOKEN') });
      expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    }
  },
);

test('requests are counted by route, method and class of status, whatever their paths are', async () => {
  const { metrics, fastify } = await serve();
  for (const url of ['/metrics', '/metrics?a=1', '/secret-1', '/secret-2', '/%2e%2e/secret-3'])
    await fastify.inject({ url, remoteAddress: '127.0.0.1' });
  await fastify.inject({ url: '/metrics', remoteAddress: away });
  await fastify.inject({ url: '/metrics', method: 'DELETE' });
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('wellspring_http_requests_total{'));
  expect(lines.toSorted()).toEqual([
    'wellspring_http_requests_total{route="/metrics",method="GET",status="2xx"} 2',
    'wellspring_http_requests_total{route="/metrics",method="GET",status="4xx"} 1',
    'wellspring_http_requests_total{route="none",method="DELETE",status="4xx"} 1',
    'wellspring_http_requests_total{route="none",method="GET",status="4xx"} 3',
  ]);
});
