import { memberAt, stringOf } from '../../src/api/json/json.ts'
import { operationNames } from '../../src/api/operations.ts'
import type { ErrorTextsOptions } from '../../src/translate/ops/calls/error-texts.ts'
import { type Change, errorTexts } from '../../src/translate/ops.ts'

const policy = { Name: 'always', MaximumRetryCount: 1 }

export const restartPolicyWords = {
  summary: 'The errors of restart policies are worded differently.',
  see: 'daemon/container.go @v24.0, api/types/container/hostconfig.go @v25.0; recordings 20.10, 26.1 and 28.5, create-hc-restart',
  ops: errorTexts(
    `
    ContainerCreate ContainerUpdate
      invalid restart policy: unknown policy '{policy}'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'
        invalid restart policy '{policy}'
      invalid restart policy: maximum retry count cannot be negative
        maximum retry count cannot be negative
      invalid restart policy: maximum retry count can only be used with 'on-failure'
      invalid restart policy: maximum retry count {rest}
        maximum retry count cannot be used with restart policy '{asked}'
    `,
    {
      everyProfile: true,
      holes: {
        asked: ({ body }) =>
          stringOf(memberAt(body, 'HostConfig', 'RestartPolicy', 'Name') ?? memberAt(body, 'RestartPolicy', 'Name')),
      },
      remembers: ['ContainerCreate', 'ContainerUpdate'],
      samples: [
        { body: { RestartPolicy: policy, HostConfig: { RestartPolicy: policy } }, values: { asked: 'always' } },
      ],
    },
  ),
} satisfies Change

export const referenceWords = {
  summary: 'The error for a repository with capitals names it.',
  see: 'distribution/reference/normalize.go:ParseNormalizedNamed as used by @v24.0.9, @v25.0.0; seen on 20.10, 28.5',
  ops: errorTexts(`
    ${operationNames.join(' ')}
      {lead}invalid reference format: repository name ({word}) must be lowercase{rest}
        down {lead}invalid reference format: repository name must be lowercase{rest}
  `),
} satisfies Change

export const buildTargetWords = {
  summary: 'The error for a build target that the Dockerfile lacks is worded differently.',
  see: 'builder/dockerfile/builder.go:build @v24.0.0, @v25.0.0; seen on 20.10 and 28.5',
  ops: errorTexts(`
    ImageBuild
      400 target stage "{stage}" could not be found
        400 failed to reach build target {stage} in Dockerfile
        1.37 500 failed to reach build target {stage} in Dockerfile
  `),
} satisfies Change

/** Engines 25 to 28.1 name a container that cannot be removed by its own name, newer ones as in the request. */
export const REMOVED: ErrorTextsOptions = {
  everyProfile: true,
  inspects: (client) => client < 50,
  holes: {
    id: ({ container }) => stringOf(container['Id']) || undefined,
    ownName: ({ container, name }) => stringOf(container['Name']) || name,
  },
  samples: [{ container: { Id: '0a'.repeat(32), Name: '/web' }, values: { ownName: '/web' } }],
}

export const removalWords = {
  summary: 'The error for removing a running container has its name; before, its id.',
  see: 'daemon/delete.go:cleanupContainer @v20.10.24, @v24.0.9, @v25.0.17; moby integration/container/remove_test.go @v20.10.24',
  ops: errorTexts(
    `
    ContainerDelete
      cannot remove container "{ownName}": container is {state=running|restarting}: stop the container before removing or force remove
        You cannot remove a {state=running|restarting} container {id}. Stop the container before attempting removal or force remove
        # Engines up to 1.10 do not name it.
        1.22
      cannot remove container "{ownName}": container is paused and must be unpaused first
        You cannot remove a paused container {id}. Unpause and then stop the container before attempting removal or force remove
        1.22
    `,
    REMOVED,
  ),
} satisfies Change
