import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import type { ChangeReceipt } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { useLoad, wordsOf } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Button, Trouble } from '../../ui/basics.tsx';
import { Dialog, Progress } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { changeOnly } from './change-only.ts';
import { Changes, type EventComparison } from './changes.tsx';
import { sumOf } from './compare.ts';
import { Diff } from './diff.tsx';
import { PatchFoot } from './patch-foot.tsx';
import { publishText, type PublishedTexts } from './published.ts';
import { draftFor, usesOf, type Doc, type TextPlace } from './texts-of-set.ts';

interface PublishProps {
  readonly published: PublishedTexts;
  readonly place: TextPlace;
  readonly text: Doc;
  readonly base: Doc | null;
  /** The set is kept in git: a patch takes the place of publishing. */
  readonly isManaged: boolean;
  readonly onPublished: (now: PublishedTexts, receipt: ChangeReceipt) => void;
  readonly onOvertaken: (now: PublishedTexts) => void;
  readonly onClose: () => void;
}

const COUNTS = ['10', '25', '50'];
const NOTE_LENGTH = 200;

/** The changes for the last events, and the button that publishes. */
export function Publish({ published, place, text, base, isManaged, ...on }: PublishProps) {
  const [count, setCount] = useState('10');
  const { set } = published;
  const sources =
    place.in === 'route' ? [place.source] : [...new Set(usesOf(set, place.name).map(({ source }) => source))];
  const compared = useLoad(`compare:${count}`, () =>
    Promise.all(
      sources.map(async (source) => {
        const ask = (draft: Doc): Promise<EventComparison> =>
          post(`/sources/${encodeURIComponent(source)}/preview`, { ...draft, last: Number(count) });
        const [draft, now] = await Promise.all([ask(draftFor(set, place, text, source)), ask({})]);
        return changeOnly(draft, now);
      }),
    ),
  );
  return (
    <Dialog title={isManaged ? t.templates.patchTitle : t.templates.publishTitle} onClose={on.onClose} wide>
      <div class="dialog-body">
        <Diff was={base} now={text} />
        {sources.length === 0 ? (
          <p class="soft">{t.templates.sendsNothing}</p>
        ) : (
          <>
            <div class="templates-compare-head">
              {compared.error === null && <Counts comparisons={compared.value} />}
              <SelectField
                label={t.templates.lastEvents}
                value={count}
                options={COUNTS.map((one) => [one, number(Number(one))] as const)}
                onChange={setCount}
              />
            </div>
            {compared.error !== null && <Trouble error={compared.error} again={compared.again} />}
            {compared.value?.map((one, at) => (
              <Changes
                key={sources[at]}
                source={sources.length > 1 ? (sources[at] ?? '') : null}
                comparison={one}
              />
            ))}
          </>
        )}
      </div>
      {isManaged ? (
        <PatchFoot published={published} place={place} text={text} onClose={on.onClose} />
      ) : (
        <PublishFoot {...{ published, place, text, base }} {...on} />
      )}
    </Dialog>
  );
}

function Counts({ comparisons }: { comparisons: readonly EventComparison[] | null }) {
  if (comparisons === null) return <Progress label={t.templates.comparing} done={0} of={null} />;
  const sum = sumOf(comparisons.map(({ summary }) => summary));
  const words = t.templates.wouldChange(number(sum.events), number(sum.changed), number(sum.failed));
  return (
    <p role="status" class={sum.failed > 0 ? 'templates-counts bad' : 'templates-counts'}>
      <strong>{words}</strong>
      {sum.not_comparable + sum.left_out > 0 && (
        <span> {t.templates.notCompared(number(sum.not_comparable + sum.left_out))}</span>
      )}
    </p>
  );
}

function PublishFoot({
  published,
  place,
  text,
  base,
  onPublished,
  onOvertaken,
  onClose,
}: Omit<PublishProps, 'isManaged'>) {
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const publish = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    publishText(published, place, { text, base, note: note.trim() }).then(
      (outcome) =>
        outcome.is === 'newer' ? onOvertaken(outcome.now) : onPublished(outcome.now, outcome.receipt),
      (thrown: unknown) => {
        setError(wordsOf(thrown));
        setBusy(false);
      },
    );
  };
  return (
    <form class="templates-publish" onSubmit={publish}>
      {error !== null && <Trouble error={error} />}
      <TextField
        label={t.templates.note}
        help={t.templates.noteHelp}
        value={note}
        onInput={(typed) => setNote(typed.slice(0, NOTE_LENGTH))}
      />
      <footer class="dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button look="main" type="submit" isBusy={isBusy}>
          {t.templates.publish}
        </Button>
      </footer>
    </form>
  );
}
