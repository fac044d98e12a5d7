import { useState } from 'preact/hooks';
import { isLoopback } from '../../../src/lib/url.ts';
import { t } from '../../texts/texts.ts';
import { Button, Copy } from '../../ui/basics.tsx';
import { TextField } from '../../ui/form.tsx';
import { newSecret, setsSecret } from './secret-words.ts';

/**
 * The command, or the line, that sets a secret where this relay runs, whole: with the value that somebody pastes or has
 * made here. It stays in this page, and is sent nowhere. `isGiven`: the gateway gives it, so that none is made.
 */
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
