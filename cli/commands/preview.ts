import type * as z from 'zod/mini';
import { parseExactJson } from '../../src/lib/json.ts';
import { err, ok } from '../../src/lib/result.ts';
import { several, wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { readFileOrStdin, readFolder, readOneDocument } from '../folder/read.ts';
import { part, withSuggestion } from '../relay/list.ts';
import { configSet, lastPreview, preview, samplesPreview, type Preview } from '../relay/shapes.ts';
import { hasLinks, showLast, showPreview, type ShowLinks } from '../show-preview.ts';
import { safe } from '../text.ts';

type PreviewOptions = Options<'sample' | 'body' | 'payload' | 'draft' | 'folder', 'samples'> & {
  readonly last?: number;
  readonly header?: readonly string[];
};

export const add: AddCommand = (program) => {
  program
    .command('preview')
    .argument('<source>', 'the source')
    .option('--sample <name>', "a sample of the source's provider")
    .option('--samples', 'all samples')
    .option('--body <file>', 'a file with the body; - is stdin')
    .option('--payload <json>', 'a payload as JSON')
    .option('--last <n>', 'the last n events of the source, compared with what was sent', wholeNumber(1, 50))
    .option('-H, --header <name: value>', 'a header of the request; repeatable', several)
    .option('--draft <file>', 'use an unpublished source document')
    .option('--folder <folder>', 'use all documents of a folder')
    .summary('show the messages of a webhook without sending them')
    .description(
      'Shows which routes of a source match a webhook, and their messages, with what each link in them does. Warns of receivers who have opted out. Verifies, sends and stores nothing. Give one of --sample, --samples, --body, --payload and --last.',
    )
    .examples(
      ['hookbell preview shop-payments --samples', "the messages of the provider's samples"],
      [
        'hookbell preview shop-payments --last 5 --folder hookbell',
        'the last five events, as a push would render them',
      ],
      ["hookbell preview shop-payments --body order.xml -H 'content-type: text/xml'", 'a body in a file'],
    )
    .run(show);
};

async function show(cli: Cli, source: string, options: PreviewOptions): Promise<CommandResult | void> {
  const { sample, samples, body, payload, last } = options;
  if ([sample, samples, body, payload, last].filter((one) => one !== undefined).length !== 1)
    return misused('give exactly one of --sample, --samples, --body, --payload and --last');
  const input = readInput(cli, options);
  if (!input.ok) return input;
  const ask = <T>(shape: z.ZodMiniType<T>) => previewOf(cli, source, shape, input.value);
  const { out } = cli;
  if (last !== undefined) {
    const answer = await ask(lastPreview);
    if (!answer.ok) return answer;
    out.show(answer.value.json, () => showLast(out, answer.value.data));
  } else if (samples === true) {
    const answer = await ask(samplesPreview);
    if (!answer.ok) return answer;
    const { samples: all } = answer.value.data;
    const showLinks = await linksOf(cli, source, input.value, all);
    out.show(answer.value.json, () => {
      for (const one of all) {
        out.line(out.style('bold', safe(one.sample)));
        showPreview(out, one, showLinks);
        out.line();
      }
    });
  } else {
    const answer = await ask(preview);
    if (!answer.ok) return answer;
    const { data } = answer.value;
    const showLinks = await linksOf(cli, source, input.value, [data]);
    out.show(answer.value.json, () => showPreview(out, data, showLinks));
  }
}

async function previewOf<T>({ client }: Cli, source: string, shape: z.ZodMiniType<T>, input: Input) {
  const answer = await client.post(`/sources/${part(source)}/preview`, shape, input);
  return answer.ok ? answer : err(await withSuggestion(client, answer.error, 'sources', source));
}

/** What the links of a preview do; null: there are none, or nobody knows. Most have none, and that code takes long to load. */
async function linksOf(
  { out, client }: Cli,
  source: string,
  input: Input,
  shown: readonly Pick<Preview, 'routes'>[],
): Promise<ShowLinks | null> {
  if (out.isJson || !shown.some(hasLinks)) return null;
  const { draftOf, readLinkingSource, showLinks } = await import('../preview-links.ts');
  const own = input['draft'] ?? draftOf(input['drafts'], source);
  const config = own === undefined ? await client.get('/config', configSet) : null;
  const document = config?.ok === true ? config.value.data.sources[source] : own;
  const linking = readLinkingSource(document);
  return linking && ((message, locale = linking.locale) => showLinks(out, { ...linking, locale }, message));
}

type Input = Readonly<Record<string, unknown>>;

function readInput({ readStdin }: Cli, options: PreviewOptions): CommandResult<Input> {
  const headers = readHeaders(options.header ?? []);
  if (!headers.ok) return headers;
  const drafts = readDrafts(options);
  if (!drafts.ok) return drafts;
  const subject = readSubject(options, readStdin);
  return subject.ok ? ok({ ...headers.value, ...drafts.value, ...subject.value }) : subject;
}

function readHeaders(given: readonly string[]): CommandResult<Input> {
  if (given.length === 0) return ok({});
  const headers: Record<string, string> = {};
  for (const one of given) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(one) ?? [];
    if (name === undefined || value === undefined)
      return misused(`--header must be "name: value", not \`${one}\``);
    headers[name] = value;
  }
  return ok({ headers });
}

function readDrafts({ draft, folder }: PreviewOptions): CommandResult<Input> {
  if (draft !== undefined && folder !== undefined) return misused('give --draft or --folder, not both');
  if (draft !== undefined) {
    const document = readOneDocument(draft);
    return document.ok ? ok({ draft: document.value }) : document;
  }
  if (folder === undefined) return ok({});
  const local = readFolder(folder);
  if (!local.ok) return local;
  const { accounts: _, silences: __, ...drafts } = local.value.set;
  return ok({ drafts });
}

function readSubject(
  { sample, samples, last, body, payload }: PreviewOptions,
  readStdin: Cli['readStdin'],
): CommandResult<Input> {
  if (sample !== undefined) return ok({ sample });
  if (samples === true) return ok({ samples });
  if (last !== undefined) return ok({ last });
  if (body !== undefined) {
    const text = readFileOrStdin(body, readStdin);
    return text.ok ? ok({ body: text.value }) : text;
  }
  try {
    return ok({ payload: parseExactJson(payload ?? '') });
  } catch (thrown) {
    return misused(`--payload is not JSON: ${thrown instanceof Error ? thrown.message : ''}`);
  }
}
