import { useState } from 'preact/hooks';
import { parseChatText, plainChatText } from '../../../shared/phone/chat-text.ts';
import { paramsOf } from '../../../src/gateway/kinds.ts';
import { isRetryable, isWaiting, MESSAGE_STATES } from '../../../src/outbox/state/states.ts';
import { readDocumentNumber } from '../../../src/template/filters/document-number.ts';
import { may } from '../../api/session.ts';
import type { Message } from '../../api/types.ts';
import { phoneText } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useLiveList } from '../../lib/list.ts';
import { useIsNarrow } from '../../lib/media.ts';
import { go, useFilters } from '../../lib/router.ts';
import { bulkFilter, type ListFilter } from '../../parts/bulk/steps.ts';
import { Bulk } from '../../parts/bulk/bulk.tsx';
import { concernsMessages, messageAfter } from '../../parts/frames.ts';
import { FilterBar, FilterChoice, FilterText } from '../../parts/list/filter-bar.tsx';
import { EmptyList, ListBody, ListCount, LiveButton } from '../../parts/list/list-state.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { whyText } from '../../parts/message/words.ts';
import { useSources } from '../../parts/sources.ts';
import { t } from '../../texts/texts.ts';
import { Button, PageHead, State, Time, useNow } from '../../ui/basics.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Coded } from '../../ui/text.tsx';
import { For, useSession } from '../../ui/session.tsx';

const FILTERS = ['state', 'source', 'phone', 'event'] as const;

export function Messages() {
  const [query, setFilters] = useFilters();
  const [isLive, setLive] = useState(true);
  const [bulk, setBulk] = useState<{ kind: 'retry' | 'cancel'; filter: ListFilter } | null>(null);
  const isNarrow = useIsNarrow();
  const session = useSession();
  const now = useNow(5_000);
  const list = useLiveList<Message>(
    '/messages',
    Object.fromEntries(FILTERS.map((name) => [name, query[name]])),
    {
      isOn: isLive,
      concerns: (frame) => concernsMessages(frame, query),
      after: messageAfter,
      timeOf: ({ created_at }) => created_at,
    },
  );
  const set = FILTERS.filter((name) => (query[name] ?? '') !== '');
  const clear = (): void => setFilters(Object.fromEntries(FILTERS.map((name) => [name, ''])));
  const toggleLive = (): void => setLive(!isLive);
  const ask = (kind: 'retry' | 'cancel') => (): void =>
    setBulk({ kind, filter: bulkFilter(query, FILTERS, Date.now()) });
  const state = query['state'] ?? '';
  const isOperator = may(session.role, 'operator');
  // The API decides; this only hides what it would refuse. Of many, only what waits is cancelled.
  const canAll = (can: (state: string) => boolean): boolean => isOperator && (state === '' || can(state));
  const [canRetry, canCancel] = [canAll(isRetryable), canAll(isWaiting)];
  const isEmpty = list.page !== null && list.items.length === 0;
  useKeys([
    { key: 'l', label: t.events.keyLive, run: toggleLive },
    { key: 'n', label: t.events.keyNewer, run: list.showHeld },
    ...(canRetry ? [{ key: 'r', label: t.bulk.retry.title, run: ask('retry') }] : []),
    ...(canCancel ? [{ key: 'c', label: t.bulk.cancel.title, run: ask('cancel') }] : []),
  ]);
  return (
    <>
      <PageHead title={t.nav.messages}>
        <LiveButton state={list.live} onClick={toggleLive} />
        {(canRetry || canCancel) && !isEmpty && (
          <div class="flow act-bar">
            {canRetry && (
              <Button icon="retry" onClick={ask('retry')}>
                {t.messages.retryMany}
              </Button>
            )}
            {canCancel && (
              <Button icon="close" onClick={ask('cancel')}>
                {t.messages.cancelMany}
              </Button>
            )}
          </div>
        )}
      </PageHead>
      <FilterBar
        count={set.length}
        onClear={clear}
        search={
          <SearchBox
            text=""
            onText={(text) => text !== '' && go('/events', { text })}
            onPhone={(phone, isWhole) => (isWhole ? setFilters({ phone }) : go('/search', { number: phone }))}
          />
        }
      >
        <MessageFilters query={query} onChange={setFilters} />
      </FilterBar>
      <ListCount list={list} />
      <ListBody list={list} empty={<EmptyList isFiltered={set.length > 0} words={t.messages} />}>
        <Rows
          label={t.nav.messages}
          items={list.items}
          height={isNarrow ? 76 : 36}
          {...(!isNarrow && { heads: <MessageHeads /> })}
          keyOf={({ id }) => id}
          pathOf={({ id }) => `/messages/${id}`}
          onEnd={list.more}
        >
          {(message) => <MessageRow message={message} now={now} hasText={session.sees_payloads} />}
        </Rows>
      </ListBody>
      {bulk !== null && (
        <Bulk
          {...bulk}
          onClose={() => {
            setBulk(null);
            list.again();
          }}
        />
      )}
    </>
  );
}

