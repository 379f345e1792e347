/** `npm run newest -- DIR`: what the newest published document in DIR has that the rules do not account for. */
import { NEWEST } from '../src/api/version.ts'
import { unaccounted } from './support/api-documents/newest.ts'

const [, , folder] = process.argv
if (folder === undefined) throw new Error('say where the documents are: npm run newest -- DIR')
const { minor, lines } = unaccounted(folder)
for (const line of lines) process.stdout.write(`${line}\n`)
if (minor > NEWEST) process.stdout.write(`1.${minor} is newer than the rules, which end with 1.${NEWEST}\n`)
process.stdout.write(`1.${minor}: ${lines.length} without a rule or a reason\n`)
process.exitCode = lines.length > 0 || minor > NEWEST ? 1 : 0
