import type { DocumentSet, ProviderSummary } from '../../console/api/types.ts';

interface Schema {
  readonly safeParse: (value: unknown) => {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly unknown[] };
  };
}

export declare const documentSchemas: Readonly<Record<keyof DocumentSet, Schema>>;
export declare const EMPTY_SET: DocumentSet;
export declare const sendSchema: Schema;
export declare const isFinal: (state: string) => boolean;
export declare const MESSAGE_STATES: readonly string[];
export declare const providers: ReadonlyMap<string, Omit<ProviderSummary, 'signs'>>;
