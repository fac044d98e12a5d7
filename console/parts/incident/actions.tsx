import { useState } from 'preact/hooks';
import { goesOn } from '../../../src/outbox/state/states.ts';
import { post } from '../../api/client.ts';
import type { IncidentAnswer } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { For } from '../../ui/session.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { knowing, nameOf } from './name.ts';

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
