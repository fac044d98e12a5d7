import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { addOverride } from '../../api/on-call.ts';
import type { OnCall, Page } from '../../api/types.ts';
import { useLoad } from '../../lib/load.ts';
import { Button, Empty, Loading, Panel, Time, Trouble } from '../../ui/basics.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { For } from '../../ui/session.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from './words.ts';

/** A list whose people take turns. */
interface Rotating {
  readonly onCall: OnCall;
  readonly people: readonly string[];
}

interface List {
  readonly name: string;
  readonly people?: Readonly<Record<string, unknown>>;
  readonly rotation?: unknown;
}

async function load(signal: AbortSignal): Promise<readonly Rotating[]> {
  const { items } = await get<Page<List>>('/recipients', undefined, signal);
  const rotating = items.filter(({ rotation }) => rotation !== undefined);
  return Promise.all(
    rotating.map(async ({ name, people = {} }) => ({
      onCall: await get<OnCall>(`/recipients/${encodeURIComponent(name)}/on-call`, undefined, signal),
      people: Object.keys(people),
    })),
  );
}

/** Each list with a rotation: who is on call, who is next, and the next four weeks. */
export function Rota() {
  const { value, error, again } = useLoad('on-call', load, 60_000);
  const [swapped, setSwapped] = useState<Rotating | null>(null);
  return (
    <>
      {error !== null && <Trouble error={error} again={again} />}
      {value === null && error === null && <Loading />}
      {value?.length === 0 && <Empty title={words.none}>{words.noneText}</Empty>}
      {value?.map((list) => (
        <Panel
          key={list.onCall.name}
          title={list.onCall.name}
          aside={
            <For role="operator">
              <Button onClick={() => setSwapped(list)}>{words.swap}</Button>
            </For>
          }
        >
          <Turns {...list.onCall} />
        </Panel>
      ))}
      {swapped !== null && <Swap {...swapped} onDone={again} onClose={() => setSwapped(null)} />}
    </>
  );
}

const Turns = ({ name, now, next, spans, calendar }: OnCall) => (
  <>
    <p>
      {words.now}: <strong dir="auto">{now.person}</strong>{' '}
      {now.until !== null && (
        <>
          {words.until} <Time at={now.until} />
        </>
      )}
    </p>
    <p>
      {words.next}: {next === null ? words.always : <strong dir="auto">{next.person}</strong>}
    </p>
    <table class="table">
      <caption class="unseen">{words.weeks(name)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.person}</th>
          <th scope="col">{words.from}</th>
          <th scope="col">{words.to}</th>
        </tr>
      </thead>
      <tbody>
        {spans.map(({ person, since, until }) => (
          <tr key={since}>
            <th scope="row" dir="auto">
              {person}
            </th>
            <td>{since !== null && <Time at={since} />}</td>
            <td>{until !== null && <Time at={until} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <For role="operator">
      <p class="soft">
        <a href={calendar}>{words.calendar}</a>. {words.calendarHelp}
      </p>
    </For>
  </>
);

/** Somebody else is on call for a while. */
function Swap({
  onCall: { name, now, timezone },
  people,
  onDone,
  onClose,
}: Rotating & { onDone: () => void; onClose: () => void }) {
  const [person, setPerson] = useState(people.find((one) => one !== now.person) ?? now.person);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  return (
    <Confirm
      title={words.swapTitle(name)}
      action={words.swapNow}
      isUnready={from === '' || to === ''}
      onConfirm={async () => {
        await addOverride(name, { person, from, to });
        toast(words.swapped(person));
        onDone();
      }}
      onClose={onClose}
    >
      <SelectField
        label={words.takesOver}
        value={person}
        options={people.map((one) => [one, one])}
        onChange={setPerson}
      />
      <TextField
        label={words.from}
        type="datetime-local"
        value={from}
        onInput={setFrom}
        help={words.zone(timezone)}
      />
      <TextField
        label={words.to}
        type="datetime-local"
        value={to}
        onInput={setTo}
        help={words.zone(timezone)}
      />
    </Confirm>
  );
}
