import { CURRENT_KEY, parseCurrent, movedText } from '../../config/load.ts';
import type { OverrideByHand } from '../../config/compiled/rotation.ts';
import { count, findingOf, type Check } from './check.ts';

/** The set in force in the registry, and the errors that this deploy finds in it. */
interface ActiveConfig {
  readonly version: number;
  readonly sources: number;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

const PUBLISH_AGAIN = (version: number): string => `Write it again: npx hookbell rollback ${version}`;

/** Checks that there is a configuration and that this deploy understands it. */
export function configCheck({ version, sources, errors }: ActiveConfig): Check {
  const found = findingOf('config', 'Configuration');
  const [first] = errors;
  if (version === 0)
    return found('warn', 'nothing-published', 'nothing has been published yet, so every webhook gets 404', {
      remedy: 'Publish a folder of documents: npx hookbell init, then npx hookbell push',
    });
  if (first !== undefined) {
    const error = `${first.path} ${first.message}`;
    return found(
      'fail',
      'version-invalid',
      `version ${version} is not valid for the deployed code, so every webhook gets 503: ${error}`,
      {
        params: { version, error },
        remedy:
          'Fix the documents and npx hookbell push, or go back to the previous deploy: npx wrangler rollback',
      },
    );
  }
  return found('ok', 'version-active', `version ${version} with ${count(sources, 'source')} is active`, {
    params: { version, sources },
  });
}

/** Checks that KV, which webhooks read, has the version that is in force in the registry. */
export async function copyCheck(env: Pick<Env, 'CONFIG'>, version: number): Promise<Check> {
  const found = findingOf('config-copy', 'Copy in KV');
  // The platform's shortest cache time. An older answer would miss a publish of a minute ago.
  const text = await env.CONFIG.get(CURRENT_KEY, { type: 'text', cacheTtl: 30 });
  const current = text === null ? null : parseCurrent(text);
  const moved = current === null ? null : movedText(current.jurisdiction, env);
  if (moved !== null) return found('fail', 'moved', moved);
  const copied = current?.version ?? 0;
  if (copied === version)
    return found('ok', 'copy-right', version === 0 ? 'empty, as it should be' : `has version ${copied}`);
  if (text === null)
    return found('fail', 'copy-empty', `is empty, but version ${version} is active: webhooks get 404`, {
      params: { version },
      remedy: `Check that CONFIG is bound to the right namespace. ${PUBLISH_AGAIN(version)}`,
    });
  return found(
    'warn',
    'copy-behind',
    `has version ${copied}, while version ${version} is active; this is normal for a minute after a publish`,
    {
      params: { copied, version },
      remedy: `If it lasts: ${PUBLISH_AGAIN(version)}`,
    },
  );
}

/** Overrides that a publish ended, since their person was removed, for as long as they were meant to last. */
export const overrideChecks = (overrides: readonly OverrideByHand[], now: number): readonly Check[] =>
  overrides
    .filter(({ is_gone, until }) => is_gone === true && Date.parse(until) > now)
    .map(({ id, list, person, until, ended_at }) =>
      findingOf(`on-call:${id}`, `On call: ${list}`)(
        'warn',
        'override-ended',
        `the override by hand of ${person} until ${until} ended at ${ended_at}, when a publish removed them from the list`,
        {
          params: { person, until, list },
          remedy:
            'See who is on call: npx hookbell on-call. To have somebody else: npx hookbell on-call swap',
        },
      ),
    );
