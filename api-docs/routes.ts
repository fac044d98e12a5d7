import type * as core from 'zod/v4/core';
import { ROUTES as DECLARED } from '../src/admin/admin.ts';
import type { ApiRoute, ApiRoutes } from '../src/admin/api/route.ts';
import type { Role } from '../src/admin/auth/tokens.ts';
import {
  accountProse,
  recipientsProse,
  sourcesProse,
  templatesProse,
  providerProse,
  configProse,
} from './routes/documents.ts';
import { descriptionProse, operationProse, sessionProse } from './routes/operations.ts';
import { eventProse } from './routes/events.ts';
import { incidentProse, onCallProse, silenceProse } from './routes/incidents.ts';
import { messageProse, suppressionProse } from './routes/messages.ts';
import { sourceProse } from './routes/sources.ts';
import type { ApiParameter, BodyProse, NamedBody, DescribedAnswer, ParameterProse, Prose } from './spec.ts';

/** The prose of every route, in the order of the description. A route without it does not compile. */
const PROSE: { readonly [Id in keyof typeof DECLARED]: Prose } = {
  ...sourcesProse,
  ...sourceProse,
  ...templatesProse,
  ...recipientsProse,
  ...onCallProse,
  ...accountProse,
  ...silenceProse,
  ...configProse,
  ...eventProse,
  ...incidentProse,
  ...messageProse,
  ...suppressionProse,
  ...providerProse,
  ...sessionProse,
  ...operationProse,
  ...descriptionProse,
};

export interface RouteSpec
  extends Pick<ApiRoute, 'method' | 'path'>, Omit<Prose, 'query' | 'body' | 'answer'> {
  /** Null: it needs no login. */
  readonly role: Role | null;
  readonly guesses: readonly string[];
  /** Unique: its name in a generated client. */
  readonly id: string;
  readonly query: readonly ApiParameter[];
  readonly body?: BodyProse & { readonly schema: core.$ZodType; readonly isOptional: boolean };
  readonly answer: DescribedAnswer & { readonly status: number };
}

const BY_ID: ApiRoutes = DECLARED;

export const ROUTES: readonly RouteSpec[] = Object.entries<Prose>(PROSE).flatMap(([id, prose]) => {
  const route = BY_ID[id];
  return route === undefined ? [] : [specOf(id, route, prose)];
});

function specOf(id: string, route: ApiRoute, { query = {}, body, answer, ...words }: Prose): RouteSpec {
  const { method, path, role = null, guesses = [], isBodyOptional: isOptional = false } = route;
  const { shownBody: schema = route.body } = route;
  return {
    ...words,
    method,
    path,
    role,
    guesses,
    id,
    query: Object.entries(query).map(([name, said]) => parameterOf(route, name, said)),
    ...(schema !== undefined && body !== undefined && { body: { ...body, schema, isOptional } }),
    answer: { status: route.status ?? 200, ...answer },
  };
}

function parameterOf({ query = {} }: ApiRoute, name: string, said: ParameterProse): ApiParameter {
  const schema = query[name];
  if (schema === undefined) throw new Error(`no parameter ${name}`);
  return typeof said === 'string'
    ? { name, schema, description: said }
    : { name, schema, description: said[0], example: said[1] };
}

export const BODIES: readonly (NamedBody & { readonly schema: core.$ZodType })[] = [
  ...new Map(ROUTES.flatMap(({ body }) => (body?.name === undefined ? [] : [[body.name, body]]))).values(),
];

/** The meanings of their keys, by group: `NewSilence.of` for the object under `of` of a `NewSilence`. */
export const BODY_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  BODIES.flatMap(({ name, keys, inner = {} }) => [
    ...(keys === undefined ? [] : [[name, keys] as const]),
    ...Object.entries(inner).map(([key, words]) => [`${name}.${key}`, words] as const),
  ]),
);
