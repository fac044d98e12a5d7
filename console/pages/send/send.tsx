import { useEffect, useState } from 'preact/hooks';
import {
  KIND_NAMES,
  LIST_LENGTH,
  listIn,
  mainParam,
  MESSAGE_KINDS,
  type MessageKind,
} from '../../../src/gateway/kinds.ts';
import { isFinal } from '../../../src/schema/states.ts';
import { post } from '../../api/client.ts';
import type { ListPage, Message } from '../../api/types.ts';
import { countryOptions, likelyCountry } from '../../lib/places.ts';
import { number, phoneText } from '../../lib/format.ts';
import { useNews } from '../../lib/live.ts';
import { faultsIn, useGet, useWork, wordsOf } from '../../lib/load.ts';
import { addressOf, usePlace } from '../../lib/router.ts';
import { codedText, faultText, stateReason } from '../../texts/relay-texts.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, PageHead, Panel, State, Time, Trouble } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useNumbers, useOnceRead } from '../../ui/numbers.ts';
import { Coded } from '../../ui/text.tsx';
import { bodyOf, faultsOf, isEmpty, NOTHING_TYPED, paramsOf, textsOf } from './fields.ts';
import { paramName } from '../../parts/message.tsx';
import { fieldsFor, TextField } from '../../ui/form.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { type ListedRecipients, type Receivers, receiversOf } from '../recipients/receivers.ts';

