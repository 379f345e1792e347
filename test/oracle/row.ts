/** The objects that exist before the request, in which `{c}`, `{n}`, `{v}` and `{e}` stand for container, network, volume and exec. */
export type Given = 'nothing' | 'created' | 'running' | 'exited' | 'paused' | 'network' | 'volume' | 'exec' | 'tagged'

/** Stands for any value; the member must only exist. */
export const ANY = '*'

/** The assertions of one test on one answer. */
export interface Row {
  /** The test's name in its source. */
  readonly test: string
  readonly given?: Given
  /** Members of the given container's create body, beside image and command. */
  readonly made?: object
  /** Method and path, without a version. */
  readonly asks: string
  readonly body?: object | string
  readonly type?: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Expected values by path; `ANY`: the member exists. */
  readonly members?: Readonly<Record<string, unknown>>
  /** A part of the answer's text. */
  readonly words?: string
  /** The versions of the engines or clients whose source has the test. */
  readonly ages: readonly string[]
}

/** Rows of one project, with their source. */
export interface Source {
  readonly name: string
  /** The tag and folder of the tests of each version. */
  readonly tags: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
}
