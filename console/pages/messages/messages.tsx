import { parseChatText, plainChatText } from '../../../shared/phone/chat-text.ts';
import { paramsOf } from '../../../src/gateway/kinds.ts';
import { isRetryable, isWaiting, MESSAGE_STATES } from '../../../src/schema/states.ts';
import type { ListPage as Page, Message } from '../../api/types.ts';
import { digitsOf, number, phoneText } from '../../lib/format.ts';
import { addressOf, go, useFilters } from '../../lib/router.ts';
import { FilterChoice, FilterText, ListPage, SourceFilter } from '../../parts/list.tsx';
import { Attempts, MessageActions, whyText } from '../../parts/message.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { t } from '../../texts/texts.ts';
import { Copy, Empty, Facts, IdLink, PageHead, Panel, Pending } from '../../ui/basics.tsx';
import { SourceLink, State, Time } from '../../ui/basics.tsx';
import { For, useMay, useSession } from '../../ui/session.tsx';
import { Coded } from '../../ui/text.tsx';
import { concernsMessages, messageAfter, useNews, useNow } from '../../lib/live.ts';
import { useGet } from '../../lib/load.ts';
import { useSources } from '../../parts/documents.ts';
import { byWhom } from '../../texts/relay-texts.ts';
import { Bubble } from '../../ui/bubble.tsx';

export function Messages() {
  const [query, setFilters] = useFilters();
  const now = useNow(5_000);
  return (
    <ListPage<Page<Message>>
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
      filters={<MessageFilters />}
      heights={[76, 36]}
      heads={[
        'messages-row',
        [t.common.state, t.messages.phone, t.messages.one, t.common.source, t.messages.time],
      ]}
    >
      {(message) => <MessageRow message={message} now={now} />}
    </ListPage>
  );
}

/** What can be done to messages in a state, or in any. The API decides; of many, only what waits is cancelled. */
const actionsOn = (state: string) => [
  ...(state === '' || isRetryable(state)
    ? [{ kind: 'retry', key: 'r', icon: 'retry', label: t.messages.retryMany } as const]
    : []),
  ...(state === '' || isWaiting(state)
    ? [{ kind: 'cancel', key: 'c', icon: 'close', label: t.messages.cancelMany } as const]
    : []),
];

const MessageFilters = () => (
  <>
    <FilterChoice
      name="state"
      label={t.common.state}
      options={MESSAGE_STATES.map((state) => [state, t.states[state]])}
    />
    <SourceFilter />
    <For role="operator">
      <FilterText name="phone" label={t.messages.phone} placeholder={t.messages.phoneHelp} read={digitsOf} />
    </For>
    <FilterText name="event" label={t.events.one} placeholder="evt_…" />
  </>
);

const BAD: ReadonlySet<string> = new Set(['dead', 'expired']);

