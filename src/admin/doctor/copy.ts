import { CURRENT_KEY, parseCurrent, movedText } from '../../config/load.ts';
import { count, type Check } from './check.ts';

/** The set in force in the registry, and the errors that this deploy finds in it. */
interface ActiveConfig {
  readonly version: number;
  readonly sources: number;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

const PUBLISH_AGAIN = (version: number): string => `Write it again: npx hookbell rollback ${version}`;

/** Checks that there is a configuration and that this deploy understands it. */
export function configCheck({ version, sources, errors }: ActiveConfig): Check {
  const found = { id: 'config' as const, title: 'Configuration' };
  const [first] = errors;
  if (version === 0)
    return {
      ...found,
      status: 'warn',
      code: 'nothing-published',
      detail: 'nothing has been published yet, so every webhook gets 404',
      remedy: 'Publish a folder of documents: npx hookbell init, then npx hookbell push',
    };
  if (first !== undefined)
    return {
      ...found,
      status: 'fail',
      code: 'version-invalid',
      params: { version: String(version), error: `${first.path} ${first.message}` },
      detail: `version ${version} is not valid for the deployed code, so every webhook gets 503: ${first.path} ${first.message}`,
      remedy:
        'Fix the documents and npx hookbell push, or go back to the previous deploy: npx wrangler rollback',
    };
  return {
    ...found,
    status: 'ok',
    code: 'version-active',
    params: { version: String(version), sources: String(sources) },
    detail: `version ${version} with ${count(sources, 'source')} is active`,
  };
}

/** Checks that KV, which webhooks read, has the version that is in force in the registry. */
export async function copyCheck(env: Pick<Env, 'CONFIG'>, version: number): Promise<Check> {
  const found = { id: 'config-copy' as const, title: 'Copy in KV' };
  // The platform's shortest cache time. An older answer would miss a publish of a minute ago.
  const text = await env.CONFIG.get(CURRENT_KEY, { type: 'text', cacheTtl: 30 });
  const current = text === null ? null : parseCurrent(text);
  const moved = current === null ? null : movedText(current.jurisdiction, env);
  if (moved !== null) return { ...found, status: 'fail', code: 'moved', detail: moved };
  const copied = current?.version ?? 0;
  if (copied === version)
    return {
      ...found,
      status: 'ok',
      code: 'copy-right',
      detail: version === 0 ? 'empty, as it should be' : `has version ${copied}`,
    };
  if (text === null)
    return {
      ...found,
      status: 'fail',
      code: 'copy-empty',
      params: { version: String(version) },
      detail: `is empty, but version ${version} is active: webhooks get 404`,
      remedy: `Check that CONFIG is bound to the right namespace. ${PUBLISH_AGAIN(version)}`,
    };
  return {
    ...found,
    status: 'warn',
    code: 'copy-behind',
    params: { copied: String(copied), version: String(version) },
    detail: `has version ${copied}, while version ${version} is active; this is normal for a minute after a publish`,
    remedy: `If it lasts: ${PUBLISH_AGAIN(version)}`,
  };
}
