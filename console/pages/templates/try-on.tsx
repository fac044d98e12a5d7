import { provider as readProvider, sampleName } from '../../api/catalog.ts';
import { get, preview } from '../../api/client.ts';
import type * as api from '../../api/types.ts';
import { clock, phoneText } from '../../lib/format.ts';
import { useNow } from '../../lib/live.ts';
import { faultsIn, useGet, useLoad, wordsOf } from '../../lib/load.ts';
import { useFilters } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Loading, Trouble } from '../../ui/basics.tsx';
import { type FieldErrorAnswer, SelectField, TextField, useSettled } from '../../ui/form.tsx';
import { toastError } from '../../ui/toast.tsx';
import { fixtureOf, save } from './files.ts';
import { ownRoutes, type TextPlace, type TextSet } from './texts-of-set.ts';
import { textAt } from '../sources/model.ts';
import { samplesIn } from '../sources/routes.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseExactJson } from '../../../src/lib/json.ts';
import { failureText, faultText } from '../../texts/relay-texts.ts';
import { Bubble } from '../../ui/bubble.tsx';
import { Held } from './publish.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

const EVENTS = 25;

/** The webhook that tests a text: the id of an event, the name of a sample, or a pasted text. */
interface Subject {
  readonly is: 'event' | 'sample' | 'paste';
  readonly of: string;
}

/**
 * The webhook that tests the text: by the address, else the newest event of its source that it sent a message for, else a
 * sample that it would send one for, else the newest event.
 */
export function useChoice(set: TextSet, place: TextPlace, sources: readonly string[], pasted: string) {
  const [query] = useFilters();
  const { event } = query;
  const asked = useLoad(`event:${event ?? ''}`, async () => (event === undefined ? null : readEvent(event)));
  const [first = ''] = sources;
  const wanted = [query['source'] ?? '', asked.value?.source ?? ''];
  const source = wanted.find((one) => sources.includes(one)) ?? first;
  const path = source === '' ? null : '/events';
  const listed = useGet<api.ListPage<api.EventSummary>>(path, { source, limit: EVENTS }, 30_000);
  const events = listed.value?.items ?? [];
  const others = useLoad(`choices:${source}`, (signal) =>
    readOthers(set, source, ownRoutes(set, place, source), signal),
  );
  const { samples = [], best } = others.value ?? {};
  return { source, samples, events, subject: subjectOf() };

  /** Null: what there is to choose from is not known yet. */
  function subjectOf(): Subject | null {
    for (const is of ['event', 'sample', 'paste'] as const) {
      const of = query[is];
      if (of !== undefined) return { is, of: is === 'paste' ? pasted : of };
    }
    if (best !== undefined && best !== null) return best;
    const isLoading = path !== null && listed.value === null && listed.error === null;
    if (others.value === null || isLoading) return null;
    const [newest] = events;
    if (newest !== undefined) return { is: 'event', of: newest.id };
    const [sample] = samples;
    return sample === undefined ? { is: 'paste', of: pasted } : { is: 'sample', of: sample.name };
  }
}

const MESSAGES = 100;

/** The samples of a source's provider; and, of what one of these routes sent or would send, an event or a sample. */
async function readOthers(set: TextSet, source: string, routes: readonly string[], signal: AbortSignal) {
  if (source === '') return { samples: [], best: null };
  const provider = textAt(set.sources[source], 'provider') ?? 'generic';
  const sentBy = { source, state: 'sent', limit: MESSAGES };
  const [found, sent] = await Promise.all([
    readProvider(provider, '', signal).catch(() => null),
    get<api.ListPage<api.Message>>('/messages', sentBy, signal).catch(() => null),
  ]);
  const samples = found?.samples ?? [];
  const isOwn = ({ route }: { readonly route: string | null }) => route !== null && routes.includes(route);
  const event = sent?.items.find((one) => one.event !== null && isOwn(one))?.event ?? null;
  if (event !== null) return { samples, best: { is: 'event', of: event } as const };
  const fits = await preview(source, { samples: true }).then(samplesIn, () => []);
  const sample = fits.find(({ messages }) => messages.some(isOwn))?.sample;
  return { samples, best: sample === undefined ? null : ({ is: 'sample', of: sample } as const) };
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
  const isListed = subject?.is !== 'event' || events.some(({ id }) => id === subject.of);
  const options = [
    ...(isListed ? [] : [[`event ${subject.of}`, subject.of] as const]),
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
          options={sources}
          onChange={(value) => setFilters({ ...others, source: value })}
        />
      )}
      <div class="line templates-try-row">
        <SelectField
          label={t.templates.tryOn}
          value={subject === null ? '' : subject.is === 'paste' ? 'paste 1' : `${subject.is} ${subject.of}`}
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
            onClick={() => void saveEvent(subject.of).catch(toastError)}
          />
        )}
      </div>
      {subject?.is === 'paste' && (
        <TextField label={t.events.payload} rows={10} value={pasted ?? current} onInput={onPasted} />
      )}
    </div>
  );
}

async function saveEvent(id: string): Promise<void> {
  const event = await readEvent(id);
  if (!event.stored) throw new Error(t.templates.notStored);
  const { name, text } = fixtureOf(event);
  save(name, text);
}

type RenderedPreview = Extract<api.PreviewAnswer, { readonly event: unknown }>;

const NOTHING = {
  /** The last answer there was: it stays while a newer one is asked for, and while the draft is not valid. */
  rendered: null as RenderedPreview | null,
  errors: [] as readonly FieldErrorAnswer[],
  trouble: null as string | null,
  text: null as api.Written | null,
  isLoading: false,
};

export type PreviewState = Readonly<typeof NOTHING>;

interface PreviewInput {
  readonly text: api.Written;
  readonly source: string;
  readonly draft: api.Written;
  readonly subject: Subject;
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
    let isCurrent = true;
    setState((old) => ({ ...old, isLoading: true }));
    const { text, source, draft, subject } = now;
    void webhookOf(subject)
      .then((webhook) => preview<RenderedPreview>(source, { ...draft, ...webhook }))
      .then((rendered) => ({ ...NOTHING, rendered }), whyNot)
      .then((found) => isCurrent && setState((old) => ({ ...old, ...found, text, isLoading: false })));
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return state;
}

async function webhookOf({ is, of }: Subject): Promise<api.Written> {
  if (is === 'sample') return { sample: of };
  if (is === 'paste') return pasted(of);
  const { payload, headers, query } = await readEvent(of);
  return { payload: payload ?? null, headers: headers ?? {}, query: query ?? {} };
}

/** JSON as it is, anything else as a form or a text, which the relay reads. */
function pasted(text: string): api.Written {
  try {
    return { payload: parseExactJson(text) };
  } catch {
    const isForm = /^[^\s{}[\]<>]+=[^\s]*$/.test(text.trim());
    return isForm
      ? { body: text.trim(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      : { body: text, headers: { 'content-type': 'application/json' } };
  }
}

const events = new Map<string, Promise<api.EventDetail>>();

/** An event does not change, so it is asked for once while somebody types. */
function readEvent(id: string): Promise<api.EventDetail> {
  const known = events.get(id);
  if (known !== undefined) return known;
  const asked = get<api.EventDetail>(`/events/${encodeURIComponent(id)}`);
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
  const { messages, failures, why, result, items } = route;
  const shown = messages.slice(0, MAX_SHOWN);
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
          <Held held={route.held} phone={message.phone} />
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
