import { DurableObject } from 'cloudflare:workers';

interface BareEnv {
  readonly STORE: DurableObjectNamespace<BareStore>;
}

/** The least that a durable receiver can do, which the relay's ingest is measured against. */
export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('up');
    const id = await env.STORE.getByName('store').insert(await request.text());
    return Response.json({ id }, { status: 202 });
  },
} satisfies ExportedHandler<BareEnv>;

/** One insert a request; the platform holds the answer back until it is on disk. */
export class BareStore extends DurableObject<BareEnv> {
  constructor(ctx: DurableObjectState, env: BareEnv) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
  }

  insert(body: string): number {
    return this.ctx.storage.sql
      .exec<{ id: number }>('INSERT INTO bodies (body) VALUES (?) RETURNING id', body)
      .one().id;
  }
}
