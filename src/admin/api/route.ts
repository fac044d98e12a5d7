import type * as z from 'zod/mini';
import type { View } from '../../registry/view.ts';
import type { Identity } from '../auth/login.ts';
import type { Role } from '../auth/tokens.ts';

declare const DECLARED: unique symbol;

export interface ApiRoute {
  /** Only {@link apiRoute} and {@link publicRoute} make routes: a plain object would be answered without a login. */
  readonly [DECLARED]: true;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below `/admin/api/v1`, with `{…}` for the names in it. */
  readonly path: string;
  /** The least role that may call it. Absent if the route needs no login. */
  readonly role?: Role;
  readonly view?: unknown;
  /** Parameters that viewers may not use. They would confirm a number or a text that a viewer guesses. */
  readonly guesses?: readonly string[];
  /** The query parameters. A route without `query` takes none. */
  readonly query?: z.core.$ZodShape;
  readonly body?: z.core.$ZodType;
  /** True if the body may be left out. It is `{}` then. */
  readonly isBodyOptional?: true;
  /** The schema for the API's description, where `body` takes anything because the handler checks it. */
  readonly shownBody?: z.core.$ZodType;
  readonly status?: 201 | 202;
  /** Takes a call that the schemas have checked. */
  readonly handle: (call: never) => Promise<unknown>;
}

export type ApiRoutes = Readonly<Record<string, ApiRoute>>;

/** An {@link ApiRoute} with the types that the API's description has to fit. */
export interface TypedRoute<Query, Body, Answer> extends ApiRoute {
  /** For the types only. It has no value. */
  readonly types?: { readonly query: Query; readonly body: Body; readonly answer: Answer };
}

export class WithHeaders<Answer> {
  readonly value: Answer;
  readonly headers: Readonly<Record<string, string>>;

  constructor(value: Answer, headers: Readonly<Record<string, string>>) {
    this.value = value;
    this.headers = headers;
  }
}

/** Method and path: `GET /messages/{id}`. */
type At = `${ApiRoute['method']} /${string}`;

/** The names in a path: `id` of `/messages/{id}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

interface Declared<
  Path extends string,
  Query extends z.core.$ZodShape,
  Body extends z.core.$ZodType,
  Answer,
  Caller,
> extends Pick<ApiRoute, 'isBodyOptional' | 'shownBody' | 'status'> {
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: (
    call: {
      readonly env: Env;
      readonly request: Request;
      readonly params: Readonly<Record<NamesIn<Path>, string>>;
      readonly query: z.output<z.ZodMiniObject<Query, z.core.$strict>>;
      readonly body: z.output<Body>;
    } & Caller,
  ) => Promise<Answer | WithHeaders<Answer> | Response>;
}

/** A route for viewers also has the view of its answer. */
type Seeing<Needed extends Role, Seen, Query> = Needed extends 'viewer'
  ? { readonly view: Seen; readonly guesses?: readonly NoInfer<keyof Query & string>[] }
  : { readonly view?: never; readonly guesses?: never };

/** `own`: about the viewer alone, shown unchanged. `labels`: metrics, whose labels are masked. `empty`: it has no body. */
type AnswerView<Answer> = View<Answer> | 'own' | 'labels' | 'empty';

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- it is the shape of no parameters
type NoQuery = Record<never, never>;

export const apiRoute = <
  const Path extends At,
  Needed extends Role,
  Answer,
  const Seen = 'empty',
  Query extends z.core.$ZodShape = NoQuery,
  Body extends z.core.$ZodType = z.ZodMiniUndefined,
>(
  at: Path,
  role: Needed,
  declared: Seeing<Needed, Seen, Query> & Declared<Path, Query, Body, Answer, { readonly login: Identity }>,
) => {
  // Without a view of each field of its answer it is no `ApiRoute`, so the build fails.
  type Route =
    Seen extends AnswerView<Answer>
      ? TypedRoute<Query, Body, Answer>
      : { readonly itsViewIsNot: AnswerView<Answer> };
  return routeAt<Route>(at, { ...declared, role });
};

export const publicRoute = <
  const Path extends At,
  Answer,
  Query extends z.core.$ZodShape = NoQuery,
  Body extends z.core.$ZodType = z.ZodMiniUndefined,
>(
  at: Path,
  declared: Declared<Path, Query, Body, Answer, object>,
) => routeAt<TypedRoute<Query, Body, Answer>>(at, declared);

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- of types that no value has
function routeAt<Route>(at: At, declared: object): Route {
  const [method, path] = at.split(' ');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the types of view and answer are compared
  return { ...declared, method, path } as unknown as Route;
}
