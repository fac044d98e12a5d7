import type { ComponentChildren } from 'preact';
import { readMarkdown } from '../../../shared/markdown.ts';
import { formHtml } from '../../../shared/new-source/form-html.ts';
import { addressOfSource, setUpSteps } from '../../../shared/new-source/plan.ts';
import { isLoopback } from '../../../src/lib/url.ts';
import type { ProviderAnswer, Written } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Button, Copy, Panel } from '../../ui/basics.tsx';
import { newSecret, secretNames, setsSecret } from './model.ts';
import { useState } from 'preact/hooks';
import { TextField } from '../../ui/form.tsx';

interface ConnectProps {
  readonly id: string;
  readonly source: Written;
  readonly provider: ProviderAnswer;
  /** Those of its secrets that are not set; null: not known yet. */
  readonly missing: ReadonlySet<string> | null;
  readonly isChecking: boolean;
  readonly onCheck: () => void;
  /** The way in which the provider hands over its key, if it does. */
  readonly pairing?: ComponentChildren;
}

export function Connect({ id, source, provider, pairing, missing, isChecking, onCheck }: ConnectProps) {
  const names = secretNames(source);
  const { setup = '', secret } = provider;
  // The secret as the provider's guide names it, and as this source does.
  const own = secret === undefined || names[0] === undefined ? null : ([secret.name, names[0]] as const);
  const form = formHtml(source, addressOf(id, source));
  return (
    <Panel title={t.sources.connect(provider.name)}>
      <ol class="sources-steps">
        <li>
          <h3>{t.sources.giveAddress}</h3>
          <Address id={id} source={source} />
          {isLoopback(location.hostname) && <p class="soft">{t.sources.onlyHere}</p>}
        </li>
        {setup !== '' && (
          <li>
            <h3>{t.sources.click}</h3>
            <Markdown text={setUpSteps(setup, location.origin, id, own)} />
            {provider.docs_url !== undefined && /^https?:\/\//.test(provider.docs_url) && (
              <p>
                <a class="sources-docs" href={provider.docs_url} target="_blank" rel="noopener noreferrer">
                  {t.sources.docs(provider.name)}
                </a>
              </p>
            )}
          </li>
        )}
        {form !== null && (
          <li>
            <h3>{t.sources.formHtml}</h3>
            <Code text={form.html} />
            {form.script !== '' && (
              <>
                <p>{t.sources.formScript}</p>
                <Code text={form.script} />
              </>
            )}
          </li>
        )}
        {pairing !== undefined && (
          <li>
            <h3>{t.sources.pairing}</h3>
            {pairing}
          </li>
        )}
        {names.length > 0 && (
          <li>
            <h3>{t.sources.setSecrets(names.length)}</h3>
            <ul class="stack">
              {names.map((name, at) => (
                <li class="stack" key={name}>
                  <p class="flow">
                    <code>{name}</code>
                    <Badge tone={missing === null ? 'calm' : missing.has(name) ? 'bad' : 'good'}>
                      {missing === null
                        ? t.sources.checking
                        : missing.has(name)
                          ? t.sources.notSet
                          : t.sources.isSet}
                    </Badge>
                  </p>
                  {missing?.has(name) === true && (
                    <>
                      <SetSecret name={name} />
                      {at === 0 && secret?.hint !== undefined && (
                        <p class="soft">{secret.hint.replaceAll('`', '')}</p>
                      )}
                    </>
                  )}
                </li>
              ))}
            </ul>
            {(missing === null || names.some((name) => missing.has(name))) && (
              <Button icon="retry" isBusy={isChecking} onClick={onCheck}>
                {t.doctor.again}
              </Button>
            )}
          </li>
        )}
      </ol>
    </Panel>
  );
}

const Code = ({ text }: { text: string }) => (
  <>
    <Copy text={text}>
      <span class="soft">{t.common.copy}</span>
    </Copy>
    <pre tabIndex={0}>{text}</pre>
  </>
);

const addressOf = (id: string, source: Written): string =>
  addressOfSource(location.origin, id, source['verify'], secretNames(source)[0]);

export const Address = ({ id, source }: { id: string; source: Written }) => (
  <Copy text={addressOf(id, source)} label={t.sources.giveAddress}>
    <code class="box">{addressOf(id, source)}</code>
  </Copy>
);

function Markdown({ text }: { text: string }) {
  const lines = readMarkdown(text).filter(({ pieces }) => pieces.length > 0);
  const isList = lines.length > 0 && lines.every(({ bullet }) => bullet !== '');
  const List = /\d/.test(lines[0]?.bullet ?? '') ? 'ol' : 'ul';
  const [All, Line] = isList ? ([List, 'li'] as const) : (['div', 'p'] as const);
  return (
    <All class="markdown">
      {lines.map(({ bullet, pieces }, at) => (
        <Line key={at} class={isList || bullet === '' ? undefined : 'markdown-item'}>
          {pieces.map(({ text, look: Look, href }, at) =>
            href !== undefined ? (
              <a key={at} href={href} target="_blank" rel="noopener noreferrer">
                {text}
              </a>
            ) : Look === undefined ? (
              text
            ) : (
              <Look key={at}>{text}</Look>
            ),
          )}
        </Line>
      ))}
    </All>
  );
}

/** What sets a secret where this relay runs. Its value is sent nowhere. `isGiven`: by the gateway, so that none is made. */
export function SetSecret({ name, isGiven = false }: { name: string; isGiven?: boolean }) {
  const [value, setValue] = useState('');
  const [made, setMade] = useState('');
  return (
    <div class="stack">
      <TextField
        label={t.sources.secretValue(name)}
        help={isGiven ? t.accounts.secretHelp : t.sources.secretValueHelp}
        value={value}
        onInput={(typed) => setValue(typed.trim())}
      />
      {value === '' ? (
        !isGiven && (
          <p>
            <Button
              icon="plus"
              onClick={() => {
                const secret = newSecret();
                setMade(secret);
                setValue(secret);
              }}
            >
              {t.sources.makeSecret}
            </Button>
          </p>
        )
      ) : (
        <>
          {/* One that was pasted is there already. */}
          {value === made && (
            <p>
              {t.sources.theSecret} <Copy text={value} label={t.sources.copySecret(name)} />
            </p>
          )}
          <p>{isLoopback(location.hostname) ? t.sources.setHere : t.sources.setDeployed}</p>
          <p>
            <Copy text={setsSecret(name, value, location.hostname)} label={t.common.copy} />
          </p>
        </>
      )}
    </div>
  );
}
