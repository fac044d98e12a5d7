import { useState } from 'preact/hooks';
import { ACCOUNT_NAME } from '../../../src/config/documents/name.ts';
import {
  accountDocument,
  freeAccountName,
  gatewayFacts,
  secretsOfAccount,
  settingsOf,
  type GatewaySetting,
} from '../../../shared/new-source/gateways.ts';
import { ask, Refused } from '../../api/client.ts';
import type { ChangeReceipt } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { FieldErrors, type FieldErrorAnswer } from '../../ui/field-errors.tsx';
import { SelectField, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { SetSecret } from '../sources/connect-secret.tsx';

const FIRST = 'ntfy';

/** Translated where the language has it. */
const words = (text: string): string => t.sources.gatewayWords[text] ?? text;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** A new account: its gateway, what that needs, and its secrets. `taken`: the names of all accounts. */
export function AddAccount({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const [gateway, setGateway] = useState(FIRST);
  // Null: nobody has typed one.
  const [typedName, setName] = useState<string | null>(null);
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [errors, setErrors] = useState<readonly FieldErrorAnswer[]>([]);
  const name = typedName ?? freeAccountName(gateway, taken) ?? '';
  const settings = [...settingsOf(gateway)];
  const { needed, optional } = secretsOfAccount(name, gateway);
  const chosen = gatewayFacts.find(({ id }) => id === gateway);
  const missing = settings.find(([key, { isNeeded }]) => isNeeded && (typed.get(key) ?? '').trim() === '');
  const choose = (id: string): void => {
    setGateway(id);
    setTyped(new Map());
    setErrors([]);
  };
  const save = async (): Promise<void> => {
    setErrors([]);
    if (!ACCOUNT_NAME.test(name)) throw new Error(t.accounts.nameHelp);
    if (taken.includes(name)) throw new Error(t.accounts.taken(name));
    if (missing !== undefined) throw new Error(t.accounts.missing(words(missing[1].what)));
    const written = [...typed].flatMap(([key, value]) =>
      value.trim() === '' ? [] : [[key, value.trim()] as const],
    );
    try {
      await ask<ChangeReceipt>('PUT', `/accounts/${encodeURIComponent(name)}`, {
        body: accountDocument(gateway, new Map(written)),
      });
    } catch (thrown) {
      setErrors(thrown instanceof Refused ? (thrown.problem.errors ?? []) : []);
      throw thrown;
    }
    toast(t.accounts.saved(name));
  };
  return (
    <Confirm title={t.accounts.add} action={t.accounts.save} onConfirm={save} onClose={onClose}>
      <SelectField
        label={t.accounts.gateway}
        value={gateway}
        options={gatewayFacts.map((one) => [one.id, t.sources.gatewayWords[one.name] ?? one.name] as const)}
        onChange={choose}
        {...(chosen && { help: t.sources.costsAndNeeds(words(chosen.costs), words(chosen.needs)) })}
      />
      <TextField label={t.accounts.name} help={t.accounts.nameHelp} value={name} onInput={setName} />
      {settings.map(([key, setting]) => (
        <Setting
          key={`${gateway} ${key}`}
          name={key}
          setting={setting}
          value={typed.get(key) ?? ''}
          onChange={(value) => setTyped(new Map([...typed, [key, value]]))}
        />
      ))}
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
      <FieldErrors errors={errors} />
    </Confirm>
  );
}

function Setting({
  name,
  setting: { what, isNeeded, words: choices },
  value,
  onChange,
}: {
  name: string;
  setting: GatewaySetting;
  value: string;
  onChange: (value: string) => void;
}) {
  const label = t.accounts.settings[name] ?? name;
  const long = words(what);
  // A text that is as short as the label says the same.
  const help = !isNeeded
    ? t.accounts.optional(long)
    : long.length > label.length + 4
      ? sentence(long)
      : undefined;
  return choices === undefined ? (
    <TextField
      label={label}
      help={help}
      value={value}
      onInput={onChange}
      {...(name === 'base_url' && { type: 'url' as const, placeholder: 'https://' })}
    />
  ) : (
    <SelectField
      label={label}
      value={value}
      options={choices.map((one, at) => [at === 0 ? '' : one, one] as const)}
      onChange={onChange}
    />
  );
}
