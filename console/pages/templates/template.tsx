import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addressOf, useFilters } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Empty, Loading, PageHead, Panel, Pending, Time, Trouble } from '../../ui/basics.tsx';
import { For, useMay } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { stepsOf, valueAt, type WebhookScope } from './editor/at-cursor.ts';
import { FieldEditors } from './field-editors.tsx';
import { faultsOf, partsOf, withKind } from './fields.ts';
import { Phone, type PreviewState, TryOn, useChoice, usePreview } from './try-on.tsx';
import * as texts from './texts-of-set.ts';
import { ask, get } from '../../api/client.ts';
import type { ChangeReceipt, VersionPage, Written } from '../../api/types.ts';
import { kindName } from '../../parts/message.tsx';
import { noteText, whoOf } from '../../texts/relay-texts.ts';
import { AskButton, Opener } from '../../ui/dialog.tsx';
import { FieldErrors } from '../../ui/form.tsx';
import { Diff, Publish } from './publish.tsx';
import { isObject } from '../../../src/lib/json.ts';
import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import { useLoad } from '../../lib/load.ts';
import { readStored, store } from '../../lib/stored.ts';

export function TemplatePage({ name = '' }: Readonly<Record<string, string>>) {
  const place = useMemo(() => texts.placeOf(name), [name]);
  const [{ kind }] = useFilters();
  const edited = useText(place, kind);
  const { published, text, error, again } = edited;
  const title = place.in === 'template' ? place.name : `${place.source} › ${place.route}`;
  if (published === null || text === null)
    return (
      <>
        <PageHead title={title} back="/templates" />
        {error !== null ? (
          <Trouble error={error} again={again} />
        ) : published === null ? (
          <Loading />
        ) : (
          <Empty title={t.templates.goneTitle}>{t.templates.gone}</Empty>
        )}
      </>
    );
  return <Workbench {...{ title, place, edited, published, text }} />;
}

function Workbench(open: OpenText) {
  const { place, edited, published, text } = open;
  const { set } = published;
  const mayTry = useMay('operator');
  const sources = useMemo(() => (mayTry ? texts.sourcesFor(set, place) : []), [set, place, mayTry]);
  const [pasted, setPasted] = useState<string | null>(null);
  const choice = useChoice(set, place, sources, pasted ?? '{}');
  const { source, subject } = choice;
  const state = usePreview(
    subject === null || source === ''
      ? null
      : { source, subject, draft: texts.shownDraft(set, place, text, source), text },
  );
  const routes = texts.ownRoutes(set, place, source);
  const { rendered } = state;
  const faults = useMemo(() => faultsIn(state, texts.pathTo(set, place), routes), [rendered, state.errors]);
  const scope = useMemo(() => scopeOf(rendered, eachOf(set, place, source)), [rendered, set, place, source]);
  return (
    <>
      <Head {...open} />
      <Notices edited={edited} text={text} />
      <div class="columns templates-bench">
        <div>
          <FieldEditors text={text} onText={edited.setText} faults={faults} scope={scope} />
        </div>
        <aside class="stack templates-view" aria-label={t.templates.phone}>
          <h2>{t.templates.phone}</h2>
          <For role="operator">
            <TryOn
              {...{ choice, sources, pasted }}
              current={rendered === null ? '{}' : JSON.stringify(rendered.event.payload, null, 2)}
              onPasted={setPasted}
            />
            {source === '' ? (
              <p class="soft">{t.templates.noSource}</p>
            ) : (
              <Phone
                state={state}
                ownRoutes={routes}
                edited={partsOf(text).flatMap(({ fields }) => fields.map(({ name }) => name))}
              />
            )}
          </For>
          {!mayTry && <p class="soft">{t.common.needs(t.account.roles.operator)}</p>}
        </aside>
      </div>
      {edited.current !== null && <History {...open} />}
    </>
  );
}

/** The list whose elements a route's templates see one at a time; null: they see the whole event. */
function eachOf(set: texts.TextSet, place: texts.TextPlace, source: string): string | null {
  const uses = texts.usesAt(set, place).filter((use) => use.source === source);
  return uses.map((use) => texts.routeAt(set, use)?.['each']).find((one) => typeof one === 'string') ?? null;
}

function faultsIn({ rendered, errors, text }: PreviewState, path: string, routes: readonly string[]) {
  if (text === null) return [];
  const isOwn = ({ route }: { readonly route: string | null }): boolean =>
    route !== null && routes.includes(route);
  const isCurrent = errors.length === 0;
  const findings = {
    errors,
    failures: isCurrent ? (rendered?.routes.flatMap(({ failures }) => failures).filter(isOwn) ?? []) : [],
    warnings: isCurrent ? (rendered?.warnings.filter(isOwn) ?? []) : [],
  };
  const fields = partsOf(text).flatMap((part) => part.fields);
  return faultsOf(findings, fields, path).filter(({ field, isError }) => field !== null || isError);
}

