import { isObject, ownValue, scalarText } from '../../../src/lib/json.ts';
import { formatDuration } from '../../../src/lib/time.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import * as gateways from '../../../shared/new-source/gateways.ts';
import * as defaults from '../../../src/config/documents/account-defaults.ts';
import { ACCOUNT_NAME } from '../../../src/config/documents/name.ts';
import { post, put, readSet, type Tagged } from '../../api/client.ts';
import type { AccountStatus, AccountStatuses, Written } from '../../api/types.ts';
import { bytes, digitsOf, duration, number } from '../../lib/format.ts';
import { useGet, useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { useSparklines } from '../../parts/sparklines.ts';
import { codedText, gatewayHelp, gatewayName, gatewayWords, pausedText } from '../../texts/relay-texts.ts';
import { language, t } from '../../texts/texts.ts';
import { Badge, Button, Empty, Facts, PageHead, Panel, Pending, Time, Trouble } from '../../ui/basics.tsx';
import { Sparkline } from '../../ui/chart.tsx';
import { AskButton, Confirm, Dialog, Opener, type WindowProps } from '../../ui/dialog.tsx';
import { CheckField, fieldsFor, SelectField, TextField } from '../../ui/form.tsx';
import { Coded } from '../../ui/text.tsx';
import { For } from '../../ui/session.tsx';
import { doing, toast } from '../../ui/toast.tsx';
import { SetSecret } from '../sources/connect.tsx';

const EVERY_MS = 10_000;

export function Accounts() {
  const loaded = useGet<AccountStatuses>('/status', {}, EVERY_MS);
  const { value, again } = loaded;
  const names = value?.items.map(({ account }) => account) ?? [];
  const day = useSparklines('sent', 'account', names);
  // It is there without a document.
  const taken = ['default', ...names];
  return (
    <>
      <PageHead title={t.nav.accounts}>
        <Opener role="editor" icon="plus" label={t.accounts.add}>
          {(onClose) => <AddAccount taken={taken} onDone={again} onClose={onClose} />}
        </Opener>
      </PageHead>
      <Pending of={loaded} />
      {value?.unreachable && <Trouble error={`${value.unreachable.join(', ')}: ${t.common.offline}`} />}
      {value?.items.length === 0 && <Empty title={t.accounts.none}>{t.accounts.noneText}</Empty>}
      {value?.items.map((status) => (
        <Account key={status.account} status={status} day={day.get(status.account)} again={again} />
      ))}
    </>
  );
}

interface AccountProps {
  readonly status: AccountStatus;
  readonly day: readonly number[] | undefined;
  readonly again: () => void;
}

function Account({ status, day, again }: AccountProps) {
  const { account, canary, paused, circuit, rate, storage } = status;
  const { receivers_at_cap: capped, drain_seconds: drain } = status;
  const error = circuit.last_error;
  const pause = (): void =>
    void doing(post(`/accounts/${account}/pause`), t.accounts.paused(account)).then(again);
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [t.accounts.waiting, number(status.queued + status.retrying)],
    [t.accounts.sending, number(status.sending)],
    [
      t.accounts.sentToday,
      day !== undefined && (
        <>
          {number(day.reduce((sum, one) => sum + one, 0))} <Sparkline values={day} />
        </>
      ),
    ],
    [
      t.accounts.pace,
      rate === null ? t.now.noPace : t.accounts.rate(number(rate.per_minute), number(rate.burst)),
    ],
    [t.accounts.drains, drain === null || drain === 0 ? '–' : duration(drain * 1_000)],
    [
      t.accounts.canary,
      canary && (
        <>
          {canary.answered_at !== undefined
            ? t.accounts.canaryProved
            : canary.sent_at !== undefined
              ? t.accounts.canaryOpen
              : t.accounts.canaryNext}{' '}
          <Time at={canary.answered_at ?? canary.sent_at ?? canary.next_at} />
        </>
      ),
    ],
    [t.accounts.dead, <Stuck state="dead" count={status.dead} />],
    [t.accounts.uncertain, <Stuck state="uncertain" count={status.uncertain} />],
    [t.accounts.incidents, number(status.open_incidents)],
    [t.accounts.storage, t.accounts.storageOf(bytes(storage.bytes), bytes(storage.max_bytes))],
    [
      t.accounts.capped,
      capped && (
        <>
          {t.accounts.cappedText(capped.receivers, capped.messages)} <Time at={capped.next_at} relative />
        </>
      ),
    ],
  ];
  return (
    <Panel
      title={
        <>
          {account} <Condition {...status} />
        </>
      }
      aside={
        <>
          <Opener role="editor" label={t.common.edit}>
            {(onClose) => <EditAccount account={account} onDone={again} onClose={onClose} />}
          </Opener>
          <For role="operator">
            {paused === null ? (
              <Button icon="pause" onClick={pause}>
                {t.accounts.pause}
              </Button>
            ) : (
              <Resume account={account} waiting={status.queued + status.retrying} onDone={again} />
            )}
          </For>
        </>
      }
    >
      {paused !== null && <Note text={pausedText(paused)} at={paused.since} />}
      {error && <Note text={codedText({ ...error, text: error.detail })} at={error.at} />}
      <Facts facts={facts} />
    </Panel>
  );
}

