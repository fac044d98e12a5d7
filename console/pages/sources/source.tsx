import { ownValue } from '../../../src/lib/json.ts';
import { provider as readProvider } from '../../api/catalog.ts';
import { ask, get, getTagged, post, put, sourcePath, visibleText } from '../../api/client.ts';
import type * as api from '../../api/types.ts';
import { useGet, useLoad } from '../../lib/load.ts';
import { addressOf, go, useFilters } from '../../lib/router.ts';
import { Resolves, useResolves } from '../../parts/incident.tsx';
import { SilenceButton } from '../../parts/silence.tsx';
import { t } from '../../texts/texts.ts';
import {
  Badge,
  Button,
  Copy,
  Empty,
  Facts,
  PageHead,
  Panel,
  Pending,
  State,
  Time,
  Trouble,
} from '../../ui/basics.tsx';
import { Confirm, Opener } from '../../ui/dialog.tsx';
import { For } from '../../ui/session.tsx';
import { doing, toast, toastError } from '../../ui/toast.tsx';
import { Address, Connect, SetSecret } from './connect.tsx';
import { DocumentEditor } from './document.tsx';
import { missingSecrets, textAt } from './model.ts';
import { Routes, TrySample } from './routes.tsx';
import { useEffect, useState } from 'preact/hooks';
import { relayText } from '../../texts/relay-texts.ts';
import { Coded, RelayText } from '../../ui/text.tsx';
import type { VNode } from 'preact';
import { number } from '../../lib/format.ts';
import { useNews } from '../../lib/live.ts';
import { Live } from '../../ui/live.tsx';
import { reasonText, remedyOf } from '../rejections/rejections.tsx';

export function SourcePage({ id = '' }: { id?: string }) {
  const source = useLoad(`source ${id}`, (signal) => getTagged<api.Written>(sourcePath(id), {}, signal));
  const [query, filter] = useFilters();
  const isEditing = query['edit'] === '1';
  const document = source.value?.value;
  return (
    <>
      <PageHead title={id} back="/sources">
        {document !== undefined && <SilenceButton scopes={[{ source: id }]} />}
        {document !== undefined && (
          <For role="editor">
            <Button onClick={() => filter({ edit: isEditing ? '' : '1' })}>
              {isEditing ? t.sources.closeEditor : t.sources.edit}
            </Button>
          </For>
        )}
      </PageHead>
      <Pending of={source} gone={<Empty title={t.sources.gone(id)} />} />
      {source.value !== null && isEditing && (
        <For role="editor">
          <DocumentEditor
            id={id}
            start={source.value}
            onSaved={() => {
              filter({ edit: '' });
              source.again();
            }}
          />
        </For>
      )}
      {document !== undefined && !isEditing && (
        <>
          <Content id={id} source={document} onChanged={source.again} />
          <Opener role="editor" look="quiet" label={t.sources.remove}>
            {(close) => <Delete id={id} onClose={close} />}
          </Opener>
        </>
      )}
    </>
  );
}

function Delete({ id, onClose }: { id: string; onClose: () => void }) {
  const resolves = useResolves(`without ${id}`, () => [{ source: id, isAll: true }]);
  return (
    <Confirm
      title={t.sources.removeTitle(id)}
      action={t.sources.remove}
      isDangerous
      isUnready={resolves.isLoading}
      onClose={onClose}
      onConfirm={async () => {
        await ask('DELETE', sourcePath(id));
        toast(t.sources.removed(id));
        go('/sources');
      }}
    >
      <p>{t.sources.removeText}</p>
      <Resolves of={resolves} />
    </Confirm>
  );
}

