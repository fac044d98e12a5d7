import { useMemo, useState } from 'preact/hooks';
import { get, preview } from '../../api/client.ts';
import type { ListPage, PreviewAnswer, Written } from '../../api/types.ts';
import { number, phoneText } from '../../lib/format.ts';
import { useLoad, useWork } from '../../lib/load.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Copy, Pending, Time, Trouble } from '../../ui/basics.tsx';
import { Dialog, Progress } from '../../ui/dialog.tsx';
import { Failed, SelectField, TextField } from '../../ui/form.tsx';
import * as texts from './texts-of-set.ts';
import { save } from './files.ts';
import { type PairedMessage, pairsOf } from '../../../src/admin/preview/pairs.ts';
import { Bubble } from '../../ui/bubble.tsx';
import { failureText } from '../../texts/relay-texts.ts';
import { Coded } from '../../ui/text.tsx';
import { diffLines } from 'diff/lib/diff/line.js';
import { diffWordsWithSpace } from 'diff/lib/diff/word.js';
import { fieldName, kindName } from '../../parts/message.tsx';
import { partsOf } from './fields.ts';

interface PublishProps {
  readonly published: texts.PublishedTexts;
  readonly place: texts.TextPlace;
  readonly text: Written;
  readonly base: Written | null;
  readonly isManaged: boolean;
  readonly onDone: (done: Awaited<ReturnType<typeof texts.publishText>>) => void;
  readonly onClose: () => void;
}

const COUNTS = ['10', '25', '50'];
const NOTE_LENGTH = 200;

export function Publish(props: PublishProps) {
  const { published, place, text, base, isManaged, onClose } = props;
  const [count, setCount] = useState('10');
  const { set } = published;
  const sources = [...new Set(texts.usesAt(set, place).map(({ source }) => source))];
  const compared = useLoad(`compare:${count}`, () =>
    Promise.all(
      sources.map(async (source) => {
        const ask = (draft: Written): Promise<EventComparison> =>
          preview(source, { ...draft, last: Number(count) });
        const [draft, now] = await Promise.all([ask(texts.draftFor(set, place, text, source)), ask({})]);
        return { source, ...changeOnly(draft, now) };
      }),
    ),
  );
  return (
    <Dialog title={isManaged ? t.templates.patchTitle : t.templates.publishTitle} onClose={onClose} wide>
      <div class="stack dialog-body">
        <Diff was={base} now={text} />
        {sources.length === 0 ? (
          <p class="soft">{t.templates.sendsNothing}</p>
        ) : (
          <>
            <div class="flow templates-compare-head">
              {compared.error === null && <Counts comparisons={compared.value} />}
              <SelectField
                label={t.sources.lastEvents}
                value={count}
                options={COUNTS.map((one) => [one, number(Number(one))] as const)}
                onChange={setCount}
              />
            </div>
            {compared.error !== null && <Trouble error={compared.error} again={compared.again} />}
            {compared.value?.map(({ source, changes }) => (
              <Changes key={source} changes={changes} source={sources.length > 1 ? source : null} />
            ))}
          </>
        )}
      </div>
      {isManaged ? <PatchFoot {...props} /> : <PublishFoot {...props} />}
    </Dialog>
  );
}

function Counts({ comparisons }: { comparisons: readonly Comparison[] | null }) {
  if (comparisons === null) return <Progress label={t.templates.comparing} done={0} of={null} />;
  const sum = (name: 'changed' | 'events' | 'failed' | 'left'): string =>
    number(comparisons.reduce((total, one) => total + one[name], 0));
  return (
    <p role="status">
      <strong>{t.templates.wouldChange(sum('events'), sum('changed'), sum('failed'))}</strong>
      {comparisons.some(({ left }) => left > 0) && <span> {t.templates.notCompared(sum('left'))}</span>}
    </p>
  );
}

function PublishFoot({ published, place, text, base, onDone, onClose }: PublishProps) {
  const [note, setNote] = useState('');
  const { isBusy, thrown, run } = useWork();
  const publish = async (): Promise<void> =>
    onDone(await texts.publishText(published, place, { text, base, note: note.trim() }));
  return (
    <form
      class="stack templates-publish"
      onSubmit={(event) => {
        event.preventDefault();
        run(publish);
      }}
    >
      <Failed thrown={thrown} />
      <TextField
        label={t.templates.note}
        help={t.templates.noteHelp}
        value={note}
        onInput={(typed) => setNote(typed.slice(0, NOTE_LENGTH))}
      />
      <footer class="flow dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button look="main" type="submit" isBusy={isBusy}>
          {t.templates.publish}
        </Button>
      </footer>
    </form>
  );
}

