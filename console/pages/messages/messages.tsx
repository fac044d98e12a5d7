import { parseChatText, plainChatText } from '../../../shared/phone/chat-text.ts';
import { paramsOf } from '../../../src/gateway/kinds.ts';
import { isRetryable, isWaiting, MESSAGE_STATES } from '../../../src/outbox/state/states.ts';
import { readDocumentNumber } from '../../../src/template/filters/dialled.ts';
import type { ListPage as Page, Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { go, useFilters } from '../../lib/router.ts';
import { concernsMessages, messageAfter } from '../../parts/frames.ts';
import {
  type BulkAction,
  FilterChoice,
  FilterText,
  ListPage,
  type SetFilters,
  SourceFilter,
} from '../../parts/list.tsx';
import { whyText } from '../../parts/message.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { t } from '../../texts/texts.ts';
import { State, Time, useNow } from '../../ui/basics.tsx';
import { For, useMay, useSession } from '../../ui/session.tsx';
import { Coded } from '../../ui/text.tsx';

type MessagePage = Page<Message>;

export function Messages() {
  const [query, setFilters] = useFilters();
  const now = useNow(5_000);
  return (
    <ListPage<MessagePage>
      title={t.nav.messages}
      path="/messages"
      names={['state', 'source', 'phone', 'event']}
      actions={useMay('operator') ? actionsOn(query['state'] ?? '') : []}
      concerns={concernsMessages}
      after={messageAfter}
      words={t.messages}
      search={
        <SearchBox
          text=""
          onText={(text) => text !== '' && go('/events', { text })}
          onPhone={(phone, isWhole) => (isWhole ? setFilters({ phone }) : go('/search', { number: phone }))}
        />
      }
      filters={<MessageFilters query={query} onChange={setFilters} />}
      heights={[76, 36]}
      heads={<MessageHeads />}
    >
      {(message) => <MessageRow message={message} now={now} />}
    </ListPage>
  );
}

/** What can be done to messages in a state, or in any. The API decides; of many, only what waits is cancelled. */
const actionsOn = (state: string): readonly BulkAction[] => [
  ...(state === '' || isRetryable(state)
    ? [{ kind: 'retry', key: 'r', icon: 'retry', label: t.messages.retryMany } as const]
    : []),
  ...(state === '' || isWaiting(state)
    ? [{ kind: 'cancel', key: 'c', icon: 'close', label: t.messages.cancelMany } as const]
    : []),
];

const MessageFilters = ({ query, onChange }: SetFilters) => (
  <>
    <FilterChoice
      label={t.common.state}
      value={query['state']}
      options={MESSAGE_STATES.map((state) => [state, t.states[state]])}
      onChange={(state) => onChange({ state })}
    />
    <SourceFilter query={query} onChange={onChange} />
    <For role="operator">
      <FilterText
        label={t.messages.phone}
        value={query['phone']}
        placeholder={t.messages.phoneHelp}
        onChange={(typed) => {
          const number = readDocumentNumber(typed);
          onChange({ phone: number.ok ? number.value : typed });
        }}
      />
    </For>
    <FilterText
      label={t.events.one}
      value={query['event']}
      placeholder="evt_…"
      onChange={(event) => onChange({ event })}
    />
  </>
);

const BAD: ReadonlySet<string> = new Set(['dead', 'expired']);

const MessageHeads = () => (
  <div class="messages-row">
    <span>{t.common.state}</span>
    <span>{t.messages.phone}</span>
    <span>{t.messages.one}</span>
    <span>{t.common.source}</span>
    <span class="messages-row-time">{t.messages.time}</span>
  </div>
);

function MessageRow({ message, now }: { message: Message; now: number }) {
  const hasText = useSession().sees_payloads;
  const { state, phone, source, route, sent_at, created_at } = message;
  const why = whyText(message, now);
  return (
    <div class="messages-row">
      <span>
        <State of={state} />
      </span>
      <strong class="cut">{phone === null ? t.messages.status : phoneText(phone)}</strong>
      <span class="line messages-row-text">
        <span class={hasText ? 'cut' : 'cut soft'} dir="auto">
          {hasText ? textOf(message) : t.kinds[message.kind]}
        </span>
        {why !== '' && (
          <span class={BAD.has(state) ? 'small cut bad-text' : 'small cut'} title={why}>
            <Coded text={why} />
          </span>
        )}
      </span>
      <span class="soft small messages-row-from cut">
        {source === null ? t.messages.byHand : route === null ? source : `${source} › ${route}`}
      </span>
      <Time class="messages-row-time" at={sent_at ?? created_at} />
    </div>
  );
}

/** The part of it that a row needs, in UTF-16 units. */
const SHOWN = 200;

/** The beginning of what a message says, on one line and without marks: words before addresses. */
function textOf({ kind, params }: Pick<Message, 'kind' | 'params'>): string {
  const found =
    paramsOf(kind)
      .toSorted(([, a], [, b]) => Number(a.holds === 'url') - Number(b.holds === 'url'))
      .map(([name]) => params[name] ?? '')
      .find((text) => text.trim() !== '') ?? '';
  // A long text is cut first: only its beginning is looked at.
  return plainChatText(parseChatText(found.slice(0, 4 * SHOWN))).slice(0, SHOWN);
}