function Content({ id, source, onChanged }: { id: string; source: api.Written; onChanged: () => void }) {
  const kind = textAt(source, 'provider') ?? 'generic';
  const provider = useLoad(`provider ${kind}`, (signal) => readProvider(kind, navigator.language, signal));
  const stats = useGet<api.Stats>('/stats');
  const counted = stats.value?.sources[id];
  const isSilent = stats.value !== null && (counted?.last_event_at ?? null) === null;
  const doctor = useGet<api.Diagnosis>('/doctor');
  const scheme = textAt(source['verify'] ?? provider.value?.verify, 'scheme');
  const pages = Array.isArray(source['origins']) ? t.sources.byPage(source['origins'].join(', ')) : null;
  // The key of its signatures comes from the provider, so a window has to be opened for it.
  const handsOverKey =
    source['verify'] === undefined &&
    provider.value?.handshakes?.some(({ proof }) => ownValue(proof, 'by') === 'pairing') === true;
  const connect = provider.value !== null && (
    <Connect
      id={id}
      source={source}
      provider={provider.value}
      missing={doctor.value === null ? null : missingSecrets(doctor.value)}
      isChecking={doctor.isLoading}
      onCheck={doctor.again}
      {...(handsOverKey && { pairing: <Pairing id={id} source={source} onChanged={onChanged} /> })}
    />
  );
  return (
    <div class="columns">
      <div>
        <Arrivals id={id} />
        {isSilent && connect}
        <Routes id={id} source={source} customers={provider.value?.customers} />
        {!isSilent && stats.value !== null && (
          <details>
            <summary>{t.sources.connectAgain}</summary>
            {connect}
          </details>
        )}
      </div>
      <div class="beside">
        <div class="sources-facts">
          <Panel>
            <Facts
              facts={[
                [t.sources.address, <Address id={id} source={source} />],
                [t.sources.provider, provider.value?.name ?? textAt(source, 'provider')],
                [t.sources.verifiedBy, scheme === 'none' ? (pages ?? t.sources.unverified) : scheme],
                [t.common.account, textAt(source, 'account')],
                [t.common.country, textAt(source, 'country')],
                [t.account.language, textAt(source, 'locale')],
                [t.common.zone, textAt(source, 'timezone')],
                [
                  t.sources.heartbeat,
                  counted?.heartbeat?.overdue === true ? (
                    <Badge tone="bad">{t.sources.overdue(counted.heartbeat.expected)}</Badge>
                  ) : (
                    textAt(source, 'heartbeat')
                  ),
                ],
              ]}
            />
          </Panel>
        </div>
        <For role="operator">{(provider.value?.samples.length ?? 0) > 0 && <TrySample id={id} />}</For>
      </div>
    </div>
  );
}

const LOOK_EVERY_MS = 2_000;

interface PairingProps {
  readonly id: string;
  readonly source: api.Written;
  readonly onChanged: () => void;
}

/** Opens the window in which the provider may hand over its key, waits for it, and shows it once. */
function Pairing({ id, source, onChanged }: PairingProps) {
  const path = `${sourcePath(id)}/pair`;
  const [isOpen, setOpen] = useState(false);
  const state = useGet<api.PairingAnswer>(path, {}, isOpen ? LOOK_EVERY_MS : undefined);
  useEffect(() => {
    if (state.value !== null) setOpen(state.value.state === 'open');
  }, [state.value]);
  const [key, setKey] = useState<api.PairedKey | null>(null);
  const run = (work: Promise<unknown>): void => {
    work.then(state.again, toastError);
  };
  const take = (): void => {
    post<api.PairedKey>(`${path}/key`).then((taken) => (setOpen(false), setKey(taken)), toastError);
  };
  if (key !== null) return <Key {...{ id, source, taken: key, onChanged }} />;
  const found = state.value;
  if (found === null)
    return state.error === null ? null : <Trouble error={state.error} again={state.again} />;
  return (
    <div aria-live="polite" class="stack">
      {found.state === 'open' && (
        <p>
          {t.sources.pairingOpen} <Time at={found.expires_at} />
        </p>
      )}
      {found.state === 'closed' && <p>{t.sources.pairingClosed}</p>}
      {found.state === 'taken' && <p>{t.sources.pairingTaken}</p>}
      {found.state === 'void' && <Trouble error={relayText(found.hint)} />}
      {found.state === 'captured' && (
        <>
          <p>{t.sources.pairingCaptured}</p>
          <ul>
            {found.offers.map(({ at, address, user_agent }) => (
              <li key={at}>
                <Time at={at} /> · {address ?? '?'} {user_agent !== undefined && `· ${user_agent}`}
              </li>
            ))}
          </ul>
        </>
      )}
      <For role="editor">
        <p class="flow">
          {found.state === 'captured' ? (
            <Button look="main" onClick={take}>
              {t.sources.showKey}
            </Button>
          ) : found.state === 'open' ? (
            <Button onClick={() => run(ask('DELETE', path))}>{t.sources.closeWindow}</Button>
          ) : (
            <Button look="main" onClick={() => run(post(path))}>
              {t.sources.openWindow}
            </Button>
          )}
        </p>
      </For>
    </div>
  );
}

