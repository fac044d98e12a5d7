import type { LoadedConfig } from './config.ts';

/**
 * The language of a source (BCP 47); English if the source cannot be read. Never throws, since a later deploy may have
 * written the source.
 */
export function localeOf(config: Pick<LoadedConfig, 'sources'> | null, source: string | null): string {
  try {
    return config?.sources.get(source ?? '')?.locale.locale ?? 'en';
  } catch {
    return 'en';
  }
}
