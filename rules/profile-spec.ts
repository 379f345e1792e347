import type { Deviations } from '../src/translate/change.ts'
import containers from './profile-spec/containers.ts'
import exec from './profile-spec/exec.ts'
import images from './profile-spec/images.ts'
import names from './profile-spec/names.ts'
import streams from './profile-spec/streams.ts'
import system from './profile-spec/system.ts'

/**
 * What `--profile spec` adds to the changes: the letter of the specifications of 1.18, 1.19, 1.21 and 1.22 where no real
 * engine follows it. They do not describe 1.20, which is treated like its neighbours.
 */
export default [names, streams, exec, containers, images, system] satisfies readonly Deviations[]
