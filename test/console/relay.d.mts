import type { DocumentSet, ProviderSummary } from '../../console/api/types.ts';

interface Schema {
  readonly safeParse: (value: unknown) => {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly unknown[] };
  };
}

interface Policy {
  readonly rate: { readonly perMinute: number; readonly burst: number } | null;
  readonly perRecipient: { readonly perHour: number } | null;
  readonly escape: { readonly afterMs: number } | null;
  readonly canary: { readonly everyMs: number; readonly withinMs: number } | null;
}

export declare const accountPolicy: (document: object) => Policy;
export declare const documentSchemas: Readonly<Record<keyof DocumentSet, Schema>>;
export declare const EMPTY_SET: DocumentSet;
export declare const sendSchema: Schema;
export declare const providers: ReadonlyMap<string, Omit<ProviderSummary, 'signs'>>;
export declare const REFUSALS: Readonly<Record<string, { readonly type: string }>>;
