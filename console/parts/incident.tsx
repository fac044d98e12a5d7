import { resolvedBy, type Losing } from '../../shared/resolved-by.ts';
import { goesOn } from '../../src/schema/states.ts';
import { get, post, visibleText } from '../api/client.ts';
import type { IncidentAnswer, ListPage, OpenIncidentsAnswer } from '../api/types.ts';
import { useLoad } from '../lib/load.ts';
import { t } from '../texts/texts.ts';
import { Button, Trouble } from '../ui/basics.tsx';
import { AskButton } from '../ui/dialog.tsx';
import { For } from '../ui/session.tsx';
import { doing } from '../ui/toast.tsx';

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
  const { id, receivers, state } = incident;
  if (!goesOn(state)) return null;
  const count = knowing(incident);
  // A status has nobody who would hear who has it.
  const hearing = knowing({ receivers: receivers.filter(({ phone }) => phone !== null) });
  const change = (what: 'acknowledge' | 'resolve') => ({
    does: () => post(`/incidents/${encodeURIComponent(id)}/${what}`),
    done: `${nameOf(incident)}: ${t.incidents[`${what}d`]}`,
    onDone,
  });
  const acknowledge = change('acknowledge');
  return (
    <>
      {hearing > 0 ? (
        <AskButton
          {...acknowledge}
          isOffered={state === 'open'}
          look="main"
          label={t.incidents.acknowledge}
          title={`${t.incidents.acknowledge}: ${nameOf(incident)}`}
        >
          <p>
            <strong>{t.incidents.acknowledgeNotifies(hearing)}</strong>
          </p>
        </AskButton>
      ) : (
        state === 'open' && (
          <For role="operator">
            <Button look="main" onClick={() => void doing(acknowledge.does().then(onDone), acknowledge.done)}>
              {t.incidents.acknowledge}
            </Button>
          </For>
        )
      )}
      {isOnlyAcknowledged !== true && (
        <AskButton
          {...change('resolve')}
          label={t.incidents.resolve}
          title={`${t.incidents.resolveNow(0)}: ${nameOf(incident)}`}
          action={t.incidents.resolveNow(count)}
          isDangerous={count > 0}
        >
          <p>
            <strong>{t.incidents.resolveNotifies(count)}</strong>
          </p>
          <p class="soft">{t.incidents.resolveAgain}</p>
        </AskButton>
      )}
    </>
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
