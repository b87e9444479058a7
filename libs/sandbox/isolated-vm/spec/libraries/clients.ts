// Test programs of libraries that send requests to a server.
import type { LibraryProgram } from './in-both.ts';

export const clients: Readonly<Record<string, LibraryProgram>> = {
  'axios, by http': {
    imports: `import axios from 'axios';`,
    body: `
      const client = axios.create({ baseURL: origin, headers: { 'x-a': 'b' } });
      const shown = ({ status, statusText, data }) => ({ status, statusText, data });
      return [
        shown(await client.get('/echo?x=1', { params: { a: [1, 2], b: 'c d', e: undefined, f: new Date(0) } })),
        shown(await client.post('/echo', { a: 'é' }, { auth: { username: 'u', password: 'p' } })),
        (await client.put('/echo', new URLSearchParams({ a: '1 2' }))).data,
        (await client.get('/moved')).data, (await client.get('/gzip')).data,
        [...(await client.get('/bytes', { responseType: 'arraybuffer' })).data],
        (await client.get('/fails', { validateStatus: () => true })).status,
        await tried(() => client.get('/fails')), await tried(() => client.get('/moved', { maxRedirects: 0 })),
        await tried(() => client.get('/hang', { timeout: 50 })), await tried(() => axios.get('http://127.0.0.1:1/')),
        await tried(() => client.get('/stalls', { timeout: 500 })),
        await tried(() => client.get('/large', { maxContentLength: 1000 })),
        await tried(() => { const c = new AbortController(); setTimeout(() => c.abort(), 20); return client.get('/hang', { signal: c.signal }); }),
        axios.isAxiosError(await client.get('/fails').catch((error) => error)),
      ];`,
  },
  'axios, by fetch': {
    imports: `import axios from 'axios';`,
    body: `
      const client = axios.create({ baseURL: origin, adapter: 'fetch' });
      return [
        (await client.get('/echo', { params: { a: 1 } })).data.url, (await client.post('/echo', { a: 1 })).data.body,
        (await client.get('/gzip')).data, [...new Uint8Array((await client.get('/bytes', { responseType: 'arraybuffer' })).data)],
        await tried(() => client.get('/fails')),
      ];`,
  },
  'axios, streams and forms': {
    imports: `import axios from 'axios'; import FormData from 'form-data'; import { Readable } from 'node:stream';`,
    body: `
      const answer = await axios.get(origin + '/large', { responseType: 'stream' });
      const form = new FormData();
      form.append('a', '1'); form.append('file', Buffer.from('hello'), { filename: 'a.json' }); form.append('more', Readable.from(['x', 'y']), { filename: 'b' });
      const sent = await axios.post(origin + '/echo', form, { headers: form.getHeaders() });
      const piped = await axios.post(origin + '/echo', Readable.from(['pi', 'ped']), { headers: { 'content-type': 'text/plain' } });
      const failed = await axios.get(origin + '/fails', { responseType: 'stream' }).catch((error) => textOf(error.response.data));
      const web = new globalThis.FormData(); web.append('b', new Blob(['c'], { type: 'text/x' }), 'd');
      return [(await textOf(answer.data)).length, sent.data.type, sent.data.body, piped.data.body, failed, (await axios.post(origin + '/echo', web)).data.body.length > 50,
        (await axios.postForm(origin + '/echo', { a: [1, 2] })).data.type];`,
  },
  'the platform': {
    imports: `import { axios, ConfigurationError, getFileStreamAndMetadata, getFileStream, jsonStringifySafe } from '@pipedream/platform';
      import fs from 'node:fs'; import FormData from 'form-data'; const path = '/tmp/' + 'platform-spec-' + (globalThis.defineComponent ? 'inside' : 'outside') + '.txt';`,
    body: `
      const full = async (place) => { const { stream, metadata } = await getFileStreamAndMetadata(place); const { lastModified, ...rest } = metadata;
        return [await textOf(stream), rest, lastModified instanceof Date]; };
      fs.writeFileSync(path, 'on disk');
      try {
        const form = new FormData(); form.append('file', fs.createReadStream(path));
        const local = await full(path); local[1].name = local[1].name.replace(/(in|out)side/, '');
        return [
          await axios({}, { url: origin + '/echo?a=1', params: { b: 2 } }), await tried(() => axios({}, { url: origin + '/fails' })), await tried(() => axios({}, { body: 1 })),
          local, await full(origin + '/picture.png'), await full(origin + '/chunked'), await full('data:text/csv;base64,YSxi'),
          await tried(() => getFileStream('/tmp/none')), await tried(() => getFileStream(origin + '/fails')), await textOf(await getFileStream(origin + '/chunked')),
          (await axios({}, { method: 'POST', url: origin + '/echo', data: form, headers: form.getHeaders() })).body.includes('on disk'),
          new ConfigurationError('no').message, jsonStringifySafe({ a: 1n }),
        ];
      } finally { fs.rmSync(path); }`,
  },
  'http and form-data': {
    imports: `import http from 'node:http'; import url from 'node:url'; import FormData from 'form-data';`,
    body: `
      const target = url.parse(origin);
      const gather = (request) => new Promise((resolve, reject) => request.on('error', reject).on('response', async (response) => resolve([response.statusCode, response.headers['content-type'], await textOf(response)])));
      const posted = http.request({ host: target.hostname, port: target.port, path: '/echo', method: 'POST', headers: { 'X-A': 'b' } });
      posted.write('one '); posted.end('two'); const answered = gather(posted);
      const form = new FormData(); form.append('a', 'b'); form.append('file', Buffer.from('c'), 'd.txt');
      const submitted = await new Promise((resolve, reject) => form.submit(origin + '/echo', (error, response) => error ? reject(error) : resolve(response)));
      const length = await new Promise((resolve, reject) => form.getLength((error, value) => error ? reject(error) : resolve(typeof value)));
      return [await answered, await gather(http.get(origin + '/fails')), submitted.statusCode, await textOf(submitted), length,
        await tried(() => gather(http.get('http://127.0.0.1:1/')))];`,
  },
  'rss-parser': {
    imports: `import Parser from 'rss-parser';`,
    body: `
      const parser = new Parser({ customFields: { item: ['extra'] } });
      const feed = await parser.parseURL(origin + '/feed.xml');
      return [feed, await parser.parseString('<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>E</title><id>1</id></entry></feed>'),
        await parser.parseURL(origin + '/fails').catch((error) => error.message)];`,
  },
  'graphql-request': {
    imports: `import { GraphQLClient, gql } from 'graphql-request'; import { parse, print } from 'graphql';`,
    body: `
      const client = new GraphQLClient(origin + '/graphql', { headers: { authorization: 'Bearer t' } });
      const query = gql\`query Q($id: ID!) { node(id: $id) { id } }\`;
      return [await client.request(query, { id: 5 }), print(parse(query)), await client.request('{ fails }').catch((error) => [error.response.errors, error.response.status])];`,
  },
  '@octokit/core': {
    imports: `import { Octokit } from '@octokit/core';`,
    body: `
      const octokit = new Octokit({ auth: 'token-of-mine', baseUrl: origin, log: { debug() {}, info() {}, warn() {}, error() {} } });
      octokit.hook.before('request', (options) => { options.headers['x-a'] = 'hooked'; });
      const { data, status } = await octokit.request('GET /echo/{owner}/{repo}', { owner: 'a', repo: 'b c', per_page: 5 });
      const made = await octokit.request('POST /echo', { title: 'T' });
      return [status, data.url, data.authorization, data.a, made.data.body, await tried(() => octokit.request('GET /fails')), await octokit.graphql('{ node }')];`,
  },
  got: {
    imports: `import got from 'got'; import { pipeline } from 'node:stream/promises'; import { PassThrough } from 'node:stream';`,
    body: `
      const client = got.extend({ prefixUrl: origin, headers: { 'x-a': 'b' }, retry: { limit: 0 } });
      const through = new PassThrough(); const streamed = textOf(through);
      await pipeline(client.stream('large'), through);
      return [
        (await client.get('echo', { searchParams: { a: 1 } }).json()).url, (await client.post('echo', { json: { a: 1 } }).json()).body,
        (await client.post('echo', { form: { a: 'b c' } }).json()).body, (await client.get('moved').json()).url, await client.get('gzip').json(),
        [...await client.get('bytes').buffer()], (await streamed).length,
        await tried(() => client.get('fails')), await tried(() => client.get('hang', { timeout: { request: 50 } })), await tried(() => client.get('stalls', { timeout: { socket: 500 } })), await tried(() => client.get('stalls', { timeout: { request: 500 } })), await tried(() => got('http://127.0.0.1:1/', { retry: { limit: 0 } })),
      ];`,
  },
};
