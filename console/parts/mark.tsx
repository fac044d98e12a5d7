import { asset } from '../api/client.ts';
import { useLoad } from '../lib/load.ts';

/** A sender's own mark, or its initial on one of five colours. Decoration: its name stands beside it. */
export function Mark({ id, name }: { id: string; name: string }) {
  const all = useLoad('marks', marks).value;
  const mark = all?.[id];
  const sum = Array.from(name, (letter) => letter.codePointAt(0) ?? 0).reduce((all, one) => all + one, 0);
  if (all !== null && mark === undefined)
    return (
      <span class={`mark ${TONES[sum % TONES.length] ?? ''}`} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
    );
  return (
    <svg class="mark" viewBox="0 0 44 44" aria-hidden="true">
      {mark !== undefined && (
        <>
          <rect width="44" height="44" fill={mark[0]} />
          <path transform="translate(10 10)" fill={mark[1]} d={mark[2]} />
        </>
      )}
    </svg>
  );
}

const TONES = ['good', 'busy', 'warn', 'calm', ''];

type Drawing = readonly [ground: string, ink: string, path: string];

type Marks = Readonly<Record<string, Drawing>>;

let loading: Promise<Marks> | null = null;

/** The marks of senders, by their ids, as `scripts/facts.ts` wrote them. A sender without one has a letter. */
const marks = (): Promise<Marks> => (loading ??= asset<Marks>('/marks.json').then((found) => found ?? {}));
