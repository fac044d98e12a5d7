import * as z from 'zod';
import { configVersion, pageOf, time } from './parts.ts';

const version = z
  .object({
    version: configVersion,
    published_at: time,
    by: z.string().meta({ description: 'Who published it: `token`, or whom Cloudflare Access knows.' }),
    note: z.string().meta({ description: 'What was changed, as a short text.' }),
    active: z.boolean().meta({ description: 'Whether it is the one in force.' }),
  })
  .meta({ id: 'Version', description: 'A version of the configuration, without its documents.' });

export const versionPage = pageOf(version, 'VersionPage', 'Versions, newest first.');

const rejection = z
  .object({
    at: time,
    source: z.string(),
    status: z.int().min(400).max(599).meta({ description: "The status of the sender's answer." }),
    reason: z.string().meta({ description: 'Why, as a word, such as `stale` or `mismatch`.' }),
    detail: z.string().meta({ description: 'The same for a person. Never a secret or a piece of the body.' }),
  })
  .meta({ id: 'Rejection', description: 'One webhook that was rejected.' });

export const rejectionPage = pageOf(rejection, 'RejectionPage', 'Rejections, newest first.');
