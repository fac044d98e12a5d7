import { SECRET_NAME } from '../../src/lib/secret.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';

/** Cloudflare's limits for one Worker, in secrets and in bytes for each. */
const MAX_SECRETS = 100;
const MAX_VALUE_BYTES = 5_120;

/** `NAME=value`, `export NAME=…` and quotes as in shells. Nothing is expanded. */
const LINE = /^(?:export[ \t]+)?([^=\s]+)[ \t]*=[ \t]*(.*)$/s;

/**
 * Reads `secrets.env`. Wrangler could read such a file itself, but it would expand variables (`$HOME`), and prefer a
 * variable of the shell to the file: one tenant's secret, exported in the shell, would become another's. An error names
 * line and secret, never a value.
 */
export function parseSecrets(text: string): Result<ReadonlyMap<string, string>, string> {
  const secrets = new Map<string, string>();
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at]?.trim() ?? '';
    if (first === '' || first.startsWith('#')) continue;
    const number = at + 1;
    const [, name = '', rest = ''] = LINE.exec(first) ?? [];
    if (name === '') return err(`line ${number} is not NAME=value`);
    if (!SECRET_NAME.test(name))
      return err(`line ${number}: a secret’s name is capital letters, digits and _`);
    if (secrets.has(name)) return err(`line ${number}: ${name} appears twice`);
    let raw = rest;
    // A PEM key has several lines inside quotes.
    while (isOpen(raw) && at + 1 < lines.length) raw = `${raw}\n${lines[(at += 1)] ?? ''}`;
    const value = readValue(raw.trim());
    if (!value.ok) return err(`line ${number}: ${name} ${value.error}`);
    if (new TextEncoder().encode(value.value).byteLength > MAX_VALUE_BYTES)
      return err(`line ${number}: ${name} is longer than ${MAX_VALUE_BYTES} bytes, Cloudflare’s limit`);
    if (value.value !== '') secrets.set(name, value.value);
  }
  if (secrets.size > MAX_SECRETS)
    return err(`there are ${secrets.size} secrets; Cloudflare allows ${MAX_SECRETS}`);
  return ok(secrets);
}

const QUOTED = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')[ \t]*(?:#.*)?$/s;

const isOpen = (raw: string): boolean => /^["']/.test(raw) && !QUOTED.test(raw.trimEnd());

function readValue(raw: string): Result<string, string> {
  if (!/^["']/.test(raw)) {
    // It may be part of the secret or a comment. Both are common.
    return / #/.test(raw)
      ? err('contains " #": put the value in quotes, or the comment on a separate line')
      : ok(raw);
  }
  const match = QUOTED.exec(raw);
  if (match === null) return err('has a quote that is not closed, or text after it');
  const [, double, single] = match;
  return ok(single ?? (double ?? '').replaceAll(/\\(.)/gs, (_, escaped: string) => unescape(escaped)));
}

const unescape = (escaped: string): string => (escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped);