/** The scope of a template. `each`: the list whose elements it sees one at a time. */
function scopeOf(shown: PreviewState['rendered'], each: string | null): WebhookScope {
  if (shown === null) return {};
  const { headers, query, payload, type, dedupe_key } = shown.event;
  const event = { type, dedupe_key, source: '', received_at: '', id: '' };
  const whole: WebhookScope = { payload, headers, query, event };
  const list = each === null ? undefined : valueAt(whole, stepsOf(each));
  return Array.isArray(list) ? { ...whole, item: list[0] as unknown, index: 1 } : whole;
}

interface OpenText {
  readonly title: string;
  readonly place: texts.TextPlace;
  readonly edited: EditedText;
  readonly published: texts.PublishedTexts;
  readonly text: Written;
}

function Head({ title, place, edited, published, text }: OpenText) {
  const [warnings, setWarnings] = useState<ChangeReceipt['warnings']>([]);
  const { isChanged, isOvertaken, isManaged, base } = edited;
  const uses = texts.usesAt(published.set, place);
  return (
    <>
      <PageHead title={title} back="/templates">
        {isChanged && (
          <AskButton
            role="viewer"
            label={t.templates.discard}
            title={t.templates.discardTitle}
            isDangerous
            does={() => Promise.resolve(edited.discard())}
          >
            <p>{t.templates.discardQuestion}</p>
          </AskButton>
        )}
        <Opener
          role="editor"
          look="main"
          label={isManaged ? t.templates.patch : `${t.templates.publish} …`}
          disabled={!isChanged || isOvertaken}
        >
          {(close) => (
            <Publish
              {...{ published, place, text, base, isManaged, onClose: close }}
              onDone={({ now, receipt }) => {
                edited.setPublished(now);
                if (receipt !== null) {
                  edited.discard();
                  toast(t.templates.published(String(now.version)));
                  setWarnings(receipt.warnings);
                }
                close();
              }}
            />
          )}
        </Opener>
      </PageHead>
      <p class="flow below templates-uses">
        <Badge tone="calm">{kindName(String(text['kind']))}</Badge>
        {place.in === 'route' ? (
          <a href={addressOf(`/sources/${place.source}`)}>{t.templates.inSource(place.source)}</a>
        ) : uses.length === 0 ? (
          <span class="soft">{t.templates.unused}</span>
        ) : (
          uses.map(({ source, route, part }) => (
            <a key={`${source}:${route}:${part}`} href={addressOf(`/sources/${source}`)}>
              {source} › {route}
            </a>
          ))
        )}
        <span class="soft">{isChanged ? t.templates.notPublished : t.templates.isPublished}</span>
      </p>
      <Unused uses={uses} set={published.set} text={text} />
      {warnings.length > 0 && (
        <Panel
          title={t.templates.warnings}
          aside={<Button look="quiet" icon="close" label={t.common.close} onClick={() => setWarnings([])} />}
        >
          <FieldErrors errors={warnings} tone="warn" />
        </Panel>
      )}
    </>
  );
}

/** Links that a route of the text declares and the text does not show: its receivers cannot stop the messages, or answer. */
const Unused = ({ uses, set, text }: { uses: readonly texts.Use[]; set: texts.TextSet; text: Written }) => {
  const written = JSON.stringify(text);
  const actions = uses
    .filter(({ part }) => part === 'send')
    .map((use) => texts.routeAt(set, use)?.['actions'])
    .flatMap((actions) => (isObject(actions) ? Object.keys(actions) : []));
  const unused = [...new Set(actions)].filter((name) => !written.includes(`actions.${name}`));
  return unused.length === 0 ? null : (
    <p class="flow below templates-uses help">
      {t.templates.unusedLinks}{' '}
      {unused.map((name) => (
        <code key={name}>{`{{ actions.${name}.url }}`}</code>
      ))}
    </p>
  );
};

function Notices({ edited, text }: { edited: EditedText; text: Written }) {
  const { isOvertaken, isRestored, versions, base, current, keepMine, discard } = edited;
  if (isOvertaken) {
    const newest = versions?.items.find(({ active }) => active);
    return (
      <section class="panel stack templates-overtaken" role="alert">
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
        <div class="flow">
          <Button look="main" onClick={keepMine}>
            {t.templates.keepMine}
          </Button>
          {current !== null && <Button onClick={discard}>{t.templates.takeTheirs}</Button>}
        </div>
      </section>
    );
  }
  return isRestored ? (
    <p class="note warn" role="status">
      {t.templates.restored}
    </p>
  ) : null;
}

/** The newest pages of versions, as one. */
async function readVersions(signal: AbortSignal, pages = 1, cursor?: string): Promise<VersionPage> {
  const page = await get<VersionPage>('/config/versions', { limit: 20, cursor }, signal);
  if (pages === 1 || page.next_cursor === null) return page;
  const older = await readVersions(signal, pages - 1, page.next_cursor);
  return { ...older, items: [...page.items, ...older.items] };
}

