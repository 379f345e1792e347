type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> } & {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
}

/** The members that are not undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  const kept: Partial<T> = {}
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name]
  return kept as Defined<T>
}
