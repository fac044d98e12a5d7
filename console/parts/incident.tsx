import { useState } from 'preact/hooks';
import { resolvedBy, type Losing } from '../../shared/resolved-by.ts';
import { goesOn } from '../../src/outbox/state/states.ts';
import { get, post, visibleText } from '../api/client.ts';
import type { IncidentAnswer, ListPage, OpenIncidentsAnswer } from '../api/types.ts';
import { useLoad } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button, Trouble } from '../ui/basics.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { For } from '../ui/session.tsx';
import { toast, toastError } from '../ui/toast.tsx';

type Named = Pick<IncidentAnswer, 'title' | 'key' | 'source' | 'route'>;

export const nameOf = ({ title, key, source, route }: Named): string =>
  visibleText(title) ?? visibleText(key) ?? `${source} · ${route}`;

/** The name of a link, from its path in the alert: `runbook` of `annotations.runbook_url`. */
export const linkName = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replace(/[_-]?(url|link|href|\d+)$/i, '').replaceAll('_', ' '))
    .findLast((part) => part !== '') ?? path;

/** Returns the number of receivers who know that it is open, and are notified when it resolves. */
const knowing = ({ receivers }: Pick<IncidentAnswer, 'receivers'>): number =>
  receivers.filter(
    ({ state, message }) => state === 'notified' || (state !== 'done' && message !== undefined),
  ).length;

/** The reason why it is held back for all of its receivers; null: it is not. */
export function heldBy({
  receivers,
  state,
}: Pick<IncidentAnswer, 'receivers' | 'state'>): 'silenced' | 'inhibited' | null {
  if (!goesOn(state) || receivers.length === 0) return null;
  if (receivers.every(({ silence }) => silence !== undefined)) return 'silenced';
  return receivers.every(({ inhibited_by: by }) => by !== undefined) ? 'inhibited' : null;
}

interface ActionsProps {
  readonly incident: IncidentAnswer;
  readonly onDone: () => void;
  readonly isOnlyAcknowledged?: true;
}

export function IncidentActions({ incident, onDone, isOnlyAcknowledged }: ActionsProps) {
  const [asks, setAsks] = useState<'acknowledge' | 'resolve' | null>(null);
  const { id, receivers, state } = incident;
  if (!goesOn(state)) return null;
  const isResolve = asks === 'resolve';
  const count = knowing(incident);
  // A status has nobody who would hear who has it.
  const hearing = knowing({ receivers: receivers.filter(({ phone }) => phone !== null) });
  const change = async (what: 'acknowledge' | 'resolve'): Promise<void> => {
    await post(`/incidents/${encodeURIComponent(id)}/${what}`);
    toast(`${nameOf(incident)}: ${t.incidents[`${what}d`]}`);
    onDone();
  };
  return (
    <For role="operator">
      {state === 'open' && (
        <Button
          look="main"
          onClick={() =>
            hearing > 0 ? setAsks('acknowledge') : void change('acknowledge').catch(toastError)
          }
        >
          {t.incidents.acknowledge}
        </Button>
      )}
      {isOnlyAcknowledged !== true && (
        <Button onClick={() => setAsks('resolve')}>{t.incidents.resolve}</Button>
      )}
      {asks !== null && (
        <Confirm
          title={`${isResolve ? t.incidents.resolveNow(0) : t.incidents.acknowledge}: ${nameOf(incident)}`}
          action={isResolve ? t.incidents.resolveNow(count) : t.incidents.acknowledge}
          isDangerous={isResolve && count > 0}
          onConfirm={() => change(asks)}
          onClose={() => setAsks(null)}
        >
          <p>
            <strong>
              {isResolve ? t.incidents.resolveNotifies(count) : t.incidents.acknowledgeNotifies(hearing)}
            </strong>
          </p>
          {isResolve && <p class="soft">{t.incidents.resolveAgain}</p>}
        </Confirm>
      )}
    </For>
  );
}

/** Reads how many open incidents a change would resolve. `losing`: the sources that it concerns, or reads them. */
export const useResolves = (key: string, losing: () => readonly Losing[] | Promise<readonly Losing[]>) =>
  useLoad(`resolves ${key}`, async (signal) => {
    const sources = await losing();
    if (sources.length === 0) return resolvedBy([], []);
    const { items } = await get<ListPage<OpenIncidentsAnswer>>('/open-incidents', {}, signal);
    return resolvedBy(sources, items);
  });

export const Resolves = ({ of: { value, error, again } }: { of: ReturnType<typeof useResolves> }) => (
  <div role="status">
    {error !== null && <Trouble error={error} again={again} />}
    {value !== null && value.count > 0 && (
      <p class="box warn">
        {t.incidents.changeResolves(value.count, value.sources.join(', '), value.isExact)}
      </p>
    )}
  </div>
);
