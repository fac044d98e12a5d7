import { get } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import type { TextSet, Write } from './texts-of-set.ts';

/** The change of a file of a set that is kept in git, for `git apply`. */
export interface PatchFile {
  readonly name: string;
  readonly text: string;
}

/** Changes only what differs in the file. The code that makes patches is loaded with the first one. */
export async function makePatch(set: TextSet, { collection, name, document }: Write): Promise<PatchFile> {
  const [{ pathOf, patchOf }, { items }] = await Promise.all([
    import('../../../patch/patch.ts'),
    get<Page<{ readonly path: string }>>('/config/files'),
  ]);
  if (items.length === 0) throw new Error(t.templates.noFiles);
  const subject = { kind: collection, name };
  const paths = items.map(({ path }) => path);
  const path = pathOf(subject, paths);
  const text = paths.includes(path)
    ? (await get<{ readonly text: string }>('/config/files', { path })).text
    : null;
  const before = Object.hasOwn(set[collection], name) ? set[collection][name] : undefined;
  const patch = patchOf({ path, text }, subject, before, document);
  if (!patch.ok) throw new Error(patch.error);
  return { name: `${name}.patch`, text: patch.value };
}
