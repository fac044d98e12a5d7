import type * as z from 'zod/mini';
import { ownValue, parseExactJson } from '../../src/lib/json.ts';
import { ok } from '../../src/lib/result.ts';
import { several, showAnswer, wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
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
  const { client, out } = cli;
  const path = `/sources/${part(source)}/preview`;
  const ask = <T>(shape: z.ZodMiniType<T>) =>
    withSuggestion(client, client.post(path, shape, input.value), 'sources', source);
  if (last !== undefined) return showAnswer(cli, ask(lastPreview), (data) => showLast(out, data));
  const answer = await (samples === true ? ask(samplesPreview) : ask(preview));
  if (!answer.ok) return answer;
  const { json, data } = answer.value;
  const all: readonly (Preview & { readonly sample?: string })[] = 'samples' in data ? data.samples : [data];
  const showLinks = await linksOf(cli, source, input.value, all);
  out.show(json, () => {
    for (const one of all) {
      if (one.sample !== undefined) out.line(out.style('bold', safe(one.sample)));
      showPreview(out, one, showLinks);
      if (one.sample !== undefined) out.line();
    }
  });
}

/** What the links of a preview do; null: there are none, or nobody knows. Most have none, and that code takes long to load. */
async function linksOf(
  { out, client }: Cli,
  source: string,
  { draft, drafts }: Input,
  shown: readonly Pick<Preview, 'routes'>[],
): Promise<ShowLinks | null> {
  if (out.isJson || !shown.some(hasLinks)) return null;
  const { linksShower } = await import('../preview-links.ts');
  const own = draft ?? ownValue(ownValue(drafts, 'sources'), source);
  const config = own === undefined ? await client.get('/config', configSet) : null;
  return linksShower(out, config?.ok === true ? config.value.data.sources[source] : own);
}

type Input = { readonly draft?: unknown; readonly drafts?: unknown } & Readonly<Record<string, unknown>>;

function readInput({ readStdin }: Cli, options: PreviewOptions): CommandResult<Input> {
  const headers: Record<string, string> = {};
  for (const one of options.header ?? []) {
    const [, name, value = ''] = /^([^:\s]+):\s*(.*)$/s.exec(one) ?? [];
    if (name === undefined) return misused(`--header must be "name: value", not \`${one}\``);
    headers[name] = value;
  }
  const drafts = readDrafts(options);
  if (!drafts.ok) return drafts;
  const subject = readSubject(options, readStdin);
  if (!subject.ok) return subject;
  return ok({ ...(options.header !== undefined && { headers }), ...drafts.value, ...subject.value });
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
  { body, payload, sample, samples, last }: PreviewOptions,
  readStdin: Cli['readStdin'],
): CommandResult<Input> {
  if (body !== undefined) {
    const text = readFileOrStdin(body, readStdin);
    return text.ok ? ok({ body: text.value }) : text;
  }
  if (payload === undefined) return ok({ sample, samples, last });
  try {
    return ok({ payload: parseExactJson(payload) });
  } catch (thrown) {
    return misused(`--payload is not JSON: ${thrown instanceof Error ? thrown.message : ''}`);
  }
}
