import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DaemonSet } from 'kubernetes-models/apps/v1'
import { Pod } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { typeErrors } from './support/typed.ts'

/** Examples for programs that are not to be had here, against what those publish about their files. */
const examples = join(import.meta.dirname, '..', 'examples')
const text = (file: string): string => readFileSync(join(examples, file), 'utf8')

/** The published OpenAPI documents of Kubernetes: the values by their schemas, the members' names by their types. */
const KINDS = {
  DaemonSet: { model: DaemonSet, type: 'IDaemonSet', module: 'kubernetes-models/apps/v1' },
  Pod: { model: Pod, type: 'IPod', module: 'kubernetes-models/v1' },
} as const

const kind = z.looseObject({ kind: z.enum(['DaemonSet', 'Pod']) })

async function manifestErrors(manifest: unknown): Promise<readonly string[]> {
  const { model: Model, type, module } = KINDS[kind.parse(manifest).kind]
  const errors = await typeErrors(manifest, type, module)
  try {
    new Model(manifest as never).validate()
    return errors
  } catch (cause) {
    return [...errors, String(cause)]
  }
}

describe('Kubernetes', () => {
  it.each(globSync('kubernetes/*.yaml', { cwd: examples }).sort())(
    'has nothing against %s in its schema',
    async (file) => {
      expect(await manifestErrors(parse(text(file)))).toEqual([])
    },
    120_000,
  )

  it.each([
    ['a member that no container has', /restartPolicy:/, 'restartPolcy:', '\'"restartPolcy"\' does not exist'],
    ['a kind of volume that there is not', /type: Socket/, 'type: Sokket', 'hostPath/type must be equal to one of'],
    ['a container without a name', /- name: enginebridge/, '- tty: true', 'must have required property name'],
    ['a port that is a word', /containerPort: 9090/, 'containerPort: admin', 'containerPort must be integer'],
  ])(
    'would object to %s',
    async (_, was, is, error) => {
      const broken = text('kubernetes/sidecar.yaml').replace(was, is)
      expect(broken).not.toBe(text('kubernetes/sidecar.yaml'))
      expect((await manifestErrors(parse(broken))).join('\n')).toContain(error)
    },
    120_000,
  )
})

describe('Grafana', () => {
  const dashboard = (): string => text('metrics/dashboard.json')

  it('has nothing against the dashboard in its schema', async () => {
    expect(await typeErrors(JSON.parse(dashboard()), 'Dashboard', '@grafana/schema')).toEqual([])
  }, 120_000)

  it.each([
    ['a member that no panel has', '"gridPos"', '"gridPosition"', 'gridPosition'],
    ['a version that is a text', '"schemaVersion": 39', '"schemaVersion": "39"', "'string' is not assignable"],
  ])(
    'would object to %s',
    async (_, was, is, error) => {
      expect(dashboard()).toContain(was)
      const broken = JSON.parse(dashboard().replace(was, is))
      expect((await typeErrors(broken, 'Dashboard', '@grafana/schema')).join('\n')).toContain(error)
    },
    120_000,
  )

  it('finds every panel where no other is', () => {
    const grid = z.object({ x: z.int(), y: z.int(), w: z.int().min(1), h: z.int().min(1) })
    const { panels } = z
      .object({ panels: z.array(z.object({ id: z.int(), gridPos: grid })) })
      .parse(JSON.parse(dashboard()))
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { id, gridPos: one } of panels) {
      expect(one.x + one.w, `panel ${id}`).toBeLessThanOrEqual(24)
      const over = panels.filter(
        ({ id: other, gridPos: two }) =>
          other !== id &&
          one.x < two.x + two.w &&
          two.x < one.x + one.w &&
          one.y < two.y + two.h &&
          two.y < one.y + one.h,
      )
      expect(
        over.map(({ id: other }) => other),
        `panel ${id}`,
      ).toEqual([])
    }
  })
})

/**
 * Vector refuses options that it does not know. These are the ones in use, as its reference has them: vector.dev/docs/reference/configuration,
 * sources/file, transforms/remap, sinks/loki (0.58).
 */
const vector = z.strictObject({
  data_dir: z.string().startsWith('/'),
  sources: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('file'),
      include: z.array(z.string()).min(1),
      max_line_bytes: z.int().positive().optional(),
    }),
  ),
  transforms: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('remap'),
      inputs: z.array(z.string()).min(1),
      drop_on_error: z.boolean().optional(),
      source: z.string().min(1),
    }),
  ),
  sinks: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('loki'),
      inputs: z.array(z.string()).min(1),
      endpoint: z.url(),
      encoding: z.strictObject({ codec: z.enum(['json', 'logfmt', 'raw_message', 'text']) }),
      // From 0.57 on a template without a text before it is refused (highlights, "0.57 upgrade guide", "Template confinement").
      labels: z.record(
        z.string().regex(/^[a-z_]+$/),
        z.string().regex(/^(?!\{\{)/, 'a template with nothing before it'),
      ),
      out_of_order_action: z.enum(['accept', 'rewrite_timestamp', 'drop']).optional(),
    }),
  ),
})

describe('Vector', () => {
  it('is given options that its reference has, and inputs that are there', () => {
    const { sources, transforms, sinks } = vector.parse(parse(text('audit/vector.yaml')))
    const known = Object.keys({ ...sources, ...transforms })
    for (const { inputs } of [...Object.values(transforms), ...Object.values(sinks)])
      for (const input of inputs) expect(known).toContain(input)
  })
})

/** The manual of Fluent Bit 5: administration/configuring-fluent-bit/yaml, pipeline/inputs/tail, pipeline/outputs/loki, pipeline/parsers. */
const fluentBit = z.strictObject({
  service: z.strictObject({ flush: z.number(), log_level: z.enum(['off', 'error', 'warn', 'info', 'debug', 'trace']) }),
  parsers: z.array(
    z.strictObject({
      name: z.string(),
      format: z.enum(['json', 'regex', 'ltsv', 'logfmt']),
      time_key: z.string(),
      time_format: z.string(),
      time_keep: z.boolean(),
    }),
  ),
  pipeline: z.strictObject({
    inputs: z.array(
      z.strictObject({
        name: z.literal('tail'),
        tag: z.string(),
        path: z.string().startsWith('/'),
        parser: z.string(),
        db: z.string().startsWith('/'),
        read_from_head: z.boolean(),
        buffer_max_size: z.string().regex(/^\d+[kKmMgG]?$/),
        skip_long_lines: z.boolean(),
      }),
    ),
    outputs: z.array(
      z.strictObject({
        name: z.literal('loki'),
        match: z.string(),
        host: z.string(),
        port: z.int(),
        labels: z.string().regex(/^[a-z_]+=[^,{]+$/),
        label_keys: z.string().regex(/^\$[a-z]+(?:,\$[a-z]+)*$/),
      }),
    ),
  }),
})

describe('Fluent Bit', () => {
  it('is given options that its manual has, with a parser and a tag that are there', () => {
    const { parsers, pipeline } = fluentBit.parse(parse(text('audit/fluent-bit.yaml')))
    for (const { parser, tag } of pipeline.inputs) {
      expect(parsers.map(({ name }) => name)).toContain(parser)
      expect(pipeline.outputs.map(({ match }) => match)).toContain(tag)
    }
  })
})
