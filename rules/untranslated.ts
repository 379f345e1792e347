/**
 * Known differences for which nothing is to be done, each with the reason. Together with the rules they cover every id of
 * test/golden/changes.json (a test counts).
 */
export interface Untranslated {
  readonly id: string
  readonly reason: string
}

export const untranslated: readonly Untranslated[] = [
  // 1.19
  // 1.20
  // 1.21
  // 1.22
  // 1.23
  // 1.24
  // 1.25
  // 1.26
  // 1.27
  // 1.28
  // 1.29
  // 1.30
  // 1.31
  // 1.32
  // 1.33
  // 1.34
  // 1.35
  // 1.36
  // 1.37
  // 1.38
  // 1.39
  // 1.40
  // 1.41
  // 1.42
  // 1.43
  // 1.44
  // 1.45
  // 1.46
  // 1.47
  // 1.48
  // 1.49
  // 1.50
  // 1.51
  // 1.52
  // 1.53
  // 1.54
  // 1.55
  // 1.56
]
