import { useRef, useState } from 'preact/hooks';
import type { Version, Written } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { noteText, whoOf } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Panel, Pending, Time } from '../../ui/basics.tsx';
import { AskButton } from '../../ui/dialog.tsx';
import { For } from '../../ui/session.tsx';
import { Diff } from './changes.tsx';
import { activate, type PublishedTexts, readSet, readVersions } from './published.ts';
import { changesOf, type TextVersion } from './drafts.ts';
import { idOf, textAt, type TextPlace } from './texts-of-set.ts';

interface HistoryProps {
  readonly place: TextPlace;
  readonly published: PublishedTexts;
  readonly text: Written;
  readonly isManaged: boolean;
  readonly onTake: (text: Written) => void;
  readonly onActivated: () => void;
}

/** The versions in which this text was changed, newest first. Older ones are looked for on demand. */
export function History({ place, published, ...props }: HistoryProps) {
  const [pages, setPages] = useState(1);
  const id = idOf(place);
  const { value, error, again, isLoading } = useLoad(
    `history:${id}:${published.version}:${pages}`,
    (signal) => readSteps(place, pages, signal),
  );
  // While more of it is looked for, the last answer stays.
  const latest = useRef(value);
  latest.current = value ?? latest.current;
  const last = latest.current;
  return (
    <Panel title={t.templates.history}>
      <Pending of={{ value: last, error, again }} />
      {last !== null && (
        <ol class="lines">
          {changesOf(last.steps, last.isAll).map((step) => (
            <li key={step.version.version}>
              <Entry step={step} current={published.version} {...props} />
            </li>
          ))}
        </ol>
      )}
      {last !== null && !last.isAll && (
        <Button isBusy={isLoading} onClick={() => setPages(pages + 1)}>
          {t.templates.lookFurther(String(last.steps.at(-1)?.version.version ?? ''))}
        </Button>
      )}
    </Panel>
  );
}

interface EntryProps extends Pick<HistoryProps, 'text' | 'isManaged' | 'onTake' | 'onActivated'> {
  readonly step: TextVersion;
  readonly current: number;
}

function Entry({ step: { version, text: older }, text, isManaged, current, ...on }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  const { version: n, published_at, by, note, active } = version;
  return (
    <>
      <div class="flow">
        <strong>{t.templates.version(String(n))}</strong>
        {active && <Badge tone="good">{t.versions.active}</Badge>}
        <Time at={published_at} />
        <span class="soft">{whoOf(by)}</span>
        <span class="grow" dir="auto">
          {noteText(note)}
        </span>
        <Button look="quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.common.hide : t.templates.compare}
        </Button>
      </div>
      {isOpen && (
        <div class="stack">
          {older === null ? <p class="soft">{t.templates.wasNotThere}</p> : <Diff was={older} now={text} />}
          <For role="editor">
            <div class="flow">
              {older !== null && <Button onClick={() => on.onTake(older)}>{t.templates.take}</Button>}
              {!active && !isManaged && (
                <AskButton
                  role="editor"
                  look="danger"
                  label={`${t.templates.rollBackAll} …`}
                  title={t.templates.rollBackAll}
                  action={t.templates.rollBackTo(String(n))}
                  isDangerous
                  does={() => activate(n, current)}
                  done={t.templates.rolledBack(String(n))}
                  onDone={on.onActivated}
                >
                  <p>{t.templates.rollBackQuestion(String(n), String(current))}</p>
                </AskButton>
              )}
            </div>
          </For>
        </div>
      )}
    </>
  );
}

const PAGE = 20;
/** Sets have up to some hundred kilobytes. */
const AT_ONCE = 4;

/** Versions never change, so each is read once: of its set only this text is kept. */
const known = new Map<string, Written | null>();

/** The newest steps, and whether there are no older ones. */
async function readSteps(place: TextPlace, pages: number, signal: AbortSignal) {
  const versions: Version[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const { items, next_cursor } = await readVersions(cursor, PAGE, signal);
    versions.push(...items);
    cursor = next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  const steps: TextVersion[] = [];
  for (let at = 0; at < versions.length; at += AT_ONCE) {
    const some = versions.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map(({ version }) => textIn(version, place, signal)));
    steps.push(...some.map((version, index) => ({ version, text: texts[index] ?? null })));
  }
  return { steps, isAll: cursor === undefined };
}

async function textIn(version: number, place: TextPlace, signal: AbortSignal): Promise<Written | null> {
  const key = `${version} ${idOf(place)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const text = textAt((await readSet(version, signal)).set, place);
  known.set(key, text);
  return text;
}
