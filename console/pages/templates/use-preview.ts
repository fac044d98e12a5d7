import { useEffect, useRef, useState } from 'preact/hooks';
import { parseExactJson } from '../../../src/lib/json.ts';
import { get, Refused } from '../../api/client.ts';
import { preview } from '../../api/documents.ts';
import type { EventDetail, PreviewAnswer } from '../../api/types.ts';
import { wordsOf } from '../../lib/load.ts';
import { faultText } from '../../texts/relay-texts.ts';
import { type FieldErrorAnswer, useSettled } from '../../ui/form.tsx';
import type { Doc } from './texts-of-set.ts';

/** The webhook that tests a text. */
export type PreviewedText =
  | { readonly is: 'sample'; readonly name: string }
  | { readonly is: 'event'; readonly id: string }
  | { readonly is: 'pasted'; readonly text: string };

export type RenderedPreview = Extract<PreviewAnswer, { readonly event: unknown }>;

export interface PreviewState {
  /** The last answer there was: it stays while a newer one is asked for, and while the draft is not valid. */
  readonly rendered: RenderedPreview | null;
  readonly errors: readonly FieldErrorAnswer[];
  /** The reason why there is no preview at all, other than the draft. */
  readonly trouble: string | null;
  /** The text that the answer is about. */
  readonly text: Doc | null;
  readonly isLoading: boolean;
}

interface PreviewInput {
  readonly text: Doc;
  readonly source: string;
  readonly draft: Doc;
  readonly subject: PreviewedText;
}

const DEBOUNCE_MS = 300;
const NOTHING: PreviewState = { rendered: null, errors: [], trouble: null, text: null, isLoading: false };

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

async function previewDraft({ source, draft, subject }: PreviewInput): Promise<RenderedPreview> {
  const webhook = await webhookOf(subject);
  const body = { ...draft, ...webhook };
  return preview<RenderedPreview>(source, body);
}

async function webhookOf(subject: PreviewedText): Promise<Doc> {
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
function pasted(text: string): Doc {
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
  const errors = thrown instanceof Refused ? (thrown.problem.errors ?? []) : [];
  const ofDraft = errors.filter(({ path }) => /^(?:templates|sources)\./.test(path));
  if (ofDraft.length > 0) return { errors: ofDraft, trouble: null };
  return { errors: [], trouble: errors[0] === undefined ? wordsOf(thrown) : faultText(errors[0]) };
}
