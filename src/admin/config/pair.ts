import type { PairingAnswer } from '../../answers/api-registry.ts';
import type { Pairing } from '../../registry/pairing.ts';
import { readSet, registry } from '../../config/load.ts';
import { nameForSecretOf } from '../../config/secrets/credential-names.ts';
import { sourceSchema } from '../../config/documents/schema.ts';
import { secret } from '../../lib/secret.ts';
import { log } from '../../lib/log.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { findParts } from './providers.ts';
import { withFacts } from '../../provider/provider.ts';
import { pairs } from '../../provider/handshake.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { conflict, notFound } from '../request/input.ts';
import { iso } from '../../lib/time.ts';

export const pairRoutes = {
  openPairing: apiRoute('POST /sources/{id}/pair', 'editor', {
    handle: async ({ env, params: { id }, login }) => {
      const source = await findPairing(env, id);
      if (!source.ok) return source.error;
      const opened = await registry(env).openPairing(id, Date.now());
      log('info', 'pairing.opened', { source: id, by: login.actor });
      return shown(id, opened);
    },
  }),

  getPairing: apiRoute('GET /sources/{id}/pair', 'viewer', {
    view: 'words',
    handle: async ({ env, params: { id } }) => {
      const source = await findPairing(env, id);
      return source.ok ? shown(id, await registry(env).lookAtPairing(id, Date.now())) : source.error;
    },
  }),

  /** A POST, since it has an effect. Under Cloudflare Access, another site's page can make a browser send a GET. */
  takePairedKey: apiRoute('POST /sources/{id}/pair/key', 'editor', {
    handle: async ({ env, params: { id }, login }) => {
      const source = await findPairing(env, id);
      if (!source.ok) return source.error;
      const { secret: key, pairing } = await registry(env).takePairing(id, Date.now());
      if (key === null) return conflict(nothingToTake(id, pairing));
      log('info', 'pairing.shown', { source: id, by: login.actor });
      const hint = whereItGoes(env, id, source.value);
      return { ...arrived(id, pairing), state: pairing.state, secret: key, hint };
    },
  }),

  closePairing: apiRoute('DELETE /sources/{id}/pair', 'editor', {
    handle: async ({ env, params: { id }, login }) => {
      const source = await findPairing(env, id);
      if (!source.ok) return source.error;
      await registry(env).closePairing(id);
      log('info', 'pairing.closed', { source: id, by: login.actor });
      return shown(id, { state: 'closed' });
    },
  }),
} satisfies ApiRoutes;

/** The secrets of the published source, if its provider hands over a key. */
async function findPairing(env: Env, id: string): Promise<Result<readonly string[], Response>> {
  const sources = (await readSet(env))?.set.sources ?? {};
  const { data: document } = sourceSchema.safeParse(Object.hasOwn(sources, id) ? sources[id] : null);
  if (document === undefined) return err(notFound(`source \`${id}\``));
  const found = await findParts(env, document.provider ?? 'generic');
  const provider = found && withFacts(found.provider, document);
  if (provider !== null && pairs(provider)) return ok(document.secrets ?? []);
  const hands = `${provider?.name ?? 'its provider'} hands over no key`;
  const detail = `The source \`${id}\` needs no pairing: ${hands}. Its secret is in the settings at the provider, or is chosen there.`;
  return err(conflict(detail));
}

/** A pairing as an admin sees it: with the senders of keys, but never with a key. */
function shown(id: string, pairing: Pairing): PairingAnswer {
  const { state } = pairing;
  if (state === 'closed') return { source: id, state };
  if (state === 'open') return { source: id, expires_at: iso(pairing.expiresAt), state };
  if (state !== 'void') return { ...arrived(id, pairing), state };
  return { ...arrived(id, pairing), state, hint: afterConflict(pairing.wasTaken) };
}

const arrived = (source: string, { expiresAt, offers }: Extract<Pairing, { offers: unknown }>) => ({
  source,
  expires_at: iso(expiresAt),
  offers: offers.map(({ at, address, userAgent }) => ({
    at: iso(at),
    ...(address !== null && { address }),
    ...(userAgent !== null && { user_agent: userAgent }),
  })),
});

const afterConflict = (wasTaken: boolean): string =>
  `Two different keys were handed over, one of them by a stranger, so both are void${wasTaken ? ': do not set the one that was shown' : ''}. Delete the webhook at the provider, publish the source under an id that nobody can guess, and pair that one.`;

function whereItGoes(env: Env, id: string, secrets: readonly string[]): string {
  const stem = nameForSecretOf(id);
  // A source has at most eight secrets, so one of nine names is free.
  const names = ['', '_2', '_3', '_4', '_5', '_6', '_7', '_8', '_9'].map((suffix) => stem + suffix);
  const name = names.find((one) => secret(env, one) === undefined) ?? stem;
  const named = [...secrets, name].join(', ');
  return `This key is shown only once. If your provider offered it after you created the webhook, set it with \`npx wrangler secret put ${name}\`, and publish the source with \`secrets: [${named}]\`.`;
}

function nothingToTake(id: string, pairing: Pairing): string {
  if (pairing.state === 'closed')
    return `No pairing window of \`${id}\` is open. Open one with POST …/sources/${id}/pair.`;
  if (pairing.state === 'open')
    return `No key has arrived for \`${id}\` yet. Create the webhook at the provider.`;
  return pairing.state === 'void'
    ? afterConflict(pairing.wasTaken)
    : `The key of \`${id}\` has already been shown and is not stored. If you lack it, open the window again.`;
}
