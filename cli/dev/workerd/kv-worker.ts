import { DurableObject } from 'cloudflare:workers';

interface KvEnv {
  readonly STORE: DurableObjectNamespace<KvStore>;
}

/** The header in which the runtime passes a value's metadata, both ways, as JSON. */
const METADATA = 'CF-KV-Metadata';

/**
 * The server that the runtime's KV binding talks to, in place of the platform's KV: `GET`, `PUT` and `DELETE` of
 * `/{key}`, on disk. Lists, bulk reads and expiry are not implemented, since the relay uses none of them.
 */
export default {
  fetch: (request, env) => env.STORE.getByName('kv').fetch(request),
} satisfies ExportedHandler<KvEnv>;

export class KvStore extends DurableObject<KvEnv> {
  constructor(ctx: DurableObjectState, env: KvEnv) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value BLOB, metadata TEXT)');
  }

  override async fetch(request: Request): Promise<Response> {
    const { sql } = this.ctx.storage;
    const key = keyOf(new URL(request.url));
    switch (request.method) {
      case 'GET': {
        const [row] = sql
          .exec<{ value: ArrayBuffer; metadata: string | null }>(
            'SELECT value, metadata FROM kv WHERE key = ?',
            key,
          )
          .toArray();
        if (row === undefined) return new Response('no such key', { status: 404 });
        return new Response(
          row.value,
          row.metadata === null ? {} : { headers: { [METADATA]: row.metadata } },
        );
      }
      case 'PUT': {
        const value = await request.arrayBuffer();
        sql.exec('INSERT OR REPLACE INTO kv VALUES (?, ?, ?)', key, value, request.headers.get(METADATA));
        return new Response();
      }
      case 'DELETE':
        sql.exec('DELETE FROM kv WHERE key = ?', key);
        return new Response();
      default:
        return new Response('not a KV operation that this service knows', { status: 501 });
    }
  }
}

/** The runtime percent-encodes the key and says so. */
function keyOf({ pathname, searchParams }: URL): string {
  const key = pathname.slice(1);
  return searchParams.get('urlencoded') === 'true' ? decodeURIComponent(key) : key;
}