function MessageRow({ message, now }: { message: Message; now: number }) {
  const hasText = useSession().sees_payloads;
  const { state, source, route, sent_at, created_at } = message;
  const why = whyText(message, now);
  return (
    <div class="messages-row">
      <span>
        <State of={state} />
      </span>
      <strong class="cut">{receiverOf(message)}</strong>
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

export function MessagePage({ id = '' }: { readonly id?: string }) {
  const loaded = useGet<Message>(`/messages/${encodeURIComponent(id)}`);
  const { value: message, again } = loaded;
  useNews(message !== null, (frame) => frame.type === 'message' && frame.message === id, again);
  return (
    <>
      <PageHead title={message === null ? t.messages.one : receiverOf(message)} back="/messages">
        {message !== null && (
          <div class="flow act-bar">
            <MessageActions message={message} onDone={again} hasKeys />
          </div>
        )}
      </PageHead>
      <Pending of={loaded} gone={<Empty title={t.messages.gone}>{t.events.goneText}</Empty>} />
      {message !== null && <Content message={message} />}
    </>
  );
}

const receiverOf = ({ phone }: Message): string => (phone === null ? t.messages.status : phoneText(phone));

function Content({ message }: { message: Message }) {
  const { state, kind, phone, params, attempts, actions = [] } = message;
  const session = useSession();
  const why = whyText(message, useNow(message.waits === undefined ? null : 5_000));
  return (
    <div class="columns even messages-columns">
      <div>
        <div class="note messages-phone">
          <div class="flow below">
            <State of={state} />
            {why !== '' && <Coded as="p" text={why} />}
            {state === 'suppressed' && (
              <a href={addressOf('/recipients/opted-out', { phone: phone ?? '' })}>{t.optedOut.title}</a>
            )}
          </div>
          <Bubble kind={kind} params={params} />
        </div>
        <Panel title={t.messages.attempts}>
          <Attempts attempts={attempts} />
        </Panel>
        {actions.length > 0 && (
          <Panel title={t.messages.actions}>
            <ul class="stack tight">
              {actions.map(({ action, by, at }) => (
                <li class="flow" key={`${action} ${at}`}>
                  <span>
                    {(action === 'retry' ? t.messages.retriedBy : t.messages.cancelledBy)(byWhom(by))}
                  </span>
                  <Time class="soft" at={at} />
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
      <div>
        <MessageFacts message={message} />
        {session.sees_payloads && (
          <Panel title={t.messages.params}>
            <dl class="stack messages-params">
              {Object.entries(params).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd dir="auto" tabIndex={value.length > 400 ? 0 : undefined}>
                    {value}
                  </dd>
                </div>
              ))}
            </dl>
          </Panel>
        )}
      </div>
    </div>
  );
}

function MessageFacts({ message }: { message: Message }) {
  const { event, source, route, phone, about, next_attempt_at: next } = message;
  const { fallback, fallback_account: by, fallback_of, fallback_of_account: of } = message;
  return (
    <Panel>
      <Facts
        facts={[
          [
            t.messages.phone,
            <>
              {receiverOf(message)}{' '}
              {phone !== null && (
                <For role="operator">
                  <a class="messages-all" href={addressOf('/messages', { phone })}>
                    {t.messages.allTo}
                  </a>
                </For>
              )}
            </>,
          ],
          [t.events.one, event !== null && <IdLink path="/events" id={event} />],
          [t.common.source, source === null ? t.messages.byHand : <SourceLink id={source} />],
          [t.common.route, route !== null && <Route source={source} route={route} event={event} />],
          [t.common.account, message.account],
          [t.common.kind, t.kinds[message.kind]],
          [t.messages.created, <Time at={message.created_at} />],
          [t.messages.escaped, message.escaped_at !== undefined && <Time at={message.escaped_at} />],
          [t.messages.sent, message.sent_at !== undefined && <Time at={message.sent_at} />],
          [t.messages.nextAttempt, next !== undefined && <Time at={next} />],
          [
            t.messages.about,
            about !== undefined &&
              t.messages.aboutCounts(number(about.new), number(about.resolved), number(about.firing)),
          ],
          [t.messages.whyNow, about !== undefined && t.messages.whys[about.why]],
          [t.messages.fallback, (fallback ?? by) !== undefined && <MessageLink id={fallback} account={by} />],
          [t.messages.fallbackOf, fallback_of !== undefined && <MessageLink id={fallback_of} account={of} />],
          [t.events.version, t.events.versionOf(number(message.config_version))],
          [t.events.id, <Copy text={message.id} />],
        ]}
      />
    </Panel>
  );
}

/** A message before or after this one. Without an id: the other account has not taken it yet. */
const MessageLink = ({ id, account }: { id: string | undefined; account: string | undefined }) => (
  <>
    {id !== undefined && <IdLink path="/messages" id={id} />}{' '}
    {account !== undefined &&
      (id === undefined ? t.messages.handedOn(account) : t.messages.ofAccount(account))}
  </>
);

function Route({ source, route, event }: Pick<Message, 'source' | 'route' | 'event'>) {
  const { routes } = useSources().find(({ id }) => id === source) ?? {};
  const template = routes?.find(({ name }) => name === route)?.template;
  return (
    <>
      {route}{' '}
      {template !== undefined && (
        <For role="editor">
          <a href={addressOf(`/templates/${encodeURIComponent(template)}`, { event: event ?? undefined })}>
            {t.events.routes.template}
          </a>
        </For>
      )}
    </>
  );
}
