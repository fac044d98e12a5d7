import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import type { Incident } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { For } from '../../ui/session.tsx';
import { doing, toast } from '../../ui/toast.tsx';
import { knowing, nameOf } from './name.ts';

interface ActionsProps {
  readonly incident: Incident;
  readonly onDone: () => void;
}

/** Acknowledges an incident, or resolves it, which messages people: it asks before. */
export function IncidentActions({ incident, onDone }: ActionsProps) {
  const [asks, setAsks] = useState(false);
  const path = `/incidents/${encodeURIComponent(incident.id)}`;
  if (incident.state === 'resolved') return null;
  const count = knowing(incident);
  const resolve = async (): Promise<void> => {
    await post(`${path}/resolve`);
    toast(t.incidents.resolved);
    onDone();
  };
  return (
    <For role="operator">
      {incident.state === 'open' && (
        <Button
          look="main"
          onClick={() => void doing(post(`${path}/acknowledge`), t.incidents.acknowledged).then(onDone)}
        >
          {t.incidents.acknowledge}
        </Button>
      )}
      <Button onClick={() => setAsks(true)}>{t.incidents.resolve}</Button>
      {asks && (
        <Confirm
          title={t.incidents.resolveTitle(nameOf(incident))}
          action={t.incidents.resolveNow(count)}
          isDangerous={count > 0}
          onConfirm={resolve}
          onClose={() => setAsks(false)}
        >
          <p>
            <strong>{t.incidents.resolveNotifies(count)}</strong>
          </p>
          <p class="soft">{t.incidents.resolveAgain}</p>
        </Confirm>
      )}
    </For>
  );
}
