import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { BindOptions, ExecConfig, ExecStartConfig, HostConfig, Info, MountSpec } from '../../src/api/shapes/shapes.ts'
import {
  added,
  byHand,
  type Changes,
  gated,
  ignored,
  omittedWhenEmpty,
  onEach,
  only,
  removed,
  shownAtEveryVersion,
} from '../../src/translate/ops.ts'
import { limitRefused, limitsIgnored } from '../by-hand/kernel-memory.ts'
import { createdMountsAsBinds } from '../by-hand/mount-options.ts'
import { CreateHostConfig } from '../by-hand/places.ts'

const MOUNT = { Type: 'bind', Source: '/a', Target: '/b' }

export default {
  '1.42/kernel-memory-ignored': {
    gate: 'prefix', // for the limits; answers have the gate release
    prefixCodeGoneFrom: '1.52', // HostConfig of engine 29 does not have the members
    summary: 'Kernel memory limits are ignored, and omitted from answers.',
    see: 'docs/api/version-history.md v1.42; container_routes.go @v23.0.0; recordings 20.10 and 28.5, create-hc-kernelmemory and info',
    ops: [
      ...(['KernelMemory', 'KernelMemoryTCP'] as const).flatMap((member) => limitRefused(member, '1.42')),
      ...limitsIgnored(),
      // Newer engines still send it below 1.42, so to a target pinned below the client's version too.
      ...only(
        { legs: ['responseUp'] },
        ...['KernelMemory', 'KernelMemoryTCP'].map((member) => removed(Info, member, { down: false })),
      ),
      ...gated(
        { gate: 'release' },
        omittedWhenEmpty(HostConfig, 'KernelMemory', 0, { bothWays: true }),
        omittedWhenEmpty(HostConfig, 'KernelMemoryTCP', 0, { bothWays: true }),
        omittedWhenEmpty(Info, 'KernelMemory', false, { bothWays: true }),
        omittedWhenEmpty(Info, 'KernelMemoryTCP', false, { bothWays: true }),
      ),
    ],
  },
  '1.42/console-size': {
    gate: 'prefix',
    summary: 'A container or exec can start with a terminal size; before, only Windows used it.',
    see: 'docs/api/version-history.md v1.42; container_routes.go @v23.0.0',
    ops: [
      ignored(CreateHostConfig, 'ConsoleSize', { sample: [24, 80], where: (_, { engine }) => engine.os !== 'windows' }),
      // Ignored, because a client resizes its terminal as soon as it is attached.
      added(ExecConfig, 'ConsoleSize', { sample: [24, 80], onLoss: 'ignore' }),
      added(ExecStartConfig, 'ConsoleSize', { sample: [24, 80], onLoss: 'ignore' }),
    ],
  },
  '1.42/mount-options-validated': {
    gate: 'prefix',
    summary: 'Options of another mount type are refused, and a bind can create its source.',
    see: 'docs/api/version-history.md v1.42; container_routes.go:postContainersCreate @v23.0.0',
    ops: [
      ...shownAtEveryVersion(added(onSide(BindOptions, 'response'), 'CreateMountpoint', { sample: true })),
      // Engines from 23.0 on do this for old versions. Docker always refuses VolumeOptions of a bind.
      onEach(onlyIn(MountSpec, 'ContainerCreate'), 'options of another type are removed', {
        requestUp: (mount) => {
          if (mount['Type'] !== 'volume' && mount['Type'] !== 'bind') delete mount['VolumeOptions']
          if (mount['Type'] !== 'tmpfs') delete mount['TmpfsOptions']
        },
      }),
      ignored(onlyIn(BindOptions, 'ContainerCreate'), 'CreateMountpoint', { sample: true }),
      byHand('ContainerCreate', 'on older engines CreateMountpoint becomes a bind', {
        onLoss: 'refuse',
        loses: 'a mount with CreateMountpoint that Binds cannot express',
        requestDown: createdMountsAsBinds,
      }),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig.Mounts.[]': [
        [{ Type: 'bind', VolumeOptions: {} }],
        [
          { Type: 'tmpfs', TmpfsOptions: { SizeBytes: 5 }, VolumeOptions: { NoCopy: true } },
          { Type: 'tmpfs', TmpfsOptions: { SizeBytes: 5 } },
        ],
      ],
      'ContainerCreate requestDown body.HostConfig': [
        [
          {
            Binds: ['/x:/y'],
            Mounts: [
              { ...MOUNT, ReadOnly: true, BindOptions: { CreateMountpoint: true, Propagation: 'rslave' } },
              { ...MOUNT, BindOptions: { CreateMountpoint: true, Propagation: null } },
              { ...MOUNT, BindOptions: { CreateMountpoint: false } },
            ],
          },
          { Binds: ['/x:/y', '/a:/b:ro,rslave', '/a:/b'], Mounts: [{ ...MOUNT, BindOptions: {} }] },
        ],
        [
          { Mounts: [{ ...MOUNT, BindOptions: { CreateMountpoint: true, NonRecursive: true } }] },
          /BindOptions\.CreateMountpoint .* needs API 1\.42/,
        ],
      ],
    },
  },
} satisfies Changes
