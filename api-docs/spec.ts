import type * as core from 'zod/v4/core';
import type { ApiRoute, TypedRoute } from '../src/admin/api/route.ts';
import type { AnswerOf } from '../src/schema/api-parts.ts';
import type { Role } from '../src/admin/auth/role.ts';
import type { ProblemName } from './problems.ts';
import type { Tag } from './tags.ts';

/** A route of the admin API, as it is declared beside its handler, and its prose. */
export interface RouteSpec extends Pick<ApiRoute, 'method' | 'path'> {
  /** Null: it needs no login. */
  readonly role: Role | null;
  readonly guesses: readonly string[];
  /** Unique: its name in a generated client. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown without links. */
  readonly description?: string;
  readonly query: readonly ApiParameter[];
  readonly headers?: readonly ApiParameter[];
  readonly body?: Body;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Messages after an upgrade to a WebSocket, one text each. */
  readonly frames?: core.$ZodType;
  /** Besides those that every route may give, and those that every route with a body may give. */
  readonly problems?: readonly ProblemName[];
}

/** A parameter of the query, or a header, by the schema that checks it. */
export interface ApiParameter {
  readonly name: string;
  readonly schema: core.$ZodType;
  readonly description: string;
  readonly example?: string | number;
}

/** A JSON body, by the schema that checks it. */
interface Body {
  readonly schema: core.$ZodType;
  readonly examples: Examples;
  /** True: it may be left out. */
  readonly isOptional: boolean;
}

/** A successful answer. */
export interface DescribedAnswer {
  readonly description: string;
  /** The schema of a JSON answer; absent for other types. */
  readonly schema?: core.$ZodType;
  readonly mediaType?: string;
  readonly examples?: Examples;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Examples by their names. */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The meaning of a parameter, perhaps with an example. */
type Said = string | readonly [string, string | number];

/** The prose of a route, which its declaration does not have. */
interface AnyProse extends Pick<
  RouteSpec,
  'tag' | 'summary' | 'description' | 'headers' | 'frames' | 'problems'
> {
  /** Its answer; `status` where it makes a response of its own. */
  readonly answer: DescribedAnswer & { readonly status?: 101 | 204 };
  readonly query?: Readonly<Record<string, Said>>;
  readonly body?: Examples;
}

/** The same of a route whose types are known. */
type Prose<Route> =
  Route extends TypedRoute<infer Query, infer ABody, infer Value>
    ? AnyProse & ProseOfQuery<Query> & ProseOfBody<ABody> & ProseOfAnswer<Value>
    : AnyProse;

type ProseOfQuery<Query> = [keyof Query] extends [never]
  ? { readonly query?: never }
  : { readonly query: Readonly<Record<keyof Query & string, Said>> };

type ProseOfBody<ABody> = ABody extends core.$ZodUndefined
  ? { readonly body?: never }
  : { readonly body: Examples };

/** A key of an answer that its schema does not have, or has as something else, does not compile. */
type ProseOfAnswer<Value> = [Value] extends [Response]
  ? { readonly answer: { readonly schema?: never } }
  : { readonly answer: { readonly schema: core.$ZodType<Described<Value>> } };

/** A value as a schema describes it: optional keys may also be undefined. */
type Described<Value> = Value extends object
  ? {
      readonly [Key in keyof Value]: object extends Pick<Value, Key>
        ? Described<Value[Key]> | undefined
        : Described<Value[Key]>;
    }
  : Value extends boolean
    ? boolean
    : Value;

/** Stands in for the schema of an answer that has a key which the route does not return. */
interface ItsAnswerIs<Value> {
  readonly answer: { readonly schema: { readonly itsAnswerIs: Value } };
}

/**
 * The other direction of {@link ProseOfAnswer}: a key that the schema has and the answer lacks does not compile either,
 * and neither does an optional key of the answer that the schema lacks.
 */
type NoMoreThanAnswered<Route, Said> =
  Route extends TypedRoute<infer _Query, infer _Body, infer Value>
    ? Said extends { readonly answer: { readonly schema: infer Schema extends core.$ZodType } }
      ? [Value, Keys<AnswerOf<Schema>>] extends [AnswerOf<Schema>, Keys<Value>]
        ? unknown
        : ItsAnswerIs<Value>
      : unknown
    : unknown;

/** A value's keys, optional or not, without the values. */
type Keys<Value> = unknown extends Value
  ? unknown
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Keys<Exclude<Value[Key], undefined>> }
    : 'value';

/**
 * The routes of a group, in the order of their prose. One without prose, with a parameter without, or with the schema of
 * another answer, does not compile.
 */
export function described<
  Routes extends Readonly<Record<string, ApiRoute>>,
  const Said extends { readonly [Id in keyof Routes]: Prose<Routes[Id]> },
>(
  routes: Routes,
  prose: Said & { readonly [Id in keyof Routes]: NoMoreThanAnswered<Routes[Id], Said[Id]> },
): readonly RouteSpec[] {
  const each: readonly (readonly [string, AnyProse])[] = Object.entries(prose);
  return each.map(
    ([
      id,
      {
        query = {},
        body,
        answer: { status, ...answer },
        ...words
      },
    ]) => {
      const route = routes[id];
      if (route === undefined) throw new Error(`no route ${id}`);
      const { method, path, role = null, guesses = [], isBodyOptional = false } = route;
      const { shownBody: schema = route.body } = route;
      return {
        ...words,
        method,
        path,
        role,
        guesses,
        id,
        query: Object.entries(query).map(([name, said]) => parameterOf(route, name, said)),
        ...(schema !== undefined &&
          body !== undefined && { body: { schema, examples: body, isOptional: isBodyOptional } }),
        answers: { [status ?? route.status ?? 200]: answer },
      };
    },
  );
}

function parameterOf({ query = {} }: ApiRoute, name: string, said: Said): ApiParameter {
  const schema = query[name];
  if (schema === undefined) throw new Error(`no parameter ${name}`);
  return typeof said === 'string'
    ? { name, schema, description: said }
    : { name, schema, description: said[0], example: said[1] };
}
