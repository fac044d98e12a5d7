import {
  type MessageKind,
  listIn,
  LIST_LENGTH,
  paramsOf as namedParams,
  joinPollOptions,
} from '../../../src/gateway/kinds.ts';

/** The typed values, by the gateway's names of parameters. Those of a list are apart. */
export interface Typed {
  readonly texts: Readonly<Record<string, string>>;
  readonly options: readonly string[];
}

export const NOTHING_TYPED: Typed = { texts: {}, options: ['', ''] };

export const textsOf = (kind: MessageKind): ReturnType<typeof namedParams> =>
  namedParams(kind).filter(([, { holds }]) => holds !== 'list');

const given = (kind: MessageKind, { texts }: Typed): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textsOf(kind).flatMap(([name, { isOptional }]): [string, string][] => {
      const value = texts[name] ?? '';
      return value === '' && isOptional === true ? [] : [[name, value]];
    }),
  );

const optionsIn = ({ options }: Typed): readonly string[] => options.filter((one) => one.trim() !== '');

/** The parameters as `POST /messages` takes them. */
export function bodyOf(kind: MessageKind, typed: Typed): Readonly<Record<string, unknown>> {
  const list = listIn(kind);
  return { kind, ...given(kind, typed), ...(list !== undefined && { [list]: optionsIn(typed) }) };
}

/** The same as the gateway gets them, for the bubble. */
export function paramsOf(kind: MessageKind, typed: Typed): Readonly<Record<string, string>> {
  const list = listIn(kind);
  if (list === undefined) return given(kind, typed);
  const joined = joinPollOptions(optionsIn(typed));
  return { ...given(kind, typed), [list]: joined.ok ? joined.value : optionsIn(typed).join('') };
}

export const isEmpty = (kind: MessageKind, typed: Typed): boolean =>
  Object.values(given(kind, typed)).every((text) => text.trim() === '');

/** Errors while typing, as keys of the texts. The relay reports all others. */
type InputFault = 'required' | 'address' | 'twoOptions';

export function faultsOf(kind: MessageKind, typed: Typed): Readonly<Record<string, InputFault>> {
  const faults: Record<string, InputFault> = {};
  for (const [name, { holds, isOptional }] of textsOf(kind)) {
    const text = (typed.texts[name] ?? '').trim();
    if (text === '') {
      if (isOptional !== true) faults[name] = 'required';
    } else if (holds === 'url' && !isAddress(text)) faults[name] = 'address';
  }
  const list = listIn(kind);
  if (list !== undefined && optionsIn(typed).length < LIST_LENGTH.min) faults[list] = 'twoOptions';
  return faults;
}

const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
