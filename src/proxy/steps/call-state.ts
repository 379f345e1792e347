import type { ErrorForm } from '../../api/errors.ts'
import type { Entry } from '../../audit/entry/entry.ts'
import type { CallObserver } from '../../audit/observer.ts'
import type { Watched } from '../../audit/watched.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { Core } from '../core.ts'

/** What has to be ended with a call, at whichever step it fails. */
export class CallState {
  /** As presented to this client, once it is identified. */
  core: Core
  readonly entry: Entry
  form: ErrorForm
  observer: CallObserver | undefined
  /** Unregisters the call from its container. */
  leave: (() => void) | undefined
  #observed = false

  constructor(core: Core, entry: Entry, form: ErrorForm) {
    this.core = core
    this.entry = entry
    this.form = form
  }

  /** Combines the observers of the call into one; undefined without any. */
  observe(watched: Watched): CallObserver | undefined {
    this.#observed = true
    this.observer = watched.entry.observer
    for (const observe of this.core.observers) this.observer = together(this.observer, observe(watched))
    return this.observer
  }

  /** Whatever fails here, the call counts as ended (`--max-calls` and shutdown wait for that) and is recorded. */
  end(request: ClientRequest): void {
    const { core, entry } = this
    if (request.isCut) entry.endedBy ??= 'client'
    try {
      this.leave?.()
      if (!this.#observed) this.observe({ call: entry.call, entry, request })
      this.observer?.over()
    } finally {
      core.metrics.ended(entry.summary)
      void entry.close()
    }
  }
}

function together(one: CallObserver | undefined, other: CallObserver | undefined): CallObserver | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const tell = (show: (to: CallObserver) => void): void => {
    show(one)
    show(other)
  }
  return {
    request: (head, byEmulation) => tell((to) => to.request(head, byEmulation)),
    response: (side, head) => tell((to) => to.response(side, head)),
    body: (side, chunk) => tell((to) => to.body(side, chunk)),
    stream: (from, chunk) => tell((to) => to.stream(from, chunk)),
    over: () => tell((to) => to.over()),
  }
}
