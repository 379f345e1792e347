/** Why engines from 1.10 on refuse a repository name; its registry host can be in upper case. */
export function badRepository(repository: string): 'missing' | 'upper case' | undefined {
  if (repository === '') return 'missing'
  const slash = repository.indexOf('/')
  const first = slash === -1 ? '' : repository.slice(0, slash)
  const isHost = /[.:]/.test(first) || first === 'localhost'
  return /[A-Z]/.test(isHost ? repository.slice(slash + 1) : repository) ? 'upper case' : undefined
}
