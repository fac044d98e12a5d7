import { describe, expect, it } from 'vitest';
import {
  afterCall,
  CLOSED,
  MAX_BACKOFF,
  STEADY_PROBES,
  type Circuit,
} from '../../../src/outbox/state/circuit.ts';
import { ANSWERS, SECOND, START } from '../support.ts';

const POLICY = { failures: 3, probeMs: 30 * SECOND };
const PROBE_AT = START + 30 * SECOND;
const after = (circuit: Circuit, outcome: keyof typeof ANSWERS, now = START): Circuit =>
  afterCall(circuit, ANSWERS[outcome], POLICY, now);

describe('the circuit', () => {
  it('opens after N failures in a row, not before', () => {
    const twice = after(after(CLOSED, 'server_error'), 'unreachable');
    expect(twice).toMatchObject({ failures: 2, probeAt: null });
    expect(after(twice, 'uncertain')).toMatchObject({ failures: 3, probeAt: PROBE_AT });
  });

  it.each(['sent', 'refused', 'busy', 'rejected', 'redirected', 'unauthorized'] as const)(
    'forgets its failures when the gateway answers: %s',
    (outcome) => {
      expect(after({ failures: 2, probeAt: null }, outcome)).toEqual(CLOSED);
    },
  );

  it('knows its last failure and when it was, until the gateway answers', () => {
    const failed = after(after(CLOSED, 'server_error'), 'unreachable', START + SECOND);
    expect(failed.last).toEqual({ at: START + SECOND, detail: ANSWERS.unreachable.detail });
    expect(after(failed, 'sent').last).toBeUndefined();
  });

  it('closes when a probe is answered', () => {
    expect(after({ failures: 3, probeAt: START }, 'sent')).toEqual(CLOSED);
  });

  it('stays open when a probe fails, until a probe later', () => {
    const now = PROBE_AT + SECOND;
    expect(after({ failures: 3, probeAt: PROBE_AT }, 'unreachable', now)).toMatchObject({
      failures: 4,
      probeAt: now + 30 * SECOND,
    });
  });

  it('is probed ever more rarely while the gateway stays down, and at its own pace again after that', () => {
    let circuit: Circuit = { failures: 3, probeAt: START };
    const waits: number[] = [];
    for (let probe = 0; probe < 20; probe += 1) {
      circuit = after(circuit, 'unreachable');
      waits.push(((circuit.probeAt ?? 0) - START) / POLICY.probeMs);
    }
    expect(waits.slice(0, STEADY_PROBES)).toEqual(Array.from({ length: STEADY_PROBES }, () => 1));
    expect(waits.slice(STEADY_PROBES, STEADY_PROBES + 5)).toEqual([2, 4, 8, 10, 10]);
    expect(Math.max(...waits)).toBe(MAX_BACKOFF);
    expect(after(CLOSED, 'server_error')).toMatchObject({ failures: 1, probeAt: null });
  });

  it('stays open after a failed probe even when a publish has raised the number of failures', () => {
    const raised = { failures: 100, probeMs: SECOND };
    expect(afterCall({ failures: 3, probeAt: START }, ANSWERS.uncertain, raised, START).probeAt).toBe(
      START + SECOND,
    );
  });

  it('counts a 503 as a failure, though its message only waits', () => {
    const unavailable = { ...ANSWERS.busy, http_status: 503 };
    expect(afterCall(CLOSED, unavailable, POLICY, START)).toMatchObject({ failures: 1, probeAt: null });
  });

  it.each(['rejected', 'unauthorized'] as const)(
    'learns nothing from a call that was never made: %s without an answer',
    (outcome) => {
      const open: Circuit = { failures: 3, probeAt: START };
      expect(afterCall(open, { outcome, detail: 'not made' }, POLICY, START)).toEqual(open);
      expect(
        afterCall({ failures: 2, probeAt: null }, { outcome, detail: 'not made' }, POLICY, START).failures,
      ).toBe(2);
    },
  );
});
