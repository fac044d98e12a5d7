import { useState } from 'preact/hooks';
import type { EventDetail } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Button, Copy, Panel } from '../../ui/basics.tsx';
import { useSession } from '../../ui/session.tsx';
import { PayloadTree } from './payload-tree.tsx';

const VIEWS = ['tree', 'raw', 'headers', 'query'] as const;
type View = (typeof VIEWS)[number];

/** The part of the raw text that is drawn, in UTF-16 units. All of it can be copied. */
const RAW_SHOWN = 100_000;

/** The content of a webhook: its body as a tree or as text, its headers, and its query. */
export function PayloadPanel({ event }: { event: EventDetail }) {
  const seesPayloads = useSession().sees_payloads;
  if (event.stored && seesPayloads) return <Payload event={event} />;
  return (
    <Panel title={t.events.payload}>
      <p class="soft">{event.stored ? t.common.hidden : t.events.notStored}</p>
    </Panel>
  );
}

function Payload({ event: { payload, headers, query } }: { event: EventDetail }) {
  const [view, setView] = useState<View>('tree');
  const has: Readonly<Record<View, boolean>> = {
    tree: true,
    raw: true,
    headers: headers !== null && Object.keys(headers).length > 0,
    query: query !== null && Object.keys(query).length > 0,
  };
  return (
    <Panel
      title={t.events.payload}
      aside={
        <div class="choices" role="group" aria-label={t.events.views.label}>
          {VIEWS.filter((one) => has[one]).map((one) => (
            <button key={one} type="button" aria-pressed={one === view} onClick={() => setView(one)}>
              {t.events.views[one]}
            </button>
          ))}
        </div>
      }
    >
      {view === 'tree' && <PayloadTree root="payload" value={payload} />}
      {view === 'raw' && <Raw payload={payload} />}
      {view === 'headers' && <PayloadTree root="headers" value={headers} />}
      {view === 'query' && <PayloadTree root="query" value={query} />}
    </Panel>
  );
}

function Raw({ payload }: { payload: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const text = JSON.stringify(payload, null, 2);
  const isCut = !isWhole && text.length > RAW_SHOWN;
  return (
    <>
      <Copy text={text} label={t.events.copyRaw}>
        <span class="soft">{t.events.copyRaw}</span>
      </Copy>
      {/* It scrolls, so the keyboard must be able to get into it. */}
      <pre class="events-raw" tabIndex={0} aria-label={t.events.views.raw}>
        {isCut ? text.slice(0, RAW_SHOWN) : text}
      </pre>
      {isCut && <Button onClick={() => setWhole(true)}>{t.events.tree.all(number(text.length))}</Button>}
    </>
  );
}