/** The key, which is not shown again: where it goes, and the document that names it. */
function Key({ id, source, taken, onChanged }: PairingProps & { taken: api.PairedKey }) {
  // As the relay's hint has it: “`wrangler secret put NAME`”.
  const name = /secret put ([A-Z][A-Z0-9_]*)/.exec(taken.hint)?.[1] ?? null;
  const add = (): void => {
    if (name === null) return;
    const named: readonly unknown[] = Array.isArray(source['secrets']) ? source['secrets'] : [];
    const changed = { ...source, secrets: [...new Set([...named, name])] };
    void doing(put(sourcePath(id), changed), t.sources.named(name)).then(onChanged);
  };
  return (
    <div class="stack">
      <p>
        <strong>{t.sources.keyOnce}</strong>
      </p>
      <p>
        <Copy text={taken.secret} />
      </p>
      {name === null ? (
        <RelayText as="p" text={taken.hint} />
      ) : (
        <>
          <SetSecret name={name} />
          <p class="flow">
            <Button look="main" onClick={add}>
              {t.sources.nameIt(name)}
            </Button>
          </p>
        </>
      )}
    </div>
  );
}

const SHOWN = 5;

/** The list keeps 200, of all sources: one page. */
const readLast = async (id: string, signal: AbortSignal) => {
  const [events, rejections] = await Promise.all([
    get<api.ListPage<api.EventSummary>>('/events', { source: id, limit: SHOWN }, signal),
    get<api.ListPage<api.RejectionAnswer>>('/rejections', { source: id, limit: 200 }, signal),
  ]);
  return { events: events.items, rejections: rejections.items };
};

/** The latest webhooks of a source, live: waits for the first one, and shows why one was refused. */
function Arrivals({ id }: { id: string }) {
  const last = useLoad(`arrivals ${id}`, (signal) => readLast(id, signal));
  // Once it is known what had come: the first webhook is not missed in between.
  const isAbout = ({ source, type }: api.Frame): boolean => source === id && type !== 'message';
  const live = useNews(last.value !== null, isAbout, last.again);
  if (last.value === null)
    return (
      <Panel title={t.events.received}>
        <Pending of={last} />
      </Panel>
    );
  const { events, rejections } = last.value;
  return (
    <Panel title={events.length === 0 ? t.sources.waiting : t.events.received} aside={<Live state={live} />}>
      <div aria-live="polite">
        <Verdict events={events} rejections={rejections} />
      </div>
      {latest(
        t.sources.lastEvents,
        t.sources.allEvents,
        addressOf('/events', { source: id }),
        events.map(({ id: event, subject, type, state, received_at, reason }) => (
          <li class="line" key={event}>
            <a href={addressOf(`/events/${event}`)}>{visibleText(subject) ?? type ?? event}</a>
            <State of={state} />
            {reason !== undefined && <RelayText as="span" class="soft cut" text={reason} />}
            <Time class="end soft small" at={received_at} relative />
          </li>
        )),
      )}
      {latest(
        t.sources.lastRejections,
        t.sources.allRejections,
        addressOf('/rejections', { source: id }),
        rejections.slice(0, SHOWN).map(({ n, at, code, detail, times = 1 }) => (
          <li class="line" key={n}>
            <a href={addressOf(`/rejections/${n}`)}>{reasonText(code)}</a>
            {times > 1 && t.rejections.times(number(times))}
            <RelayText as="span" class="soft cut" text={detail} />
            <Time class="end soft small" at={at} relative />
          </li>
        )),
      )}
    </Panel>
  );
}

function Verdict({ events: [event], rejections: [rejection] }: Awaited<ReturnType<typeof readLast>>) {
  if (event === undefined && rejection === undefined) return <Waiting text={t.sources.waitingText} />;
  if (rejection !== undefined && (event === undefined || rejection.at > event.received_at)) {
    const remedy = remedyOf(rejection);
    return (
      <div class="box stack sources-verdict bad">
        <p>
          <strong>{t.sources.wasRefused(reasonText(rejection.code))}</strong>{' '}
          <RelayText text={rejection.detail} />
        </p>
        {remedy !== undefined && <Coded as="p" text={remedy} />}
        <Waiting text={t.sources.waitingNext} />
      </div>
    );
  }
  return event === undefined ? null : (
    <div class="box stack sources-verdict good">
      <p>
        <strong>{t.sources.works}</strong>{' '}
        <a href={addressOf(`/events/${event.id}`)}>{t.sources.openEvent}</a>
      </p>
    </div>
  );
}

const Waiting = ({ text }: { text: string }) => (
  <p class="line soft">
    <span class="sources-pulse" aria-hidden="true" />
    {text}
  </p>
);

const latest = (title: string, all: string, href: string, rows: readonly VNode[]) =>
  rows.length > 0 && (
    <>
      <h3 class="line sources-sub">
        {title} <a href={href}>{all}</a>
      </h3>
      <ul class="lines sources-lines">{rows}</ul>
    </>
  );
