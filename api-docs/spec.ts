import type * as core from 'zod/v4/core';
import type { ROUTES } from '../src/admin/admin.ts';
import type { TypedRoute } from '../src/admin/api/route.ts';
import type { AnswerOf } from '../src/schema/api-parts.ts';
import type { REFUSALS } from '../src/admin/request/input.ts';

/** The nouns that the routes are grouped by, in the order in which they are shown. */
export const TAGS = {
  sources: 'Systems that post webhooks to `/hooks/{id}`, and the routes that turn them into messages.',
  templates: 'Messages with placeholders that several routes share.',
  recipients: 'Named lists of receivers.',
  silences: 'Periods without certain notifications, from documents or added by hand.',
  accounts: 'Gateway logins: the pace and the status of each.',
  config:
    'The whole configuration at once, and its versions. Each write of a document publishes a version, too. A version has a number and never changes. It is active at once where it was published, and everywhere within 60 seconds.',
  events: 'Verified webhooks with any result, and rejected ones.',
  incidents: 'Problems that open and resolve, and their notifications.',
  messages: 'Messages that were sent, are being sent, or failed.',
  suppressions: 'Receivers who have opted out.',
  providers: 'Built-in kinds of sources: verification, samples, starter routes.',
  sessions: 'Signed-in browsers.',
  operations: 'The state of the relay itself.',
  description: 'This description of the API.',
} as const;

export type Tag = keyof typeof TAGS;

export interface ApiParameter {
  readonly name: string;
  readonly schema: core.$ZodType;
  readonly description: string;
  readonly example?: string | number;
}

export interface Prose {
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown without links. */
  readonly description?: string;
  readonly query?: Readonly<Record<string, ParameterProse>>;
  readonly headers?: readonly ApiParameter[];
  readonly body?: BodyProse;
  /** The answer of a success; `status` if the handler makes a response of its own. */
  readonly answer: DescribedAnswer & { readonly status?: 204 };
  /** Besides those of every route of its kind: see `problemsOf`. */
  readonly problems?: readonly ProblemName[];
}

export type ProblemName = keyof typeof REFUSALS;

export type ParameterProse = string | readonly [string, string | number];

/** The prose of a body that is no document. */
export interface NamedBody {
  readonly name: string;
  readonly about: string;
  readonly keys?: Readonly<Record<string, string>>;
  /** The meanings of the keys of objects in it, by the keys that hold these or by their kinds. */
  readonly inner?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly examples: Examples;
}

/** The prose of a body. That of a document is in `descriptions.ts`. */
export type BodyProse = NamedBody | { readonly name?: never; readonly examples: Examples };

export interface DescribedAnswer {
  readonly description: string;
  /** The schema of a JSON answer; absent for other types. */
  readonly schema?: core.$ZodType;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By their names. */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The prose of one route: of its query, its body and its answer, if it has them, and of nothing else. */
type ProseOf<Route, Given> =
  Route extends TypedRoute<infer Query, infer Body, infer Answer>
    ? Omit<Prose, 'tag'> &
        ([keyof Query] extends [never]
          ? { readonly query?: never }
          : { readonly query: Readonly<Record<keyof Query & string, ParameterProse>> }) &
        (Body extends core.$ZodUndefined ? { readonly body?: never } : { readonly body: BodyProse }) &
        ([Answer] extends [Response]
          ? { readonly answer: { readonly schema?: never } }
          : { readonly answer: { readonly schema: SchemaOf<Answer, Given> } })
    : never;

/** The given schema, if it has the keys of the answer and no other; if not, a type that says which answer it is. */
type SchemaOf<Answer, Given> = Given extends {
  readonly answer: { readonly schema: infer Schema extends core.$ZodType };
}
  ? [Answer, Keys<AnswerOf<Schema>>] extends [AnswerOf<Schema>, Keys<Answer>]
    ? Schema
    : { readonly itsAnswerIs: Answer }
  : core.$ZodType;

/** A value's keys, optional or not, without the values. */
type Keys<Value> = unknown extends Value
  ? unknown
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Keys<Exclude<Value[Key], undefined>> }
    : 'value';

type Routes = typeof ROUTES;

/** The prose of the routes of a tag. If it does not fit them, it does not compile. */
export const prose = <
  const Given extends {
    readonly [Id in keyof Given]: Id extends keyof Routes ? ProseOf<Routes[Id], Given[Id]> : never;
  },
>(
  tag: Tag,
  given: Given,
): { readonly [Id in keyof Given]: Prose } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each has got what it lacked
  Object.fromEntries(Object.entries<Omit<Prose, 'tag'>>(given).map(([id, one]) => [id, { ...one, tag }])) as {
    readonly [Id in keyof Given]: Prose;
  };

export const PAGE = {
  limit: 'The maximum number of items in a page.',
  cursor: 'Where to continue: the `next_cursor` of the page before.',
} as const;
