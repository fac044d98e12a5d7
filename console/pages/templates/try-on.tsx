import { provider as readProvider, sampleName } from '../../api/catalog.ts';
import { get, preview } from '../../api/client.ts';
import type { EventSummary, ListPage, Message } from '../../api/types.ts';
import { clock } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { useFilters } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Button, useNow } from '../../ui/basics.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { toastError } from '../../ui/toast.tsx';
import { fixtureOf, save } from './files.ts';
import { readEvent, type PreviewedText } from './preview.tsx';
import { ownRoutes, type TextPlace, type TextSet } from './texts-of-set.ts';
import { textAt } from '../sources/model.ts';
import { samplesIn } from '../sources/samples.tsx';

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

/** The messages that are looked through for the newest of a text. */
const MESSAGES = 100;

/**
 * The newest event for which one of these routes sent a message; null if none of the newest sent messages is theirs.
 */
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

/** The samples of the source's provider for which one of these routes makes a message. */
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

/** Chooses it, and saves a real event as a fixture. */
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
