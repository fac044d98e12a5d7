import { post } from '../../api/client.ts';
import type { FoundNumber } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf, useFilters } from '../../lib/router.ts';
import { whyText } from '../../parts/message/words.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Empty, PageHead, Panel, Pending, State, Time } from '../../ui/basics.tsx';
import { useMay } from '../../ui/session.tsx';
import { reasonText } from '../rejections/words.ts';
import { FindBox } from '../../parts/search-box.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

export function SearchPage() {
  const [query] = useFilters();
  const number = query['number'] ?? '';
  const canSee = useMay('operator');
  const { value, error, again } = useLoad(number, () =>
    number === '' || !canSee ? Promise.resolve(null) : post<FoundNumber>('/search', { number }),
  );
  return (
    <>
      <PageHead title={t.find.title} />
      <FindBox key={number} number={number} />
      {!canSee && <Empty title={t.find.title}>{t.common.needs(t.account.roles.operator)}</Empty>}
      {number === '' && canSee && <Empty title={t.find.help}>{t.find.lead}</Empty>}
      {number !== '' && canSee && <Pending of={{ value, error, again }} />}
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
      {messages.length > 0 && (
        <Panel title={t.nav.messages}>
          <ul class="lines found">
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
          </ul>
        </Panel>
      )}
      {events.length > 0 && (
        <Panel title={t.nav.events}>
          <ul class="lines found">
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
          </ul>
        </Panel>
      )}
      {rejections.length > 0 && (
        <Panel title={t.nav.rejections}>
          <ul class="lines found">
            {rejections.map((one) => (
              <li key={one.n}>
                <a href={addressOf(`/rejections/${one.n}`)}>
                  <Badge tone="warn">{reasonText(one.code)}</Badge> {one.source} · <Time at={one.at} />
                </a>
                <RelayText as="p" class="soft" text={one.detail} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {!complete && <p class="soft">{t.find.more}</p>}
    </>
  );
}
