import packageFile from '../package.json' with { type: 'json' };
import { describeApi } from './document.ts';

/** Committed, so that its changes are seen. */
export const OPENAPI_FILE = 'assets/admin/openapi.json';

export const openapiFile = (): string => `${JSON.stringify(describeApi(packageFile.version), null, 1)}\n`;
