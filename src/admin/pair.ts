import { Hono, type Context } from 'hono';
import type { Pairing } from '../config/pairing.ts';
import { readSet, registry } from '../config/registry-client.ts';
import { nameForSecretOf } from '../config/secret-names.ts';
import { sourceSchema, type SourceDocument } from '../config/schema.ts';
import { secret, type Env } from '../env.ts';
import { log } from '../lib/log.ts';
import { problemResponse } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { providers } from '../provider/catalog.ts';
import { pairs } from '../provider/handshake.ts';
import type { AdminVariables } from './auth.ts';
import { checkQuery, notFound } from './input.ts';

/** `/sources/{id}/pair`: the window in which a provider may hand over the key of its signatures. */
export const pair = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

pair.post('/sources/:id/pair', async (context) => {
  const source = await findPairing(context);
  if (!source.ok) return source.error;
  const { id } = source.value;
  const opened = await registry(context.env).openPairing(id, Date.now());
  log('info', 'pairing.opened', { source: id, by: context.get('actor') });
  return Response.json(shown(context.env, source.value, opened));
});

pair.get('/sources/:id/pair', async (context) => {
  // Hono answers a HEAD by its GET without the body, and a key that nobody saw would be lost.
  if (context.req.raw.method === 'HEAD') return new Response(null);
  const source = await findPairing(context);
  if (!source.ok) return source.error;
  const { id } = source.value;
  const pairing = await registry(context.env).takePairing(id, Date.now());
  if (pairing.state === 'captured') log('info', 'pairing.shown', { source: id, by: context.get('actor') });
  return Response.json(shown(context.env, source.value, pairing));
});

pair.delete('/sources/:id/pair', async (context) => {
  const source = await findPairing(context);
  if (!source.ok) return source.error;
  const { id } = source.value;
  await registry(context.env).closePairing(id);
  log('info', 'pairing.closed', { source: id, by: context.get('actor') });
  return Response.json(shown(context.env, source.value, { state: 'closed' }));
});

interface PairingSource {
  readonly id: string;
  /** The names of the secrets that it has already. */
  readonly secrets: readonly string[];
}

/** The published source, if its provider hands over a key. */
async function findPairing(
  context: Context<{ Bindings: Env; Variables: AdminVariables }>,
): Promise<Result<PairingSource, Response>> {
  const query = checkQuery({}, context);
  if (!query.ok) return query;
  const id = context.req.param('id') ?? '';
  const document = await readSource(context.env, id);
  if (document === null) return err(notFound(`source \`${id}\``));
  const provider = providers.get(document.provider ?? 'generic');
  if (provider !== undefined && pairs(provider)) return ok({ id, secrets: document.secrets ?? [] });
  return err(
    problemResponse({
      status: 409,
      type: 'conflict',
      title: 'Conflict',
      detail: `The source \`${id}\` does not pair: ${provider?.name ?? 'its provider'} hands over no key. You find its secret in its settings, or choose one there.`,
    }),
  );
}

async function readSource(env: Env, id: string): Promise<SourceDocument | null> {
  const sources = (await readSet(env))?.set.sources ?? {};
  const parsed = sourceSchema.safeParse(Object.hasOwn(sources, id) ? sources[id] : null);
  return parsed.success ? parsed.data : null;
}

function shown(env: Env, { id, secrets }: PairingSource, pairing: Pairing): Record<string, unknown> {
  if (pairing.state === 'closed') return { source: id, state: 'closed' };
  if (pairing.state === 'open') {
    return { source: id, state: 'open', expires_at: new Date(pairing.expiresAt).toISOString() };
  }
  const name = freeName(env, id);
  const named = [...secrets, name].join(', ');
  return {
    source: id,
    state: 'captured',
    secret: pairing.secret,
    hint: `This key is shown only now. Set it with \`wrangler secret put ${name}\`, then publish the source with \`secrets: [${named}]\`.`,
  };
}

/** Sources have eight secrets at most, so one of nine names is free. */
const SUFFIXES = ['', '_2', '_3', '_4', '_5', '_6', '_7', '_8', '_9'];

/** A name for the key's Worker secret under which nothing is set. */
function freeName(env: Env, id: string): string {
  const stem = nameForSecretOf(id);
  return SUFFIXES.map((suffix) => stem + suffix).find((name) => secret(env, name) === undefined) ?? stem;
}
