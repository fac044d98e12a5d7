import type { Message } from '../../api/types.ts';
import { number, phoneText } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { useSources } from '../../parts/sources.ts';
import { t } from '../../texts/texts.ts';
import { Copy, Facts, Panel, Time } from '../../ui/basics.tsx';
import { For } from '../../ui/session.tsx';

/** The facts of a message besides its content and its attempts. */
export function MessageFacts({ message }: { message: Message }) {
  const { event, source, route, phone, about } = message;
  const { fallback, fallback_account: by, fallback_of, fallback_of_account: of } = message;
  return (
    <Panel>
      <Facts
        facts={[
          [t.messages.phone, <Receiver phone={phone} />],
          [
            t.messages.event,
            event !== null && (
              <a href={addressOf(`/events/${event}`)}>
                <code>{event}</code>
              </a>
            ),
          ],
          [
            t.events.source,
            source === null ? (
              t.messages.byHand
            ) : (
              <a href={addressOf(`/sources/${encodeURIComponent(source)}`)}>{source}</a>
            ),
          ],
          [t.messages.route, route !== null && <Route source={source} route={route} event={event} />],
          [t.messages.account, message.account],
          [t.messages.kind, t.kinds[message.kind]],
          [t.messages.created, <Time at={message.created_at} />],
          [t.messages.escaped, message.escaped_at !== undefined && <Time at={message.escaped_at} />],
          [t.messages.sent, message.sent_at !== undefined && <Time at={message.sent_at} />],
          [
            t.messages.nextAttempt,
            message.next_attempt_at !== undefined && <Time at={message.next_attempt_at} />,
          ],
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
    {id !== undefined && (
      <a href={addressOf(`/messages/${id}`)}>
        <code>{id}</code>
      </a>
    )}{' '}
    {account !== undefined &&
      (id === undefined ? t.messages.handedOn(account) : t.messages.ofAccount(account))}
  </>
);

/** Leads to all messages to the same receiver, for those who may filter by one. */
const Receiver = ({ phone }: { phone: string | null }) =>
  phone === null ? (
    <>{t.messages.status}</>
  ) : (
    <>
      {phoneText(phone)}{' '}
      <For role="operator">
        <a class="messages-all" href={addressOf('/messages', { phone })}>
          {t.messages.allTo}
        </a>
      </For>
    </>
  );

function Route({ source, route, event }: { source: string | null; route: string; event: string | null }) {
  const found = useSources()
    .find(({ id }) => id === source)
    ?.routes?.find(({ name }) => name === route);
  const template = found?.template;
  return (
    <>
      {route}{' '}
      {template !== undefined && (
        <For role="editor">
          <a
            href={addressOf(`/templates/${encodeURIComponent(template)}`, {
              ...(event !== null && { event }),
            })}
          >
            {t.events.routes.template}
          </a>
        </For>
      )}
    </>
  );
}