export function Send() {
  const { query } = usePlace();
  const [values, setValues] = useState(() => ({
    kind: KIND_NAMES.find((one) => one === query['kind']) ?? 'text',
    account: '',
    list: query['list'] ?? '',
    to: query['to'] ?? '',
    country: likelyCountry(navigator.languages),
    typed: NOTHING_TYPED,
  }));
  const { kind, account, list, to, country, typed } = values;
  const [isTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { isBusy, thrown, run, forget } = useWork();
  const [sent, setSent] = useState<readonly Message[]>([]);
  const recipients = useGet<ListPage<ListedRecipients>>('/recipients');
  const lists = recipients.value?.items ?? [];
  const accounts = useGet<ListPage<{ name: string }>>('/accounts');
  const names = (accounts.value?.items ?? []).map(({ name }) => name);
  const others = names.filter((name) => name !== 'default');
  const numbers = useNumbers(list === '' ? to : '', country);

  const { hasReceiver } = MESSAGE_KINDS[kind];
  const chosen = lists.find(({ name }) => name === list);
  const receivers = list === '' ? numbers.digits : numbersOf(chosen ?? {});
  const isToMany = hasReceiver && receivers.length > 1;
  const change = (changed: Partial<typeof values>): void => {
    setValues((old) => ({ ...old, ...changed }));
    forget();
  };

  const faults = faultsOf(kind, typed);
  const isMissing = hasReceiver && receivers.length === 0;
  const errorAt = (field: string): string | undefined => {
    if (field === 'to' && numbers.error !== null) return numbers.error;
    if (field === 'to' && isTried && isMissing && !numbers.isReading) return t.send.faults.required;
    const fault = faults[field];
    if (fault !== undefined && (isTried || fault === 'address')) return t.send.faults[fault];
    const error = faultsIn(thrown).find(({ path }) => path === field);
    return error === undefined ? undefined : faultText(error);
  };
  const send = async (): Promise<void> => {
    const body = { ...bodyOf(kind, typed), ...(account !== '' && { account }) };
    await deliver(body, hasReceiver ? receivers : [null], (done) =>
      setSent((old) => [...done.toReversed(), ...old]),
    );
    setTried(false);
  };
  const [isWaiting, askToSend] = useOnceRead(hasReceiver && numbers.isReading, to, () => {
    if (Object.keys(faults).length > 0 || isMissing) return;
    if (isToMany) setAsking(true);
    else run(send);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    askToSend();
  };

  const { text, choice } = fieldsFor<'account' | 'country' | 'list' | 'to'>(
    (name) => values[name],
    (name, value) => change({ [name]: value }),
    errorAt,
  );
  const parameters = fieldsFor(
    (name) => typed.texts[name] ?? '',
    (name, value) => change({ typed: { ...typed, texts: { ...typed.texts, [name]: value } } }),
    errorAt,
  );
  const listParam = listIn(kind);
  const read = numbers.isReading ? [] : numbers.digits;
  return (
    <>
      <PageHead title={t.send.title} />
      <div class="columns">
        <form class="send-form" onSubmit={submit}>
          <Panel>
            <fieldset class="send-kinds">
              <legend>{t.common.kind}</legend>
              {KIND_NAMES.map((one) => (
                <label key={one} class="send-kind">
                  <input
                    type="radio"
                    name="kind"
                    value={one}
                    checked={one === kind}
                    onChange={() => change({ kind: one })}
                  />
                  <Icon name={ICONS[one] ?? 'messages'} />
                  <span>{t.kinds[one]}</span>
                </label>
              ))}
            </fieldset>
            {hasReceiver ? (
              <div class="fields">
                {lists.length > 0 &&
                  choice('list', t.messages.phone, [
                    ['', t.send.aNumber],
                    ...lists.map(
                      (one) =>
                        [one.name, t.send.listOption(one.name, number(numbersOf(one).length))] as const,
                    ),
                  ])}
                {list === '' &&
                  text('to', t.find.number, {
                    type: 'tel',
                    placeholder: '+49 151 12345678',
                    help: read.length > 0 ? t.sources.readAs(read.map(phoneText).join(', ')) : t.send.toHelp,
                  })}
                {list === '' &&
                  choice('country', t.common.country, [['', t.send.noCountry], ...countryOptions(language)])}
              </div>
            ) : (
              <p class="soft">{t.send.toAll}</p>
            )}
            <div class="stack send-fields">
              {textsOf(kind).map(([name, { holds, isOptional }]) =>
                parameters.text(name, isOptional ? t.send.optional(paramName(name)) : paramName(name), {
                  ...(holds === 'text' && { rows: name === mainParam(kind) ? 6 : 3 }),
                }),
              )}
              {listParam !== undefined && (
                <Options
                  options={typed.options}
                  error={errorAt(listParam)}
                  onChange={(options) => change({ typed: { ...typed, options } })}
                />
              )}
              {others.length > 0 &&
                choice('account', t.common.account, [['', t.send.defaultAccount], ...others])}
            </div>
            {thrown !== null && <Trouble error={refusalText(thrown)} />}
            <p class="flow">
              <Button type="submit" look="main" icon="send" isBusy={isBusy || isWaiting}>
                {isToMany ? t.send.submitMany(number(receivers.length)) : t.nav.send}
              </Button>
              <span class="soft">{t.send.pace}</span>
            </p>
          </Panel>
        </form>
        <aside class="beside">
          <Panel title={t.templates.phone}>
            {isEmpty(kind, typed) ? (
              <p class="soft">{t.send.nothing}</p>
            ) : (
              <Bubble kind={kind} params={paramsOf(kind, typed)} />
            )}
          </Panel>
          {sent.length > 0 && (
            <Panel title={t.events.outcome}>
              <ul class="lines">
                {sent.map((message) => (
                  <Outcome key={message.id} first={message} />
                ))}
              </ul>
            </Panel>
          )}
        </aside>
        {isAsking && (
          <Confirm
            title={t.send.askMany(number(receivers.length))}
            action={t.send.submitMany(number(receivers.length))}
            onClose={() => setAsking(false)}
            onConfirm={async () => run(send)}
          >
            <p>{list === '' ? t.send.askText : t.send.askList(list)}</p>
          </Confirm>
        )}
      </div>
    </>
  );
}

const refusalText = (thrown: unknown): string => {
  const others = faultsIn(thrown).filter(({ path }) => ['', 'account'].includes(path));
  return [wordsOf(thrown), ...others.map(faultText)].join(' ');
};

/** Hands over one message for each receiver; null: it has none. `onDone` gets those that were, even if one was refused. */
export async function deliver(
  body: Readonly<Record<string, unknown>>,
  receivers: readonly (string | null)[],
  onDone: (done: readonly Message[]) => void,
): Promise<void> {
  const done: Message[] = [];
  try {
    // One at a time: what failed is known, and none is sent twice.
    for (const to of receivers)
      done.push(await post<Message>('/messages', to === null ? body : { ...body, to }));
  } catch (thrown) {
    if (done.length === 0) throw thrown;
    // A person who presses the button again must know that some have it already.
    const sent = t.send.partly(number(done.length), number(receivers.length));
    throw new Error(`${wordsOf(thrown)} ${sent}`, { cause: thrown });
  } finally {
    onDone(done);
  }
}

function Outcome({ first }: { first: Message }) {
  const { id } = first;
  const [isDone, setDone] = useState(isFinal(first.state));
  const now = useGet<Message>(`/messages/${id}`);
  const message = now.value ?? first;
  useEffect(() => setDone(isFinal(message.state)), [message.state]);
  useNews(!isDone, (frame) => frame.type === 'message' && frame.message === id, now.again);
  const why = stateReason(message) || codedText({ ...message.waits, text: message.waits?.detail ?? '' });
  return (
    <li class="stack tight">
      <p class="flow send-outcome-line" role="status">
        <State of={message.state} />
        <a href={addressOf(`/messages/${id}`)}>
          {message.phone === null ? t.send.everybody : phoneText(message.phone)}
        </a>
        <Time class="end soft" at={message.sent_at ?? message.created_at} />
      </p>
      {why !== '' && message.state !== 'sent' && <Coded as="p" class="soft" text={why} />}
      {now.error !== null && <p class="help error">{now.error}</p>}
    </li>
  );
}

/** A kind without one has that of a text. */
const ICONS: Readonly<Partial<Record<MessageKind, IconName>>> = {
  image: 'image',
  voice: 'voice',
  'link-preview': 'link',
  poll: 'poll',
  status: 'now',
};

interface OptionsProps {
  readonly options: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (options: readonly string[]) => void;
}

const Options = ({ options, error, onChange }: OptionsProps) => (
  <fieldset class="stack">
    <legend>{t.send.options}</legend>
    {options.map((option, at) => (
      <div key={at} class="line send-option">
        <TextField
          label={t.send.option(at + 1)}
          isLabelHidden
          placeholder={t.send.option(at + 1)}
          value={option}
          onInput={(text) => onChange(options.with(at, text))}
          error={at === 0 ? error : undefined}
        />
        {options.length > LIST_LENGTH.min && (
          <Button
            look="quiet"
            icon="close"
            label={t.send.removeOption(at + 1)}
            onClick={() => onChange(options.toSpliced(at, 1))}
          />
        )}
      </div>
    ))}
    {options.length < LIST_LENGTH.max && (
      <Button icon="plus" onClick={() => onChange([...options, ''])}>
        {t.send.addOption}
      </Button>
    )}
  </fieldset>
);

/** The numbers of a list: its people without one are reached by their addresses only. */
const numbersOf = (list: Receivers): readonly string[] =>
  receiversOf(list).flatMap(({ phone }) => phone ?? []);
