import * as z from 'zod/mini';

/**
 * A documented value as a reader of any version takes it: a word of a list (a state, an outcome) may be a new one, and
 * the only word that a key can have may not.
 */
export type Read<T, Whole = T> = unknown extends T
  ? unknown
  : T extends string
    ? [Whole] extends [T]
      ? T
      : string
    : T extends readonly (infer Item)[]
      ? Read<Item>[]
      : T extends object
        ? { [Key in keyof T]: Read<T[Key]> }
        : T;

/**
 * The reader of an answer that an `api-*.ts` file of `src` describes. It asks for the described keys and their types, and for
 * nothing else: a relay of another version may say more, and how a time or an id is written is the relay's to keep.
 */
export const reading = <Schema extends z.core.$ZodType>(
  schema: Schema,
): z.ZodMiniType<Read<z.output<Schema>>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `readerOf` does to the schema what `Read` does to its type
  readerOf(schema) as z.ZodMiniType<Read<z.output<Schema>>>;

function readerOf(schema: z.core.$ZodType): z.ZodMiniType {
  if (schema instanceof z.core.$ZodObject) return z.object(readersOf(schema._zod.def.shape));
  if (schema instanceof z.core.$ZodUnion) return z.union(schema._zod.def.options.map(readerOf));
  if (schema instanceof z.core.$ZodLiteral) return z.literal(schema._zod.def.values);
  if (schema instanceof z.core.$ZodArray) return z.array(readerOf(schema._zod.def.element));
  if (schema instanceof z.core.$ZodNullable) return z.nullable(readerOf(schema._zod.def.innerType));
  if (schema instanceof z.core.$ZodOptional) return z.optional(readerOf(schema._zod.def.innerType));
  if (schema instanceof z.core.$ZodRecord) return z.record(z.string(), readerOf(schema._zod.def.valueType));
  if (schema instanceof z.core.$ZodString || schema instanceof z.core.$ZodEnum) return z.string();
  if (schema instanceof z.core.$ZodNumber) return z.number();
  if (schema instanceof z.core.$ZodBoolean) return z.boolean();
  if (schema instanceof z.core.$ZodUnknown) return z.unknown();
  throw new Error(`there is no reader for a schema of type ${schema._zod.def.type}`);
}

const readersOf = (shape: z.core.$ZodShape): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, readerOf(schema)]));