interface MessageFiltersProps {
  readonly query: Readonly<Record<string, string>>;
  readonly onChange: (changed: Readonly<Record<string, string>>) => void;
}

function MessageFilters({ query, onChange }: MessageFiltersProps) {
  const sources = useSources();
  return (
    <>
      <FilterChoice
        label={t.common.state}
        value={query['state']}
        options={MESSAGE_STATES.map((state) => [state, t.states[state]])}
        onChange={(state) => onChange({ state })}
      />
      <FilterChoice
        label={t.common.source}
        value={query['source']}
        options={sources.map(({ id }) => [id, id])}
        onChange={(source) => onChange({ source })}
      />
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
}

const BAD: ReadonlySet<string> = new Set(['dead', 'expired']);

interface MessageRowProps {
  readonly message: Message;
  readonly now: number;
  /** True if this person sees what it says. */
  readonly hasText: boolean;
}

const MessageHeads = () => (
  <div class="messages-row">
    <span>{t.common.state}</span>
    <span>{t.messages.phone}</span>
    <span>{t.messages.one}</span>
    <span>{t.common.source}</span>
    <span class="messages-row-time">{t.messages.time}</span>
  </div>
);

const MessageRow = ({ message, now, hasText }: MessageRowProps) => {
  const { state, phone, source, route, sent_at, created_at } = message;
  const why = whyText(message, now);
  return (
    <div class="messages-row">
      <span class="messages-row-state">
        <State of={state} />
      </span>
      <span class="messages-row-to cut">{phone === null ? t.messages.status : phoneText(phone)}</span>
      <span class="line messages-row-text">
        <span class={hasText ? 'cut' : 'cut soft'} dir="auto">
          {hasText ? textOf(message) : t.kinds[message.kind]}
        </span>
        {why !== '' && (
          <span class={BAD.has(state) ? 'messages-row-why cut bad-text' : 'messages-row-why cut'} title={why}>
            <Coded text={why} />
          </span>
        )}
      </span>
      <span class="soft small messages-row-from cut">
        {source === null ? t.messages.byHand : route === null ? source : `${source} › ${route}`}
      </span>
      <span class="messages-row-time">
        <Time at={sent_at ?? created_at} />
      </span>
    </div>
  );
};

/** The parameters in the order of what they say of a message: words, then addresses. */
const namesOf = (kind: Message['kind']): readonly string[] =>
  paramsOf(kind)
    .toSorted(([, a], [, b]) => Number(a.holds === 'url') - Number(b.holds === 'url'))
    .map(([name]) => name);

/** The part of it that a row needs, in UTF-16 units. */
const SHOWN = 200;

/** The beginning of what a message says, on one line and without marks. */
function textOf({ kind, params }: Pick<Message, 'kind' | 'params'>): string {
  const found =
    namesOf(kind)
      .map((name) => params[name] ?? '')
      .find((text) => text.trim() !== '') ?? '';
  // A long text is cut first: only its beginning is looked at.
  return plainChatText(parseChatText(found.slice(0, 4 * SHOWN))).slice(0, SHOWN);
}
