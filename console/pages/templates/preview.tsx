import { useEffect, useRef, useState } from 'preact/hooks';
import { parseExactJson } from '../../../src/lib/json.ts';
import { get, preview } from '../../api/client.ts';
import type { EventDetail, PreviewAnswer, Written } from '../../api/types.ts';
import { faultsIn, wordsOf } from '../../lib/load.ts';
import { faultText, failureText } from '../../texts/relay-texts.ts';
import { type FieldErrorAnswer, useSettled } from '../../ui/form.tsx';
import { phoneText } from '../../lib/format.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Loading, Trouble } from '../../ui/basics.tsx';
import { Bubble } from '../../ui/bubble.tsx';
import { Held } from './changes.tsx';
import { Coded, RelayText } from '../../ui/text.tsx';

/** The webhook that tests a text. */
export type PreviewedText =
  | { readonly is: 'sample'; readonly name: string }
  | { readonly is: 'event'; readonly id: string }
  | { readonly is: 'pasted'; readonly text: string };

type RenderedPreview = Extract<PreviewAnswer, { readonly event: unknown }>;

const NOTHING = {
  /** The last answer there was: it stays while a newer one is asked for, and while the draft is not valid. */
  rendered: null as RenderedPreview | null,
  errors: [] as readonly FieldErrorAnswer[],
  /** The reason why there is no preview at all, other than the draft. */
  trouble: null as string | null,
  text: null as Written | null,
  isLoading: false,
};

export type PreviewState = Readonly<typeof NOTHING>;

interface PreviewInput {
  readonly text: Written;
  readonly source: string;
  readonly draft: Written;
  readonly subject: PreviewedText;
}

const DEBOUNCE_MS = 300;

/** Asks the relay what the draft makes of the subject, a moment after the last key. Null: nothing to ask. */
export function usePreview(asked: PreviewInput | null): PreviewState {
  const key = useSettled(asked === null ? null : JSON.stringify(asked), DEBOUNCE_MS);
  const latest = useRef(asked);
  latest.current = asked;
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const now = latest.current;
    if (key === null || now === null) {
      setState(NOTHING);
      return undefined;
    }
    const stop = new AbortController();
    setState((old) => ({ ...old, isLoading: true }));
    previewDraft(now).then(
      (rendered) => !stop.signal.aborted && setState({ ...NOTHING, rendered, text: now.text }),
      (thrown: unknown) =>
        !stop.signal.aborted &&
        setState((old) => ({ ...old, ...whyNot(thrown), text: now.text, isLoading: false })),
    );
    return () => stop.abort();
  }, [key]);
  return state;
}

const previewDraft = async ({ source, draft, subject }: PreviewInput): Promise<RenderedPreview> =>
  preview<RenderedPreview>(source, { ...draft, ...(await webhookOf(subject)) });

async function webhookOf(subject: PreviewedText): Promise<Written> {
  switch (subject.is) {
    case 'sample':
      return { sample: subject.name };
    case 'pasted':
      return pasted(subject.text);
    case 'event': {
      const { payload, headers, query } = await readEvent(subject.id);
      return { payload: payload ?? null, headers: headers ?? {}, query: query ?? {} };
    }
  }
}

