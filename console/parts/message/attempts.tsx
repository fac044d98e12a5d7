import { attemptText } from '../../../shared/gateway-words.ts';
import type { Message } from '../../api/types.ts';
import { duration, number } from '../../lib/format.ts';
import { visibleText } from '../../api/client.ts';
import { pageLanguage } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Time, type Tone } from '../../ui/basics.tsx';
import { Coded } from '../../ui/text.tsx';

type MessageAttempt = Message['attempts'][number];

const TONES: Partial<Readonly<Record<MessageAttempt['outcome'], Tone>>> = {
  sent: 'good',
  uncertain: 'warn',
  busy: 'warn',
};

const WORDS: Readonly<Record<string, string>> = t.messages.outcomes;

/** Every call of the gateway for a message, oldest first. */
export const Attempts = ({ attempts }: { attempts: readonly MessageAttempt[] }) =>
  attempts.length === 0 ? (
    <p class="soft">{t.messages.noAttempts}</p>
  ) : (
    <ol class="attempts">
      {attempts.map((attempt) => {
        const { n, at, outcome, http_status, duration_ms } = attempt;
        const response = visibleText(attempt.response) ?? '';
        const why = attemptText(attempt, pageLanguage);
        return (
          <li key={n}>
            <p class="flow">
              <span class="soft">{t.messages.attempt(number(n))}</span>
              <Badge tone={TONES[outcome] ?? 'bad'}>{WORDS[outcome] ?? outcome}</Badge>
              <span class="flow end soft small">
                {http_status !== undefined && <span>HTTP {http_status}</span>}
                <span>{duration(duration_ms)}</span>
                <Time at={at} />
              </span>
            </p>
            {why !== '' && <Coded as="p" text={why} />}
            {response !== '' && (
              <details>
                <summary>{t.messages.response}</summary>
                <pre tabIndex={0}>{response}</pre>
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
