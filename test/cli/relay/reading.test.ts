import { expect, it } from 'vitest';
import * as z from 'zod';
import { reading } from '../../../cli/relay/shapes.ts';

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

it('an answer may have what this version does not know, and is read without it', () => {
  for (const changes of [
    { sent: true, note: 'x' },
    { state: 'paused' },
    { attempts: [{ outcome: 'vanished' }] },
    { id: 'message-7' },
    { tries: 10 },
  ])
    expect(read({ ...changes, newer: 1 }).data).toEqual({ ...GIVEN, ...changes });
  expect(read({ attempts: [{ outcome: 'sent', newer: 1 }] }).data).toEqual(GIVEN);
});

it('an answer is not understood when something that is read is missing or of another type', () => {
  for (const changes of [
    { state: undefined },
    { tries: '1' },
    { id: null },
    { attempts: [7] },
    { params: { message: 7 } },
  ])
    expect([changes, read(changes).success]).toEqual([changes, false]);
});