/** JSON as it is, anything else as a form or a text, which the relay reads. */
function pasted(text: string): Written {
  try {
    return { payload: parseExactJson(text) };
  } catch {
    const isForm = /^[^\s{}[\]<>]+=[^\s]*$/.test(text.trim());
    return isForm
      ? { body: text.trim(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      : { body: text, headers: { 'content-type': 'application/json' } };
  }
}

const events = new Map<string, Promise<EventDetail>>();

/** An event does not change, so it is asked for once while somebody types. */
export function readEvent(id: string): Promise<EventDetail> {
  const known = events.get(id);
  if (known !== undefined) return known;
  const asked = get<EventDetail>(`/events/${encodeURIComponent(id)}`);
  events.clear();
  events.set(id, asked);
  asked.catch(() => events.delete(id));
  return asked;
}

function whyNot(thrown: unknown): Pick<PreviewState, 'errors' | 'trouble'> {
  const errors = faultsIn(thrown);
  const ofDraft = errors.filter(({ path }) => /^(?:templates|sources)\./.test(path));
  if (ofDraft.length > 0) return { errors: ofDraft, trouble: null };
  return { errors: [], trouble: errors[0] === undefined ? wordsOf(thrown) : faultText(errors[0]) };
}

type RoutePreview = RenderedPreview['routes'][number];

/** The number of messages of one route that a person compares. */
const MAX_SHOWN = 20;

interface PhoneProps {
  readonly state: PreviewState;
  readonly ownRoutes: readonly string[];
  /** The parameters with editors, which show their warnings themselves. */
  readonly edited: readonly string[];
}

/** The messages of all receivers for the webhook, and the reasons for those that are not sent. */
export function Phone({ state, ownRoutes, edited }: PhoneProps) {
  const { rendered, trouble, isLoading, errors } = state;
  if (rendered === null)
    return (
      <>
        {trouble !== null && <Trouble error={trouble} />}
        {trouble === null && errors.length > 0 && <p class="soft">{t.templates.fixFirst}</p>}
        {isLoading && <Loading />}
      </>
    );
  const own = rendered.routes.filter(({ route }) => ownRoutes.includes(route));
  const others = rendered.routes.filter(({ route }) => !ownRoutes.includes(route));
  return (
    <div class="stack">
      {trouble !== null && <Trouble error={trouble} />}
      {own.map((route) => (
        <Route
          key={route.route}
          route={route}
          warnings={rendered.warnings.filter(({ parameter = '' }) => !edited.includes(parameter))}
        />
      ))}
      {others.length > 0 && (
        <details class="templates-others" open={own.every(({ messages }) => messages.length === 0)}>
          <summary>{t.templates.otherRoutes(String(others.length))}</summary>
          {others.map((route) => (
            <Route key={route.route} route={route} warnings={rendered.warnings} />
          ))}
        </details>
      )}
      {/* At the end, so that nothing moves while somebody types. */}
      {trouble === null && errors.length > 0 && <p class="note warn">{t.templates.lastValid}</p>}
    </div>
  );
}

function Route({ route, warnings }: { route: RoutePreview; warnings: RenderedPreview['warnings'] }) {
  const { messages, failures, why, result, items, held = [] } = route;
  const shown = messages.slice(0, MAX_SHOWN);
  const heldFor = (phone: string | null) => {
    const until = held.find((one) => one.phone === phone)?.until;
    return until === undefined ? null : <Held until={until} />;
  };
  return (
    <section class="stack">
      <h3 class="flow soft">
        {route.route}
        {result !== 'matched' && (
          <Badge tone={result === 'failed' ? 'bad' : 'calm'}>{t.events.routes.results[result]}</Badge>
        )}
        {items !== undefined && items.length > 0 && <Badge tone="busy">{t.templates.waits}</Badge>}
      </h3>
      {why !== undefined && <RelayText as="p" class="soft" text={why} />}
      {failures.map((failure, at) => (
        <Coded key={at} as="p" class="box bad" text={failureText(failure)} />
      ))}
      {shown.map((message, at) => (
        <div key={at} class="stack tight">
          {shown[at - 1]?.phone !== message.phone && (
            <span class="soft">{message.phone === null ? t.kinds.status : phoneText(message.phone)}</span>
          )}
          <Bubble kind={message.kind} params={message.params} />
          {heldFor(message.phone)}
        </div>
      ))}
      {messages.length > MAX_SHOWN && (
        <p class="soft">{t.templates.andMore(String(messages.length - MAX_SHOWN))}</p>
      )}
      <ul class="small templates-faults">
        {warnings
          .filter((one) => one.route === route.route)
          .map((warning, at) => (
            <li key={at} class="warn">
              {warning.parameter !== undefined && <b>{warning.parameter} </b>}
              <Coded text={faultText(warning)} />
            </li>
          ))}
      </ul>
    </section>
  );
}