function PatchFoot({ published, place, text, onClose }: PublishProps) {
  const write = texts.withText(published.set, place, text);
  const { value, error, again } = useLoad('patch', () => makePatch(published.set, write));
  return (
    <div class="stack templates-publish patch">
      <p>{t.templates.managed}</p>
      <Pending of={{ value, error, again }} />
      {value !== null && (
        <>
          <pre>{value.text}</pre>
          <Copy text={`git apply ${value.name}`} />
        </>
      )}
      <footer class="flow dialog-foot">
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

/** The change of a file of a set that is kept in git, for `git apply`: only what differs in the file. The code that makes patches is loaded with the first one. */
async function makePatch(
  set: texts.TextSet,
  { collection, name, document }: ReturnType<typeof texts.withText>,
) {
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

type EventComparison = Extract<PreviewAnswer, { readonly summary: unknown }>;
type RouteOf = Extract<EventComparison['events'][number], { readonly sent: unknown }>['routes'][number];

/**
 * Compares a draft with the published texts instead of the sent messages. Changes by others since then are not part of
 * this change, and a message that waits for its group or for the morning was not sent yet.
 */
function changeOnly({ events, summary }: EventComparison, published: EventComparison) {
  const before = new Map(published.events.map((event) => [event.event, event]));
  const compared = events.flatMap((event) => {
    if (!('sent' in event)) return [];
    const base = before.get(event.event);
    const now = base !== undefined && 'sent' in base ? base : { would_send: event.sent, routes: [] };
    // One that fails now as it will is not of this change.
    const routes = event.routes.filter((route) => !now.routes.some((one) => failAlike(one, route)));
    const failures = routes.flatMap((route) => route.failures);
    const hasFailed = routes.some(({ result }) => result === 'failed');
    const pairs = pairsOf(now.would_send, event.would_send).filter(({ isSame }) => !isSame);
    return [{ event, failures, hasFailed, pairs }];
  });
  return {
    changes: compared.filter(({ pairs, failures }) => pairs.length > 0 || failures.length > 0),
    events: summary.events,
    changed: compared.filter(({ hasFailed, pairs }) => !hasFailed && pairs.length > 0).length,
    failed: compared.filter(({ hasFailed }) => hasFailed).length,
    left: summary.not_comparable + summary.left_out,
  };
}

const failAlike = (now: RouteOf, then: RouteOf): boolean =>
  now.route === then.route &&
  now.result === 'failed' &&
  then.result === 'failed' &&
  JSON.stringify(now.failures) === JSON.stringify(then.failures);

type Comparison = ReturnType<typeof changeOnly>;

/** More events than this nobody looks through; the counts say how many there are. */
const MAX_EVENTS = 20;

const Changes = ({ source, changes }: Pick<Comparison, 'changes'> & { source: string | null }) => (
  <div class="stack">
    {source !== null && changes.length > 0 && <h3>{source}</h3>}
    {changes.slice(0, MAX_EVENTS).map(({ event, pairs, failures }) => (
      <section class="box stack" key={event.event}>
        <p class="line small">
          <Time at={event.received_at} />
          <span class="cut">{event.type ?? t.templates.noType}</span>
          {failures.length > 0 && <Badge tone="bad">{t.events.routes.results.failed}</Badge>}
        </p>
        {failures.map((failure, at) => (
          <Coded key={at} as="p" class="box bad" text={failureText(failure)} />
        ))}
        {pairs.map(({ was, now }, at) => (
          <div key={at} class="templates-sides">
            <Side title={t.templates.was} message={was} none={t.templates.wasNotSent} />
            <div class="stack tight">
              <Side title={t.templates.becomes} message={now} none={t.templates.isNotSent} />
              <Held held={event.routes.find(({ route }) => route === now?.route)?.held} phone={now?.phone} />
            </div>
          </div>
        ))}
      </section>
    ))}
    {changes.length > MAX_EVENTS && (
      <p class="soft">{t.templates.andMoreEvents(String(changes.length - MAX_EVENTS))}</p>
    )}
  </div>
);

/** The end of the quiet hours in which a route holds back its message to a phone, if they are now. */
export function Held({ held, phone }: { held: RouteOf['held']; phone: string | null | undefined }) {
  const until = held?.find((one) => one.phone === phone)?.until;
  return until === undefined ? null : (
    <p class="soft small">
      {t.templates.heldUntil} <Time at={until} />
    </p>
  );
}

const Side = ({ title, message, none }: { title: string; message: PairedMessage | null; none: string }) => (
  <div class="stack tight">
    <p class="soft small">
      {title}
      {typeof message?.phone === 'string' && ` · ${phoneText(message.phone)}`}
    </p>
    {message === null ? (
      <p class="templates-no-message">{none}</p>
    ) : (
      <Bubble kind={message.kind} params={message.params} />
    )}
  </div>
);

/** With more edits than this nobody reads them word by word, and finding them takes long. */
const MAX_EDITS = 1_500;

/** The differences between two texts, field by field; null: there is none on that side. */
export function Diff({ was, now }: { was: Written | null; now: Written | null }) {
  const [before, after] = [fieldsOf(was), fieldsOf(now)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changed = paths.filter((path) => before.get(path) !== after.get(path));
  const kinds = [kindOf(was), kindOf(now)];
  if (changed.length === 0 && kinds[0] === kinds[1]) return <p class="soft">{t.templates.noDifference}</p>;
  return (
    <div class="stack templates-diff">
      {kinds[0] !== kinds[1] && (
        <p>
          {t.common.kind}: <del class="bad">{kinds[0]}</del> <ins class="good">{kinds[1]}</ins>
        </p>
      )}
      {changed.map((path) => (
        <figure key={path}>
          <figcaption>{fieldName(path)}</figcaption>
          <DiffText was={before.get(path) ?? ''} now={after.get(path) ?? ''} />
        </figure>
      ))}
    </div>
  );
}

const fieldsOf = (text: Written | null): ReadonlyMap<string, string> =>
  new Map(
    text === null ? [] : partsOf(text).flatMap(({ fields }) => fields.map((one) => [one.path, one.text])),
  );

const kindOf = (text: Written | null): string => (text === null ? '' : kindName(String(text['kind'])));

/** The elements also say what was removed and added: colour alone is not enough. */
function DiffText({ was, now }: { was: string; now: string }) {
  const changes = useMemo(
    () => diffWordsWithSpace(was, now, { maxEditLength: MAX_EDITS }) ?? diffLines(was, now),
    [was, now],
  );
  return (
    <pre dir="auto">
      {changes.map(({ added, removed, value }, at) => {
        const Change = added ? 'ins' : 'del';
        if (!added && !removed) return value;
        return (
          <Change key={at} class={added ? 'good' : 'bad'}>
            {value}
          </Change>
        );
      })}
    </pre>
  );
}
