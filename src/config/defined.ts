type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> } & {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
}

/** The members that are not undefined. */
export const defined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>
