import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { NAME } from '../../src/config/documents/name.ts';
import { providerFileErrors } from '../../src/ingest/provider-files.ts';
import { ok } from '../../src/lib/result.ts';
import { findProvider } from '../../src/provider/provider.ts';
import type { Cli } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { readFile } from '../folder/read.ts';
import { writeFiles } from '../folder/write.ts';
import { readId } from '../relay/list.ts';
import { event as eventShape } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { NO_HOST, readCaptured, withJsonField, type Captured } from './captured.ts';
import { providerFile } from './document.ts';
import { type Tried, trySchemes } from './schemes.ts';

export interface NewOptions {
  readonly from?: string;
  readonly fromEvent?: string;
  readonly secret?: string;
  readonly secretEnv?: string;
  readonly dir?: string;
}

/** A webhook has a few kilobytes. */
const MAX_BYTES = 1_000_000;

export async function newProvider(cli: Cli, id: string, options: NewOptions): Promise<CommandResult | void> {
  const { out } = cli;
  const { from, fromEvent, dir } = options;
  if (!NAME.test(id))
    return misused(`\`${id}\` cannot be the name of a file: use letters, digits, - and _, such as \`ghost\``);
  const folder = dir ?? DEFAULT_FOLDER;
  const file = join(folder, 'providers', `${id}.yaml`);
  if (existsSync(file)) return failed(`${file} exists: delete it, or choose another name`);
  if ((from === undefined) === (fromEvent === undefined))
    return misused('give either --from <file> with a captured request, or --from-event <id>');
  const given = readSecret(cli, options);
  if (!given.ok) return given;
  const secret = given.value;
  const read = from === undefined ? await readEvent(cli, fromEvent ?? '') : readRequest(from);
  if (!read.ok) return read;

  const isEvent = fromEvent !== undefined;
  let request = await withJsonField(read.value);
  let tried = isEvent ? [] : await trySchemes(request, secret);
  // Who signs the fields of a form does not sign the JSON in one of them.
  const asForm = request !== read.value && !tried.some(matches) ? await trySchemes(read.value, secret) : [];
  if (asForm.some(matches)) [request, tried] = [read.value, asForm];
  const match = tried.find(matches)?.match ?? null;
  const text = await providerFile(id, request, match, secret);
  if (!text.ok) return failed(`${from ?? id} ${text.error}`);
  const errors = await providerFileErrors({ [id]: parse(text.value) });
  if (errors.length > 0)
    return failed(
      `this request makes no file that passes the check: ${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    );
  const written = writeFiles({ write: [{ file, text: text.value }] });
  if (!written.ok) return written;

  const source = dir === undefined ? [] : [folder];
  const next = [cli.paste('check', ...source), cli.paste('init', ...source, '--provider', `./${file}`)];
  const shown = tried.map(({ place, looks, count: tries, match: found }) => ({
    place,
    looks,
    tries,
    matches: found?.words ?? null,
  }));
  out.show({ provider: id, file, verify: match?.verify ?? null, tried: shown, next }, () => {
    if (isEvent)
      out.line(
        'The relay keeps no signatures, so no scheme can be tried. A captured request has them: --from.',
      );
    for (const one of tried) out.line(`${one.match === null ? ' ' : out.style('green', '✓')} ${lineOf(one)}`);
    if (match === null && !isEvent) for (const line of advice(request, tried, secret)) out.line(line);
    out.done(`wrote ${file}`);
    out.line('The body of its sample is as it came: look for names and numbers before you share it.');
    if (findProvider(id) !== undefined)
      out.line(`hookbell ships a provider \`${id}\`, too: in this folder, yours is used.`);
    out.line();
    for (const command of next) out.line(command);
  });
}

const matches = ({ match }: Tried): boolean => match !== null;

function lineOf({ place, looks, count: tries, match }: Tried): string {
  if (match !== null) return `${place}: ${match.words}: matches`;
  if (tries === 0) return `${place}: looks like ${looks}`;
  return `${place}: ${tries === 1 ? `${looks}, but it does not match this secret` : `no scheme of ${tries} matches this secret`}`;
}

/** What to try when nothing matches, the likeliest first. */
function advice(request: Captured, tried: readonly Tried[], secret: string | null): readonly string[] {
  if (secret === null)
    return [
      tried.length === 0
        ? 'No header looks like a signature. If the sender can only be given an address, keep the secret in the path.'
        : 'Without the secret nothing can be tried: delete the file, and run this again with --secret - and the secret on standard input.',
    ];
  const likely = 'so its bytes differ from those that were signed. Capture the raw body.';
  const isPretty = /^\s*[{[]\r?\n[ \t]+/.test(request.body);
  return [
    `${tried.length === 0 ? 'Nothing in this request looks like a signature' : 'No scheme matches'}. Until you know more, the source takes a token in the path.`,
    ...(request.changed === null ? [] : [`A likely reason: ${request.changed}, ${likely}`]),
    ...(isPretty
      ? [
          `A likely reason: the body was made readable by the tool that captured it (it has line breaks and indentation), ${likely}`,
        ]
      : []),
    'Other reasons: a secret of another webhook, or an address that the sender signs and that is not that of the request.',
  ];
}

/** The secret of an option, the environment or standard input. Null: none was given. */
function readSecret(
  { env, readStdin, out }: Cli,
  { secret, secretEnv }: NewOptions,
): CommandResult<string | null> {
  if (secret !== undefined && secretEnv !== undefined)
    return misused('give either --secret or --secret-env, not both');
  if (secretEnv !== undefined && env[secretEnv] === undefined)
    return misused(`--secret-env: there is no variable ${secretEnv}`);
  const given = secret === '-' ? readStdin() : (secret ?? env[secretEnv ?? '']);
  if (given === undefined) return ok(null);
  const trimmed = given.trim();
  if (trimmed === '') return misused('the secret is empty');
  // A line break at the end is of the pipe, and no part of a secret.
  if (trimmed !== given && secret !== '-')
    out.note('The secret had a line break or blanks around it, which were left out.');
  return ok(trimmed);
}

function readRequest(file: string): CommandResult<Captured> {
  const text = readFile(file);
  if (!text.ok) return text;
  const { length } = text.value;
  const size = count(Math.round(length / 1_000_000), 'megabyte');
  if (length > MAX_BYTES) return failed(`${file} has ${size}: a captured request has one at most`);
  const captured = readCaptured(text.value);
  return captured.ok ? captured : failed(`${file} ${captured.error}`);
}

async function readEvent(cli: Cli, given: string): Promise<CommandResult<Captured>> {
  const id = readId('event', given);
  if (!id.ok) return id;
  const found = await cli.client.get(`/events/${id.value}`, eventShape);
  if (!found.ok) return found;
  const { payload, headers, query } = found.value.data;
  if (payload === null || payload === undefined)
    return failed(`${id.value} has no payload: its source stores none, or it is too old`);
  const url = new URL(`https://${NO_HOST}/`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return ok({
    method: 'POST',
    url,
    headers: [
      ...Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type'),
      ['content-type', 'application/json'],
    ],
    body: JSON.stringify(payload),
    changed: null,
  });
}
