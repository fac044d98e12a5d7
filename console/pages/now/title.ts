import { t } from '../../texts/texts.ts';
import type { Finding } from './findings.ts';

/** The line of a card. It contains neither a person's number nor anything from a payload. */
export function titleOf(finding: Finding): string {
  switch (finding.is) {
    case 'paused':
    case 'circuit':
      return t.now[finding.is](finding.account, finding.waiting);
    case 'capped':
      return t.now.capped(finding.account, finding.messages, finding.receivers);
    case 'full':
      return t.now.full(finding.account, Math.round(finding.ratio * 100));
    case 'dead':
    case 'uncertain':
      return t.now[finding.is](finding.count, finding.isLeast);
    case 'failed':
    case 'partly':
      return t.now[finding.is](finding.events.length, finding.isLeast);
    case 'rejected':
      return t.now.rejected(finding.source, finding.count);
    case 'silent':
      return t.now.silent(finding.source, finding.expected);
    case 'incidents':
      return t.now.incidents(finding.of.source, finding.of.unattended, finding.of.critical);
  }
}
