import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { z } from 'zod';

const binding = z.looseObject({ name: z.string(), type: z.string() });
const metadata = z.looseObject({ bindings: z.array(binding) });

interface Upload {
  readonly worker: string;
  readonly bindings: readonly z.output<typeof binding>[];
}

/** As much of Cloudflare's API as a deploy asks for. It keeps what it is given, and has nothing but that. */
export interface Cloudflare {
  readonly url: string;
  readonly uploads: readonly Upload[];
  /** Titles of the KV namespaces that were made. */
  readonly namespaces: readonly string[];
  readonly close: () => void;
}

export async function startCloudflare(): Promise<Cloudflare> {
  const uploads: Upload[] = [];
  const namespaces: string[] = [];
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const path = (request.url ?? '').split('?')[0]?.replace(/^\/client\/v4\/accounts\/[^/]+/, '') ?? '';
    const body = await arrayBuffer(request);
    const worker = path.split('/')[3] ?? '';
    const known = uploads.findLast((upload) => upload.worker === worker);
    if (path === '/storage/kv/namespaces' && request.method === 'POST') {
      const { title } = z.object({ title: z.string() }).parse(JSON.parse(new TextDecoder().decode(body)));
      return { id: idOf(namespaces.push(title)), title };
    }
    if (path === '/storage/kv/namespaces')
      return namespaces.map((title, at) => ({ id: idOf(at + 1), title }));
    if (path === '/workers/subdomain') return { subdomain: 'shop' };
    if (path.endsWith('/assets-upload-session')) return { jwt: 'x.eyJhIjoxfQ.y', buckets: [] };
    if (path.startsWith('/workers/workers/'))
      return { id: 'w', subdomain: { enabled: true, previews_enabled: false } };
    if (path.endsWith('/subdomain')) return { enabled: true, previews_enabled: false };
    if (path.endsWith('/schedules')) return { schedules: [] };
    if (path.endsWith('/deployments')) return { deployments: [], id: 'd' };
    if (path.endsWith('/secrets')) return [];
    if (path.startsWith('/workers/services/'))
      return known === undefined
        ? null
        : { id: worker, default_environment: { environment: 'production', script: { tag: 't' } } };
    if (path.endsWith('/settings')) return known === undefined ? null : { bindings: known.bindings };
    if (request.method !== 'PUT' || !/^\/workers\/scripts\/[^/]+$/.test(path))
      return known === undefined ? null : {};
    uploads.push({ worker, bindings: await bindingsOf(request, body) });
    return { id: worker, etag: 'e', startup_time_ms: 10, tag: 't' };
  };
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const result = await answer(request);
    const errors = result === null ? [{ code: 10007, message: 'not found' }] : [];
    response.writeHead(result === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: result !== null, errors, messages: [], result }));
  };
  const server = createServer((request, response) => {
    void reply(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://localhost:${port}/client/v4`, uploads, namespaces, close: () => void server.close() };
}

const idOf = (n: number): string => String(n).padStart(32, '0');

async function bindingsOf(request: IncomingMessage, body: ArrayBuffer): Promise<Upload['bindings']> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData();
  const part = form.get('metadata');
  const text = typeof part === 'string' ? part : ((await part?.text()) ?? '');
  return metadata.parse(JSON.parse(text)).bindings;
}
