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

export declare const eventFilter: { readonly text: Schema };
export declare const accountPolicy: (document: object) => Policy;
export declare const documentSchemas: Readonly<Record<keyof DocumentSet, Schema>>;
export declare const EMPTY_SET: DocumentSet;
export declare const sendSchema: Schema;
export declare const isFinal: (state: string) => boolean;
export declare const MESSAGE_STATES: readonly string[];
export declare const providers: ReadonlyMap<string, Omit<ProviderSummary, 'signs'>>;
export declare const PAIRING_MS: number;
export declare const MAX_REJECTIONS: number;
export declare const SPAM_KEPT_MS: number;
export declare const REFUSALS: Readonly<Record<string, { readonly type: string }>>;