const Note = ({ text, at }: { text: string; at: string }) => (
  <p class="note warn">
    <Coded text={text} /> · <Time at={at} relative />
  </p>
);

type ResumeProps = { readonly account: string; readonly waiting: number | null; readonly onDone: () => void };

/** Resumes an account. All that waits goes out to people, so it asks. `waiting` null: it is not known here. */
export const Resume = ({ account, waiting, onDone }: ResumeProps) => (
  <AskButton
    look="main"
    icon="play"
    label={t.accounts.resume}
    title={t.now.resumeTitle(account)}
    action={t.now.resumeNow}
    does={() => post(`/accounts/${account}/resume`)}
    done={t.accounts.resumed(account)}
    onDone={onDone}
  >
    <p>{waiting === null ? t.now.resumeAll : t.now.resumeText(waiting)}</p>
  </AskButton>
);

function Condition({ paused, circuit, storage }: AccountStatus) {
  if (paused !== null) return <Badge tone="warn">{t.now.is.paused}</Badge>;
  if (circuit.state === 'open') return <Badge tone="bad">{t.now.is.circuit}</Badge>;
  if (storage.state !== 'ok') return <Badge tone="warn">{t.now.is.full}</Badge>;
  return <Badge tone="good">{t.doctor.words.ok}</Badge>;
}

const Stuck = ({ state, count }: { state: string; count: number }) =>
  count === 0 ? <>0</> : <a href={addressOf('/messages', { state })}>{number(count)}</a>;

const FIRST = 'ntfy';

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function AddAccount({ taken, onDone, onClose }: WindowProps & { taken: readonly string[] }) {
  const [gateway, setGateway] = useState(FIRST);
  // Null: nobody has typed one.
  const [typedName, setName] = useState<string | null>(null);
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const name = typedName ?? gateways.freeAccountName(gateway, taken) ?? '';
  const settings = [...gateways.settingsOf(gateway)];
  const { needed, optional } = gateways.secretsOfAccount(name, gateway);
  const missing = settings.find(([key, { isNeeded }]) => isNeeded && (typed.get(key) ?? '').trim() === '');
  const choose = (id: string): void => {
    setGateway(id);
    setTyped(new Map());
  };
  const field = fieldsFor(
    (key) => typed.get(key) ?? '',
    (key, value) => setTyped(new Map([...typed, [key, value]])),
  );
  const save = async (): Promise<void> => {
    if (!ACCOUNT_NAME.test(name)) throw new Error(t.accounts.nameHelp);
    if (taken.includes(name)) throw new Error(t.accounts.taken(name));
    if (missing !== undefined) throw new Error(t.accounts.missing(gatewayWords(missing[1].what)));
    const trimmed = [...typed].map(([key, value]) => [key, value.trim()] as const);
    const written = trimmed.filter(([, value]) => value !== '');
    await put(`/accounts/${encodeURIComponent(name)}`, gateways.accountDocument(gateway, new Map(written)));
    toast(t.accounts.saved(name));
    onDone();
  };
  return (
    <Confirm title={t.accounts.add} action={t.accounts.save} onConfirm={save} onClose={onClose}>
      <SelectField
        label={t.accounts.gateway}
        value={gateway}
        options={gateways.gatewayFacts.map(({ id }) => [id, gatewayName(id)] as const)}
        onChange={choose}
        help={gatewayHelp(gateway)}
      />
      <TextField label={t.common.name} help={t.accounts.nameHelp} value={name} onInput={setName} />
      {settings.map(([key, { what, isNeeded, words: choices }]) => {
        const label = t.accounts.settings[key] ?? key;
        const long = gatewayWords(what);
        // A text that is as short as the label says the same.
        const help = long.length > label.length + 4 ? sentence(long) : undefined;
        if (choices !== undefined)
          return field.choice(
            key,
            label,
            choices.map((one, at) => [at === 0 ? '' : one, one] as const),
          );
        return field.text(key, label, {
          help: isNeeded ? help : t.accounts.optional(long),
          ...(key === 'base_url' && { type: 'url', placeholder: 'https://' }),
        });
      })}
      {needed.length > 0 && <p>{t.accounts.secrets}</p>}
      {needed.map((secret) => (
        <SetSecret key={secret} name={secret} isGiven />
      ))}
      {optional.length > 0 && (
        <details>
          <summary>{t.accounts.optionalSecrets}</summary>
          {optional.map((secret) => (
            <SetSecret key={secret} name={secret} isGiven />
          ))}
        </details>
      )}
    </Confirm>
  );
}

