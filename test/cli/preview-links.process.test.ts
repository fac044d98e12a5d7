import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, hookbell } from './support.ts';

const SOURCE = `verify: { scheme: none }
locale: en-GB
routes:
  - name: ask
    when: event.type == blank
    to: ['4915112345699']
    actions:
      approve: { label: 'Yes, {{ payload.what }}', expires: 2d }
      decline: { label: 'No' }
    send:
      kind: text
      message: "Ship it?\\n\\n{{ actions.approve.url }}\\n{{ actions.decline.url }}"
  - name: approved
    when: event.type == "action.approve"
    to: ['4915112345699']
    send: { kind: text, message: 'it is shipped' }
`;

const ALERTS = `verify: { scheme: none }
locale: de-DE
routes:
  - name: all
    to: ['4915112345699']
    incident: { key: '{{ payload.id }}' }
    actions: { ack: {}, resolve: {}, silence_4h: { silence: 4h }, silence_night: { silence: '07:00' } }
    send:
      kind: text
      message: "x\\n{{ actions.ack.url }}\\n{{ actions.resolve.url }}\\n{{ actions.silence_4h.url }}\\n{{ actions.silence_night.url }}"
`;

const previewOf = async (document: string, ...more: readonly string[]): Promise<string> => {
  const folder = folderWith({ 'draft.yaml': document });
  const args = ['preview', 'asking', '--draft', join(folder, 'draft.yaml'), '--payload', '{"what":"it"}'];
  const { code, stdout, stderr } = await hookbell([...args, ...more]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

describe('the links of a previewed message', () => {
  it('have a button, an effect, somebody who can press them, and a time', async () => {
    const shown = await previewOf(SOURCE);
    expect(shown).toContain(
      [
        '  │ https://…/a/decline',
        '  approve  “Yes, {{ payload.what }}”',
        '    makes the event action.approve, for the route approved',
        '    4915112345699 can press it for 2d; one press counts for all receivers',
        '  decline  “No”',
        '    makes the event action.decline, which no route names',
        '    4915112345699 can press it for 7d; one press counts for all receivers',
        '',
      ].join('\n'),
    );
  });

  it('of incidents say what a press does to them, with the words that the page has', async () => {
    const shown = await previewOf(ALERTS);
    for (const line of [
      '  ack  “Ich kümmere mich darum”',
      '    acknowledges the incidents: reminders stop, and the others are notified of who has it; makes the event action.ack',
      '  resolve  “Ist behoben”',
      '    resolves the incidents for everybody who was notified, and makes the event action.resolve',
      '  silence_4h  “4 h stummschalten”',
      '    silences the incidents for 4h, and makes the event action.silence_4h',
      '  silence_night  “Bis 07:00 stummschalten”',
      '    silences the incidents until 07:00, and makes the event action.silence_night',
    ])
      expect(shown.split('\n')).toContain(line);
  });

  it('are those that its text has, and not all of its route', async () => {
    const shown = await previewOf(SOURCE.replace('\\n{{ actions.decline.url }}', ''));
    expect(shown).toContain('approve  “Yes');
    expect(shown).not.toContain('decline');
  });

  it('are known of a folder, and of what is published', async () => {
    const folder = folderWith({ 'sources/asking.yaml': SOURCE });
    const args = ['preview', 'asking', '--payload', '{"what":"it"}'];
    const drafted = await hookbell([...args, '--folder', folder]);
    expect(drafted.stdout).toContain('approve  “Yes, {{ payload.what }}”');
    expect((await hookbell(['push', folder, '--yes'])).stderr).not.toContain('error');
    expect((await hookbell(args)).stdout).toBe(drafted.stdout);
  });

  it('are not in the way of programs', async () => {
    expect(JSON.stringify(JSON.parse(await previewOf(SOURCE, '--json')))).not.toContain('one press counts');
  });
});
