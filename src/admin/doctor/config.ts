import { CURRENT_KEY, parseCurrent, movedText } from '../../config/load.ts';
import type { OverrideByHand } from '../../config/compiled/rotation.ts';
import { count, findingOf, type Check, span } from './check.ts';
import { namedSecrets } from '../../config/secrets/named-secrets.ts';
import { secret, variable } from '../../lib/secret.ts';
import { accessSettings } from '../auth/access.ts';
import { MIN_NEW_TOKEN_LENGTH, TOKENS, PAYLOADS, VIEWER_SEES, viewersSeePayloads } from '../auth/tokens.ts';
import type { DoctorCode } from '../../lib/api-codes.ts';
import type { FieldError } from '../../lib/problem.ts';
import type { Config, Source } from '../../config/compiled/config.ts';
import type { SourceStats, Stats } from '../../metrics/api-stats.ts';

const PUBLISH_AGAIN = (version: number): string => `Write it again: npx hookbell rollback ${version}`;

export function configCheck(version: number, sources: number, [first]: readonly FieldError[]): Check {
  const found = findingOf('config', 'Configuration');
  if (version === 0)
    return found('warn', 'nothing-published', {
      detail: 'nothing has been published yet, so every webhook gets 404',
      remedy: 'Publish a folder of documents: npx hookbell init, then npx hookbell push',
    });
  if (first !== undefined) {
    const error = `${first.path} ${first.message}`;
    return found('fail', 'version-invalid', {
      detail: `version ${version} is not valid for the deployed code, so every webhook gets 503: ${error}`,
      params: { version, error },
      remedy:
        'Fix the documents and npx hookbell push, or go back to the previous deploy: npx wrangler rollback',
    });
  }
  return found('ok', 'version-active', {
    detail: `version ${version} with ${count(sources, 'source')} is active`,
    params: { version, sources },
  });
}

export async function copyCheck(env: Pick<Env, 'CONFIG'>, version: number): Promise<Check> {
  const found = findingOf('config-copy', 'Copy in KV');
  // The platform's shortest cache time. An older answer would miss a publish of a minute ago.
  const text = await env.CONFIG.get(CURRENT_KEY, { type: 'text', cacheTtl: 30 });
  const current = text === null ? null : parseCurrent(text);
  const moved = current === null ? null : movedText(current.jurisdiction, env);
  if (moved !== null) return found('fail', 'moved', { detail: moved });
  const copied = current?.version ?? 0;
  if (copied === version)
    return found('ok', 'copy-right', {
      detail: version === 0 ? 'empty, as it should be' : `has version ${copied}`,
    });
  if (text === null)
    return found('fail', 'copy-empty', {
      detail: `is empty, but version ${version} is active: webhooks get 404`,
      params: { version },
      remedy: `Check that CONFIG is bound to the right namespace. ${PUBLISH_AGAIN(version)}`,
    });
  return found('warn', 'copy-behind', {
    detail: `has version ${copied}, while version ${version} is active; this is normal for a minute after a publish`,
    params: { copied, version },
    remedy: `If it lasts: ${PUBLISH_AGAIN(version)}`,
  });
}

/** Overrides that a publish ended, since their person was removed, for as long as they were meant to last. */
export const overrideChecks = (overrides: readonly OverrideByHand[], now: number): readonly Check[] =>
  overrides
    .filter(({ is_gone, until }) => is_gone === true && Date.parse(until) > now)
    .map(({ id, list, person, until, ended_at }) =>
      findingOf(`on-call:${id}`, `On call: ${list}`)('warn', 'override-ended', {
        detail: `the override by hand of ${person} until ${until} ended at ${ended_at}, when a publish removed them from the list`,
        params: { person, until, list },
        remedy: 'See who is on call: npx hookbell on-call. To have somebody else: npx hookbell on-call swap',
      }),
    );

const ofSecret = (name: string) => findingOf(`secret:${name}`, `Secret ${name}`);

/** Shows only the names of secrets. `isLocal`: nobody but this machine can try tokens. */
export function secretChecks(config: Config, env: Env, isLocal = false): readonly Check[] {
  const named = [...namedSecrets(config)];
  const missing = named.filter(([name]) => secret(env, name) === undefined);
  const allSet = findingOf('secrets', 'Secrets')('ok', 'secrets-set', {
    detail: `${count(named.length, 'secret')} needed, all are set`,
    params: { secrets: named.length },
  });
  return [
    ...(missing.length === 0 ? [allSet] : []),
    ...missing.map(([name, usedBy]) =>
      ofSecret(name)('fail', 'secret-missing', {
        detail: `is not set, and ${usedBy.slice(0, 3).join(', ')}${usedBy.length > 3 ? ' and others' : ''} cannot work without it`,
        params: { name, used_by: usedBy.join(', ') },
        remedy: `npx wrangler secret put ${name}`,
      }),
    ),
    ...TOKENS.flatMap((token) => tokenCheck(token, env, isLocal) ?? []),
    ...loginChecks(env),
  ];
}

