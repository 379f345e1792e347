/** Bounds of memory (bytes) and time (milliseconds; 0: unlimited), named like their settings. */
export type Limits = Readonly<
  Record<`max-${'request-body' | 'response-body' | 'record' | 'error-body' | 'header'}`, number> &
    Record<`${'header' | 'body' | 'idle' | 'connect' | 'answer'}-timeout`, number>
>
