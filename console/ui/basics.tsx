import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ago, clock, stamp } from '../lib/format.ts';
import { useNow } from '../lib/live.ts';
import type { Loaded } from '../lib/load.ts';
import { useKeys } from '../lib/keys.ts';
import { addressOf, goBack } from '../lib/router.ts';
import { own } from '../texts/relay-texts.ts';
import { t } from '../texts/texts.ts';
import { Icon, type IconName } from './icon.tsx';
import { Coded } from './text.tsx';

export interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName | undefined;
  readonly label?: string;
  readonly look?: 'plain' | 'main' | 'danger' | 'quiet' | Tone | undefined;
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  readonly isPressed?: boolean;
  readonly isExpanded?: boolean;
  readonly onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

export const Button = ({ children, icon, label, look = 'plain', isBusy = false, ...rest }: ButtonProps) => (
  <button
    type={rest.type ?? 'button'}
    class={`button ${look}${children === undefined ? ' only-icon' : ''}`}
    aria-label={label}
    title={label}
    aria-busy={isBusy}
    aria-pressed={rest.isPressed}
    aria-expanded={rest.isExpanded}
    disabled={rest.disabled === true || isBusy}
    onClick={rest.onClick}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm';

/** Of states and outcomes; what is not here is calm. */
const TONES: Readonly<Record<string, Tone>> = {
  sent: 'good',
  active: 'good',
  acknowledged: 'good',
  matched: 'good',
  notified: 'good',
  open: 'busy',
  pending: 'busy',
  waiting: 'busy',
  queued: 'busy',
  sending: 'busy',
  retrying: 'warn',
  uncertain: 'warn',
  partly_failed: 'warn',
  dead: 'bad',
  failed: 'bad',
  expired: 'bad',
};

export const toneOf = (state: string): Tone => own(TONES, state) ?? 'calm';

export const Badge = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

export const State = ({ of }: { of: string }) => (
  <Badge tone={toneOf(of)}>{own<string>(t.states, of) ?? of}</Badge>
);

type TimeProps = { readonly at: string | number; readonly relative?: boolean; readonly class?: string };

/** A moment in the viewer's zone: short, with the whole stamp on hover. `relative`: as a time ago, which goes on. */
export function Time({ at, relative = false, class: look }: TimeProps) {
  const now = useNow(relative ? 10_000 : null);
  return (
    <time class={look} dateTime={new Date(at).toISOString()} title={stamp(at)}>
      {relative ? ago(at, now) : clock(at, now)}
    </time>
  );
}

type CopyProps = { readonly text: string; readonly children?: ComponentChildren; readonly label?: string };

export function Copy({ text, children, label = t.common.copy }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span class="line copy">
      {children ?? <code>{text}</code>}
      <Button
        look="quiet"
        icon={isCopied ? 'check' : 'copy'}
        label={isCopied ? t.common.copied : label}
        onClick={() => void copy()}
      />
    </span>
  );
}

export const IdLink = ({ path, id }: { path: '/events' | '/messages'; id: string }) => (
  <a href={addressOf(`${path}/${id}`)}>
    <code>{id}</code>
  </a>
);

export const SourceLink = ({ id }: { id: string }) => (
  <a href={addressOf(`/sources/${encodeURIComponent(id)}`)}>{id}</a>
);

interface PanelProps {
  readonly title?: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly id?: string;
}

export const Panel = ({ title, aside, children, id }: PanelProps) => (
  <section class="panel" id={id}>
    {(title !== undefined || aside !== undefined) && (
      <header class="flow panel-head">
        {title !== undefined && <h2>{title}</h2>}
        {aside !== undefined && <div class="line end">{aside}</div>}
      </header>
    )}
    {children}
  </section>
);

interface PageHeadProps {
  readonly title: string;
  /** The path of the page that this one is below: it is gone back to, as it was left. */
  readonly back?: string;
  readonly children?: ComponentChildren;
}

/** The heading of a page, its one `h1`; the browser's title follows it. */
export function PageHead({ title, back, children }: PageHeadProps) {
  useKeys(back === undefined ? [] : [{ key: 'u', label: t.events.keyBack, run: () => goBack(back) }]);
  useEffect(() => {
    document.title = `${title} · ${t.common.product}`;
  }, [title]);
  return (
    <header class="flow page-head">
      {back !== undefined && (
        <a
          class="button quiet only-icon"
          href={addressOf(back)}
          aria-label={t.common.back}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            goBack(back);
          }}
        >
          <Icon name="back" />
        </a>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      <div class="flow end page-actions">{children}</div>
    </header>
  );
}

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="stack empty">
    <p class="empty-title">{title}</p>
    {children !== undefined && <div class="stack empty-text">{children}</div>}
  </div>
);

export const Trouble = ({ error, again }: { error: string; again?: (() => void) | undefined }) => (
  <div class="flow trouble bad" role="alert">
    <p>
      <strong>{t.common.failed}.</strong> <Coded text={error} />
    </p>
    {again && <Button onClick={again}>{t.common.again}</Button>}
  </div>
);

export const Loading = () => (
  <div class="stack loading" role="status">
    <span class="unseen">{t.common.loading}</span>
    {[0, 1, 2].map((at) => (
      <span key={at} class="loading-line" aria-hidden="true" />
    ))}
  </div>
);

interface PendingProps {
  readonly of: Pick<Loaded<unknown>, 'value' | 'error' | 'again'> & Partial<Pick<Loaded<unknown>, 'status'>>;
  /** What stands there if there is no such thing. */
  readonly gone?: ComponentChildren;
}

/** What stands in the place of something that is loading, or could not be loaded. */
export function Pending({ of: { value, error, status, again }, gone }: PendingProps) {
  if (error === null) return value === null ? <Loading /> : null;
  return status === 404 && gone !== undefined ? <>{gone}</> : <Trouble error={error} again={again} />;
}

export const Facts = ({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