type EditProps = WindowProps & { readonly account: string };

function EditAccount(props: EditProps) {
  const { account, onClose } = props;
  // Out of the whole set: `default` may have no document.
  const loaded = useLoad(`account ${account}`, async (signal): Promise<Tagged<Written>> => {
    const { value, tag } = await readSet(signal);
    const document = value.accounts[account];
    return { value: isObject(document) ? document : {}, tag };
  });
  if (loaded.value !== null) return <Form {...props} {...loaded.value} />;
  return (
    <Dialog title={account} onClose={onClose}>
      <Pending of={loaded} />
    </Dialog>
  );
}

function Form({ account, onDone, onClose, value: before, tag }: EditProps & Tagged<Written>) {
  const [typed, setTyped] = useState<TypedPolicy>(() => typedOf(before));
  const backup = ownValue(before, 'escape.via.account');
  const standard = standardOf(before, typed);
  const set = (changed: Partial<TypedPolicy>): void => setTyped({ ...typed, ...changed });
  const field = fieldsFor<Exclude<keyof TypedPolicy, 'isPaced' | 'isCapped'>>(
    (name) => typed[name],
    (name, value) => set({ [name]: value }),
  );
  const numberField = (name: 'perMinute' | 'burst' | 'perHour', help?: string) =>
    field.text(name, t.accounts[name], { type: 'number', placeholder: standard[name], help });
  const save = async (): Promise<void> => {
    await put(`/accounts/${encodeURIComponent(account)}`, documentOf(before, typed, USUAL), tag);
    toast(t.accounts.saved(account));
    onDone();
  };
  return (
    <Confirm
      title={t.accounts.editTitle(account)}
      action={t.accounts.save}
      onConfirm={save}
      onClose={onClose}
    >
      <CheckField label={t.accounts.isPaced} value={typed.isPaced} onChange={(isPaced) => set({ isPaced })} />
      {typed.isPaced && (
        <div class="pair">
          {numberField('perMinute')}
          {numberField('burst')}
        </div>
      )}
      <CheckField
        label={t.accounts.isCapped}
        value={typed.isCapped}
        onChange={(isCapped) => set({ isCapped })}
      />
      {typed.isCapped && numberField('perHour', t.accounts.perHourHelp)}
      {field.text('notifyUrl', t.accounts.notify, {
        help: t.accounts.notifyHelp,
        type: 'url',
        placeholder: 'https://ntfy.sh/…',
      })}
      {typed.notifyUrl.includes('{secret}') &&
        field.text('notifySecret', t.accounts.notifySecret, { placeholder: 'NOTIFY_OWNER' })}
      <SelectField
        label={t.accounts.escape}
        help={t.accounts.escapeHelp(standard.escapeAfter)}
        value={typed.escapeKind}
        options={[
          ['', t.accounts.escapeNone],
          ...ESCAPE_CHANNELS,
          ...(typeof backup === 'string' ? [['account', backup] as const] : []),
        ]}
        onChange={(escapeKind) => set({ escapeKind })}
      />
      {typed.escapeKind !== '' &&
        typed.escapeKind !== 'account' &&
        field.text('escapeSecret', t.accounts.notifySecret, {
          help: t.accounts.escapeSecretHelp,
          placeholder: 'NOTIFY_ESCAPE',
        })}
      {field.text('canaryTo', t.accounts.canaryTo, {
        help: t.accounts.canaryHelp,
        placeholder: '+49 151 12345678',
      })}
      {typed.canaryTo !== '' && (
        <div class="pair">
          {(['canaryEvery', 'canaryWithin'] as const).map((name) =>
            field.text(name, t.accounts[name], { placeholder: standard[name] }),
          )}
        </div>
      )}
    </Confirm>
  );
}