function tokenCheck({ name, least }: (typeof TOKENS)[number], env: Env, isLocal: boolean): Check | null {
  const token = secret(env, name);
  if (token === undefined) return null;
  const same = TOKENS.find((one) => one.name !== name && secret(env, one.name) === token);
  const remedy = `Make a random one (openssl rand -base64 32) and set it: npx wrangler secret put ${name}`;
  const warn = (code: DoctorCode, detail: string) => ofSecret(name)('warn', code, { detail, remedy });
  if (token.length < least)
    return warn('token-ignored', `is shorter than ${least} characters, so it is ignored`);
  if (token.length < MIN_NEW_TOKEN_LENGTH && !isLocal)
    return warn(
      'token-short',
      `is shorter than ${MIN_NEW_TOKEN_LENGTH} characters: with a stolen session cookie, it could be guessed`,
    );
  return same !== undefined && !name.startsWith('ADMIN')
    ? warn('token-shared', `is the same as ${same.name}, so both have the lesser role`)
    : null;
}

function loginChecks(env: Env): readonly Check[] {
  const access = accessSettings(env);
  const sees = variable(env, VIEWER_SEES) ?? '';
  const remedy = 'Correct it under [vars] in wrangler.toml, and deploy';
  const ofAccess = findingOf('access', 'Cloudflare Access');
  const ofViewers = findingOf('viewer-sees', `Variable ${VIEWER_SEES}`);
  const ignored = `is ignored: it can only be ${PAYLOADS}`;
  return [
    ...(access.ok
      ? []
      : [ofAccess('fail', 'access-unreadable', { detail: `lets nobody in: ${access.error}`, remedy })]),
    ...(sees === '' || viewersSeePayloads(env)
      ? []
      : [ofViewers('warn', 'variable-ignored', { detail: ignored, remedy })]),
  ];
}

/** Without a `heartbeat`, nobody knows how often a source should send. After this time (ms) a person should check. */
const LONG_SILENT_MS = 7 * 86_400_000;

export function sourceChecks(config: Config, stats: Pick<Stats, 'sources' | 'accounts'>, now: number) {
  const sources = [...config.sources.values()];
  const open = sources.filter(({ verify }) => verify.scheme === 'none').map(openCheck);
  // The traffic of a source is unknown if its account cannot be read.
  const known = sources.filter(({ account }) => stats.accounts[account] !== null);
  const silent = known.flatMap((source) => silentCheck(source, stats.sources[source.id], now));
  const heard = known.length - silent.length;
  const well = findingOf('sources', 'Sources')('ok', 'sources-sending', {
    detail: `${count(heard, 'source')} sending as expected`,
    params: { sources: heard },
  });
  return [...open, ...silent, ...(heard > 0 ? [well] : [])];
}

function openCheck({ id, form }: Source): Check {
  const found = findingOf(`source:${id}:open`, `Source ${id}`);
  if (form === null)
    return found('warn', 'source-open', {
      detail: 'verifies nothing: anybody who knows its address can send messages through it',
      remedy: 'Give it a `verify`, at least a token in its path: verify: { scheme: token, in: path }',
    });
  const { origins } = form;
  if (origins === null || origins === 'any')
    return found('warn', 'form-open', {
      detail: 'is a form that any page can post',
      remedy: 'Name the pages that may: origins: [https://shop.example]',
    });
  const names = origins.join(', ');
  const detail = `is a form that only ${names} may post`;
  return found('ok', 'form-limited', { detail, params: { origins: names } });
}

function silentCheck({ id }: Source, stats: SourceStats | undefined, now: number): Check[] {
  const found = findingOf(`source:${id}:silent`, `Source ${id}`);
  const remedy = `Check that its sender posts to /hooks/${id}`;
  const last = stats?.last_event_at ?? null;
  const silentMs = last === null ? null : now - Date.parse(last);
  const words = silentMs === null ? 'has never sent anything' : `has sent nothing for ${span(silentMs)}`;
  if (stats?.heartbeat?.overdue === true) {
    const { expected } = stats.heartbeat;
    const detail = `${words}; its heartbeat is ${expected}`;
    const params = { expected, ...(last !== null && { last }) };
    return [found('fail', 'heartbeat-late', { detail, params, remedy })];
  }
  if (last === null) return [found('warn', 'never-sent', { detail: words, remedy })];
  if (stats?.heartbeat !== undefined || (silentMs ?? 0) <= LONG_SILENT_MS) return [];
  const seldom = `${remedy}. If it seldom sends, say how seldom: heartbeat: 30d`;
  return [found('warn', 'source-silent', { detail: words, params: { last }, remedy: seldom })];
}
