import { byteSize, wholeAmount } from '../../config/units.ts'
import { setting, toggle } from './setting.ts'
import { address } from './values.ts'

const MIB = 1 << 20

/** At most what the audit reads of a body to find secrets: the inspector shows no bytes that it has not scanned. */
const atMost = (most: number, text: string) => byteSize.refine((size) => size <= most, { error: `at most ${text}` })

/** The inspector's settings, included in src/proxy/settings/settings.ts. */
export const inspectSettings = {
  inspect: setting(
    address.optional(),
    'ADDR',
    'serves a page that shows the calls live; the log says its URL, with the token that it asks for',
  ),
  'inspect-calls': setting(
    wholeAmount({ least: 1, most: 10_000 }),
    'N',
    'how many calls the inspector keeps; the oldest go first',
    '500',
  ),
  'inspect-body': setting(
    atMost(MIB, '1MiB'),
    'SIZE',
    'how much it keeps of one message: the beginning of a body, the end of a stream',
    '256KiB',
  ),
  'inspect-memory': setting(
    atMost(1024 * MIB, '1GiB'),
    'SIZE',
    'how much it keeps in all; the oldest calls go first',
    '64MiB',
  ),
  'inspect-input': toggle('shows what clients type into tunnels as well: passwords are typed', 'false'),
} as const
