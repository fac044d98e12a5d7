import { noteText, whoOf } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Button, Time } from '../../ui/basics.tsx';
import { Diff } from './diff.tsx';
import type { Doc } from './texts-of-set.ts';
import type { EditedText } from './use-text.ts';

/** Says that somebody else has published this text meanwhile, with the changes; or that a typed text was restored. */
export function Notices({ edited, text }: { edited: EditedText; text: Doc }) {
  const { isOvertaken, isRestored, versions, base, current, keepMine, discard } = edited;
  if (isOvertaken) {
    const newest = versions?.items.find(({ active }) => active);
    return (
      <section class="templates-overtaken" role="alert">
        <h2>{t.templates.overtaken}</h2>
        {newest !== undefined && (
          <p>
            {t.templates.overtakenBy(whoOf(newest.by), String(newest.version))}{' '}
            <Time at={newest.published_at} />
            {newest.note !== '' && <span dir="auto"> · {noteText(newest.note)}</span>}
          </p>
        )}
        <h3>{t.templates.theirChange}</h3>
        {current === null ? <p>{t.templates.theyDeleted}</p> : <Diff was={base} now={current} />}
        <h3>{t.templates.yourText}</h3>
        <Diff was={current} now={text} />
        <p>{t.templates.nothingLost}</p>
        <div class="templates-history-actions">
          <Button look="main" onClick={keepMine}>
            {t.templates.keepMine}
          </Button>
          {current !== null && <Button onClick={discard}>{t.templates.takeTheirs}</Button>}
        </div>
      </section>
    );
  }
  if (!isRestored) return null;
  return (
    <p class="templates-restored" role="status">
      {t.templates.restored}
    </p>
  );
}
