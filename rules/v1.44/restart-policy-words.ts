import { memberAt, objectOf } from '../../src/api/json/json.ts'
import { errorWords, inWords } from '../by-hand/reworded.ts'

const on = ['ContainerCreate', 'ContainerUpdate'] as const
const everyProfile = true
const NEGATIVE = 'maximum retry count cannot be negative'
const ONLY_ON_FAILURE = "invalid restart policy: maximum retry count can only be used with 'on-failure'"

const NOTE = 'restart-policy'
const policy = { Name: 'always', MaximumRetryCount: 1 }

export default errorWords(
  {
    summary: 'The errors of restart policies are worded differently.',
    see: 'daemon/container.go @v24.0, api/types/container/hostconfig.go @v25.0; recordings 20.10, 26.1 and 28.5, create-hc-restart',
  },
  [
    {
      ...inWords(
        on,
        "invalid restart policy '$1'",
        "invalid restart policy: unknown policy '$1'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'",
      ),
      everyProfile,
    },
    { ...inWords(on, NEGATIVE, `invalid restart policy: ${NEGATIVE}`), everyProfile },
    {
      on,
      everyProfile,
      notes: {
        requestUp: ({ body }, { memory }) => {
          const { Name: name = '' } = objectOf(
            memberAt(body, 'HostConfig', 'RestartPolicy') ?? memberAt(body, 'RestartPolicy'),
          )
          memory.set(NOTE, name)
        },
      },
      before: {
        says: /^maximum retry count cannot be used with restart policy '.*'$/s,
        text: (_, { memory }) => `maximum retry count cannot be used with restart policy '${memory.get(NOTE) ?? ''}'`,
      },
      after: { says: /^invalid restart policy: maximum retry count (?!cannot be negative$)/, text: ONLY_ON_FAILURE },
      samples: [
        {
          asked: { body: { RestartPolicy: policy, HostConfig: { RestartPolicy: policy } } },
          before: "maximum retry count cannot be used with restart policy 'always'",
          after: ONLY_ON_FAILURE,
        },
      ],
    },
  ],
)
