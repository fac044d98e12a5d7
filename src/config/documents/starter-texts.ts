export type StarterTexts = Readonly<Record<string, string>>;

type Tree = Readonly<Record<string, unknown>>;

export interface Wording {
  /** Each matches at least one of the samples. None: its events make the default message. */
  readonly routes: readonly Tree[];
  readonly templates?: Tree;
  /** Further keys of a source of this provider, such as `verify`. Not `provider`, `secrets` and `routes`. */
  readonly source?: Tree;
}

interface Asks {
  readonly asks?: Readonly<Record<string, { readonly example: string }>>;
}

/** The language of a starter's texts if they do not exist in the source's language. Every starter has them. */
export const FIRST_LANGUAGE = 'en';

/** The language of a locale as files name it: `de` of `de-AT`. */
export const languageOf = (locale: string): string =>
  /^([a-z]{2,3})(?:[-_]|$)/i.exec(locale)?.[1]?.toLowerCase() ?? FIRST_LANGUAGE;

/** `[[name]]` stands for a text of the table. Liquid has no such brackets. */
const TEXT = /\[\[([a-z\d-]+)\]\]/g;

export const withTexts = <Some extends Wording>(starter: Some, texts: StarterTexts): Some =>
  inAllTexts(starter, (text) =>
    text.replace(TEXT, (whole, name: string) =>
      Object.hasOwn(texts, name) ? (texts[name] ?? whole) : whole,
    ),
  );

/** Stands for an answer that only the owner of the account at the provider knows, such as a subdomain. */
const ANSWER = /\[\[ask:([a-z\d-]+)\]\]/g;

/** Leaves out lines whose answer is missing. A value that is nothing but an answer gets the example in place of it. */
export const withAnswers = <Some extends Wording & Asks>(
  starter: Some,
  answers: Readonly<Record<string, string>>,
): Some =>
  inAllTexts(starter, (text) => {
    const filled = text.replace(ANSWER, (whole, name: string) => {
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      return answer || (text === whole && starter.asks?.[name]?.example) || whole;
    });
    return filled.replaceAll(/\n[^\n]*\[\[ask:[a-z\d-]+\]\][^\n]*/g, '');
  });

/** True if a value is nothing but the answer. */
export const isValue = (name: string, { routes = [] }: { readonly routes?: unknown }): boolean =>
  JSON.stringify(routes).includes(`"[[ask:${name}]]"`);

export function withExamples<Some extends Wording & Asks>(starter: Some): Some {
  const examples = Object.entries(starter.asks ?? {}).map(([name, { example }]) => [name, example] as const);
  return withAnswers(starter, Object.fromEntries(examples));
}

/** True if the source itself needs the answer, and not only a link. The answer is then required. */
export const isNeeded = (name: string, { source = {} }: Pick<Wording, 'source'>): boolean =>
  JSON.stringify(source).includes(`[[ask:${name}]]`);

function inAllTexts<Some extends Wording>(starter: Some, change: (text: string) => string): Some {
  const { routes, templates, source } = starter;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the same but for its texts
  const changed = JSON.parse(JSON.stringify({ routes, templates, source }), (_, value: unknown) =>
    typeof value === 'string' ? change(value) : value,
  ) as Wording;
  return { ...starter, ...changed };
}
