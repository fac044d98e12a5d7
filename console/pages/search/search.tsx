import type { VNode } from 'preact';
import { post } from '../../api/client.ts';
import type { FoundNumber } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { whyText } from '../../parts/message.tsx';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, PageHead, Panel, Pending, State, Time } from '../../ui/basics.tsx';
import { reasonText } from '../rejections/rejections.tsx';
import { FindBox } from '../../parts/search-box.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

export function SearchPage() {
  const [query] = useFilters();
  const number = query['number'] ?? '';
  const { value, error, again } = useLoad(number, () =>
    number === '' ? Promise.resolve(null) : post<FoundNumber>('/search', { number }),
  );
  return (
    <>
      <PageHead title={t.find.title} />
      <FindBox key={number} number={number} />
      {number === '' ? (
        <Empty title={t.find.help}>{t.find.lead}</Empty>
      ) : (
        <Pending of={{ value, error, again }} />
      )}
      {value !== null && <Found found={value} />}
    </>
  );
}

function Found({ found }: { found: FoundNumber }) {
  const { messages, events, rejections, complete } = found;
  if (messages.length + events.length + rejections.length === 0)
    return <Empty title={t.find.none}>{t.find.noneText}</Empty>;
  const now = Date.now();
  return (
    <>
      <Hits title={t.nav.messages}>
        {messages.map((message) => (
          <li key={message.id}>
            <a href={addressOf(`/messages/${message.id}`)}>
              <State of={message.state} /> {phoneText(message.phone ?? '')} ·{' '}
              {message.source === null ? '' : `${message.source} › `}
              {message.route ?? t.messages.byHand} · <Time at={message.sent_at ?? message.created_at} />
            </a>
            <Coded as="p" class="soft" text={whyText(message, now)} />
          </li>
        ))}
      </Hits>
      <Hits title={t.nav.events}>
        {events.map((event) => (
          <li key={event.id}>
            <a href={addressOf(`/events/${event.id}`)}>
              <State of={event.state} />{' '}
              {[event.source, event.subject ?? event.type ?? []].flat().join(' › ')} ·{' '}
              <Time at={event.received_at} />
            </a>
            {event.why !== undefined && (
              <p class="bad-text">
                {t.find.nothingSent} <RelayText text={event.why} />
              </p>
            )}
          </li>
        ))}
      </Hits>
      <Hits title={t.nav.rejections}>
        {rejections.map((one) => (
          <li key={one.n}>
            <a href={addressOf(`/rejections/${one.n}`)}>
              <Badge tone="warn">{reasonText(one.code)}</Badge> {one.source} · <Time at={one.at} />
            </a>
            <RelayText as="p" class="soft" text={one.detail} />
          </li>
        ))}
      </Hits>
      {!complete && <p class="soft">{t.find.more}</p>}
    </>
  );
}

const Hits = ({ title, children }: { title: string; children: readonly VNode[] }) =>
  children.length === 0 ? null : (
    <Panel title={title}>
      <ul class="lines found">{children}</ul>
    </Panel>
  );
