import { useLoad } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Button, Copy, Loading, Trouble } from '../../ui/basics.tsx';
import { makePatch } from './patch.ts';
import type { PublishedTexts } from './published.ts';
import { save } from './save.ts';
import { withText, type Doc, type TextPlace } from './texts-of-set.ts';

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
