/** Gives `object` a `query` that is parsed when somebody looks at it; most calls have none that anybody does. */
export function withQuery<T extends object>(object: T, search: string): T & { readonly query: URLSearchParams } {
  let parsed: URLSearchParams | undefined
  return Object.defineProperty(object, 'query', {
    enumerable: true,
    get: () => {
      parsed ??= new URLSearchParams(search)
      return parsed
    },
  }) as T & { readonly query: URLSearchParams }
}
