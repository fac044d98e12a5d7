import { get } from '../../api/client.ts';
import type { ListPage } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Button, Copy, Loading, Trouble } from '../../ui/basics.tsx';
import type { PublishedTexts } from './published.ts';
import { save } from './save.ts';
import { withText, type Doc, type TextPlace, type TextSet, type Write } from './texts-of-set.ts';

interface PatchFootProps {
  readonly published: PublishedTexts;
  readonly place: TextPlace;
  readonly text: Doc;
  readonly onClose: () => void;
}

/** For a set that is kept in git: the change of its file, and the command that makes it there. */
export function PatchFoot({ published, place, text, onClose }: PatchFootProps) {
  const write = withText(published.set, place, text);
  const { value, error, again } = useLoad('patch', () => makePatch(published.set, write));
  return (
    <div class="templates-publish patch">
      <p>{t.templates.managed}</p>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value !== null && (
        <>
          <pre>{value.text}</pre>
          <Copy text={`git apply ${value.name}`} />
        </>
      )}
      <footer class="dialog-foot">
        <Button onClick={onClose}>{t.common.close}</Button>
        {value !== null && (
          <>
            <Copy text={value.text} label={t.templates.copyPatch}>
              <span class="soft">{t.templates.patch}</span>
            </Copy>
            <Button look="main" icon="download" onClick={() => save(value.name, value.text)}>
              {t.templates.savePatch}
            </Button>
          </>
        )}
      </footer>
    </div>
  );
}

/** The change of a file of a set that is kept in git, for `git apply`. */
interface PatchFile {
  readonly name: string;
  readonly text: string;
}

/** Changes only what differs in the file. The code that makes patches is loaded with the first one. */
async function makePatch(set: TextSet, { collection, name, document }: Write): Promise<PatchFile> {
  const [{ pathOf, patchOf }, { items }] = await Promise.all([
    import('../../../shared/yaml-patch/patch.ts'),
    get<ListPage<{ readonly path: string }>>('/config/files'),
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
