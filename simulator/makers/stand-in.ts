import type { SimulatedKind } from '../endpoints.ts';
import { ownValue, scalarText } from '../../src/lib/json.ts';
import type { Result } from '../../src/lib/result.ts';

export interface MakerRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON object of the body; null if it is not one. */
  readonly json: Json | null;
  readonly form: ReadonlyMap<string, string> | null;
  readonly bytes: number;
}

/** A call in the words of the gateway's API v2, so that one page shows all. */
export interface MakerCall {
  readonly kind: SimulatedKind;
  readonly to: string | null;
  readonly params: Readonly<Record<string, string>>;
}

export interface MakerAnswer {
  readonly status: number;
  readonly value: unknown;
}

/** The answer with which the original would refuse the request. */
export interface MakerRefusal extends MakerAnswer {
  /** One word for filters and badges. */
  readonly reason: string;
  readonly detail: string;
}

/** A maker's gateway, as its public documents have it. */
export interface StandIn {
  /** The path without credentials, for the list of calls. */
  readonly shown: (path: string) => string;
  /** Reads a request; or returns the original’s answer to one that it refuses. */
  readonly read: (request: MakerRequest) => Result<MakerCall, MakerRefusal>;
  /** By which a message replaces one that the phone has; null: none. Absent: the maker takes no such id. */
  readonly key?: (request: MakerRequest) => string | null;
  readonly success: (call: MakerCall, id: number) => MakerAnswer;
  /** A failure with this HTTP status; 200: an error inside a success, if the maker has that. */
  readonly failure: (status: number, message: string) => unknown;
  /** Answers a question at once that is not a message; null if the call is not a question. */
  readonly ask?: (
    request: MakerRequest,
    calls: readonly { readonly to: string | null }[],
  ) => MakerAnswer | null;
}

export type Json = Readonly<Record<string, unknown>>;

/** Reads a call to one of a maker's endpoints; a text: why the original refuses it. */
export type ReadCall = (json: Json) => Omit<MakerCall, 'to'> | string;

/** The text at a dotted path; '' where there is none. */
export const textAt = (json: unknown, path: string): string => scalarText(ownValue(json, path)) ?? '';

/** The list of texts at a dotted path; null: it is something else. */
export function listAt(json: unknown, path: string): readonly string[] | null {
  const list = ownValue(json, path);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;
}

/** An address of a recording, for makers that send it as any other file. */
export const AUDIO = /\.(mp3|ogg|oga|opus|m4a|aac|wav)(\?|$)/i;

export const given = (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));

export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

export const headerOf = ({ headers }: MakerRequest, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** The keys of a JSON object that are not among these. */
export const unknownKeys = (json: object, known: readonly string[]): readonly string[] =>
  Object.keys(json).filter((key) => !known.includes(key));
