import { provider as readProvider, sampleName } from '../../api/catalog.ts';
import { get, preview } from '../../api/client.ts';
import type {
  EventDetail,
  EventSummary,
  ListPage,
  Message,
  PreviewAnswer,
  Written,
} from '../../api/types.ts';
import { clock, phoneText } from '../../lib/format.ts';
import { faultsIn, useLoad, wordsOf } from '../../lib/load.ts';
import { useFilters } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Loading, Trouble, useNow } from '../../ui/basics.tsx';
import { type FieldErrorAnswer, SelectField, TextField, useSettled } from '../../ui/form.tsx';
import { toastError } from '../../ui/toast.tsx';
import { fixtureOf, save } from './files.ts';
import { ownRoutes, type TextPlace, type TextSet } from './texts-of-set.ts';
import { textAt } from '../sources/model.ts';
import { samplesIn } from '../sources/samples.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseExactJson } from '../../../src/lib/json.ts';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { Bubble } from '../../ui/bubble.tsx';
import { Held } from './publish.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

const EVENTS = 25;

/**
 * The webhook that tests the text: by the address, else the newest event of its source that it sent a message for, else a
 * sample that it would send one for, else the newest event.
 */
export function useChoice(set: TextSet, place: TextPlace, sources: readonly string[], pasted: string) {
  const [{ source: wanted = '', event, sample, paste }] = useFilters();
  const asked = useLoad(`event:${event ?? ''}`, async () => (event === undefined ? null : readEvent(event)));
  const [first = ''] = sources;
  const source = [wanted, asked.value?.source ?? ''].find((one) => sources.includes(one)) ?? first;
  const provider = source === '' ? '' : (textAt(set.sources[source], 'provider') ?? 'generic');
  const routes = ownRoutes(set, place, source);
  const samples = useLoad(`samples:${provider}`, async () =>
    provider === '' ? [] : (await readProvider(provider, '')).samples,
  );
  const events = useLoad(
    `events:${source}`,
    async (signal) =>
      source === ''
        ? []
        : (await get<ListPage<EventSummary>>('/events', { source, limit: EVENTS }, signal)).items,
    30_000,
  );
  const sent = useLoad(`sent:${source}`, async (signal) =>
    source === '' ? null : newestSent(source, routes, signal),
  );
  const fits = useLoad(`fits:${source}`, async () => (source === '' ? [] : samplesSent(source, routes)));
  const known = { source, events: events.value ?? [], samples: samples.value ?? [] };
  const isKnown = events.value !== null || events.error !== null;
  return { ...known, subject: subjectOf() };

  /** Null: what there is to choose from is not known yet. */
  function subjectOf(): PreviewedText | null {
    if (event !== undefined) return { is: 'event', id: event };
    if (sample !== undefined) return { is: 'sample', name: sample };
    if (paste !== undefined) return { is: 'pasted', text: pasted };
    if (!isKnown || sent.isLoading) return null;
    if (typeof sent.value === 'string') return { is: 'event', id: sent.value };
    if (samples.value === null && samples.error === null) return null;
    if (fits.isLoading) return null;
    const [fit] = fits.value ?? [];
    if (fit !== undefined) return { is: 'sample', name: fit };
    const [newest] = known.events;
    if (newest !== undefined) return { is: 'event', id: newest.id };
    const [one] = known.samples;
    return one === undefined ? { is: 'pasted', text: pasted } : { is: 'sample', name: one.name };
  }
}

const MESSAGES = 100;

/** The newest event for which one of these routes sent a message; null: none of the newest is theirs. */
async function newestSent(
  source: string,
  routes: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const { items } = await get<ListPage<Message>>(
    '/messages',
    { source, state: 'sent', limit: MESSAGES },
    signal,
  );
  const own = items.find(({ route, event }) => route !== null && event !== null && routes.includes(route));
  return own?.event ?? null;
}

async function samplesSent(source: string, routes: readonly string[]): Promise<readonly string[]> {
  return samplesIn(await preview(source, { samples: true }))
    .filter(({ messages }) => messages.some(({ route }) => routes.includes(route)))
    .map(({ sample }) => sample);
}

interface TryOnProps {
  readonly choice: ReturnType<typeof useChoice>;
  readonly sources: readonly string[];
  readonly pasted: string | null;
  /** The current payload: pasting begins with it. */
  readonly current: string;
  readonly onPasted: (text: string) => void;
}

