import { describe, expect } from 'vitest';
import { subjectOf } from '../../src/ingest/routing/subject.ts';
import { eventOf, factsOf, SAMPLES } from './starters.ts';
import { rule } from './rule.ts';

/** Their webhooks name nothing that a person would know. */
const NAMELESS = new Set(['airtable', 'asana', 'dropbox', 'microsoft-graph', 'cloudevents-abuse-protection']);

describe('the line by which lists show an event', () => {
  rule('is there if anybody is notified, and is tidy', SAMPLES, async (_, provider, sample) => {
    const subject = subjectOf(eventOf(provider, await factsOf(provider, sample), 'en-GB'));
    if (NAMELESS.has(provider.id)) return expect(subject).toBeNull();
    if (subject === null) return expect(sample.silent).toBeDefined();
    expect(subject).toMatch(/[\p{L}\p{N}]/u);
    expect(subject).not.toMatch(/\[object|undefined|\bnull\b|NaN|\n/);
    expect(subject.length).toBeLessThanOrEqual(120);
  });
});