/** A new canary is sent at the person's time of day, in their language. */
const USUAL = { timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone, language } as const;

const textAt = (document: Written, path: string): string => scalarText(ownValue(document, path)) ?? '';

/** A form's fields as they are typed; an empty one leaves the standard. */
export const typedOf = (document: Written) => ({
  isPaced: document['rate'] !== false,
  perMinute: textAt(document, 'rate.per_minute'),
  burst: textAt(document, 'rate.burst'),
  isCapped: document['per_recipient'] !== false,
  perHour: textAt(document, 'per_recipient.per_hour'),
  notifyUrl: textAt(document, 'notify.url'),
  notifySecret: textAt(document, 'notify.secret'),
  /** '': none. `account`: a setting that the form does not change. */
  escapeKind:
    ownValue(document, 'escape.via.account') === undefined ? textAt(document, 'escape.via.kind') : 'account',
  escapeSecret: textAt(document, 'escape.via.secret'),
  canaryTo: textAt(document, 'canary.to'),
  canaryEvery: textAt(document, 'canary.every'),
  canaryWithin: textAt(document, 'canary.answer_within'),
});

type TypedPolicy = Readonly<ReturnType<typeof typedOf>>;

const NAMES: Readonly<Partial<Record<(typeof defaults.ESCAPE_KINDS)[number], string>>> = {
  slack: 'Slack',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

export const ESCAPE_CHANNELS = defaults.ESCAPE_KINDS.map((kind) => [kind, NAMES[kind] ?? kind] as const);

export function standardOf(document: Written, { perMinute }: TypedPolicy) {
  const rate = gateways.rateOf(gateways.gatewayOf(document));
  return {
    perMinute: String(rate.perMinute),
    burst: String(perMinute.trim() === '' ? rate.burst : defaults.burstOf(numberOf(perMinute))),
    perHour: String(defaults.DEFAULT_PER_RECIPIENT.perHour),
    escapeAfter: textAt(document, 'escape.after') || formatDuration(defaults.ESCAPE_AFTER_MS),
    canaryEvery: formatDuration(defaults.CANARY_EVERY_MS),
    canaryWithin: formatDuration(defaults.CANARY_WITHIN_MS),
  };
}

/** The number in a field. Any other text is sent as it is typed, so that the relay explains the mistake. */
const numberOf = (typed: string): number => {
  const value = Number(typed.trim());
  return Number.isFinite(value) ? value : 0;
};

const partOf = (document: Written, key: string): Written => {
  const part = document[key];
  return isObject(part) ? part : {};
};

const filled = (texts: Readonly<Record<string, string>>): Written =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** The document with these fields; keys that the form does not show stay. `usual`: the other keys of a new canary. */
export function documentOf(before: Written, typed: TypedPolicy, usual: Written = {}): Written {
  const { rate: _, per_recipient: __, notify: ___, escape: ____, canary, ...rest } = before;
  const { isPaced, isCapped, escapeKind: kind } = typed;
  const [perMinute, burst, perHour] = [typed.perMinute.trim(), typed.burst.trim(), typed.perHour.trim()];
  const [url, secret, to] = [typed.notifyUrl.trim(), typed.notifySecret.trim(), typed.canaryTo.trim()];
  const { secret: _s, ...channel } = partOf(before, 'notify');
  const { every: _e, answer_within: _w, ...sent } = canary === undefined ? usual : partOf(before, 'canary');
  const times = filled({ every: typed.canaryEvery.trim(), answer_within: typed.canaryWithin.trim() });
  const escape = partOf(before, 'escape');
  const via = kind === 'account' ? escape['via'] : { kind, secret: typed.escapeSecret.trim() };
  const pace = { per_minute: numberOf(perMinute), ...(burst !== '' && { burst: numberOf(burst) }) };
  return {
    ...rest,
    ...(isPaced ? perMinute !== '' && { rate: pace } : { rate: false }),
    ...(isCapped
      ? perHour !== '' && { per_recipient: { per_hour: numberOf(perHour) } }
      : { per_recipient: false }),
    ...(kind !== '' && via !== undefined && { escape: { ...escape, via } }),
    // An address may be digits, too.
    ...(to !== '' && { canary: { ...sent, to: /^(\+|00)/.test(to) ? digitsOf(to) : to, ...times } }),
    ...(url !== '' && { notify: { ...channel, ...filled({ url, secret }) } }),
  };
}