export function TryOn({ choice, sources, pasted, current, onPasted }: TryOnProps) {
  const [, setFilters] = useFilters();
  const now = useNow(null);
  const { source, subject, events, samples } = choice;
  const others = { event: undefined, sample: undefined, paste: undefined };
  const isListed = subject?.is !== 'event' || events.some(({ id }) => id === subject.id);
  const options = [
    ...(isListed || subject.is !== 'event' ? [] : [[`event ${subject.id}`, subject.id] as const]),
    ...events.map(
      ({ id, type, subject, received_at }) =>
        [`event ${id}`, `${clock(received_at, now)} · ${subject ?? type ?? t.templates.noType}`] as const,
    ),
    ...samples.map(({ name }) => [`sample ${name}`, t.templates.sample(sampleName(name))] as const),
    ['paste 1', t.templates.paste] as const,
  ];
  return (
    <div class="stack">
      {sources.length > 1 && (
        <SelectField
          label={t.common.source}
          value={source}
          options={sources.map((one) => [one, one] as const)}
          onChange={(value) => setFilters({ ...others, source: value })}
        />
      )}
      <div class="line templates-try-row">
        <SelectField
          label={t.templates.tryOn}
          value={valueOf(subject)}
          options={options}
          onChange={(value) => {
            const [is = '', ...rest] = value.split(' ');
            if (is === 'paste' && pasted === null) onPasted(current);
            setFilters({ ...others, [is]: rest.join(' ') });
          }}
        />
        {subject?.is === 'event' && (
          <Button
            icon="download"
            label={t.templates.saveFixture}
            onClick={() => void saveEvent(subject.id).catch(toastError)}
          />
        )}
      </div>
      {subject?.is === 'pasted' && (
        <TextField label={t.events.payload} rows={10} value={pasted ?? current} onInput={onPasted} />
      )}
    </div>
  );
}

function valueOf(subject: PreviewedText | null): string {
  if (subject === null) return '';
  if (subject.is === 'pasted') return 'paste 1';
  return subject.is === 'event' ? `event ${subject.id}` : `sample ${subject.name}`;
}

async function saveEvent(id: string): Promise<void> {
  const event = await readEvent(id);
  if (!event.stored) throw new Error(t.templates.notStored);
  const { name, text } = fixtureOf(event);
  save(name, text);
}

type PreviewedText =
  | { readonly is: 'sample'; readonly name: string }
  | { readonly is: 'event'; readonly id: string }
  | { readonly is: 'pasted'; readonly text: string };

type RenderedPreview = Extract<PreviewAnswer, { readonly event: unknown }>;

const NOTHING = {
  /** The last answer there was: it stays while a newer one is asked for, and while the draft is not valid. */
  rendered: null as RenderedPreview | null,
  errors: [] as readonly FieldErrorAnswer[],
  trouble: null as string | null,
  text: null as Written | null,
  isLoading: false,
};

export type PreviewState = Readonly<typeof NOTHING>;

interface PreviewInput {
  readonly text: Written;
  readonly source: string;
  readonly draft: Written;
  readonly subject: PreviewedText;
}

const DEBOUNCE_MS = 300;

/** Asks the relay what the draft makes of the subject, a moment after the last key. Null: nothing to ask. */
export function usePreview(asked: PreviewInput | null): PreviewState {
  const key = useSettled(asked === null ? null : JSON.stringify(asked), DEBOUNCE_MS);
  const latest = useRef(asked);
  latest.current = asked;
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const now = latest.current;
    if (key === null || now === null) {
      setState(NOTHING);
      return undefined;
    }
    const stop = new AbortController();
    setState((old) => ({ ...old, isLoading: true }));
    previewDraft(now).then(
      (rendered) => !stop.signal.aborted && setState({ ...NOTHING, rendered, text: now.text }),
      (thrown: unknown) =>
        !stop.signal.aborted &&
        setState((old) => ({ ...old, ...whyNot(thrown), text: now.text, isLoading: false })),
    );
    return () => stop.abort();
  }, [key]);
  return state;
}

const previewDraft = async ({ source, draft, subject }: PreviewInput): Promise<RenderedPreview> =>
  preview<RenderedPreview>(source, { ...draft, ...(await webhookOf(subject)) });

async function webhookOf(subject: PreviewedText): Promise<Written> {
  switch (subject.is) {
    case 'sample':
      return { sample: subject.name };
    case 'pasted':
      return pasted(subject.text);
    case 'event': {
      const { payload, headers, query } = await readEvent(subject.id);
      return { payload: payload ?? null, headers: headers ?? {}, query: query ?? {} };
    }
  }
}

