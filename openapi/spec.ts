import type * as core from 'zod/v4/core';
import type { ProblemName } from './problems.ts';
import type { Tag } from './tags.ts';

/** One route of the admin API: its description, and the schemas of its requests and answers. */
export interface RouteSpec {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** Below `/admin/api/v1`, with `{…}` for its parameters. */
  readonly path: string;
  /** Unique: its name in a generated client. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown without links. */
  readonly description?: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  readonly body?: Body;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Messages after an upgrade to a WebSocket, one text each. */
  readonly frames?: core.$ZodType;
  /** Besides those that every route may give, and those that every route with a body may give. */
  readonly problems?: readonly ProblemName[];
  /** No token is needed. */
  readonly isPublic?: true;
}

/** A parameter of the query, or a header, by the schema that checks it. */
export interface Parameter {
  readonly name: string;
  readonly schema: core.$ZodType;
  readonly description: string;
  readonly example?: string | number;
}

/** A JSON body, by the schema that checks it. */
export interface Body {
  readonly schema: core.$ZodType;
  readonly examples: Examples;
  /** True: it may be left out. */
  readonly isOptional?: boolean;
}

/** A successful answer. */
export interface Answer {
  readonly description: string;
  /** The schema of a JSON answer; absent for other types. */
  readonly schema?: core.$ZodType;
  readonly mediaType?: string;
  readonly examples?: Examples;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Examples by their names. */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The keys of a checked query as parameters, each with its description. */
export function queryOf<Shape extends Readonly<Record<string, core.$ZodType>>>(
  shape: Shape,
  words: Readonly<Record<keyof Shape & string, string | readonly [string, string | number]>>,
): readonly Parameter[] {
  return Object.entries(words).map(([name, said]: [string, string | readonly [string, string | number]]) => {
    const schema = shape[name];
    if (schema === undefined) throw new Error(`no parameter ${name}`);
    return typeof said === 'string'
      ? { name, schema, description: said }
      : { name, schema, description: said[0], example: said[1] };
  });
}