const LOOK_EVERY_MS = 15_000;

/** The text at a place while it is edited. The draft is kept in this tab until it is published or discarded. */
function useText(place: texts.TextPlace, newKind: string | undefined) {
  const loaded = useLoad('set', (signal) => texts.readSet(undefined, signal));
  const versions = useLoad('versions', (signal) => readVersions(signal), LOOK_EVERY_MS);
  const [latest, setLatest] = useState<texts.PublishedTexts | null>(null);
  useEffect(() => setLatest(loaded.value), [loaded.value]);
  const active = versions.value?.items.find((one) => one.active)?.version;
  useEffect(() => {
    if (latest !== null && active !== undefined && active !== latest.version) loaded.again();
  }, [active]);

  /** Kept over a reload and over the end of a session, in this tab alone. `base` null: the text is new. */
  const stored = `hookbell.draft:${texts.idOf(place)}`;
  const [draft, setDraft] = useState(() =>
    readStored<{ text: Written; base: Written | null }>(sessionStorage, stored),
  );
  const [isRestored, setRestored] = useState(draft !== null);
  const current = latest === null ? null : texts.textAt(latest.set, place);
  const isChanged = draft !== null && !(latest !== null && sameDocument(draft.text, current));
  const change = (next: typeof draft): void => {
    store(sessionStorage, stored, next);
    setDraft(next);
    setRestored(false);
  };
  const fresh = place.in === 'template' && newKind !== undefined ? withKind({}, newKind) : null;
  const base = draft === null ? current : draft.base;
  return {
    published: latest,
    error: loaded.error,
    versions: versions.value,
    isManaged: versions.value !== null && versions.value.managed !== null,
    current,
    /** The text in the editor; null: there is no such text. */
    text: draft?.text ?? current ?? fresh,
    base,
    isChanged: isChanged || (current === null && fresh !== null),
    isOvertaken: isChanged && latest !== null && !sameDocument(base, current),
    isRestored: isRestored && isChanged,
    setText: (text: Written) => change(sameDocument(text, base) ? null : { text, base }),
    discard: () => change(null),
    /** Goes on editing, on top of what is published now. */
    keepMine: () => change(draft === null ? null : { text: draft.text, base: current }),
    setPublished: (now: texts.PublishedTexts) => {
      setLatest(now);
      versions.again();
    },
    again: loaded.again,
  };
}

type EditedText = ReturnType<typeof useText>;

/** The versions in which this text was changed, newest first. Older ones are looked for on demand. */
function History(open: OpenText) {
  const { place, published } = open;
  const [pages, setPages] = useState(1);
  const { value, error, again, isLoading } = useLoad(
    `history:${texts.idOf(place)}:${published.version}:${pages}`,
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
          {texts.changesOf(last.steps, last.isAll).map((step) => (
            <li key={step.version.version}>
              <Entry {...open} step={step} />
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

function Entry({ step, edited, published, text }: OpenText & { step: texts.TextVersion }) {
  const { version, text: older } = step;
  const [isOpen, setOpen] = useState(false);
  const { version: n, published_at, by, note, active } = version;
  const current = published.version;
  const take = (): void => {
    if (older !== null) edited.setText(older);
    scrollTo({ top: 0 });
    toast(t.templates.taken);
  };
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
              {older !== null && <Button onClick={take}>{t.templates.take}</Button>}
              {!active && !edited.isManaged && (
                <AskButton
                  role="editor"
                  look="danger"
                  label={`${t.templates.rollBackAll} …`}
                  title={t.templates.rollBackAll}
                  action={t.templates.rollBackTo(String(n))}
                  isDangerous
                  // Unless another than the current version is in force by now.
                  does={() =>
                    ask('POST', `/config/versions/${n}/activate`, { body: {}, tag: `"${current}"` })
                  }
                  done={t.templates.rolledBack(String(n))}
                  onDone={edited.again}
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

/** Sets have up to some hundred kilobytes. */
const AT_ONCE = 4;

/** Versions never change, so each is read once: of its set only this text is kept. */
const known = new Map<string, Written | null>();

async function readSteps(place: texts.TextPlace, pages: number, signal: AbortSignal) {
  const { items, next_cursor } = await readVersions(signal, pages);
  const steps: texts.TextVersion[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE).map(async (version) => {
      const text = await textIn(version.version, place, signal);
      return { version, text };
    });
    steps.push(...(await Promise.all(some)));
  }
  return { steps, isAll: next_cursor === null };
}

async function textIn(version: number, place: texts.TextPlace, signal: AbortSignal): Promise<Written | null> {
  const key = `${version} ${texts.idOf(place)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const text = texts.textAt((await texts.readSet(version, signal)).set, place);
  known.set(key, text);
  return text;
}
