// For `node --import`: writes the address of each file that the process loads to the file that LOADED_FILES names, and
// on SIGUSR2 which of Node's own modules it has.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, `${url}\n`)
    return next(url, context)
  },
})

process.on('SIGUSR2', () => appendFileSync(process.env.LOADED_FILES, `${process.moduleLoadList.join('\n')}\n`))