/** JSON as it is, anything else as a form or a text, which the relay reads. */
function pasted(text: string): Written {
  try {
    return { payload: parseExactJson(text) };
  } catch {
    const isForm = /^[^\s{}[\]<>]+=[^\s]*$/.test(text.trim());
    return isForm
      ? { body: text.trim(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      : { body: text, headers: { 'content-type': 'application/json' } };
  }
}

const events = new Map<string, Promise<EventDetail>>();

/** An event does not change, so it is asked for once while somebody types. */
function readEvent(id: string): Promise<EventDetail> {
  const known = events.get(id);
  if (known !== undefined) return known;
  const asked = get<EventDetail>(`/events/${encodeURIComponent(id)}`);
  events.clear();
  events.set(id, asked);
  asked.catch(() => events.delete(id));
  return asked;
}

function whyNot(thrown: unknown): Pick<PreviewState, 'errors' | 'trouble'> {
  const errors = faultsIn(thrown);
  const ofDraft = errors.filter(({ path }) => /^(?:templates|sources)\./.test(path));
  if (ofDraft.length > 0) return { errors: ofDraft, trouble: null };
  return { errors: [], trouble: errors[0] === undefined ? wordsOf(thrown) : faultText(errors[0]) };
}

type RoutePreview = RenderedPreview['routes'][number];

const MAX_SHOWN = 20;

interface PhoneProps {
  readonly state: PreviewState;
  readonly ownRoutes: readonly string[];
  /** The parameters with editors, which show their warnings themselves. */
  readonly edited: readonly string[];
}

export function Phone({ state, ownRoutes, edited }: PhoneProps) {
  const { rendered, trouble, isLoading, errors } = state;
  if (rendered === null)
    return (
      <>
        {trouble !== null && <Trouble error={trouble} />}
        {trouble === null && errors.length > 0 && <p class="soft">{t.templates.fixFirst}</p>}
        {isLoading && <Loading />}
      </>
    );
  const own = rendered.routes.filter(({ route }) => ownRoutes.includes(route));
  const others = rendered.routes.filter(({ route }) => !ownRoutes.includes(route));
  return (
    <div class="stack">
      {trouble !== null && <Trouble error={trouble} />}
      {own.map((route) => (
        <Route
          key={route.route}
          route={route}
          warnings={rendered.warnings.filter(({ parameter = '' }) => !edited.includes(parameter))}
        />
      ))}
      {others.length > 0 && (
        <details class="templates-others" open={own.every(({ messages }) => messages.length === 0)}>
          <summary>{t.templates.otherRoutes(String(others.length))}</summary>
          {others.map((route) => (
            <Route key={route.route} route={route} warnings={rendered.warnings} />
          ))}
        </details>
      )}
      {/* At the end, so that nothing moves while somebody types. */}
      {trouble === null && errors.length > 0 && <p class="note warn">{t.templates.lastValid}</p>}
    </div>
  );
}

function Route({ route, warnings }: { route: RoutePreview; warnings: RenderedPreview['warnings'] }) {
  const { messages, failures, why, result, items, held = [] } = route;
  const shown = messages.slice(0, MAX_SHOWN);
  const heldFor = (phone: string | null) => {
    const until = held.find((one) => one.phone === phone)?.until;
    return until === undefined ? null : <Held until={until} />;
  };
  return (
    <section class="stack">
      <h3 class="flow soft">
        {route.route}
        {result !== 'matched' && (
          <Badge tone={result === 'failed' ? 'bad' : 'calm'}>{t.events.routes.results[result]}</Badge>
        )}
        {items !== undefined && items.length > 0 && <Badge tone="busy">{t.templates.waits}</Badge>}
      </h3>
      {why !== undefined && <RelayText as="p" class="soft" text={why} />}
      {failures.map((failure, at) => (
        <Coded key={at} as="p" class="box bad" text={failureText(failure)} />
      ))}
      {shown.map((message, at) => (
        <div key={at} class="stack tight">
          {shown[at - 1]?.phone !== message.phone && (
            <span class="soft">{message.phone === null ? t.kinds.status : phoneText(message.phone)}</span>
          )}
          <Bubble kind={message.kind} params={message.params} />
          {heldFor(message.phone)}
        </div>
      ))}
      {messages.length > MAX_SHOWN && (
        <p class="soft">{t.templates.andMore(String(messages.length - MAX_SHOWN))}</p>
      )}
      <ul class="small templates-faults">
        {warnings
          .filter((one) => one.route === route.route)
          .map((warning, at) => (
            <li key={at} class="warn">
              {warning.parameter !== undefined && <b>{warning.parameter} </b>}
              <Coded text={faultText(warning)} />
            </li>
          ))}
      </ul>
    </section>
  );
}
