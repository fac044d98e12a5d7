import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reading } from '../../../cli/relay/reading.ts';

const described = z.object({
  id: z.string().regex(/^msg_[0-9a-z]{16}$/),
  state: z.enum(['queued', 'sent']),
  tries: z.int().min(0).max(9),
  note: z.string().nullable(),
  sent: z.boolean().optional(),
  params: z.record(z.string(), z.string()),
  attempts: z.array(z.object({ outcome: z.enum(['sent']) })),
  payload: z.unknown(),
});

const GIVEN = {
  id: 'msg_00000000bhk7nd0g',
  state: 'queued',
  tries: 1,
  note: null,
  params: { message: 'Hi' },
  attempts: [{ outcome: 'sent' }],
  payload: [1],
};

const read = (changes: object) => reading(described).safeParse({ ...GIVEN, ...changes });

describe('an answer as it is described', () => {
  it('is read', () => {
    expect(reading(described).parse(GIVEN)).toEqual(GIVEN);
    expect(read({ sent: true, note: 'x' }).data).toMatchObject({ sent: true, note: 'x' });
  });

  it.each([
    ['a key', { newer: 1 }],
    ['a state', { state: 'paused' }],
    ['an outcome', { attempts: [{ outcome: 'vanished', newer: 1 }] }],
    ['another form of an id', { id: 'message-7' }],
    ['a larger number', { tries: 10 }],
  ])('may have %s that this version does not know', (_, changes) => {
    expect(read(changes).success).toBe(true);
  });

  it('is read without what this version does not know', () => {
    expect(read({ newer: 1 }).data).toEqual(GIVEN);
  });

  it.each([
    ['lacks what is read', { state: undefined }],
    ['has another type there', { tries: '1' }],
    ['has null where there is always something', { id: null }],
    ['has something else in a list', { attempts: [7] }],
    ['has something else by name', { params: { message: 7 } }],
  ])('is not understood when it %s', (_, changes) => {
    expect(read(changes).success).toBe(false);
  });
});

it('a schema that no reader is made for is a fault of the build, not of an answer', () => {
  expect(() => reading(z.object({ at: z.date() }))).toThrow('there is no reader for a schema of type date');
});
