import { memberAt, stringOf } from '../../src/api/json/json.ts'
import { type Change, errorTexts } from '../../src/translate/ops.ts'

const policy = { Name: 'always', MaximumRetryCount: 1 }

export default {
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
