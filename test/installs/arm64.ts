import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { engineScript } from '../live/support/engine-script.ts'

/** Registers QEMU for arm64 programs with the kernel (docs.kernel.org, binfmt_misc) until this process ends. */

const NAME = 'enginebridge-arm64'
const MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`

/** Newer kernels keep the entry per mount namespace, so this is a new one; `cat` ends with this process. */
const KEEP = `mount -t binfmt_misc none /mnt
entry=/mnt/${NAME}
if [ -e $entry ]; then echo -1 >$entry; fi # of one that was killed
printf %s "$1" >/mnt/register
echo registered
cat
echo -1 >$entry`

export async function runArm64(): Promise<void> {
  if (process.arch === 'arm64') return
  const folder = (await engineScript('fetch', 'clients/qemu', 'qemu-user-static/bookworm')).trim()
  const entry = `:${NAME}:M::${MAGIC}:${MASK}:${join(folder, 'bin/qemu-aarch64-static')}:F`
  const keeper = spawn('unshare', ['--mount', 'sh', '-euc', KEEP, 'sh', entry], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(keeper, 'exit').then(() => Promise.reject(new Error('the kernel takes no programs of arm64')))
  await Promise.race([once(keeper.stdout, 'data'), ended])
  for (const part of [keeper, keeper.stdin, keeper.stdout]) (part as Socket).unref()
}
