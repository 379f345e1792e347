import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedCli, recordedDockerode } from '../clients/recorded.ts'
import { type Program, perform, STEPS } from '../clients/steps.ts'
import { dockerCommand } from '../support/docker-command.ts'
import { RECORDED_ENGINES } from './exchange.ts'
import { replayStage } from './support.ts'

const LIMIT_MS = 120_000

async function failures(program: Program): Promise<string[]> {
  const report = await perform(program)
  return STEPS.flatMap((step) => {
    const outcome = report[step]
    return outcome.kind === 'works' ? [] : [`${step}: ${outcome.why}`]
  })
}

const docker = await dockerCommand()

describe.each(RECORDED_ENGINES)('before a recorded Engine %s', (name) => {
  const stage = replayStage(name)

  test.each(['1.18', '1.22', '1.24', '1.32', '1.41', '1.44', '1.51', '1.52'])(
    'dockerode at v%s creates, starts, reads, attaches, runs, inspects, watches, builds, copies and removes',
    { timeout: LIMIT_MS },
    async (version) => expect(await failures(recordedDockerode(stage.socket(), version))).toEqual([]),
  )

  test.runIf(docker !== undefined).each(['1.24', undefined])(
    'docker with DOCKER_API_VERSION %s does the same',
    { timeout: LIMIT_MS },
    async (version) => {
      const folder = join(stage.folder(), `cli-${version ?? 'negotiated'}`)
      const settings = {
        file: docker ?? '',
        socket: stage.socket(),
        version,
        buildkit: false,
        folder,
        plugins: undefined,
      }
      expect(await failures(recordedCli(settings))).toEqual([])
    },
  )
})
