import * as z from 'zod/mini';
import { issueErrors } from '../../src/config/documents/issues.ts';
import { isBaseUrl } from '../../src/config/secrets/gateway.ts';
import { strictDocument } from '../../src/schema/parts.ts';
import { SECRET_NAME } from '../../src/lib/secret.ts';
import { ok } from '../../src/lib/result.ts';
import { failed, type CommandResult } from '../failure.ts';
import { readText } from '../folder/yaml.ts';
import { isWorkerName } from './paths.ts';

const text = (isRight: (text: string) => boolean, error: string) =>
  z.string({ error }).check(z.refine(isRight, { error }));

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** Names of secrets. This file is committed, and the dashboard shows variables. */
const SECRET_LIKE = /(_API_KEY|_APP_KEY|_EMAIL|_TOKEN|_TOKEN_NEXT|_SECRET|_PASSWORD)$/;

const variables = z.record(z.string(), z.string({ error: 'must be text: put it in quotes' })).check(
  z.superRefine((vars, context) => {
    for (const name of Object.keys(vars)) {
      const message = SECRET_LIKE.test(name)
        ? 'looks like a secret: put it into secrets.env'
        : name === 'GATEWAY_BASE_URL'
          ? 'is set by `gateway_base_url`: move the address there'
          : SECRET_NAME.test(name)
            ? null
            : 'must be capital letters, digits and _';
      if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
    }
  }),
);

const schema = strictDocument({
  gateway_base_url: text(isBaseUrl, 'must be the gateway’s base address: http(s), and ends in /api'),
  worker: z.optional(text(isWorkerName, 'must be up to 63 lower-case letters, digits and hyphens')),
  domain: z.optional(
    text((host) => HOST.test(host), 'must be a host name in lower case, such as hooks.acme.example'),
  ),
  workers_dev: z.optional(z.boolean({ error: 'must be true or false' })),
  account_id: z.optional(
    text((id) => /^[0-9a-f]{32}$/.test(id), 'must be the 32 hexadecimal digits of a Cloudflare account'),
  ),
  kv_namespace_id: z.optional(
    text((id) => /^[0-9a-f]{32}$/.test(id), 'must be the 32 hexadecimal digits of a KV namespace'),
  ),
  url: z.optional(
    text((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'must be the relay’s address'),
  ),
  vars: z.optional(variables),
});

/** The content of `tenant.yaml`: a tenant's settings, without secrets. */
export type Settings = z.output<typeof schema>;

const claims = z.object({
  worker: z.optional(z.string()),
  domain: z.optional(z.string()),
  kv_namespace_id: z.optional(z.string()),
  url: z.optional(z.string()),
});

/** What a `tenant.yaml` claims for its tenant alone, whatever else is wrong in it. Null: it cannot be known. */
export function readClaims(source: string): z.output<typeof claims> | null {
  const read = readText(source, false);
  const checked = claims.safeParse(read.ok ? (read.value.value ?? {}) : null);
  return checked.success ? checked.data : null;
}

/** The settings in a `tenant.yaml`, or what is wrong with them and where. */
export function readSettings(file: string, source: string): CommandResult<Settings> {
  const read = readText(source, false);
  if (!read.ok) return failed(`${file}:${read.error.line}:${read.error.column}: ${read.error.message}`);
  const checked = schema.safeParse(read.value.value ?? {});
  if (checked.success) return ok(checked.data);
  const details = checked.error.issues
    .flatMap((issue) => issueErrors('', issue))
    .map(({ path, message }) => `${file}: ${path} ${message}`.trim());
  return failed(`${file} has errors`, { details });
}
