import * as z from 'zod/mini';
import { KIND_NAMES, LIST_LENGTH, MAX_PARAM_LENGTH, MESSAGE_KINDS } from '../../gateway/kinds.ts';
import type { MessageKind, ParamsOf } from '../../gateway/kinds.ts';
import { suggest } from '../../lib/suggest.ts';
import { listOf, someText, strictDocument } from '../../schema/parts.ts';

const text = someText(MAX_PARAM_LENGTH);
const list = (name: string) => listOf(text, name, LIST_LENGTH);

type Value<P> = P extends { holds: 'list' } ? ReturnType<typeof list> : typeof text;
type Property<P> = P extends { isOptional: true } ? z.ZodMiniOptional<Value<P>> : Value<P>;
type Shape<K extends MessageKind> = { kind: z.ZodMiniLiteral<K> } & {
  -readonly [N in keyof ParamsOf<K>]: Property<ParamsOf<K>[N]>;
};
type SchemaOfKind<Keys extends z.core.$ZodShape> = {
  [K in MessageKind]: z.ZodMiniObject<Shape<K> & Keys, z.core.$strict>;
}[MessageKind];

/** The schema of a message of any kind: the kind and its parameters as `gateway/kinds.ts` declares them, and `keys`. */
export const messageOf = <Keys extends z.core.$ZodShape>(keys: Keys) =>
  z.discriminatedUnion(
    'kind',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of the declarations that its type is made of
    KIND_NAMES.map((kind) => strictDocument({ ...shapeOf(kind), ...keys })) as unknown as [
      SchemaOfKind<Keys>,
      ...SchemaOfKind<Keys>[],
    ],
    { error: kindError },
  );

const shapeOf = (kind: MessageKind): z.core.$ZodShape => ({
  kind: z.literal(kind),
  ...Object.fromEntries(
    Object.entries(MESSAGE_KINDS[kind].params).map(([name, { holds, isOptional }]) => {
      const value = holds === 'list' ? list(name) : text;
      return [name, isOptional === true ? z.optional(value) : value];
    }),
  ),
});

/** The error for a message of an unknown kind. It suggests a known kind if one is close. */
function kindError({ input }: { readonly input?: unknown }): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return 'must be a template: a `kind` and its parameters';
  const given: unknown = Reflect.get(input, 'kind');
  const close = typeof given === 'string' ? suggest(given, KIND_NAMES) : null;
  const hint = close === null ? '' : `; did you mean \`${close}\`?`;
  return `${given === undefined ? 'is required:' : 'must be'} one of ${KIND_NAMES.join(', ')}${hint}`;
}
